"""The audit through Python: planted truths, arrays from anywhere, and what bad input is told."""
import json
import pickle

import numpy as np
import pytest

import algprior
from algprior import Group, regular, trivial


def orbits(group, representation, samples=150, noise=0.0, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(samples, 1, representation.dimension, 1))
    z = (representation.matrices() @ x)[..., 0]
    return z + noise * random.normal(size=z.shape)


def test_planted_truths():
    group = Group("D4")
    rho = regular(group)
    exact = algprior.audit(orbits(group, rho), group, representation=rho)
    assert exact.verdict == "equivariant to the given representation"
    assert exact.audited == "given" and exact.error == exact.errors["given"].value < 1e-6
    noisy = algprior.audit(orbits(group, rho, noise=0.2), group)
    assert 0.01 < noisy.error < 0.3
    low, high = noisy.errors[noisy.audited].low, noisy.errors[noisy.audited].high
    assert low <= noisy.error <= high
    random = algprior.audit(np.random.default_rng(0).normal(size=(150, 8, 8)), group)
    assert random.verdict == "none"
    same = np.repeat(np.random.default_rng(0).normal(size=(150, 1, 8)), 8, axis=1)
    assert algprior.audit(same, group).verdict == "invariant"
    constant = algprior.audit(np.ones((150, 8, 8)), group)
    assert constant.verdict == "collapsed" and constant.error is None


def test_the_report_in_every_form():
    report = algprior.audit(orbits(Group("C4"), regular(Group("C4"))), "C4", candidates=["C2"])
    assert json.loads(json.dumps(report.to_dict()))["verdict"] == report.verdict
    assert report.verdict in report.html() and report._repr_html_() == report.html()
    assert "regular representation" in str(report)
    assert repr(report).startswith("<AuditReport: equivariant")
    assert [one["group"] for one in report.groups] == ["C2"]
    assert pickle.loads(pickle.dumps(report)).errors == report.errors


class Borrowed:
    """Nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_come_from_anywhere_and_are_not_copied():
    group = Group("C4")
    z = orbits(group, regular(group))
    expected = algprior.audit(z, group).to_dict()
    assert algprior.audit(Borrowed(z), group).to_dict() == expected
    assert algprior.audit(z.tolist(), group).to_dict() == expected
    assert algprior.audit(np.asfortranarray(z), group).to_dict() == expected
    from algprior._audit import as_array
    assert np.shares_memory(as_array(Borrowed(z), "z"), z)
    single = algprior.audit(z.astype(np.float32), group)
    assert single.verdict == algprior.audit(z, group).verdict


def test_pairs():
    group = Group("C4")
    z = orbits(group, regular(group), samples=400)
    g = np.random.default_rng(0).integers(0, 4, size=400)
    report = algprior.audit(z[:, 0], group, zg=z[np.arange(400), g], g=g, representation=regular(group))
    assert report.verdict == "equivariant to the given representation"
    with pytest.raises(algprior.InputError, match="both zg and g"):
        algprior.audit(z[:, 0], group, zg=z[:, 1])


def test_the_inputs_tell_what_was_not_transformed():
    group = Group("C4")
    z = orbits(group, regular(group))
    report = algprior.audit(z, group, inputs=np.ones((150, 4, 3)), labels=np.arange(150) % 3)
    assert report.to_dict()["inputs"]["unmoved"] == 1.0
    assert len(report.to_dict()["per_class"]) == 3


def test_bad_input_is_named_with_its_values():
    group = Group("C4")
    with pytest.raises(algprior.InputError, match=r"\(3, 4\)"):
        algprior.audit(np.ones((3, 4)), group)
    with pytest.raises(algprior.InputError, match="5"):
        algprior.audit(np.ones((30, 5, 2)), group)
    with pytest.raises(algprior.InputError, match="complex128"):
        algprior.audit(np.ones((30, 4, 2), dtype=complex), group)
    with pytest.raises(algprior.InputError, match=r"labels.*\(2,\)"):
        algprior.audit(orbits(group, regular(group)), group, labels=np.zeros(2, dtype=int))
    with pytest.raises(algprior.InputError, match="finite"):
        algprior.audit(np.full((30, 4, 2), np.nan), group)
    unwilling = type("Unwilling", (), {"__dlpack__": lambda self: None})()
    with pytest.raises(algprior.InputError, match="detach"):
        algprior.audit(unwilling, group)


def test_assertions_for_tests_of_ones_own():
    group = Group("C4")
    good = algprior.assert_equivariant(orbits(group, regular(group)), group)
    assert good.error < 1e-6
    with pytest.raises(AssertionError, match="collapsed"):
        algprior.assert_equivariant(np.ones((50, 4, 3)), group)
    same = np.repeat(np.random.default_rng(0).normal(size=(150, 1, 4)), 4, axis=1)
    with pytest.raises(AssertionError, match="invariant"):
        algprior.assert_equivariant(same, group)
    algprior.assert_equivariant(same, group, representation=trivial(group))
