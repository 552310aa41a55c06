"""Writes tests/data/io/shapes.{ttf,woff,woff2}: a typeface of plain polygons, encoded here from the
format descriptions (OpenType, W3C WOFF 1 and 2), so that every pixel of its glyphs is known.

    python3 oracles/python/font_fixtures.py

1000 units an em, capitals (H) 700 units high, no OS/2 table. A code point is drawn as:
  H  rectangle 600 x 700           0  square 700 x 700          1  triangle, right angle lower left
  7  bar on top and left column    -  rectangle 2000 x 700      (space)  nothing
"""

import pathlib
import struct
import zlib

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "io"
GLYPHS = [  # glyph 0 is what a typeface shows for a character that it lacks
    (None, [(0, 0), (0, 500), (500, 500), (500, 0)]),
    (" ", []),
    ("-", [(0, 0), (0, 700), (2000, 700), (2000, 0)]),
    ("0", [(0, 0), (0, 700), (700, 700), (700, 0)]),
    ("1", [(0, 0), (0, 700), (700, 0)]),
    ("7", [(0, 0), (0, 700), (700, 700), (700, 560), (140, 560), (140, 0)]),
    ("H", [(0, 0), (0, 700), (600, 700), (600, 0)]),
]


def glyph(points):
    if not points:
        return b""
    xs, ys = zip(*points)
    out = struct.pack(">hhhhh", 1, min(xs), min(ys), max(xs), max(ys))
    out += struct.pack(">HH", len(points) - 1, 0) + b"\x01" * len(points)
    for values in (xs, ys):
        out += b"".join(struct.pack(">h", b - a) for a, b in zip((0,) + values, values))
    return out + b"\0" * (-len(out) % 4)


def cmap():
    codes = [ord(c) for c, _ in GLYPHS[1:]]
    ends, starts = codes + [0xFFFF], codes + [0xFFFF]
    deltas = [(i + 1 - c) & 0xFFFF for i, c in enumerate(codes)] + [1]
    count = len(ends)
    body = b"".join(struct.pack(f">{count}H", *v) + (b"\0\0" if v is ends else b"")
                    for v in (ends, starts, deltas)) + b"\0\0" * count
    power = 1 << (count.bit_length() - 1)
    head = struct.pack(">HHHHHHH", 4, 14 + len(body), 0, 2 * count, 2 * power,
                       power.bit_length() - 1, 2 * (count - power))
    return struct.pack(">HHHHL", 0, 1, 3, 1, 12) + head + body


def tables():
    data = [glyph(points) for _, points in GLYPHS]
    offsets = [sum(map(len, data[:i])) for i in range(len(data) + 1)]
    return {
        b"cmap": cmap(),
        b"glyf": b"".join(data),
        b"head": struct.pack(">LLLLHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, 1000, 0, 0,
                             0, 0, 2000, 700, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">LhhhHhhhhhhhhhhhH", 0x10000, 800, -200, 0, 2000, 0, 0, 2000, 1, 0, 0,
                             0, 0, 0, 0, 0, len(GLYPHS)),
        b"hmtx": struct.pack(">Hh", 1000, 0) * len(GLYPHS),
        b"loca": struct.pack(f">{len(offsets)}L", *offsets),
        b"maxp": struct.pack(">LHHHHHHHHHHHHHH", 0x10000, len(GLYPHS), 8, 1, 0, 0, 2, 0, 0, 0, 0, 0,
                             0, 0, 0),
    }


def checksum(data):
    data += b"\0" * (-len(data) % 4)
    return sum(struct.unpack(f">{len(data) // 4}L", data)) & 0xFFFFFFFF


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def sfnt_header(count):
    power = 1 << (count.bit_length() - 1)
    return struct.pack(">LHHHH", 0x10000, count, 16 * power, power.bit_length() - 1,
                       16 * (count - power))


def ttf():
    parts = tables()
    place = 12 + 16 * len(parts)
    directory = body = b""
    for tag, data in sorted(parts.items()):
        directory += tag + struct.pack(">LLL", checksum(data), place + len(body), len(data))
        body += padded(data)
    return sfnt_header(len(parts)) + directory + body


def woff():
    parts = tables()
    place = 44 + 20 * len(parts)
    directory = body = b""
    for tag, data in sorted(parts.items()):
        packed = min(zlib.compress(data), data, key=len)
        directory += tag + struct.pack(">LLLL", place + len(body), len(packed), len(data),
                                       checksum(data))
        body += padded(packed)
    head = struct.pack(">4sLLHHLHHLLLLL", b"wOFF", 0x10000, place + len(body), len(parts), 0,
                       len(ttf()), 1, 0, 0, 0, 0, 0, 0)
    return head + directory + body


def stored_brotli(data):
    """A Brotli stream of one meta-block that is not compressed (RFC 7932, section 9.2)."""
    length = len(data) - 1  # window of 16 bits; not last; four nibbles of length; stored
    bits = 0 | 0 << 1 | 0 << 2 | length << 4 | 1 << 20
    return bits.to_bytes(3, "little") + data + b"\x03"


def woff2():
    known = [b"cmap", b"head", b"hhea", b"hmtx", b"maxp", b"name", b"OS/2", b"post", b"cvt ",
             b"fpgm", b"glyf", b"loca"]
    parts = tables()
    order = sorted(parts, key=lambda tag: b"glyg" if tag == b"loca" else tag)  # loca follows glyf
    directory = b""
    for tag in order:
        data = parts[tag]
        kept = 0xC0 if tag in (b"glyf", b"loca") else 0  # version 3: not transformed
        assert len(data) < 1 << 14
        size = bytes([0x80 | len(data) >> 7, len(data) & 0x7F] if len(data) > 127 else [len(data)])
        directory += bytes([known.index(tag) | kept]) + size
    body = stored_brotli(b"".join(parts[tag] for tag in order))
    length = len(padded(bytes(48) + directory + body))
    head = struct.pack(">4sLLHHLLHHLLLLL", b"wOF2", 0x10000, length, len(parts), 0, len(ttf()),
                       len(body), 1, 0, 0, 0, 0, 0, 0)
    return padded(head + directory + body)


if __name__ == "__main__":
    for name, data in {"ttf": ttf(), "woff": woff(), "woff2": woff2()}.items():
        (FOLDER / f"shapes.{name}").write_bytes(data)
