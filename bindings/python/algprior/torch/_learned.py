"""A latent representation that is learned with the network."""
from __future__ import annotations

import typing

import torch
from torch import Tensor, nn

from .. import _torch
from .._algebra import Group, Representation


class LearnedRepresentation(nn.Module):
    """ρ̂: one free d×d matrix for each generator of a group, a parameter under the generator's name.

    `start` is "normal", "uniform", "orthogonal" or "identity"; the last two with `noise` added. The start depends on
    `seed` alone.

    >>> import algprior, torch
    >>> rho = LearnedRepresentation(algprior.Group("D4"), 8, start="orthogonal", noise=0.0)
    >>> [name for name, _ in rho.named_parameters()]
    ['r', 's']
    >>> rho(torch.tensor([0, 5]), torch.randn(2, 8)).shape
    torch.Size([2, 8])
    >>> rho.algebra_loss().backward()
    """

    def __init__(self, group: Group | str, dimension: int, *, start: str = "normal", noise: float = 1.0, seed: int = 0,
                 device: torch.device | str | None = None, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.group = Group(group) if isinstance(group, str) else group
        self.dimension = dimension
        for k, name in enumerate(self.group.generator_names):
            matrix = _torch.start_matrix(dimension, start, noise, seed, k)
            self.register_parameter(name, nn.Parameter(matrix.to(device=device, dtype=dtype)))

    @classmethod
    def from_matrices(cls, group: Group | str, matrices: typing.Sequence[Tensor]) -> LearnedRepresentation:
        """From one matrix for each generator; an exact Representation gives them by rho.matrix(s)."""
        self = cls(group, matrices[0].shape[-1], start="identity", noise=0.0, dtype=matrices[0].dtype)
        with torch.no_grad():
            for parameter, matrix in zip(self.generators(), matrices):
                parameter.copy_(matrix)
        return self

    def generators(self) -> list[Tensor]:
        """The parameters, in the order of group.generators."""
        return [self.get_parameter(name) for name in self.group.generator_names]

    def forward(self, g: Tensor, z: Tensor) -> Tensor:
        """ρ̂(g)z with element g[n] for sample n; z is N×d, or N×d×H×W, where ρ̂ mixes channels."""
        return _torch.learned_apply(self.group, self.generators(), g, z)

    def matrix(self, g: int | str) -> Tensor:
        """ρ̂(g), differentiable: the product along a shortest word of g without inverses."""
        return _torch.learned_matrix(self.group, self.generators(), self.group.element(g))

    def algebra_losses(self, *, weights: typing.Sequence[float] = (), regulariser: str = "none",
                       damping: float = 0.995) -> dict[str, Tensor]:
        """How far ρ̂ is from a representation: "algebra", "regulariser" where one is asked for, and each relator's
        mean square as "relator 0", …, unweighted.

        `regulariser` is "none", "inverse" or "damped_commutation".
        """
        relators, algebra, extra = _torch.algebra_loss(self.group, self.generators(), list(weights), regulariser,
                                                       damping)
        losses = {"algebra": algebra}
        if extra is not None:
            losses["regulariser"] = extra
        losses.update({f"relator {i}": value for i, value in enumerate(relators)})
        return losses

    def algebra_loss(self, *, weights: typing.Sequence[float] = (), regulariser: str = "none",
                     damping: float = 0.995) -> Tensor:
        """The algebra loss of the paper with its regulariser: 0 exactly when ρ̂ is a representation."""
        losses = self.algebra_losses(weights=weights, regulariser=regulariser, damping=damping)
        return losses["algebra"] + losses["regulariser"] if "regulariser" in losses else losses["algebra"]

    def decompose(self) -> dict[str, typing.Any]:
        """Which representation it is: Group.decompose of the matrices."""
        return self.group.decompose([p.detach().cpu().double().numpy() for p in self.generators()])

    def nearest(self) -> Representation | None:
        """An exact representation nearby, or None."""
        found: Representation | None = self.decompose()["nearest"]
        return found

    def extra_repr(self) -> str:
        return f"{self.group.name}, dimension={self.dimension}"
