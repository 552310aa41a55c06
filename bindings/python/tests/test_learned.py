"""Learned representations through Python."""
import copy
import pickle

import numpy as np
import pytest
import torch

import algprior
import algprior.torch as at
from algprior import Group, regular


def exact(group):
    return at.LearnedRepresentation.from_matrices(
        group, [torch.from_numpy(regular(group).matrix(s)) for s in group.generators])


def test_an_exact_one_acts_as_it_should_and_costs_nothing():
    group = Group("D4")
    rho = exact(group)
    assert rho.algebra_loss(regulariser="inverse").item() < 1e-20
    z, g = torch.randn(8, 8, dtype=torch.float64), torch.arange(8)
    assert torch.allclose(rho(g, z), at.latent_action(regular(group), 8)(g, z))
    assert np.allclose(rho.matrix("r*s").detach(), regular(group).matrix("r*s"))
    assert rho.nearest().multiplicities() == [1, 1, 1, 1, 2]


def test_gradients_reach_the_parameters():
    torch.manual_seed(0)
    group = Group("D3")
    rho = at.LearnedRepresentation(group, 4, dtype=torch.float64)
    z, g = torch.randn(3, 4, dtype=torch.float64, requires_grad=True), torch.tensor([0, 2, 5])

    def action(r, s, z):
        return at._torch.learned_apply(group, [r, s], g, z)

    def loss(r, s):
        relators, algebra, extra = at._torch.algebra_loss(group, [r, s], [], "inverse", 0.995)
        return algebra + extra

    r, s = rho.generators()
    assert torch.autograd.gradcheck(action, (r, s, z))
    assert torch.autograd.gradcheck(loss, (r, s))
    rho.algebra_loss().backward()
    assert r.grad is not None and r is rho.r


def test_training_finds_a_representation():
    torch.manual_seed(0)
    rho = at.LearnedRepresentation("C3", 4, start="orthogonal", noise=0.1, seed=1)
    optimizer = torch.optim.Adam(rho.parameters(), lr=0.02)
    for _ in range(300):
        optimizer.zero_grad()
        loss = rho.algebra_loss()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-3
    assert rho.decompose()["nearest"] is not None


def test_it_is_a_module_like_any_other():
    rho = at.LearnedRepresentation("D4", 5, seed=2)
    assert [name for name in rho.state_dict()] == ["r", "s"]
    for other in (copy.deepcopy(rho), pickle.loads(pickle.dumps(rho))):
        assert torch.equal(other.matrix("r*s"), rho.matrix("r*s")) and other.r is not rho.r
    moved = copy.deepcopy(rho).double()
    assert moved.matrix(3).dtype == torch.float64
    moved.r.requires_grad_(False)
    assert not moved.matrix("r").requires_grad and not moved.r.requires_grad
    again = at.LearnedRepresentation("D4", 5, seed=9)
    again.load_state_dict(rho.state_dict())
    assert torch.equal(again.r, rho.r)
    grid = torch.randn(2, 5, 3, 3)
    assert rho(torch.tensor([1, 2]), grid).shape == grid.shape


def test_bad_input_is_named():
    with pytest.raises(algprior.InputError, match="sideways"):
        at.LearnedRepresentation("D4", 5, start="sideways")
    with pytest.raises(algprior.InputError, match="dimension 0"):
        at.LearnedRepresentation("D4", 0)
    rho = at.LearnedRepresentation("D4", 5)
    with pytest.raises(algprior.InputError):
        rho(torch.tensor([0]), torch.randn(1, 4))
    with pytest.raises(algprior.InputError, match="much"):
        rho.algebra_loss(regulariser="much")
    with torch.no_grad():
        rho.r.zero_()
    with pytest.raises(algprior.DivergedError, match="r"):
        rho.algebra_loss(regulariser="inverse")
