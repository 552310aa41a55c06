"""Prints the version of this Python's torch, without the second that importing it takes."""
import importlib.util
import pathlib
import re
import sys

spec = importlib.util.find_spec("torch")
if spec is None or spec.origin is None:
    sys.exit("this Python has no torch: scripts/setup.sh python installs it, or give "
             "-DALGPRIOR_PYTHON_EXECUTABLE=/path/to/python3")
text = (pathlib.Path(spec.origin).parent / "version.py").read_text()
print(re.search(r"__version__\s*=\s*['\"]([^'\"]+)", text)[1])
