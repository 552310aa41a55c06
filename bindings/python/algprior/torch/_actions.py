"""Actions of groups on tensors."""
from __future__ import annotations

import typing

import torch
from torch import Tensor

from .. import _torch
from .._algebra import Group, Representation
from .._torch import Action


def _group(group: Group | str) -> Group:
    return Group(group) if isinstance(group, str) else group


def remake(name: str, *arguments: typing.Any) -> Action:
    """The action that a function of `_torch` makes of these arguments; what a pickle calls."""
    action: Action = getattr(_torch, name)(*arguments)
    action._made_by = (name, *arguments)
    return action


def planar_action(group: Group | Representation | str, resampling: str = "none") -> Action:
    """A planar group on images N×C×H×W: C_n turns counter-clockwise, D_n turns and flips left to right.

    Elements that map pixels to pixels are exact. Other angles need `resampling`, "bilinear" or "nearest". A
    two-dimensional orthogonal Representation on (right, down) serves a group with a planar action of your own.

    >>> import torch
    >>> rotate = planar_action("C4")
    >>> x = torch.arange(4.0).reshape(1, 1, 2, 2)
    >>> rotate("r", x)[0, 0].tolist()
    [[1.0, 3.0], [0.0, 2.0]]
    """
    if isinstance(group, Representation):
        return remake("planar_action_of", group, resampling)
    return remake("planar_action", _group(group), resampling)


def volume_action(group: Group | Representation | str) -> Action:
    """A group of the cube (cube, Oh, T, Td, Th) on volumes N×C×D×H×W, exactly.

    >>> volume_action("cube").exact
    True
    """
    if isinstance(group, Representation):
        return remake("volume_action_of", group)
    return remake("volume_action", _group(group))


def latent_action(representation: Representation, dimension: int) -> Action:
    """ρ on latent vectors N×dimension: as many copies of ρ as fit, then coordinates that stay.

    >>> import algprior, torch
    >>> rho = latent_action(algprior.regular(algprior.Group("C2")), 3)
    >>> rho(1, torch.tensor([[1.0, 2.0, 3.0]])).tolist()
    [[2.0, 1.0, 3.0]]
    """
    return remake("latent_action", representation, dimension)


def channel_action(representation: Representation, channels: int) -> Action:
    """The same ρ on the channels of a grid N×C×H×W or N×C×D×H×W, at every position."""
    return remake("channel_action", representation, channels)


def label_action(representation: Representation) -> Action:
    """A permutation representation on class labels, int64."""
    return remake("label_action", representation)


def trivial_action(group: Group | str) -> Action:
    """The identity for every element: invariant labels."""
    return remake("trivial_action", _group(group))


def compose(outer: Action, inner: Action) -> Action:
    """g ↦ A_g B_g for two actions of one group that commute, such as one on pixels and one on channels."""
    return remake("compose", outer, inner)


def own_action(group: Group | str, name: str, tolerance: float,
               function: typing.Callable[[Tensor, Tensor], Tensor]) -> Action:
    """An action of your own: function(g, x) with one element for each sample; tolerance 0 promises an exact one.

    What `function` raises passes through unchanged. It pickles when `function` does.
    """
    return remake("own_action", _group(group), name, tolerance, function)


def sample_elements(group: Group | str, n: int, *, generator: torch.Generator | None = None,
                    device: torch.device | str = "cpu") -> Tensor:
    """n elements drawn uniformly, int64: from `generator`, or from torch's own, so torch.manual_seed counts.

    >>> import torch
    >>> sample_elements("D4", 3, generator=torch.Generator().manual_seed(0)).shape
    torch.Size([3])
    """
    seed = int(torch.randint(2**63 - 1, (), generator=generator,
                             device="cpu" if generator is None else generator.device))
    return _torch.sample_elements(_group(group), n, seed, torch.device(device))


def room(action: Action, shape: typing.Sequence[int] | int) -> float:
    """How many invariant numbers exact equivariance to this action leaves a linear head.

    The multiplicity of the trivial representation; `shape` is that of one latent without the batch.

    >>> import algprior
    >>> room(latent_action(algprior.regular(algprior.Group("D4")), 18), 18)
    4.0
    """
    return _torch.room(action, [shape] if isinstance(shape, int) else list(shape))
