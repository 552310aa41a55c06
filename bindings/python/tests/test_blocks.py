"""Convolution blocks beside torch's own layers."""
import copy
import pickle

import pytest
import torch
from torch import nn

import algprior
import algprior.torch as at


def plain(block, pool):
    return nn.Sequential(block.conv, block.bn, nn.ELU(), *([nn.AvgPool2d(2, 2)] if pool else []))


@pytest.mark.parametrize("kernels", ["native", "torch", None])
def test_a_block_is_its_layers(kernels):
    torch.manual_seed(0)
    block = at.ConvBlock2d(2, 6, 5, padding=2, pool_kernel=2, pool_stride=2, kernels=kernels)
    twin = copy.deepcopy(block)
    x = torch.randn(4, 2, 12, 12)
    found, expected = block(x), plain(twin, True)(x)
    assert torch.allclose(found, expected, atol=1e-5)
    found.square().sum().backward()
    expected.square().sum().backward()
    for mine, theirs in zip(block.parameters(), twin.parameters()):
        assert torch.allclose(mine.grad, theirs.grad, rtol=1e-3, atol=1e-2)
    for name, value in block.state_dict().items():
        assert torch.allclose(value.float(), twin.state_dict()[name].float(), atol=1e-5), name
    block.eval(), twin.eval()
    assert torch.allclose(block(x), plain(twin, True)(x), atol=1e-5)


def test_gradcheck():
    torch.manual_seed(0)
    block = at.ConvBlock2d(1, 2, 3, padding=1, activation="tanh", kernels="torch").double()
    x = torch.randn(3, 1, 4, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, w: at._torch.conv_block(
        x, w, block.conv.bias, None, 2, [1, 1, 1], [0, 1, 1], [0, 0, 0], "tanh", [0, 0, 0], [1, 1, 1], [0, 0, 0], True,
        0.1, 1e-5, 1, "torch"), (x, block.conv.weight))


def test_two_streams_are_two_passes():
    torch.manual_seed(0)
    block = at.ConvBlock2d(1, 3, 3)
    twin = copy.deepcopy(block)
    x, gx = torch.randn(4, 1, 8, 8), torch.randn(4, 1, 8, 8)
    both = block(torch.cat([x, gx]), streams=2)
    assert torch.allclose(both, torch.cat([twin(x), twin(gx)]), atol=1e-6)
    assert torch.allclose(block.bn.running_mean, twin.bn.running_mean, atol=1e-6)
    assert block.bn.num_batches_tracked == twin.bn.num_batches_tracked == 2


def test_volumes_pickles_and_state_dicts():
    block = at.ConvBlock3d(1, 2, 3, padding=1, stride=2, norm=False, bias=False, activation="relu")
    x = torch.randn(2, 1, 6, 6, 6)
    assert torch.allclose(block(x), block.conv(x).relu(), atol=1e-5)
    assert list(block.state_dict()) == ["conv.weight"]
    assert torch.equal(pickle.loads(pickle.dumps(block))(x), block(x))
    names = list(at.ConvBlock2d(1, 2, 3).state_dict())
    assert names == ["conv.weight", "conv.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var",
                     "bn.num_batches_tracked"]


def test_bad_input_is_named():
    with pytest.raises(algprior.InputError, match="stride 0"):
        at.ConvBlock2d(1, 2, 3, stride=0)
    with pytest.raises(algprior.InputError, match="softmax"):
        at.ConvBlock2d(1, 2, 3, activation="softmax")
    with pytest.raises(algprior.InputError, match="padding"):
        at.ConvBlock2d(1, 2, 3, padding=(1, 2, 3))
    with pytest.raises(algprior.InputError):
        at.ConvBlock2d(1, 2, 3)(torch.randn(2, 5, 8, 8))
    assert at.kernels() == "auto" and at.kernel_target()
