"""Data for examples 030 and 040, by Python's standard library alone (with NumPy: numpy.savez):

    python3 make_frames.py [FOLDER]        default: here

Writes train.npz, validation.npz and test.npz: images "x" (N x 1 x 16 x 16, uint8) of noise with a
bright centre (class 0) or a bright frame (class 1), and labels "y"."""

import pathlib
import random
import struct
import sys
import zipfile

SIDE = 16


def npy(kind, shape, data):
    header = str({"descr": kind, "fortran_order": False, "shape": shape}).encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def write(path, count, seed):
    random.seed(seed)
    pixels, labels = bytearray(), b""
    for i in range(count):
        label = i % 2
        labels += struct.pack("<q", label)
        for row in range(SIDE):
            for column in range(SIDE):
                edge = min(row, column, SIDE - 1 - row, SIDE - 1 - column)
                bright = edge < 2 if label else edge > 5
                pixels.append(random.randrange(128) + (127 if bright else 0))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", npy("|u1", (count, 1, SIDE, SIDE), bytes(pixels)))
        archive.writestr("y.npy", npy("<i8", (count,), labels))


folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
folder.mkdir(parents=True, exist_ok=True)
for name, count, seed in (("train", 400, 0), ("validation", 100, 1), ("test", 100, 2)):
    write(folder / f"{name}.npz", count, seed)
