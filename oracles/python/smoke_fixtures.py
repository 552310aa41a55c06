"""Writes tests/data/smoke.json: SHA-256 of states of the real generator (PhiFlow 2.0.1) from its saved
steps, and of its whole simulations. A state is hashed as its velocity [component, y, x] at the lower
faces, then its smoke [y, x], float32. Needs NumPy:  python3 oracles/python/smoke_fixtures.py FOLDER
with detail_(k).npz and checkpoints_(k).npz."""

import hashlib
import json
import pathlib
import sys

import numpy as np

# Of the raw data of the generator's files, [309, 2, 64, 64] float32.
WHOLE = {
    "1": "7c3b44f174fbf833eb33fd103caf5787440ded17f340307e002600ebb140990a",
    "2": "48ab05d3af13dcccd484df2072bdd0b2ed7726a8b8b6c358882faa95c4f64319",
    "3": "56116278c9d323b17aaaeb2fa8fec16aedf0b6c68cc2f9c132dfe534d2cf743e",
    "4": "0760e46561d785827b5b89eae5083889e48033bdc122e0751734639ef727c840",
    "5": "aa7bdf887c1bc50c58495a39a0c2622db50572bdc2aad0412678496e1770a5a6",
    "6": "b9ab55b23c4e98efde0715548242df0f8f16763baa6c64a0542f0d9266c9f321",
}


def state_hash(smoke, u, v):
    frame = np.zeros((3, 64, 64), np.float32)
    frame[0, :, 1:] = u
    frame[1, 1:, :] = v
    frame[2] = smoke
    # Zeros carry no sign in the hash.
    return hashlib.sha256((frame + np.float32(0)).tobytes()).hexdigest()


def main():
    folder = pathlib.Path(sys.argv[1])
    states = {}
    for k in range(1, 5):
        steps = {}
        if k <= 2:
            detail = np.load(folder / f"detail_{k}.npz")
            for i, step in enumerate(detail["step"]):
                steps[int(step)] = state_hash(detail["smoke"][i], detail["u"][i], detail["v"][i])
        points = np.load(folder / f"checkpoints_{k}.npz")
        for step in [50, 51, 100, 101, 200, 201, 300, 301]:
            steps[step] = state_hash(*(points[f"{name}_{step}"] for name in ["smoke", "u", "v"]))
        states[k] = steps
    target = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "smoke.json"
    target.write_text(json.dumps({"script": "oracles/python/smoke_fixtures.py", "whole": WHOLE,
                                  "states": states}, indent=1) + "\n")


main()
