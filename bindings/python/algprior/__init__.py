"""Finite groups, their representations, and priors and audits of equivariance.

>>> import algprior
>>> G = algprior.Group("D4")
>>> algprior.regular(G).multiplicities()
[1, 1, 1, 1, 2]

`algprior.torch`, which has the losses and actions on tensors, is loaded when it is first used.
"""
from __future__ import annotations

import typing as _typing

from ._algebra import (CharacterTable, Group, Representation, Subgroup, defining, direct_sum, linear, outer,
                       permutations, regular, representation, sign, trivial)
from ._audit import AuditReport, Estimate, assert_equivariant, audit
from ._build import VERSION as __version__
from ._runs_api import PaperTable, Run, paper_table, run
from .errors import DivergedError, Error, FileError, InputError, Interrupted, LimitError

if _typing.TYPE_CHECKING:
    from . import torch as torch

__all__ = [
    "AuditReport", "CharacterTable", "DivergedError", "Error", "Estimate", "FileError", "Group", "InputError",
    "Interrupted", "LimitError", "PaperTable", "Representation", "Run", "Subgroup", "assert_equivariant", "audit",
    "defining", "direct_sum", "linear", "outer", "paper_table", "permutations", "regular", "representation", "run", "sign", "torch",
    "trivial",
]


def __getattr__(name: str) -> _typing.Any:
    if name == "torch":
        import importlib
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), "torch"])
