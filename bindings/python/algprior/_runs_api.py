"""Runs: start one, read one, and the paper's tables beside ours."""
from __future__ import annotations

import os
import typing

from .errors import InputError

if typing.TYPE_CHECKING:
    import numpy as np


class Run:
    """A run folder as it lies on disk; what is missing in it stands in `problems`.

    `metrics` maps names such as 'validation/accuracy' to arrays: metrics[name]['value'], ['step'], ['epoch'].
    """

    folder: str
    name: str
    experiment: str
    row: str
    seed: int
    state: str
    """'finished', 'diverged', 'running', 'stopped before the end' or 'damaged'."""
    settings: dict[str, str]
    problems: list[str]
    metrics: dict[str, dict[str, np.ndarray]]
    result: dict[str, typing.Any] | None
    """The content of result.json: result['metrics']['accuracy']."""

    def __init__(self, folder: str, loaded: dict[str, typing.Any]) -> None:
        import json
        self.folder = folder
        for name, value in loaded.items():
            setattr(self, name, value)
        self.result = None if loaded["result"] is None else json.loads(loaded["result"])

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Run:
        """Reads a run folder. Raises FileError when it is none."""
        from . import _runs
        from .errors import FileError
        path = os.fspath(folder)
        if not _runs.is_run_folder(path):
            raise FileError("this folder holds no run", path, "a folder with config.toml, metrics.jsonl or result.json",
                            "algprior train writes one")
        return cls(path, _runs.load(path))

    def __repr__(self) -> str:
        return f"<Run {self.name}: {self.state}, {len(self.metrics)} curves, {self.folder}>"


class PaperTable:
    """A table of the paper beside our runs: `rows` for programs, `str()` for people."""

    def __init__(self, document: typing.Any, text: str) -> None:
        self.document = document
        self._text = text

    def to_dict(self) -> typing.Any:
        """The table ready for json.dump."""
        return self.document

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape
        return f"<pre>{escape(self._text)}</pre>"


def paper_table(name: str, folders: typing.Sequence[str | os.PathLike[str]] = ()) -> PaperTable:
    """A published table ('ddmnist') filled with the results found in folders, `results` and the runs folder.

    >>> import algprior
    >>> algprior.paper_table("ddmnist").to_dict()["table"]
    'ddmnist'
    """
    import json

    from . import _runs
    places = [os.fspath(folder) for folder in folders] or ["results"]
    document, text = _runs.table(name, [*places, _runs.runs_folder()])
    return PaperTable(json.loads(document), text)


def _setting(name: str, value: typing.Any) -> str:
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, (list, tuple)):
        value = "[" + ", ".join(str(one) for one in value) + "]"
    return f"{name}={value}"


def run(file: str | os.PathLike[str], overrides: typing.Mapping[str, typing.Any] | typing.Sequence[str] = (), *,
        folder: str | os.PathLike[str] | None = None, on_epoch: typing.Callable[[dict[str, typing.Any]], None] | None = None,
        resume: bool = False, device: str = "cpu") -> Run:
    """Runs the experiment of a TOML file, as `algprior train` does, and returns its run folder.

    `overrides` are settings, {"train.epochs": 2} or ["train.epochs=2"]. `on_epoch` is called with each record of the
    run: step, epoch, split, terms, metrics; what it raises ends the run and is raised here. Ctrl-C stops at a step and
    leaves a checkpoint: `resume=True` goes on. A folder with a result of the same settings is not trained again.
    """
    if isinstance(overrides, str):
        raise InputError("overrides are several", repr(overrides), "a dictionary or a list of 'name=value'",
                         f"[{overrides!r}]")
    settings = [_setting(*item) for item in overrides.items()] if isinstance(overrides, typing.Mapping) \
        else [str(one) for one in overrides]
    from .torch import _torch
    where = _torch.run(os.fspath(file), settings, "" if folder is None else os.fspath(folder), resume, device, on_epoch)
    return Run.load(where)
