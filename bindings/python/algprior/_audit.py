"""Is an encoder equivariant, to which representation, and how far is it? On arrays; the work is in C++."""
from __future__ import annotations

import typing

from . import _algebra
from ._algebra import Group, Representation
from .errors import InputError

if typing.TYPE_CHECKING:
    import numpy as np


class Estimate(typing.NamedTuple):
    """A number with its 95 % interval (percentiles of a bootstrap over samples)."""

    value: float
    low: float
    high: float


class AuditReport:
    """What `audit` found. Errors are relative to chance: 0 is exact, 1 is chance, lower is better.

    What does not apply is None, never 0. `to_dict()` has everything, `str()` is one screen.
    """

    group: str
    order: int
    samples: int
    dimension: int
    effective_rank: int
    spread: float
    verdict: str
    """'collapsed', 'invariant', 'equivariant to the given representation', 'equivariant to some representation'
    or 'none'."""
    audited: str | None
    """Which representation per_element, worst and room speak of."""
    errors: dict[str, Estimate | None]
    """By representation: 'invariance', 'regular', 'defining', 'given', 'fitted', and the control 'shuffled'."""
    fitted: dict[str, typing.Any]
    per_element: list[dict[str, typing.Any]]
    worst: list[dict[str, typing.Any]]
    remarks: list[str]
    next: list[str]
    groups: list[dict[str, typing.Any]]

    def __init__(self, document: dict[str, typing.Any], text: str) -> None:
        self._document = document
        self._text = text
        for name, value in document.items():
            setattr(self, name, value)
        self.errors = {name: Estimate(**one) if one else None for name, one in document["errors"].items()}

    @property
    def error(self) -> float | None:
        """The error of the audited representation; None for an encoder that collapsed."""
        if self.audited is None:
            return None
        one = self.errors.get("invariance" if self.audited == "trivial" else self.audited)
        return None if one is None else one.value

    def to_dict(self) -> dict[str, typing.Any]:
        """Everything, ready for json.dump."""
        return self._document

    def html(self) -> str:
        """The report as a piece of HTML: the verdict, the errors with their intervals, what to know and to try."""
        from html import escape

        def cell(value: float | None) -> str:
            return "–" if value is None else f"{value:.4g}"

        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{cell(one and one.value)}</td>"
            f"<td>{f'{one.low:.4g} … {one.high:.4g}' if one else 'does not apply'}</td></tr>"
            for name, one in self.errors.items())
        parts = [f"<b>{escape(self.verdict)}</b> ({escape(self.group)}, {self.samples} samples, "
                 f"{self.dimension} dimensions)",
                 "<table><tr><th>representation</th><th>error (0 exact, 1 chance)</th><th>95 %</th></tr>"
                 f"{rows}</table>"]
        for title, lines in (("Know", self.remarks), ("Try", self.next)):
            if lines:
                parts.append(f"{title}<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>")
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        return self.html()

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        error = "" if self.error is None else f", error {self.error:.3g} ({self.audited})"
        return f"<AuditReport: {self.verdict}{error}; {self.samples} samples, {self.group}>"


def as_array(value: typing.Any, name: str) -> np.ndarray:
    """A NumPy view of an array, of anything with DLPack or the array protocol; nothing is copied that fits."""
    import numpy as np
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
            raise InputError("an array cannot be shared with NumPy", f"{name}: {error}",
                             "numbers on the CPU without a gradient", f"{name}.detach().cpu()") from error
    return np.asarray(value)


def _numbers(value: typing.Any, name: str, axes: int) -> np.ndarray:
    import numpy as np
    array = as_array(value, name)
    if array.dtype.kind not in "fiub":
        raise InputError("these are no real numbers", f"{name}: {array.dtype}", "floating-point numbers", "")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float32 if array.dtype.itemsize <= 2 else np.float64)
    if array.ndim < axes or array.size == 0:
        raise InputError("embeddings of this shape cannot be audited", f"{name}: {array.shape}",
                         "[samples, elements, coordinates] for whole orbits, or z and zg [samples, coordinates] with g",
                         "z[n, g] is the embedding of g·x_n, elements as group.elements")
    # A grid of latents is audited as one vector.
    return np.ascontiguousarray(array.reshape(*array.shape[:axes - 1], -1))


def _integers(value: typing.Any, name: str, count: int) -> np.ndarray:
    import numpy as np
    array = as_array(value, name)
    if array.dtype.kind not in "iub" or array.shape != (count,):
        raise InputError("one whole number a sample is wanted", f"{name}: {array.dtype} {array.shape}",
                         f"integers of shape ({count},)", "")
    return np.ascontiguousarray(array, dtype=np.int64)


def audit(z: typing.Any, group: Group | str, *, zg: typing.Any = None, g: typing.Any = None,
          representation: Representation | None = None, labels: typing.Any = None, inputs: typing.Any = None,
          candidates: typing.Sequence[Group | str] = (), equivariant_below: float = 0.3, seed: int = 0,
          resamplings: int = 1000, remarks: typing.Sequence[str] = ()) -> AuditReport:
    """Is the encoder that made these embeddings equivariant, to which representation, how far?

    `z[n, g]` is the embedding of g·x_n for every element g, shape [samples, elements, coordinates]: a NumPy array or
    anything with DLPack. Where whole orbits cannot be encoded: `z` [samples, coordinates] of x, `zg` of g·x, and the
    elements `g`. `representation` is one to judge by; `labels` are the samples' classes; `inputs`, the g·x_n, show
    whether the inputs were transformed at all; `candidates` are groups to look for among the subgroups.

    >>> import algprior, numpy as np
    >>> G = algprior.Group("C4")
    >>> x = np.random.default_rng(0).normal(size=(200, 1, 4, 1))
    >>> z = (algprior.regular(G).matrices() @ x)[..., 0]
    >>> report = algprior.audit(z, G, representation=algprior.regular(G))
    >>> report.verdict
    'equivariant to the given representation'
    >>> report.errors["given"].value < 1e-6
    True
    """
    if isinstance(group, str):
        group = Group(group)
    if (zg is None) != (g is None):
        raise InputError("pairs need both zg and g", "zg" if g is None else "g", "the other one too",
                         "zg[n] is the embedding of g[n]·x_n")
    pairs = zg is not None
    values = _numbers(z, "z", 2 if pairs else 3)
    moved = None
    if pairs:
        import numpy as np
        moved = _numbers(zg, "zg", 2)
        if moved.shape != values.shape:
            raise InputError("z and zg differ in shape", f"{values.shape} and {moved.shape}", "one shape", "")
        if moved.dtype != values.dtype:
            values, moved = values.astype(np.float64), moved.astype(np.float64)
    given = None
    if inputs is not None:
        given = _numbers(inputs, "inputs", 3)
        if pairs or given.shape[:2] != values.shape[:2]:
            raise InputError("the inputs do not fit the embeddings", f"{given.shape} beside {values.shape}",
                             "[samples, elements, …] beside z of whole orbits", "leave inputs out")
    document, text = _algebra._audit(
        values, moved, None if g is None else _integers(g, "g", len(values)), group, representation, seed, resamplings,
        equivariant_below, None if labels is None else _integers(labels, "labels", len(values)), given,
        [Group(one) if isinstance(one, str) else one for one in candidates], list(remarks))
    import json
    return AuditReport(json.loads(document), text)


def assert_equivariant(z: typing.Any, group: Group | str, *, below: float = 0.3, **options: typing.Any) -> AuditReport:
    """For tests of your own: raises AssertionError with the report unless the audited error is below `below`.

    Takes what `audit` takes, and returns its report. An invariant encoder is no equivariant one unless
    `representation` is trivial; a collapsed one never is.

    >>> import algprior, numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(200, 4, 8))
    >>> algprior.assert_equivariant(noise, "C4")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: the encoder is not equivariant: ...
    """
    report = audit(z, group, equivariant_below=below, **options)
    return require_equivariant(report, below, options.get("representation") is not None)


def require_equivariant(report: AuditReport, below: float, given: bool) -> AuditReport:
    """The report itself, or AssertionError; where a representation was given, that one counts."""
    one = report.errors["given"] if given else None
    error = one.value if one is not None else report.error
    accepted = report.verdict.startswith("equivariant") or (report.verdict == "invariant" and given)
    if not accepted or error is None or not error < below:
        raise AssertionError(f"the encoder is not equivariant: {report.verdict}\n{report}")
    return report
