"""A wheel works wherever it is unpacked: it brings our libraries, and finds the system's torch."""
import os
import subprocess
import sys
import zipfile

from conftest import ROOT

CODE = """
import algprior, algprior.torch
assert algprior.regular(algprior.Group("D4")).multiplicities() == [1, 1, 1, 1, 2]
algprior.torch.planar_action("D4")
algprior.paper_table("ddmnist")
for line in open("/proc/self/maps"):
    assert "libalgprior" not in line or "/unpacked/" in line, line
"""


def test_it_is_whole(build, tmp_path):
    subprocess.run([sys.executable, ROOT / "bindings/python/make_wheel.py", build, tmp_path / "out"], check=True,
                   stdout=subprocess.DEVNULL)
    wheel, = (tmp_path / "out").iterdir()
    assert wheel.name.startswith("algprior-") and wheel.name.endswith(".whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "unpacked")
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "unpacked")})
    assert done.returncode == 0, done.stderr
