"""Losses and pulls through Python."""
import copy
import pickle
import threading

import pytest
import torch

import algprior
import algprior.torch as at
from algprior import Group, regular


@pytest.fixture
def latent():
    return at.latent_action(regular(Group("D4")), 10)


def test_the_loss_is_the_mean_square_and_nothing_broadcasts(latent):
    z, zg, g = torch.randn(4, 10), torch.randn(4, 10), torch.tensor([0, 3, 5, 7])
    assert torch.allclose(at.equivariance_loss(latent, z, zg, g), (zg - latent(g, z)).square().mean())
    with pytest.raises(algprior.InputError, match="1 x 10|1, 10"):
        at.equivariance_loss(latent, z, zg[:1], g)


@pytest.mark.parametrize("loss", [at.equivariance_loss, at.relative_equivariance_loss])
def test_gradcheck(latent, loss):
    torch.manual_seed(0)
    z, zg = (torch.randn(4, 10, dtype=torch.float64, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(lambda a, b: loss(latent, a, b, torch.tensor([0, 3, 5, 7])), (z, zg))


def test_the_module_copies_pickles_and_moves(latent):
    loss = at.EquivarianceLoss(latent, weight=3.0, scale="relative")
    z, zg, g = torch.randn(4, 10), torch.randn(4, 10), torch.tensor([0, 3, 5, 7])
    expected = 3 * at.relative_equivariance_loss(latent, z, zg, g)
    for other in (loss, copy.deepcopy(loss), pickle.loads(pickle.dumps(loss)), loss.to("cpu").double()):
        assert torch.equal(other(z, zg, g), expected)
    assert loss.state_dict() == {}
    assert at.EquivarianceLoss(latent)(z.double(), zg.double(), g).dtype == torch.float64
    with pytest.raises(algprior.InputError, match="nan"):
        at.EquivarianceLoss(latent, weight=float("nan"))
    with pytest.raises(algprior.InputError, match="other"):
        at.EquivarianceLoss(latent, scale="other")


def test_pulls_are_norms_of_gradients():
    network = torch.nn.Linear(3, 2)
    x = torch.randn(5, 3)
    task, prior = network(x).square().mean(), network(x).abs().mean()
    found = at.pulls({"task": task, "prior": (prior, 0.5)}, network.parameters())
    for name, value, weight in (("task", task, 1.0), ("prior", prior, 0.5)):
        gradients = torch.autograd.grad(value, list(network.parameters()), retain_graph=True)
        norm = weight * torch.cat([one.flatten() for one in gradients]).norm().item()
        assert found[name] == pytest.approx(norm, rel=1e-5)
    task.backward()  # the graph was kept
    assert at.pulls({"apart": torch.zeros((), requires_grad=True) * 2}, network.parameters()) == {"apart": 0.0}
    with pytest.raises(algprior.InputError, match="twice|scalar|task"):
        at.pulls({"task": network(x)}, network.parameters())


def test_backward_from_other_threads(latent):
    results = []

    def work():
        z = torch.randn(4, 10, requires_grad=True)
        at.equivariance_loss(latent, z, z.detach().clone(), torch.tensor([1, 2, 3, 4])).backward()
        results.append(z.grad is not None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_ten_thousand_losses_leak_nothing(latent):
    from test_package import memory

    def work(times):
        z, g = torch.randn(4, 10, requires_grad=True), torch.tensor([0, 3, 5, 7])
        for _ in range(times):
            at.equivariance_loss(latent, z, z * 2, g).backward()
            z.grad = None

    work(500)
    before = memory()
    work(10000)
    assert memory() - before < 3000
