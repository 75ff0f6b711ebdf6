# SPDX-License-Identifier: MIT
"""Reads PNG files, as far as flamebeat writes them, to compare pixels: no interlacing."""

import struct
import zlib
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


class Png(NamedTuple):
    width: int
    height: int
    rows: tuple  # of bytes: 3 (RGB) or 4 (RGBA) for each pixel
    texts: dict  # of tEXt and iTXt


def chunks(data):
    assert data[:8] == SIGNATURE, "no PNG"
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        (crc,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert crc == zlib.crc32(kind + body), f"checksum of {kind}"
        yield kind, body
        at += 12 + size


def _paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def _unfilter(kind, row, above, step):
    """One row with its filter undone."""
    if kind == 0:
        return row
    out = bytearray(row)
    if kind == 2:
        return bytes((x + y) & 255 for x, y in zip(out, above))
    for i, x in enumerate(out):
        left = out[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            out[i] = (x + left) & 255
        elif kind == 3:
            out[i] = (x + (left + above[i]) // 2) & 255
        else:
            assert kind == 4, f"filter {kind}"
            out[i] = (x + _paeth(left, above[i], corner)) & 255
    return bytes(out)


def _unpack(row, depth, width):
    """Samples of fewer than 8 bits, one byte each."""
    per_byte, mask = 8 // depth, (1 << depth) - 1
    spread = [bytes(byte >> (8 - depth * (k + 1)) & mask for k in range(per_byte))
              for byte in range(256)]
    return b"".join(map(spread.__getitem__, row))[:width]


def _text(kind, body):
    key, rest = body.split(b"\0", 1)
    if kind == b"iTXt":
        is_packed = rest[0]
        rest = rest[2:].split(b"\0", 2)[2]
        rest = zlib.decompress(rest) if is_packed else rest
    return key.decode(), rest.decode()


def decode(data):
    header, palette, alpha, packed, texts, kinds = None, b"", b"", b"", {}, []
    for kind, body in chunks(data):
        kinds.append(kind)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = body
        elif kind == b"tRNS":
            alpha = body
        elif kind == b"IDAT":
            packed += body
        elif kind in (b"tEXt", b"iTXt"):
            key, value = _text(kind, body)
            texts[key] = value
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND"
    width, height, depth, colour, _, _, interlace = header
    assert interlace == 0 and depth <= 8 and not alpha
    channels = CHANNELS[colour]
    size, step = (width * channels * depth + 7) // 8, max(1, channels * depth // 8)
    raw = zlib.decompress(packed)
    assert len(raw) == (size + 1) * height, "rows are missing, or too many"
    rows, above = [], bytes(size)
    for y in range(height):
        at = y * (size + 1)
        above = _unfilter(raw[at], raw[at + 1:at + 1 + size], above, step)
        row = _unpack(above, depth, width) if depth < 8 else above
        if colour == 3:
            colours = [palette[i:i + 3] for i in range(0, len(palette), 3)]
            row = b"".join(map(colours.__getitem__, row))
        elif colour == 0:
            row = b"".join(bytes((v, v, v)) for v in row)
        rows.append(row)
    return Png(width, height, tuple(rows), texts)
