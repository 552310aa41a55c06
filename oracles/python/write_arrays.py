#!/usr/bin/env python3
"""Writes random arrays with NumPy, for our readers: .npy in every order and byte order, .npz packed and not, safetensors.

    write_arrays.py FOLDER COUNT SEED

manifest.json lists for each file the arrays in it: name, dtype, shape, and the SHA-256 of their bytes in C order,
little-endian. safetensors files are written by hand: Debian has no package for them.
"""
import hashlib
import io
import json
import pathlib
import struct
import sys

import numpy as np

DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]
SAFE = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "uint16": "U16", "int16": "I16", "uint32": "U32", "int32": "I32",
        "uint64": "U64", "int64": "I64", "float16": "F16", "float32": "F32", "float64": "F64"}


def random_array(random, complex_too):
    dtype = np.dtype(random.choice(DTYPES + (["complex64", "complex128"] if complex_too else [])))
    shape = tuple(int(n) for n in random.integers(0, 6, random.integers(0, 5)))
    count = int(np.prod(shape, dtype=int))
    if dtype == bool:
        values = random.integers(0, 2, count).astype(bool)
    else:  # any bits at all, NaN and infinities with them
        values = np.frombuffer(random.bytes(count * dtype.itemsize), dtype=dtype).copy()
    return values.reshape(shape)


def as_written(random, array):
    """Another order or byte order of the same numbers."""
    if array.ndim and random.integers(2):
        array = np.asfortranarray(array)
    if random.integers(2):
        array = array.astype(array.dtype.newbyteorder(">"))
    if array.ndim > 1 and random.integers(3) == 0:
        array = array.T.copy().T
    return array


def describe(name, array):
    plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return {"name": name, "dtype": array.dtype.name, "shape": list(array.shape),
            "sha256": hashlib.sha256(plain.tobytes()).hexdigest()}


def npy_bytes(random, array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=[(1, 0), (2, 0), (3, 0)][random.integers(3)])
    return out.getvalue()


def safetensors_bytes(random, arrays):
    header, data = {}, b""
    if random.integers(2):
        header["__metadata__"] = {"format": "np", "größe": "1"}
    for name, array in arrays.items():
        raw = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": SAFE[array.dtype.name], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, ensure_ascii=bool(random.integers(2))).encode()
    text += b" " * (-len(text) % 8 if random.integers(2) else 0)
    return struct.pack("<Q", len(text)) + text + data


def main():
    folder, count, random = pathlib.Path(sys.argv[1]), int(sys.argv[2]), np.random.default_rng(int(sys.argv[3]))
    manifest = {}
    for i in range(count):
        kind = ("npy", "npz", "safetensors")[i % 3]
        path = folder / f"{i}.{kind}"
        if kind == "npy":
            array = random_array(random, True)
            path.write_bytes(npy_bytes(random, as_written(random, array)))
            manifest[path.name] = [describe("", array)]
            continue
        arrays = {f"a{k}": random_array(random, kind == "npz") for k in range(random.integers(0 if kind == "npz" else 1, 5))}
        if kind == "npz":
            save = np.savez_compressed if random.integers(2) else np.savez
            save(path, **{name: as_written(random, array) for name, array in arrays.items()})
        else:
            path.write_bytes(safetensors_bytes(random, arrays))
        manifest[path.name] = [describe(name, array) for name, array in arrays.items()]
    (folder / "manifest.json").write_text(json.dumps(manifest))


if __name__ == "__main__":
    main()
