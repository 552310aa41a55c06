"""The audit of a network: encodes every g·x, then asks the audit of arrays."""
from __future__ import annotations

import typing

import torch
from torch import Tensor

from .. import _audit as arrays
from .._audit import AuditReport
from .._torch import Action
from ..errors import InputError

Encoder = typing.Callable[[Tensor], Tensor]


def _encode(encoder: Encoder, x: Tensor, batch_size: int) -> Tensor:
    parts = []
    for batch in x.split(batch_size):
        z = encoder(batch)
        if not isinstance(z, Tensor) or z.ndim < 2 or len(z) != len(batch):
            found = f"{type(z).__name__}" + (f" {tuple(z.shape)}" if isinstance(z, Tensor) else "")
            raise InputError("an encoder must give one embedding a sample", found,
                             f"a tensor with {len(batch)} rows", "pass lambda x: network.encode(x)")
        parts.append(z.flatten(1).float().cpu() if z.dtype != torch.float64 else z.flatten(1).cpu())
    return torch.cat(parts)


def audit(encoder: Encoder, x: Tensor, action: Action, *, batch_size: int = 256, **options: typing.Any) -> AuditReport:
    """Is this encoder equivariant under the action on its inputs, to which representation, how far?

    Encodes g·x for every element g without gradients, a module in evaluation mode (and then as it was). `options` are
    those of `algprior.audit`: representation, labels, candidates, equivariant_below, seed, resamplings. What the
    encoder raises passes through unchanged.

    >>> import algprior, torch
    >>> x = torch.randn(64, 1, 6, 6)
    >>> audit(lambda x: x.flatten(1).sum(1, keepdim=True), x, planar_action("C4")).verdict
    'invariant'
    """
    modes: list[tuple[torch.nn.Module, bool]] = []
    if isinstance(encoder, torch.nn.Module):
        modes = [(part, part.training) for part in encoder.modules()]
        encoder.eval()
    try:
        with torch.no_grad():
            orbit = [_encode(encoder, action(g, x), batch_size) for g in action.group]
            again = _encode(encoder, x[:batch_size], batch_size)
    finally:
        for part, training in modes:
            part.training = training
    remarks = list(options.pop("remarks", ()))
    if not torch.equal(again, orbit[0][:len(again)]):
        remarks.append("the encoder is stochastic: it gave other numbers for the same inputs (dropout or noise that "
                       "evaluation mode leaves on)")
    if not action.exact:
        remarks.append(f"the inputs were interpolated: {action.name} is a left action to {action.tolerance:.2g} only")
    return arrays.audit(torch.stack(orbit, 1), action.group, remarks=remarks, **options)


def assert_equivariant(encoder: Encoder, x: Tensor, action: Action, *, below: float = 0.3,
                       **options: typing.Any) -> AuditReport:
    """For tests of your own: AssertionError with the report unless the audited error is below `below`."""
    report = audit(encoder, x, action, equivariant_below=below, **options)
    return arrays.require_equivariant(report, below, options.get("representation") is not None)
