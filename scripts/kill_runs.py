#!/usr/bin/env python3
"""Kills runs of the program at random moments, takes them up again, and compares with runs never interrupted: bit by bit.

    scripts/kill_runs.py build/release/algprior [--kills 200] [--seed 0] [--only classify,learned,phases,rollout,longer]

Five kinds of runs share the kills: a classifier with a fixed prior, a learned representation, a run in two phases (an
auto-encoder of shapes, then a classifier on its latents), a rollout of smoke (where `algprior data path smoke` finds the
data), and a run that is given more epochs after it finished. A killed run is started again until the next moment; at the
end model.safetensors and metrics.jsonl of every phase and the metrics of result.json must be the same.
Needs python3 alone. Ends with the number of kills, and with 1 where bits differ.
"""
import argparse
import json
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

CLASSES, SIDE, SAMPLES = 4, 16, 96


def npy(letter, shape, values):
    head = repr({"descr": "<" + {"f": "f4", "q": "i8"}[letter], "fortran_order": False, "shape": shape}).encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}{letter}", *values)


def write_data(path, draw):
    """Images with a bright stripe whose place is the class."""
    pixels, labels = [], []
    for i in range(SAMPLES):
        labels.append(i % CLASSES)
        for p in range(SIDE * SIDE):
            pixels.append((p // SIDE // 4 % CLASSES == labels[-1]) + draw.random())
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", npy("f", (SAMPLES, 1, SIDE, SIDE), pixels))
        archive.writestr("y.npy", npy("q", (SAMPLES,), labels))


def settings(kind, epochs):
    if kind == "phases":
        return f'''[experiment]
recipe = "shapes"
[data]
source = "procedural"
procedural_categories = 2
detail = 1
train = 2
validation = 1
test = 1
maps = 3
grid = "cube-8"
[network]
widths = [4, 6]
blocks = 1
latent_channels = 4
[train]
batch_size = 4
patience = 0
warmup = 0
epochs = {epochs}
[head]
width = 8
gram = 4
hidden = 8
batch_size = 4
warmup = 0
epochs = {epochs}
'''
    arrays = f'''[experiment]
recipe = "arrays"
[data]
group = "D4"
train = "data.npz"
validation = "data.npz"
test = "data.npz"
[network]
kind = "cnn"
channels = [8, 16]
latent = 16
[prior]
representation = "{"learned" if kind == "learned" else "regular"}"
[train]
batch_size = 16
patience = 0
epochs = {epochs}
'''
    if kind != "rollout":
        return arrays
    return f'''[experiment]
recipe = "smoke"
[data]
stride = 40
[network]
kind = "fluid"
hidden_channels = 4
[train]
batch_size = 4
patience = 0
epochs = {epochs}
'''


class Runs:
    def __init__(self, program, folder, kind, epochs):
        self.program, self.folder, self.kind, self.epochs = program, folder, kind, epochs
        (folder / f"{kind}.toml").write_text(settings(kind, epochs))

    def begin(self, name, longer=False):
        command = [self.program, "train"]
        if longer:
            command += [self.folder / name, "--set", f"train.epochs={2 * self.epochs}"]
        else:
            command += [self.folder / f"{self.kind}.toml", "--out", self.folder / name]
        return subprocess.Popen([*command, "--resume", "--threads", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def end(self, process):
        _, errors = process.communicate(timeout=900)
        if process.returncode not in (0, -signal.SIGKILL):
            sys.exit(f"{self.kind}: the program ended with {process.returncode}\n{errors}")
        return process.returncode

    def whole(self, name, longer=False):
        start = time.monotonic()
        self.end(self.begin(name, longer))
        return time.monotonic() - start

    def killed(self, name, kills, seconds, draw, longer=False):
        """Kills the run so often, in moments spread over its length, and lets it end."""
        done = 0
        for i in range(kills):
            process = self.begin(name, longer)
            time.sleep(draw.uniform(0.2, max(0.4, 1.5 * seconds / (1 + i % 5))))
            process.send_signal(signal.SIGKILL)
            if self.end(process) != 0:
                done += 1
            elif not longer:  # it had ended: a new one
                self.compare(name)
                shutil.rmtree(self.folder / name)
        self.end(self.begin(name, longer))
        self.compare(name)
        return done

    def compare(self, name):
        killed, whole = self.folder / name, self.folder / "whole"
        phases = ["", "head/"] if self.kind == "phases" else [""]
        for file in (phase + kept for phase in phases for kept in ("model.safetensors", "metrics.jsonl")):
            if (killed / file).read_bytes() != (whole / file).read_bytes():
                sys.exit(f"{self.kind}: {file} differs from that of a run never interrupted; both are kept in {self.folder}")
        metrics = [json.loads((place / "result.json").read_text())["metrics"] for place in (killed, whole)]
        if metrics[0] != metrics[1]:
            sys.exit(f"{self.kind}: the metrics of result.json differ; both are kept in {self.folder}")


def try_kind(program, kind, kills, epochs, draw):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"algprior-{kind}-"))
    write_data(folder / "data.npz", random.Random(1))
    runs = Runs(program, folder, kind, epochs)
    if kind == "longer":
        # The whole run has all epochs from the start; the killed one gets the second half later.
        (folder / "longer.toml").write_text(settings(kind, 2 * epochs))
        seconds = runs.whole("whole")
        (folder / "longer.toml").write_text(settings(kind, epochs))
        runs.whole("killed")
        done = runs.killed("killed", kills, seconds / 2, draw, longer=True)
    else:
        seconds = runs.whole("whole")
        done = runs.killed("killed", kills, seconds, draw)
    shutil.rmtree(folder)
    print(f"{kind}: {done} kills, bits equal", flush=True)
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--only", default="classify,learned,phases,rollout,longer")
    options = parser.parse_args()
    kinds = options.only.split(",")
    program = options.program.resolve()
    if "rollout" in kinds and subprocess.run([program, "data", "path", "smoke"], capture_output=True, check=False).returncode != 0:
        print("rollout: left out, the smoke data is not here (algprior data get smoke)")
        kinds.remove("rollout")
    draw = random.Random(options.seed)
    done = sum(try_kind(program, kind, max(1, options.kills // len(kinds)), options.epochs, draw) for kind in kinds)
    print(f"{done} kills in all, every run with the bits of one never interrupted")


if __name__ == "__main__":
    main()
