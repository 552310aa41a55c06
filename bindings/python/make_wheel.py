"""Packs the package of a build into a wheel, with its libraries beside the modules. torch is not in it: it is the
system's, with which the package was built.

    make_wheel.py BUILD OUTPUT
"""
import pathlib
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile

METADATA = """Metadata-Version: 2.1
Name: algprior
Version: {version}
Summary: Algebraic priors for approximately equivariant networks: groups, representations, losses, audits
License: {license}
Requires-Python: =={python}.*
Requires-Dist: numpy

{torch}
"""


def main(build_folder, output):
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    with tempfile.TemporaryDirectory() as folder:
        prefix, root = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "wheel")
        for component in ("python", "libraries"):
            subprocess.run(["cmake", "--install", str(build_folder), "--component", component, "--prefix", str(prefix)],
                           check=True, stdout=subprocess.DEVNULL)
        package = next(prefix.rglob("algprior/_build.py")).parent
        build = runpy.run_path(str(package / "_build.py"))
        shutil.copytree(package, root / "algprior", ignore=shutil.ignore_patterns("__pycache__"))
        (root / "algprior/lib").mkdir()
        for library in prefix.rglob("libalgprior_*.so.[0-9]"):  # the names by which they find each other
            shutil.copy(library, root / "algprior/lib" / library.name)
        info = root / f"algprior-{build['VERSION']}.dist-info"
        info.mkdir()
        license = (pathlib.Path(__file__).resolve().parents[2] / "LICENSE").read_text()
        (info / "LICENSE").write_text(license)
        torch = f"algprior.torch needs torch {build['TORCH_VERSION']}, which the wheel does not bring." \
            if build["TORCH_VERSION"] else "Built without torch."
        (info / "METADATA").write_text(METADATA.format(version=build["VERSION"], license=license.splitlines()[0],
                                                       python=f"{sys.version_info.major}.{sys.version_info.minor}",
                                                       torch=torch))
        (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\n"
                                    f"Tag: {tag}-{tag}-{platform}\n")
        output.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "wheel", "pack", str(root), "--dest-dir", str(output)], check=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
