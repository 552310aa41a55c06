"""Laws through Python, on groups of every kind; what is computed was tested in C++, so this tests what passes through."""
import copy
import pickle
import subprocess
import threading

import numpy as np
import pytest
from hypothesis import given, strategies as st

import algprior
from algprior import Group, Representation, defining, linear, regular, sign, trivial
from docstrings import of_module

SPECS = ["C1", "C2", "C5", "D1", "D4", "D6", "S4", "A4", "Q8", "C7:C3", "C2wrC2", "D4xC2", "(1,2,3,4);(1,2)",
         "<r,s | r^4, s^2, (r*s)^2>", "[[0,1],[1,0]]", "cube", "SL(2,3)"]
groups = st.sampled_from(SPECS).map(Group)
real_groups = st.sampled_from(["C2", "D3", "D4", "S4", "Q8", "C6"]).map(Group)


@st.composite
def group_and_elements(draw, count=3):
    group = draw(groups)
    return group, [draw(st.integers(0, group.order - 1)) for _ in range(count)]


@given(group_and_elements())
def test_group_axioms(drawn):
    group, (a, b, c) = drawn
    assert group.multiply(group.multiply(a, b), c) == group.multiply(a, group.multiply(b, c))
    assert group.multiply(0, a) == group.multiply(a, 0) == a
    assert group.multiply(a, group.inverse(a)) == 0
    assert group.power(a, group.element_order(a)) == 0
    assert group.element(group.word(a)) == a
    assert group.conjugate(a, b) == group.multiply(group.multiply(a, b), group.inverse(a))


@given(groups)
def test_a_group_is_a_collection_of_its_elements(group):
    assert list(group) == list(group.elements) == list(range(len(group)))
    assert sorted(g for members in group.classes for g in members) == list(group.elements)
    table = group.table()
    assert table.dtype == np.int64
    assert all(sorted(row) == list(group.elements) for row in table.tolist())
    assert group.is_abelian == bool((table == table.T).all())


@given(groups)
def test_groups_survive_pickle_and_copies(group):
    for other in (pickle.loads(pickle.dumps(group)), copy.deepcopy(group)):
        assert other == group and hash(other) == hash(group)
    assert group != Group("C11")
    assert group != "D4"


def test_subgroups_pickle_as_groups_of_their_own():
    parent = Group("S4")
    for subgroup, _ in parent.subgroups():
        inner = subgroup.as_group()
        assert pickle.loads(pickle.dumps(subgroup)) == subgroup
        assert pickle.loads(pickle.dumps(inner)) == inner
        images = subgroup.inclusion()
        assert sorted(images) == subgroup.elements
        for a in inner:
            for s in inner.generators:
                assert images[inner.multiply(a, s)] == parent.multiply(images[a], images[s])


def test_words_are_read_letter_for_letter():
    group = Group("D4")
    assert group.element("s*r*s^-1") == group.inverse("r")
    assert group.element("e") == 0
    assert group.element("(r*s)^2") == 0
    assert group.element("[r,s]") == group.power("r", 2)


@given(groups)
def test_characters_are_orthogonal(group):
    table = group.character_table()
    sizes = np.array([len(members) for members in group.classes])
    product = (table.values * sizes) @ table.values.conj().T / group.order
    assert np.allclose(product, np.eye(len(table)), atol=1e-9)
    assert sum(d * d for d in table.degrees) == group.order
    assert len(table.class_names) == len(group.classes)


@given(group_and_elements(2))
def test_the_regular_representation_is_a_homomorphism(drawn):
    group, (a, b) = drawn
    rho = regular(group)
    assert np.array_equal(rho.matrix(a) @ rho.matrix(b), rho.matrix(group.multiply(a, b)))
    assert rho.multiplicities() == group.character_table().degrees
    assert np.array_equal(rho.matrices()[a], rho.matrix(a))


@given(real_groups)
def test_sums_products_restriction_and_induction(group):
    rho, one = regular(group), trivial(group)
    assert np.allclose((rho + one).character(), rho.character() + one.character())
    assert np.allclose((rho @ rho).character(), rho.character() ** 2)
    assert np.allclose(rho.copies(3).character(), 3 * rho.character())
    for subgroup, _ in group.subgroups():
        inner = subgroup.as_group()
        restricted, induced = one.restrict(subgroup), trivial(inner).induce(subgroup)
        assert induced.dimension == subgroup.index
        # Frobenius: ⟨Ind 1, ρ⟩ = ⟨1, Res ρ⟩.
        assert induced.intertwiner_dimension(rho) == trivial(inner).intertwiner_dimension(rho.restrict(subgroup))
        assert restricted.dimension == 1


@given(real_groups, st.sampled_from(["R", "C"]))
def test_decompositions_and_irreps(group, field):
    rho = regular(group)
    parts = rho.decompose(field)
    irreps = group.irreps(field)
    blocks = [irreps[irrep] for irrep, _, _, _ in parts["summands"]]
    for s in group.generators:
        changed = parts["inverse"] @ rho.matrix(s) @ parts["basis"]
        expected = np.zeros_like(changed)
        offset = 0
        for block in blocks:
            d = block.dimension
            expected[offset:offset + d, offset:offset + d] = block.matrix(s)
            offset += d
        assert np.allclose(changed, expected, atol=1e-8)
    assert parts["residual"] < 1e-8


@given(real_groups)
def test_intertwiners_commute(group):
    rho, sigma = regular(group), regular(group) + trivial(group)
    found = rho.intertwiners(sigma)
    assert len(found) == rho.intertwiner_dimension(sigma)
    for s in group.generators:
        assert np.allclose(found @ rho.matrix(s), sigma.matrix(s) @ found, atol=1e-8)


def test_learned_matrices_are_taken_apart():
    group = Group("D4")
    generator = np.random.default_rng(0)
    exact = regular(group) + trivial(group, 2)
    noisy = [exact.matrix(s) + 1e-3 * generator.normal(size=(10, 10)) for s in group.generators]
    found = group.decompose(noisy)
    assert [round(n) for n in found["multiplicities"]] == exact.multiplicities()
    assert found["nearest"].multiplicities() == exact.multiplicities()
    assert set(found["relators"]) == {"r^4", "s^2", "r*s*r*s"}
    far = group.decompose([np.zeros((3, 3)), np.zeros((3, 3))])
    assert far["nearest"] is None and far["reason"]


def test_representations_pickle():
    group = Group("D4")
    for rho in (regular(group), trivial(group, 3), group.irreps()[-1], linear(Group("C4"), [1j]),
                sign(Group("S3")), defining(group) @ regular(group)):
        back = pickle.loads(pickle.dumps(rho))
        assert back.group == rho.group and back.is_permutation == rho.is_permutation
        assert np.allclose(back.matrices(), rho.matrices())


def test_matrices_may_be_lists_and_of_any_number_type():
    rho = Representation(Group("C2"), [[[0, 1], [1, 0]]])
    assert rho.is_real and rho.matrix("r").tolist() == [[0, 1], [1, 0]]
    assert not Representation(Group("C4"), [np.array([[1j]])]).is_real


def test_it_prints_as_the_program_does(build):
    program = build / "algprior"
    if not program.exists():
        pytest.skip("the program was not built")
    for spec in ("D4", "Q8", "C7:C3", "D500"):
        printed = subprocess.run([program, "group", spec], capture_output=True, text=True, check=True,
                                 env={"COLUMNS": "100"}).stdout
        group = Group(spec)
        assert str(group).splitlines()[0] in printed
        characters = str(group.character_table())
        assert characters in printed, f"{characters}\n{printed}"


def test_large_groups_are_shown_without_their_characters():
    group = Group("C200000")
    assert repr(group) == group._repr_html_() == "C200000  order 200000"
    assert "dimension 3" in repr(trivial(group, 3))


def test_notebooks_show_tables():
    html = Group("<a,b | a^2, b^2, (a*b)^3>")._repr_html_()
    assert "&lt;a,b |" in html and "<table>" in html and "<a,b" not in html
    assert "χ3" in Group("S3").character_table()._repr_html_()
    assert "χ1" in regular(Group("S3"))._repr_html_()


def test_other_threads_run_meanwhile():
    done = threading.Event()
    counted = []

    def count():
        while not done.is_set():
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    Group("S7").character_table()
    after = len(counted)
    done.set()
    thread.join()
    assert after > before


def test_docstrings():
    assert of_module(algprior) > 60
