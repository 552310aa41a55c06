"""The package as a whole: what importing it loads, its stubs, no leaks, versions that do not fit."""
import gc
import os
import pathlib
import resource
import subprocess
import sys

import numpy as np
import pytest

import algprior
from algprior import Group, regular
from algprior._build import TORCH_VERSION


def run_python(code, **variables):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **variables})


def test_importing_loads_neither_torch_nor_numpy():
    code = ("import sys, algprior; algprior.Group('D4').character_table(); "
            "print([name for name in ('torch', 'numpy', 'algprior._torch', 'algprior._runs') if name in sys.modules])")
    done = run_python(code)
    assert done.stdout == "[]\n", done.stdout + done.stderr


def test_the_names_that_are_promised():
    for name in algprior.__all__:
        if name != "torch":
            assert getattr(algprior, name) is not None
    assert "torch" in dir(algprior)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        algprior.nothing_like_it
    assert algprior.Group.__module__ == "algprior"
    assert (pathlib.Path(algprior.__file__).parent / "py.typed").exists()


def test_another_torch_is_one_sentence_naming_both(tmp_path):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch/__init__.py").write_text('__version__ = "9.9.9"\n')
    built = run_python("import algprior._build as b; print(b.TORCH_VERSION)").stdout.strip()
    path = f"{tmp_path}:{os.environ['PYTHONPATH']}"
    done = run_python("import algprior\ntry:\n    algprior.torch\nexcept ImportError as e:\n    print(e)", PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert "9.9.9" in done.stdout and done.stdout.count("\n") == 1
    assert (built in done.stdout) if built else ("without torch" in done.stdout)
    assert "undefined symbol" not in done.stdout


def memory():
    """Kilobytes that this process holds now."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def test_ten_thousand_calls_leak_nothing():
    group = Group("D4")
    z = np.random.default_rng(0).normal(size=(4, 8, 4)).astype(np.float32)

    def work(times):
        for i in range(times):
            rho = regular(group) + regular(group)
            rho.matrix(i % 8)
            rho.matrices()
            group.table()
            group.classes
            try:
                group.word(99)
            except algprior.InputError as error:
                str(error)
            if i % 100 == 0:
                Group(f"C{2 + i % 7}").character_table().values
                algprior.audit(z, group, resamplings=10)

    work(1000)
    before = memory()
    work(10000)
    # A leak of one small array a call would be megabytes.
    assert memory() - before < 2000


def check_types(build, *words):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=build,
                          env={**os.environ, "MYPYPATH": str(build / "python")})
    assert done.returncode == 0, done.stdout + done.stderr


HERE = pathlib.Path(__file__).parent


def test_stubs_are_what_the_modules_are(build):
    modules = ["algprior._algebra", "algprior._runs", *(["algprior._torch"] if TORCH_VERSION else [])]
    check_types(build, "mypy.stubtest", "--allowlist", str(HERE / "stubtest_allowed.txt"), "--mypy-config-file",
                str(HERE / "mypy.ini"), "--ignore-unused-allowlist", *modules)


def test_types_of_the_package(build):
    check_types(build, "mypy", "--config-file", str(HERE / "mypy.ini"), "-p", "algprior")
