"""Priors and audits for networks in PyTorch: actions of groups on tensors, losses, learned representations.

Tensors are shared with C++, gradients flow through everything.

>>> import torch, algprior
>>> from algprior.torch import equivariance_loss, latent_action, planar_action, sample_elements
>>> G = algprior.Group("D4")
>>> on_images, on_latents = planar_action(G), latent_action(algprior.regular(G), 16)
>>> encoder = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 16))
>>> x = torch.randn(5, 1, 8, 8)
>>> g = sample_elements(G, len(x))
>>> loss = equivariance_loss(on_latents, encoder(x), encoder(on_images(g, x)), g)
>>> loss.backward()
"""
from __future__ import annotations

from .._build import TORCH_VERSION as _BUILT_WITH


def _check_version() -> None:
    """Another torch than ours would end in an undefined symbol, or worse, in none."""
    if not _BUILT_WITH:
        raise ImportError("algprior was built without torch, so there is no algprior.torch here")
    try:
        import torch
    except ModuleNotFoundError as error:
        raise ImportError(f"algprior.torch was built with torch {_BUILT_WITH}, and this Python has no torch: on Debian, "
                          "apt-get install python3-torch") from error
    if torch.__version__ != _BUILT_WITH:
        raise ImportError(f"algprior.torch was built with torch {_BUILT_WITH}, and this Python has torch "
                          f"{torch.__version__}: build algprior anew with `make python`")


_check_version()

from .. import _torch  # noqa: E402
from .._torch import Action, kernel_target, kernels, set_kernels  # noqa: E402
from ._actions import (channel_action, compose, label_action, latent_action, own_action, planar_action,  # noqa: E402
                       room, sample_elements, trivial_action, volume_action)
from ._audit import assert_equivariant, audit  # noqa: E402
from ._blocks import ConvBlock2d, ConvBlock3d  # noqa: E402
from ._learned import LearnedRepresentation  # noqa: E402
from ._losses import EquivarianceLoss, equivariance_loss, pulls, relative_equivariance_loss  # noqa: E402

__all__ = [
    "Action", "ConvBlock2d", "ConvBlock3d", "EquivarianceLoss", "LearnedRepresentation", "assert_equivariant", "audit",
    "channel_action", "compose", "equivariance_loss", "kernel_target", "kernels", "label_action", "latent_action",
    "own_action", "planar_action", "pulls", "relative_equivariance_loss", "room", "sample_elements", "set_kernels",
    "trivial_action", "volume_action",
]
