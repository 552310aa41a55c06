"""Writes tests/data/torch/: small files by torch.save and manifest.json with what they hold. Run with
a Python that has torch (Debian: python3-torch):  /usr/bin/python3 oracles/python/torch_fixtures.py"""

import collections
import json
import os
import pathlib

import torch

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "torch"
manifest = {"script": "oracles/python/torch_fixtures.py", "torch": torch.__version__, "files": {}}


def save(name, tensor):
    torch.save(tensor, FOLDER / f"{name}.pt")
    manifest["files"][f"{name}.pt"] = {
        "dtype": str(tensor.dtype).replace("torch.", ""), "shape": list(tensor.shape),
        "values": [float(v) for v in tensor.reshape(-1)]}


class Malicious:
    """What a pickle can do in Python: this one would write a word to the terminal."""

    def __reduce__(self):
        return os.system, ("echo this file ran a command",)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for dtype in [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
                  torch.float16, torch.bfloat16, torch.float32, torch.float64]:
        base = torch.arange(6) % 2 if dtype == torch.bool else torch.arange(6) * 3
        if dtype.is_floating_point:
            base = base / 4 - 1
        save(str(dtype).replace("torch.", ""), base.to(dtype).reshape(2, 3))
    grid = torch.arange(2 * 3 * 4, dtype=torch.float32).reshape(2, 3, 4)
    save("transposed", grid.permute(2, 0, 1))
    save("part", grid[1:, ::2, 1:3])
    save("scalar", torch.tensor(2.5))
    save("empty", torch.zeros(0, 3))
    save("gradient", torch.ones(2, requires_grad=True))
    save("long-axis", torch.arange(600, dtype=torch.int16)[::2])
    # Refused with a sentence.
    torch.save({"weight": torch.ones(2)}, FOLDER / "refused-dict.pt")
    torch.save([torch.ones(2)], FOLDER / "refused-list.pt")
    torch.save(collections.OrderedDict(weight=torch.ones(2)), FOLDER / "refused-state.pt")
    torch.save(torch.nn.Parameter(torch.ones(2)), FOLDER / "refused-parameter.pt")
    torch.save(torch.nn.Linear(2, 1), FOLDER / "refused-module.pt")
    torch.save(torch.ones(1).expand(1000), FOLDER / "refused-expanded.pt")
    torch.save(torch.ones(2, dtype=torch.complex64), FOLDER / "refused-complex.pt")
    torch.save(torch.ones(2), FOLDER / "refused-legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(torch.ones(2), FOLDER / "refused-protocol.pt", pickle_protocol=4)
    torch.save(Malicious(), FOLDER / "refused-malicious.pt")
    (FOLDER / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


main()
