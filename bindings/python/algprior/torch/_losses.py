"""Losses, and how hard they pull."""
from __future__ import annotations

import typing

from torch import Tensor, nn

from .. import _torch
from .._torch import Action
from ..errors import InputError


def equivariance_loss(action: Action, z: Tensor, zg: Tensor, g: Tensor) -> Tensor:
    """mean (E(g·x) − ρ(g)E(x))² for z = E(x), zg = E(g·x): the prior of the paper, unweighted.

    Shapes must be equal: nothing broadcasts. The gradient flows into z and zg.

    >>> import algprior, torch
    >>> rho = latent_action(algprior.regular(algprior.Group("C4")), 4)
    >>> z, g = torch.randn(3, 4), torch.tensor([1, 2, 3])
    >>> equivariance_loss(rho, z, rho(g, z), g).item()
    0.0
    """
    return _torch.equivariance_loss(action, z, zg, g)


def relative_equivariance_loss(action: Action, z: Tensor, zg: Tensor, g: Tensor) -> Tensor:
    """The equivariance loss over the spread of both latents: the same for Z and c·Z."""
    return _torch.relative_equivariance_loss(action, z, zg, g)


class EquivarianceLoss(nn.Module):
    """`equivariance_loss` as a module without parameters, times `weight`; scale "relative" divides by the spread.

    It pickles, deep copies, and serves tensors on any device.

    >>> import algprior, copy, torch
    >>> loss = EquivarianceLoss(latent_action(algprior.regular(algprior.Group("D4")), 8), weight=2.0)
    >>> loss
    EquivarianceLoss(action of D4 on 8 latent coordinates, weight=2.0, scale='absolute')
    >>> list(loss.parameters())
    []
    """

    def __init__(self, action: Action, weight: float = 1.0, scale: str = "absolute") -> None:
        super().__init__()
        if scale not in ("absolute", "relative"):
            raise InputError("no such scale of a loss", repr(scale), "'absolute' or 'relative'", "")
        if not 0 <= weight < float("inf"):
            raise InputError("no such weight of a loss", repr(weight), "a finite number of at least 0", "")
        self.action = action
        self.weight = weight
        self.scale = scale

    def forward(self, z: Tensor, zg: Tensor, g: Tensor) -> Tensor:
        """z = E(x), zg = E(g·x), one element g for each sample."""
        loss = equivariance_loss if self.scale == "absolute" else relative_equivariance_loss
        return self.weight * loss(self.action, z, zg, g)

    def extra_repr(self) -> str:
        return f"{self.action.name}, weight={self.weight}, scale={self.scale!r}"


def pulls(terms: typing.Mapping[str, Tensor | tuple[Tensor, float]],
          parameters: typing.Iterable[Tensor]) -> dict[str, float]:
    """How hard each term of a loss pulls: the norm of its weighted gradient over all these parameters together.

    `terms` maps names to scalars or to (scalar, weight). The graph is kept, so that backward() may follow.

    >>> import torch
    >>> w = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> pulls({"task": (w * w).sum(), "prior": (w.sum(), 0.1)}, [w])["task"]
    10.0
    """
    listed: list[tuple[str, Tensor, float]] = []
    for name, term in terms.items():
        value, weight = term if isinstance(term, tuple) else (term, 1.0)
        listed.append((name, value, weight))
    return dict(_torch.pulls(listed, list(parameters)))
