"""Python gives C++'s numbers, to the bit, at the same number of threads."""
import os
import subprocess

import numpy as np
import pytest
import torch

import algprior
import algprior.torch as at


@pytest.fixture(scope="module")
def cpp(request, tmp_path_factory):
    program = request.config.build / "tests/python_parity"
    file = tmp_path_factory.mktemp("parity") / "cpp.npz"
    # 2026-11-18: with a kernel and a number of BLAS's own threads that differ from this process's, so do last bits.
    ours = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or str(os.cpu_count())
    subprocess.run([program, file], check=True, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": ours})
    return dict(np.load(file))


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_every_number_is_the_same(cpp):
    found = {}
    torch.manual_seed(0)
    group = algprior.Group("D4")
    x = torch.randn(6, 2, 9, 9)
    z = torch.randn(6, 20).requires_grad_()
    zg = torch.randn(6, 20).requires_grad_()
    g = torch.randint(8, (6,))
    found["x"] = x
    found["moved"] = at.planar_action(group)(g, x)
    found["turned"] = at.planar_action("C8", "bilinear")(g, x)
    latent = at.latent_action(algprior.regular(group), 20)
    found["loss"] = at.equivariance_loss(latent, z, zg, g)
    found["loss"].backward()
    found["z.grad"], found["zg.grad"] = z.grad, zg.grad
    found["relative"] = at.relative_equivariance_loss(latent, z, zg, g)
    found["elements"] = at._torch.sample_elements(group, 50, 7, torch.device("cpu"))

    learned = at.LearnedRepresentation(group, 20, seed=3)
    losses = learned.algebra_losses(regulariser="inverse")
    found["algebra"], found["regulariser"] = losses["algebra"], losses["regulariser"]
    found["acted"] = learned(g, z.detach())
    (losses["algebra"] + losses["regulariser"] + found["acted"].square().mean()).backward()
    found["r.grad"], found["s.grad"] = learned.r.grad, learned.s.grad

    block = at.ConvBlock2d(2, 4, 3, padding=1, pool_kernel=2, pool_stride=2)
    found["block.y"] = block(x)
    found["block.y"].square().sum().backward()
    found["block.weight"], found["block.bias"] = block.conv.weight, block.conv.bias
    found["block.weight.grad"], found["block.running_var"] = block.conv.weight.grad, block.bn.running_var

    assert set(found) == set(cpp)
    for name, value in found.items():
        mine, theirs = value.detach().numpy(), cpp[name]
        assert mine.shape == theirs.shape and mine.dtype == theirs.dtype, name
        assert mine.tobytes() == theirs.tobytes(), f"{name}: off by {np.abs(mine - theirs).max()}"
