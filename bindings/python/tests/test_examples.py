"""examples/python run, and end as their heads say; the notebook's cells give what stands in it."""
import contextlib
import importlib.util
import io
import json
import re

from conftest import ROOT

FOLDER = ROOT / "examples/python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_training_loop():
    train = load("train").train
    (plain, chance), (accuracy, error) = train(0.0), train(1.0)
    assert plain > 0.9 and accuracy > 0.9
    assert error < 0.5 * chance


def test_the_audit():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        report = load("audit_network").main()
    assert out.getvalue().count("layers:") == 3
    assert report.errors["invariance"].value < 1


def test_the_notebook():
    notebook = json.loads((FOLDER / "groups.ipynb").read_text())
    names = {}
    ran = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"], "executed before it was committed"
        source = "".join(cell["source"])
        printed = "".join("".join(one["text"]) for one in cell["outputs"] if one["output_type"] == "stream")
        shown = [one for one in cell["outputs"] if one["output_type"] == "execute_result"]
        body, _, last = source.rstrip().rpartition("\n")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            if shown:
                exec(body, names)
                value = eval(last, names)
                assert repr(value) == "".join(shown[0]["data"]["text/plain"])
            else:
                exec(source, names)
        assert out.getvalue() == printed
        ran += 1
    assert ran >= 5


def test_the_pages():
    for page in ("README.md", "docs/python.md"):
        names, ran = {}, 0
        for block in re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(block, names)
            ran += 1
        assert ran > 0, page
