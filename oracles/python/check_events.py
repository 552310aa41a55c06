"""Reads the TensorBoard event files of a run folder and compares them with its metrics.jsonl:

    python3 oracles/python/check_events.py RUN

Pictures must be PNG files of the size that their event says, histograms must count as many numbers as
they claim, between limits that rise. Needs Python alone. TFRecord framing, CRC-32C and protocol buffers are decoded here from their
definitions; nothing is shared with the writer. A killed run has several event files, the last record
of each may be torn, and epochs that were done again after a resume stand in two files: equal then."""

import json
import pathlib
import struct
import sys
import zlib


def make_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = make_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data, name):
    at = 0
    while at < len(data):
        if len(data) - at < 12:
            return  # torn
        head = data[at:at + 8]
        length, = struct.unpack("<Q", head)
        assert struct.unpack("<L", data[at + 8:at + 12])[0] == masked_crc(head), (name, at)
        payload, end = data[at + 12:at + 12 + length], at + 12 + length + 4
        if end > len(data):
            return  # torn
        assert struct.unpack("<L", data[end - 4:end])[0] == masked_crc(payload), (name, at)
        yield payload
        at = end


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def message(data):
    """Field number → values, in order."""
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        else:
            assert kind == 2, kind
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        fields.setdefault(key >> 3, []).append(value)
    return fields


def doubles(data):
    assert len(data) % 8 == 0
    return list(struct.unpack(f"<{len(data) // 8}d", data))


def check_image(image, name):
    height, width, colours, png = image[1][0], image[2][0], image[3][0], image[4][0]
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and colours == 3, name
    at, pixels = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">L4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        assert struct.unpack(">L", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), name
        if kind == b"IHDR":
            assert struct.unpack(">LLBB", body[:10]) == (width, height, 8, 2), name
        if kind == b"IDAT":
            pixels += body
        at += 12 + size
    assert kind == b"IEND" and len(zlib.decompress(pixels)) == height * (1 + 3 * width), name


def check_histogram(histogram, name):
    low, high, count, total, squares = (struct.unpack("<d", histogram[i][0])[0] for i in range(1, 6))
    limits, counts = doubles(histogram[6][0]), doubles(histogram[7][0])
    assert len(limits) == len(counts) and sum(counts) == count > 0, name
    assert limits == sorted(limits) and limits[-1] == high and low <= high, name
    assert squares * count >= total * total * (1 - 1e-9), name  # Cauchy and Schwarz


def read_scalars(path):
    for i, payload in enumerate(records(path.read_bytes(), path.name)):
        event = message(payload)
        assert struct.unpack("<d", event[1][0])[0] > 1.6e9  # seconds since 1970
        if i == 0:
            assert event[3] == [b"brain.Event:2"], path.name
            continue
        step = event.get(2, [0])[0]
        for value in message(event[5][0])[1]:
            fields = message(value)
            name = fields[1][0].decode()
            if 4 in fields:
                check_image(message(fields[4][0]), name)
            elif 5 in fields:
                check_histogram(message(fields[5][0]), name)
            else:
                yield (name, step), struct.unpack("<f", fields[2][0])[0]


def expected_scalars(path):
    for line in path.read_text().splitlines():
        record = json.loads(line)
        for kind in ("terms", "metrics"):
            for name, value in record[kind].items():
                yield ((f"{record['split']}/{name}", record["step"]),
                       struct.unpack("<f", struct.pack("<f", value))[0])


def main(folder):
    files = sorted(folder.glob("events.out.tfevents.*"))
    assert files, "no event file"
    found = {}
    for path in files:
        for key, value in read_scalars(path):
            assert found.setdefault(key, value) == value, (path.name, key)
    wanted = dict(expected_scalars(folder / "metrics.jsonl"))
    assert wanted and found == wanted, set(found.items()) ^ set(wanted.items())


main(pathlib.Path(sys.argv[1]))
