"""Writes tests/data/io/: small files by NumPy and by independent encoders, and manifest.json with
what they hold. Run with a Python that has NumPy:  python3 oracles/python/io_fixtures.py"""

import gzip
import io
import json
import pathlib
import pickle
import struct
import tarfile

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "io"
NAMES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
         "float16", "float32", "float64"]
manifest = {"script": "oracles/python/io_fixtures.py", "files": {}}


def describe(array):
    return {"dtype": array.dtype.name, "shape": list(array.shape),
            "values": [float(v) for v in array.ravel(order="C")]}


def values(name, shape):
    count = int(np.prod(shape))
    base = np.arange(count) * 3 - (0 if name.startswith("u") else 7)
    if name == "bool":
        base = np.arange(count) % 2
    if name.startswith("float"):
        base = base / 4
    return base.astype(name).reshape(shape)


def save(name, write, arrays):
    buffer = io.BytesIO()
    write(buffer)
    (FOLDER / name).write_bytes(buffer.getvalue())
    manifest["files"][name] = {key: describe(a) for key, a in arrays.items()}


def npy():
    for name in NAMES:
        array = values(name, (2, 3))
        save(f"{name}.npy", lambda f: np.save(f, array), {"": array})
    for name in ["int16", "float64"]:
        array = values(name, (2, 3, 4))
        big = array.astype(array.dtype.newbyteorder(">"))
        save(f"{name}-big-endian.npy", lambda f: np.save(f, big), {"": array})
    array = values("int32", (2, 3, 4))
    save("fortran.npy", lambda f: np.save(f, np.asfortranarray(array)), {"": array})
    save("scalar.npy", lambda f: np.save(f, np.float64(2.5)), {"": np.array(2.5)})
    save("empty.npy", lambda f: np.save(f, np.zeros((0, 3), "float32")),
         {"": np.zeros((0, 3), "float32")})
    for version in [(2, 0), (3, 0)]:
        save(f"version{version[0]}.npy",
             lambda f: np.lib.format.write_array(f, array, version=version), {"": array})
    save("complex.npy", lambda f: np.save(f, np.zeros(2, complex)), {})
    # Refused with a sentence; nothing is read from them.
    for name, foreign in {"text": np.array(["ab"]),
                          "structured": np.zeros(2, [("a", "i4")]),
                          "object": np.array([None, {}], dtype=object)}.items():
        save(f"refused-{name}.npy", lambda f: np.save(f, foreign), {})


def npz():
    arrays = {"images": values("uint8", (4, 5, 5)), "labels": values("int64", (4,)),
              "zeros": np.zeros((50, 50), "float32")}
    save("stored.npz", lambda f: np.savez(f, **arrays), arrays)
    save("deflated.npz", lambda f: np.savez_compressed(f, **arrays), arrays)


def idx():
    codes = {"uint8": 8, "int8": 9, "int16": 11, "int32": 12, "float32": 13, "float64": 14}
    for name, code in codes.items():
        array = values(name, (3, 2, 2))
        data = bytes([0, 0, code, 3]) + struct.pack(">3I", *array.shape)
        data += array.astype(array.dtype.newbyteorder(">")).tobytes()
        save(f"{name}.idx", lambda f: f.write(data), {"": array})
        if name == "uint8":
            save("uint8.idx.gz", lambda f: f.write(gzip.compress(data, mtime=0)), {"": array})


def safetensors():
    arrays = {"layer.weight": values("float32", (3, 2)), "layer.bias": values("float64", (3,)),
              "steps": values("int64", ())}
    header, buffer = {"__metadata__": {"format": "pt"}}, b""
    for key in ["steps", "layer.weight", "layer.bias"]:
        data = arrays[key].tobytes()
        header[key] = {"dtype": {"float32": "F32", "float64": "F64", "int64": "I64"}[
            arrays[key].dtype.name], "shape": list(arrays[key].shape),
            "data_offsets": [len(buffer), len(buffer) + len(data)]}
        buffer += data
    text = json.dumps(header).encode()
    save("small.safetensors", lambda f: f.write(struct.pack("<Q", len(text)) + text + buffer),
         arrays)
    save("pickle.pt", lambda f: f.write(pickle.dumps({"weight": [1.0, 2.0]}, protocol=2)), {})


def tar():
    def write(f, kind):
        with tarfile.open(fileobj=f, mode="w", format=kind) as archive:
            for name in ["folder/one.bin", "x" * 120 + "/two.bin"]:
                info = tarfile.TarInfo(name)
                info.size = 700
                archive.addfile(info, io.BytesIO(bytes(range(7)) * 100))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
    for name, kind in {"gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT,
                       "ustar": tarfile.USTAR_FORMAT}.items():
        save(f"{name}.tar", lambda f: write(f, kind), {})


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    npy(), npz(), idx(), safetensors(), tar()
    (FOLDER / "manifest.json").write_text(json.dumps(manifest) + "\n")
