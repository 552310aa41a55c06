"""Thin convolutions with what follows them, by the kernels of the library on CPUs."""
from __future__ import annotations

import typing

from torch import Tensor, nn

from .. import _torch
from ..errors import InputError

Size = typing.Union[int, typing.Sequence[int]]


def _axes(value: Size, axes: int, fill: int, name: str) -> list[int]:
    """(depth, height, width), depth filled in for planar blocks."""
    values = [value] * axes if isinstance(value, int) else [int(one) for one in value]
    if len(values) != axes:
        raise InputError("a convolution block cannot be built", f"{name} {value}", f"one number or {axes}", "")
    return [fill] * (3 - axes) + values


class _ConvBlock(nn.Module):
    _number: typing.ClassVar[int]
    _conv: typing.ClassVar[typing.Any]
    _norm: typing.ClassVar[typing.Any]
    conv: nn.Conv2d | nn.Conv3d

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Size, *, stride: Size = 1, padding: Size = 0,
                 replicate: Size = 0, bias: bool = True, norm: bool = True, activation: str = "elu",
                 pool_kernel: Size = 0, pool_stride: Size = 1, pool_padding: Size = 0,
                 kernels: str | None = None) -> None:
        super().__init__()
        n = self._number
        for name, least, value in (("in_channels", 1, in_channels), ("out_channels", 1, out_channels),
                                   ("kernel_size", 1, kernel_size), ("stride", 1, stride), ("padding", 0, padding),
                                   ("replicate", 0, replicate), ("pool_kernel", 0, pool_kernel),
                                   ("pool_stride", 1, pool_stride), ("pool_padding", 0, pool_padding)):
            if min([value] if isinstance(value, int) else value) < least:
                raise InputError("a convolution block cannot be built", f"{name} {value}", f"at least {least}", "")
        if activation not in ("identity", "elu", "relu", "tanh", "gelu"):
            raise InputError("no such activation", repr(activation), "identity, elu, relu, tanh or gelu", "")
        self.conv = self._conv(in_channels, out_channels, tuple(_axes(kernel_size, n, 1, "kernel_size")[3 - n:]),
                               stride=tuple(_axes(stride, n, 1, "stride")[3 - n:]),
                               padding=tuple(_axes(padding, n, 0, "padding")[3 - n:]), bias=bias)
        if norm:
            self.bn = self._norm(out_channels)
        self.activation = activation
        self.kernels = kernels
        pooled = any(_axes(pool_kernel, n, 0, "pool_kernel"))
        self._sizes = (_axes(stride, n, 1, "stride"), _axes(padding, n, 0, "padding"),
                       _axes(replicate, n, 0, "replicate"))
        self._pool = (_axes(pool_kernel, n, 1 if pooled else 0, "pool_kernel"),
                      _axes(pool_stride, n, 1, "pool_stride"), _axes(pool_padding, n, 0, "pool_padding"))

    def forward(self, x: Tensor, streams: int = 1) -> Tensor:
        """With streams=2, x holds x and g·x one after the other: batch statistics are taken for each."""
        bn = getattr(self, "bn", None)
        norm, momentum, eps = None, 0.1, 1e-5
        if bn is not None:
            norm = [bn.weight, bn.bias, bn.running_mean, bn.running_var]
            momentum, eps = bn.momentum, bn.eps
            if self.training:
                bn.num_batches_tracked.add_(streams)
        return _torch.conv_block(x, self.conv.weight, self.conv.bias, norm, self._number, *self._sizes, self.activation,
                                 *self._pool, self.training, momentum, eps, streams, self.kernels)

    def extra_repr(self) -> str:
        return f"activation={self.activation!r}, pool={self._pool[0][3 - self._number:]}"


class ConvBlock2d(_ConvBlock):
    """Convolution, batch norm, activation, average pooling on N×C×H×W, in one pass on CPUs.

    Parameters carry torch's own names and start as torch's do, so weights move to and from the plain layers and to
    and from C++. Differentiable once on the kernels; `kernels="torch"` any number of times.

    >>> import torch
    >>> block = ConvBlock2d(1, 6, 5, padding=2, pool_kernel=2, pool_stride=2)
    >>> block(torch.randn(4, 1, 16, 16)).shape
    torch.Size([4, 6, 8, 8])
    >>> list(block.state_dict())[:3]
    ['conv.weight', 'conv.bias', 'bn.weight']
    """

    _number = 2
    _conv = nn.Conv2d
    _norm = nn.BatchNorm2d


class ConvBlock3d(_ConvBlock):
    """The same on N×C×D×H×W.

    >>> import torch
    >>> ConvBlock3d(1, 4, 3, padding=1)(torch.randn(2, 1, 8, 8, 8)).shape
    torch.Size([2, 4, 8, 8, 8])
    """

    _number = 3
    _conv = nn.Conv3d
    _norm = nn.BatchNorm3d
