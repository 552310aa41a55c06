"""Reads what the C++ writers wrote into FOLDER with NumPy and with independent decoders, and compares
it with FOLDER/expected.json. Run by the test io_python_test:  python3 check_io.py FOLDER"""

import json
import pathlib
import struct
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
expected = json.loads((folder / "expected.json").read_text())


def same(where, array, want):
    assert array.dtype.name == want["dtype"], (where, array.dtype, want["dtype"])
    assert list(array.shape) == want["shape"], (where, array.shape, want["shape"])
    assert [float(v) for v in array.ravel()] == want["values"], where


def read_idx(data):
    types = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    rank = data[3]
    shape = struct.unpack(f">{rank}I", data[4:4 + 4 * rank])
    array = np.frombuffer(data[4 + 4 * rank:], types[data[2]]).reshape(shape)
    return array.astype(array.dtype.newbyteorder("="))


def read_safetensors(data):
    length, = struct.unpack("<Q", data[:8])
    assert length % 8 == 0
    header = json.loads(data[8:8 + length])
    types = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "u2", "I16": "i2", "U32": "u4",
             "I32": "i4", "U64": "u8", "I64": "i8", "F16": "f2", "F32": "f4", "F64": "f8"}
    out = {}
    for key, entry in header.items():
        if key == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        part = data[8 + length + begin:8 + length + end]
        out[key] = np.frombuffer(part, types[entry["dtype"]]).reshape(entry["shape"])
    return out


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17 & 0xFFFFFFFF) + 0xA282EAD8) & 0xFFFFFFFF


def fields(data):
    """The fields of a protocol-buffer message: number -> raw value."""
    at, out = 0, {}

    def varint():
        nonlocal at
        shift = value = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        else:
            size = {1: 8, 5: 4}.get(tag & 7) or varint()
            value, at = data[at:at + size], at + size
        out[tag >> 3] = value
    return out


def read_events(data):
    events = []
    while data:
        head, (length, crc) = data[:8], struct.unpack("<QI", data[:12])
        payload = data[12:12 + length]
        assert crc == masked(head)
        assert struct.unpack("<I", data[12 + length:16 + length])[0] == masked(payload)
        data = data[16 + length:]
        event = fields(payload)
        assert struct.unpack("<d", event[1])[0] > 1.6e9
        if 3 in event:
            assert event[3] == b"brain.Event:2" and not events
            continue
        value = fields(fields(event[5])[1])
        step = event[2] - (1 << 64) if event[2] >> 63 else event[2]
        events.append([value[1].decode(), step, struct.unpack("<f", value[2])[0]])
    return events


for name, want in expected.items():
    path = folder / name
    if name.endswith(".npy"):
        same(name, np.load(path, allow_pickle=False), want)
    elif name.endswith(".npz"):
        with np.load(path, allow_pickle=False) as arrays:
            assert sorted(arrays.files) == sorted(want)
            for key in want:
                same(f"{name}:{key}", arrays[key], want[key])
    elif name.endswith(".idx"):
        same(name, read_idx(path.read_bytes()), want)
    elif name.endswith(".safetensors"):
        arrays = read_safetensors(path.read_bytes())
        assert sorted(arrays) == sorted(want)
        for key in want:
            same(f"{name}:{key}", arrays[key], want[key])
    elif name.endswith(".csv"):
        array = np.genfromtxt(path, delimiter=",", names=True)
        assert [list(map(float, row)) for row in array] == want
    elif "tfevents" in name:
        assert read_events(path.read_bytes()) == want, name
    else:
        raise AssertionError(f"unknown file {name}")
print(f"{len(expected)} files agree")
