"""The audit of a network."""
import pytest
import torch
from torch import nn

import algprior
import algprior.torch as at
from algprior import Group, regular


class Averaged(nn.Module):
    """Exactly equivariant: the responses of one filter to every g⁻¹·x, which are the regular representation."""

    def __init__(self, action):
        super().__init__()
        self.action = action
        self.filter = nn.Linear(36, 2)

    def forward(self, x):
        group = self.action.group
        responses = [self.filter(self.action(group.inverse(g), x).flatten(1)) for g in group]
        return torch.stack(responses, 2).flatten(1)


def test_an_equivariant_network_is_found_to_be_one():
    torch.manual_seed(0)
    action = at.planar_action("D4")
    network = Averaged(action)
    x = torch.randn(120, 1, 6, 6)
    report = at.assert_equivariant(network, x, action, representation=regular(Group("D4")), below=1e-3)
    assert report.audited == "given" and report.error < 1e-4
    assert network.training, "the mode is as it was"
    assert not any("stochastic" in remark for remark in report.remarks)


def test_one_that_is_not_fails():
    torch.manual_seed(0)
    x = torch.randn(120, 1, 6, 6)
    network = nn.Sequential(nn.Flatten(), nn.Linear(36, 3), nn.ReLU())
    with pytest.raises(AssertionError, match="not equivariant"):
        at.assert_equivariant(network, x, at.planar_action("D4"), below=0.05)


def test_noise_and_interpolation_are_remarked():
    x = torch.randn(60, 1, 8, 8)
    noisy = at.audit(lambda x: x.flatten(1)[:, :4] + torch.rand(len(x), 4), x, at.planar_action("C4"))
    assert any("stochastic" in remark for remark in noisy.remarks)
    turned = at.audit(lambda x: x.flatten(1)[:, :4], x, at.planar_action("C8", "bilinear"))
    assert any("interpolated" in remark for remark in turned.remarks)


class Mine(Exception):
    pass


def test_what_the_encoder_raises_passes_through_and_its_mode_comes_back():
    class Broken(nn.Module):
        def forward(self, x):
            raise Mine("inside")

    network = nn.Sequential(nn.Dropout(), Broken())
    network[0].eval()
    with pytest.raises(Mine, match="inside"):
        at.audit(network, torch.randn(4, 1, 4, 4), at.planar_action("C4"))
    assert network.training and not network[0].training


def test_an_encoder_that_gives_something_else():
    x = torch.randn(4, 1, 4, 4)
    with pytest.raises(algprior.InputError, match="tuple"):
        at.audit(lambda x: (x, x), x, at.planar_action("C4"))
    with pytest.raises(algprior.InputError, match=r"\(1, 16\)"):
        at.audit(lambda x: x.flatten(1)[:1], x, at.planar_action("C4"))


def test_tensors_are_audited_as_arrays_are():
    group = Group("C4")
    z = torch.randn(100, 4, 8)
    assert algprior.audit(z, group).to_dict() == algprior.audit(z.numpy(), group).to_dict()
    with pytest.raises(algprior.InputError, match="detach"):
        algprior.audit(z.requires_grad_(), group)
