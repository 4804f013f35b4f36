"""The size of a picture from its first bytes."""

from __future__ import annotations

import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagesight.render.embedded.pictures import LARGEST_SIDE, picture_size, placeholder

PNG = b"\x89PNG\r\n\x1a\n"


def png(width: int, height: int) -> bytes:
    return PNG + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x06\0\0\0"


def jpeg(*segments: tuple[int, bytes]) -> bytes:
    body = (struct.pack(">BBH", 0xFF, kind, len(data) + 2) + data for kind, data in segments)
    return b"\xff\xd8" + b"".join(body)


def frame(width: int, height: int) -> bytes:
    return struct.pack(">BHHB", 8, height, width, 3) + b"\1\x11\0" * 3


def webp(chunk: bytes, data: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(data) + 12) + b"WEBP" + chunk + b"\0\0\0\0" + data


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(300, 200), (300, 200)),
        (b"GIF89a" + struct.pack("<HH", 30, 20) + b"\0\0\0", (30, 20)),
        (b"GIF87a" + struct.pack("<HH", 1, 1), (1, 1)),
        (jpeg((0xC0, frame(640, 480))), (640, 480)),
        (jpeg((0xC2, frame(640, 480))), (640, 480)),
        (jpeg((0xE0, b"JFIF\0" + b"\0" * 9), (0xE1, b"Exif\xff\xc0" * 99), (0xDB, b"\0" * 65),
              (0xC4, b"\0" * 20), (0xC0, frame(7, 9))), (7, 9)),
        (b"\xff\xd8\xff\xff\xff" + jpeg((0xC1, frame(3, 4)))[2:], (3, 4)),
        (webp(b"VP8 ", b"\x30\1\0\x9d\1\x2a" + struct.pack("<HH", 400 | 0x4000, 300)), (400, 300)),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 399 | 299 << 14)), (400, 300)),
        (webp(b"VP8X", b"\x10\0\0\0" + (399).to_bytes(3, "little") + (299).to_bytes(3, "little")),
         (400, 300)),
        (b"BM" + b"\0" * 12 + struct.pack("<Iii", 40, 20, -10) + b"\0" * 8, (20, 10)),
    ],
    ids=["png", "gif89", "gif87", "jpeg", "progressive", "segments", "fill", "vp8", "vp8l", "vp8x",
         "bmp"],
)  # fmt: skip
def test_sizes(data: bytes, size: tuple[float, float]) -> None:
    assert picture_size(data) == size


@pytest.mark.parametrize(
    ("svg", "size"),
    [
        ('<svg width="20" height="10">', (20, 10)),
        ("<svg width='20.5px' height = ' 10px '>", (20.5, 10)),
        ('<svg viewBox="0 0 40 20">', (40, 20)),
        ('<svg viewBox="0,0,40,20" width="10">', (10, 5)),
        ('<svg viewBox="0 0 40 20" height="10">', (20, 10)),
        ('<svg width="100%" height="100%" viewBox="0 0 40 20">', (40, 20)),
        ("<svg>", (300, 150)),
        ('<svg stroke-width="3" viewBox="0 0 40 20">', (40, 20)),
        ('<?xml version="1.0"?>\n<!-- hi -->\n<svg width="20" height="10">', (20, 10)),
        ('\ufeff <!DOCTYPE svg PUBLIC "x" "y"><SVG width="20" height="10">', (20, 10)),
        ('<svg viewBox="0 0 forty 20">', None),
        ('<?xml version="1.0"?><rss>', None),
        ("p { background: url('data:image/svg+xml,<svg width=\"1\">') }", None),
        ("/* x */ a{content:'<svg>'}", None),
        ("<!doctype html><p><svg>", None),
    ],
)
def test_sizes_of_drawings(svg: str, size: tuple[float, float] | None) -> None:
    assert picture_size(svg.encode()) == size


@pytest.mark.parametrize(
    "data",
    [
        b"", PNG, PNG + b"\0" * 9, b"GIF89a\1", b"\xff\xd8", b"\xff\xd8\xff", b"\xff\xd8\0\0",
        b"\xff\xd8\xff\xe0\0\4", jpeg((0xDA, b"\0\0")), webp(b"VP8 ", b""), webp(b"VP8L", b"\x2f"),
        b"BM", b"body { color: red }", b"wOF2", b"%PDF-1.4",
    ],
)  # fmt: skip
def test_what_is_no_picture_or_cut_off_has_none(data: bytes) -> None:
    assert picture_size(data) is None
    assert placeholder(data) is None


STARTS = [b"", PNG, b"GIF89a", b"\xff\xd8\xff", b"RIFF\0\0\0\0WEBP", b"RIFF....WEBPVP8X", b"BM",
          b"<svg ", b"<svg viewBox='", b"<svg width='1."]  # fmt: skip


@given(st.sampled_from(STARTS), st.binary(max_size=64))
@example(b"\xff\xd8\xff", b"\xe0\0\0")
@example(b"<svg viewBox='", b"1e999 0 nan inf'>")
@example(b"<svg width='1.", b".'>")
def test_no_bytes_are_too_strange(start: bytes, rest: bytes) -> None:
    size = picture_size(start + rest)
    drawing = placeholder(start + rest)

    assert (size is None) == (drawing is None)


def test_a_placeholder_is_as_large_as_the_picture() -> None:
    assert b'width="300" height="200"' in (placeholder(png(300, 200)) or b"")
    assert picture_size(placeholder(png(300, 200)) or b"") == (300, 200)


def test_a_placeholder_is_never_huge() -> None:
    drawing = placeholder(png(2**31, 10))

    assert picture_size(drawing or b"") == (LARGEST_SIDE, 10)
