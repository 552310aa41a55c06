"""What the library raises: each exception says what failed, on what, what was expected, what to do next."""
from __future__ import annotations


class Error(ValueError):
    """The root of every exception of the library. An encoder's own exceptions pass through unchanged.

    >>> import algprior
    >>> try:
    ...     algprior.Group("D0")
    ... except algprior.Error as error:
    ...     print(error.expected)
    D1, D2, …
    """

    def __init__(self, what: str, where: str = "", expected: str = "", next: str = "") -> None:
        super().__init__(what, where, expected, next)
        self.what = what
        self.where = where
        self.expected = expected
        self.next = next

    def __str__(self) -> str:
        text = f"{self.what}: {self.where}" if self.where else self.what
        for name, part in (("expected", self.expected), ("next", self.next)):
            if part:
                text += f"\n  {name}: {part}"
        return text


class InputError(Error):
    """A value is wrong: a group name, a shape, a setting."""


class FileError(Error):
    """A file is missing, unreadable, damaged or cannot be written."""


class LimitError(Error):
    """The operation would need more memory or time than its bound allows."""


class DivergedError(Error):
    """Numbers ran away: a loss or a weight is not finite, a learned matrix is singular."""


class Interrupted(Error):
    """Work was stopped on request, but not by Ctrl-C, which is a KeyboardInterrupt."""
