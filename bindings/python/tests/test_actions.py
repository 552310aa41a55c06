"""Actions on tensors through Python: laws, gradients, pickles, functions of one's own."""
import copy
import pickle

import pytest
import torch
from hypothesis import given, strategies as st

import algprior
import algprior.torch as at
from algprior import Group, regular, trivial
from docstrings import of_module

ACTIONS = {
    "planar": lambda: (at.planar_action("D4"), torch.randn(3, 2, 5, 5)),
    "volume": lambda: (at.volume_action("cube"), torch.randn(3, 1, 4, 4, 4)),
    "latent": lambda: (at.latent_action(regular(Group("S3")), 8), torch.randn(3, 8)),
    "dense": lambda: (at.latent_action(Group("D3").irreps("R")[2], 5), torch.randn(3, 5)),
    "channels": lambda: (at.channel_action(regular(Group("C4")), 6), torch.randn(3, 6, 2, 2)),
    "both": lambda: (at.compose(at.planar_action("C4"), at.channel_action(regular(Group("C4")), 4)),
                     torch.randn(3, 4, 3, 3)),
    "labels": lambda: (at.label_action(algprior.defining(Group("D4"))), torch.tensor([0, 1, 3])),
    "trivial": lambda: (at.trivial_action("D4"), torch.randn(3, 2)),
}


@given(st.sampled_from(sorted(ACTIONS)), st.data())
def test_they_are_left_actions(name, data):
    torch.manual_seed(0)
    action, x = ACTIONS[name]()
    elements = st.integers(0, action.group.order - 1)
    g, h = (torch.tensor([data.draw(elements) for _ in x]) for _ in range(2))
    product = torch.tensor([action.group.multiply(a, b) for a, b in zip(g.tolist(), h.tolist())])
    difference = (action(g, action(h, x)) - action(product, x)).abs().max().item()
    assert difference <= (0 if action.exact else 10 * action.tolerance)
    assert torch.equal(action(0, x), x)
    assert torch.equal(action(torch.full((len(x),), action.group.generators[0]), x),
                       action(action.group.generator_names[0], x))


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_pickles_and_copies_act_the_same(name):
    torch.manual_seed(0)
    action, x = ACTIONS[name]()
    g = torch.tensor([1, 0, 1])
    for other in (pickle.loads(pickle.dumps(action)), copy.deepcopy(action), copy.copy(action)):
        assert torch.equal(other(g, x), action(g, x))
        assert other.name == action.name and other.group == action.group


@pytest.mark.parametrize("name", sorted(set(ACTIONS) - {"labels"}))
def test_gradcheck(name):
    torch.manual_seed(0)
    action, x = ACTIONS[name]()
    x = x.double().requires_grad_()
    g = torch.arange(len(x)) % action.group.order
    assert torch.autograd.gradcheck(lambda x: action(g, x), x)


def test_tensors_are_shared_and_of_any_device():
    action, x = ACTIONS["trivial"]()
    assert action(1, x).data_ptr() == x.data_ptr()
    meta = at.latent_action(regular(Group("C4")), 4)
    assert meta(torch.tensor([1, 2]), torch.ones(2, 4, dtype=torch.float16)).dtype == torch.float16


def shift(g, x):
    return torch.stack([one.roll(int(k)) for k, one in zip(g, x)])


def fail(g, x):
    raise LookupError("mine")


def test_actions_of_ones_own():
    action = at.own_action("C4", "roll", 0.0, shift)
    x = torch.randn(3, 4)
    assert action.defect(x) == 0
    assert torch.equal(pickle.loads(pickle.dumps(action))(1, x), x.roll(1, 1))
    with pytest.raises(LookupError, match="mine"):
        at.own_action("C4", "fails", 0.0, fail)(1, x)


def test_sampling_follows_torchs_generators():
    group = Group("D4")
    draw = lambda seed: at.sample_elements(group, 1000, generator=torch.Generator().manual_seed(seed))
    assert torch.equal(draw(1), draw(1)) and not torch.equal(draw(1), draw(2))
    torch.manual_seed(5)
    first = at.sample_elements("D4", 10)
    assert not torch.equal(first, at.sample_elements("D4", 10))
    torch.manual_seed(5)
    assert torch.equal(first, at.sample_elements("D4", 10))
    counts = draw(3).bincount(minlength=8)
    assert counts.min() > 70


def test_room():
    group = Group("D4")
    assert at.room(at.latent_action(regular(group), 66), 66) == pytest.approx(8 + 2)
    assert at.room(at.latent_action(trivial(group), 5), [5]) == 5
    assert at.room(at.planar_action(group), [1, 3, 3]) == 3


def test_bad_input_is_named():
    action, x = ACTIONS["planar"]()
    with pytest.raises(algprior.InputError, match="9"):
        action(torch.tensor([0, 1, 9]), x)
    with pytest.raises(algprior.InputError, match="9"):
        action(9, x)
    with pytest.raises(algprior.InputError, match="cubic"):
        at.planar_action("D4", "cubic")
    with pytest.raises(algprior.InputError):
        at.planar_action("C8")
    with pytest.raises(algprior.InputError):
        action(torch.tensor([0, 1]), x)
    with pytest.raises(TypeError):
        action(0, [1.0])
    with pytest.raises(algprior.InputError, match="7"):
        at.latent_action(regular(Group("D4")), 7)


def test_docstrings():
    assert of_module(at) > 30
