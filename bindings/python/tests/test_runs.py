"""Experiments started from Python, run folders, tables."""
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import algprior
from algprior import Run
from conftest import ROOT


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """The smallest experiment: images with a stripe whose place is the label."""
    folder = tmp_path_factory.mktemp("experiment")
    random = np.random.default_rng(0)
    y = np.arange(32) % 4
    x = random.random((32, 1, 8, 8), dtype=np.float32)
    for image, label in zip(x, y):
        image[0, 2 * label:2 * label + 2] += 2
    np.savez(folder / "data.npz", x=x, y=y)
    text = '[experiment]\nrecipe = "arrays"\n[data]\ngroup = "C4"\n'
    text += "".join(f'{part} = "{folder / "data.npz"}"\n' for part in ("train", "validation", "test"))
    text += '[network]\nkind = "mlp"\nlatent = 16\n[train]\nbatch_size = 8\nepochs = 3\npatience = 0\n'
    (folder / "run.toml").write_text(text)
    return folder / "run.toml"


@pytest.fixture(scope="module")
def finished(experiment):
    records = []
    run = algprior.run(experiment, {"train.epochs": 2}, folder=experiment.parent / "run", on_epoch=records.append)
    return run, records


def test_a_run_and_its_folder(finished):
    run, records = finished
    assert run.state == "finished" and run.settings["train.epochs"] == "2" and not run.problems
    assert [r["epoch"] for r in records if r["split"] == "train"] == [1, 2]
    curve = run.metrics["train/equivariance"]
    assert isinstance(curve["value"], np.ndarray) and curve["value"].dtype == np.float64
    assert curve["epoch"].tolist() == [1, 2]
    told = [r["terms"]["equivariance"] for r in records if r["split"] == "train"]
    assert curve["value"].tolist() == told
    assert 0 <= run.result["metrics"]["test_accuracy"] <= 1
    again = Run.load(pathlib.Path(run.folder))
    assert again.result == run.result and pickle.loads(pickle.dumps(again)).name == run.name
    assert json.dumps(run.result)


def test_a_finished_run_is_not_run_again(experiment, finished):
    records = []
    algprior.run(experiment, ["train.epochs=2"], folder=finished[0].folder, on_epoch=records.append)
    assert records == []


def test_what_the_listener_raises_ends_the_run(experiment):
    def listen(record):
        raise LookupError(record["split"])

    with pytest.raises(LookupError, match="train"):
        algprior.run(experiment, folder=experiment.parent / "ended", on_epoch=listen)
    algprior.run(experiment, folder=experiment.parent / "ended", resume=True)  # the lock was let go of


def test_bad_settings_are_named(experiment):
    with pytest.raises(algprior.Error, match="train.epoch"):
        algprior.run(experiment, {"train.epoch": 2})
    with pytest.raises(algprior.Error, match="nowhere.toml"):
        algprior.run("nowhere.toml")
    with pytest.raises(algprior.InputError, match="name=value"):
        algprior.run(experiment, "train.epochs=2")
    with pytest.raises(algprior.InputError, match="abacus"):
        algprior.run(experiment, device="abacus")
    with pytest.raises(algprior.FileError, match="no run"):
        Run.load(experiment.parent / "nothing")


LONG = """
import algprior, sys
try:
    algprior.run(sys.argv[1], {"train.epochs": 100000}, folder=sys.argv[2], resume=True,
                 on_epoch=lambda record: print("epoch", flush=True))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_control_c_stops_a_run_that_can_be_resumed(experiment):
    folder = experiment.parent / "stopped"
    with subprocess.Popen([sys.executable, "-c", LONG, experiment, folder], stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "epoch\n"
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()
    assert lines[-1] == "stopped" and process.returncode == 0
    assert Run.load(folder).state == "stopped before the end"


def test_tables_and_published_runs():
    table = algprior.paper_table("ddmnist", [ROOT / "results"])
    assert table.to_dict()["table" if "table" in table.to_dict() else "name"] == "ddmnist"
    assert "C4" in str(table) or "c4" in str(table)
    assert table._repr_html_().startswith("<pre>")
    with pytest.raises(algprior.InputError, match="nothing-like-it"):
        algprior.paper_table("nothing-like-it")
    run = Run.load(next((ROOT / "tests/data/runs/tmnist-c2").rglob("metrics.jsonl")).parent)
    assert run.metrics
