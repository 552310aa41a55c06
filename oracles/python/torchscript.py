"""Writes the TorchScript encoders of tests/cli/audit_test.cpp: run by Debian's python3, which has torch.

    oracles/python/torchscript.py tests/data/torchscript
"""
import pathlib
import sys

import torch


class Quarters(torch.nn.Module):
    """Means of the quarters of an 8 x 8 image, counter-clockwise: quarter turns permute them."""

    def forward(self, x):
        parts = x.reshape(-1, 2, 4, 2, 4).mean(4).mean(2)
        return torch.stack([parts[:, 0, 1], parts[:, 0, 0], parts[:, 1, 0], parts[:, 1, 1]], 1)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    torch.jit.script(Quarters()).save(str(folder / "quarters.pt"))
