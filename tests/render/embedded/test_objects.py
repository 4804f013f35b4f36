"""The objects of small PDFs that are written in place."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import RenderCrash
from pagesight.render.embedded.objects import Objects

PAGE = b"1 0 obj << /Type /Page /Contents 2 0 R /Resources 3 0 R >> endobj\n"
RESOURCES = b"3 0 obj << /ExtGState << /a0 << /CA 1 /ca 1 >> /g1 << /ca 0.25 >> >> >> endobj\n"


def stream(number: int, data: bytes, fields: bytes = b"", newline: bytes = b"\n") -> bytes:
    head = b"%d 0 obj << /Length %d %s >>\nstream%s" % (number, len(data), fields, newline)
    return head + data + b"endstream\nendobj\n"


def packed(number: int, data: bytes, fields: bytes = b"") -> bytes:
    return stream(number, zlib.compress(data), b"/Filter /FlateDecode " + fields)


def cmap(text: bytes) -> bytes:
    return stream(9, text)


def font_with(cmap_text: bytes, *, name: bytes = b"ABCDEF+Tea-BoldItalic") -> bytes:
    """A font of the letters from A on: 500, 600 and 700 thousandths wide."""
    return (
        b"5 0 obj << /Font << /f-0-0 6 0 R >> >> endobj\n"
        b"6 0 obj << /Type /Font /BaseFont /" + name + b" /FirstChar 65 /Widths [ 500 600 700 ]"
        b" /FontDescriptor 7 0 R /ToUnicode 9 0 R >> endobj\n"
        b"7 0 obj << /Ascent 891 /Descent -216 >> endobj\n"
    ) + cmap(cmap_text)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_the_page_has_a_content_and_opacities(newline: bytes) -> None:
    objects = Objects(PAGE + stream(2, b"0 0 9 9 re f", newline=newline) + RESOURCES)
    assert objects.page_content() == (b"0 0 9 9 re f", {b"a0": 1.0, b"g1": 0.25})


def test_streams_are_unpacked() -> None:
    content = b"0 0 9 9 re f " * 100
    assert Objects(PAGE + packed(2, content) + RESOURCES).page_content()[0] == content


@given(st.binary(max_size=200))
def test_any_stream_comes_back(data: bytes) -> None:
    assert Objects(packed(2, data)).stream(2) == data


@pytest.mark.parametrize(
    "pdf", [b"", b"%PDF-1.5\n", b"1 0 obj << /Type /Pages >> endobj", PAGE[:-8]]
)
def test_a_file_without_a_page_has_no_content(pdf: bytes) -> None:
    assert Objects(pdf).page_content() == (b"", {})


def test_a_stream_that_does_not_end_ends_the_file() -> None:
    objects = Objects(b"1 0 obj << >> stream\nabc endobj 2 0 obj << >> endobj")
    assert list(objects.dictionaries) == [1]


def test_objects_may_be_packed_into_a_stream() -> None:
    first, second = b"<< /Ascent 800 >> ", b"<< /Descent -100 >>"
    heads = b"11 0 12 %d " % len(first)
    fields = b"/Type /ObjStm /N 2 /First %d" % len(heads)
    objects = Objects(packed(10, heads + first + second, fields))
    assert objects.dictionaries[11] == first
    assert objects.dictionaries[12] == second


def test_an_object_outside_of_a_stream_is_the_one_that_counts() -> None:
    heads = b"11 0 "
    fields = b"/Type /ObjStm /First %d" % len(heads)
    outside = b"11 0 obj << /Ascent 900 >> endobj\n"
    objects = Objects(outside + packed(10, heads + b"<< /Ascent 800 >>", fields))
    assert b"900" in objects.dictionaries[11]


def test_forms_have_contents_and_pictures_have_none() -> None:
    objects = Objects(
        b"1 0 obj << /XObject << /x5 2 0 R /x6 4 0 R >> >> endobj\n"
        + stream(2, b"0 0 1 1 re f", b"/Subtype /Form /Resources 3 0 R")
        + RESOURCES
        + stream(4, b"\x00\x01", b"/Subtype /Image")
    )
    assert objects.form(b"x5") == (b"0 0 1 1 re f", {b"a0": 1.0, b"g1": 0.25})
    assert objects.form(b"x6") is None
    assert objects.form(b"x7") is None


def test_a_font_has_its_looks_and_measures() -> None:
    font = Objects(font_with(b"")).font(b"f-0-0")
    assert (font.name, font.family, font.bold, font.italic) == ("Tea-BoldItalic", "Tea", True, True)
    assert (font.ascent, font.descent) == (0.891, 0.216)
    assert font.widths[64:69] == [0.0, 0.5, 0.6, 0.7, 0.0]
    assert len(font.widths) == 256


@pytest.mark.parametrize(
    ("name", "bold", "italic"),
    [
        (b"ABCDEF+Tea", False, False),
        (b"Tea", False, False),
        (b"Tea-Oblique", False, True),
        (b"Tea-Black", True, False),
        (b"TEA-HEAVY", True, False),
    ],
)
def test_names_of_fonts_state_how_they_look(name: bytes, bold: bool, italic: bool) -> None:
    font = Objects(font_with(b"", name=name)).font(b"f-0-0")
    assert (font.bold, font.italic, font.family.lower()) == (bold, italic, "tea")


def test_a_font_that_is_not_there_has_no_letters() -> None:
    font = Objects(b"").font(b"f-0-0")
    assert (font.name, font.letters, font.text(b"A")) == ("", {}, "\ufffd")
    assert (font.ascent, font.descent) == (0.9, 0.2)


def test_a_font_is_read_once() -> None:
    objects = Objects(font_with(b""))
    assert objects.font(b"f-0-0") is objects.font(b"f-0-0")


def test_codes_are_mapped_one_by_one() -> None:
    text = (
        b"2 beginbfchar\n<41> <8336>\n<42> <00660069>\nendbfchar\n"
        b"1 beginbfchar\n<46> <D83CDF75>\nendbfchar"
    )
    font = Objects(font_with(text)).font(b"f-0-0")
    assert font.text(b"ABFG") == "茶fi🍵\ufffd"
    assert font.table == ""  # a ligature does not fit into a table


def test_where_every_code_is_one_letter_there_is_a_table() -> None:
    font = Objects(font_with(b"beginbfchar <41> <0061> <42> <0062> endbfchar")).font(b"f-0-0")
    assert len(font.table) == 256
    assert font.text(b"ABCD") == "ab\ufffd\ufffd"


def test_wide_fonts_have_codes_of_two_bytes_and_a_default_width() -> None:
    pdf = (
        b"5 0 obj << /Font << /f-1-1 6 0 R >> >> endobj\n"
        b"6 0 obj << /BaseFont /Cha /DescendantFonts [ 8 0 R ] /ToUnicode 9 0 R >> endobj\n"
        b"7 0 obj << /Ascent 700 /Descent -100 >> endobj\n"
        b"8 0 obj << /DW 250 /W [1 [ 1000 900 ] 7 [ 300 ]] /FontDescriptor 7 0 R >> endobj\n"
    ) + cmap(b"beginbfchar <0001> <8336> endbfchar")
    font = Objects(pdf).font(b"f-1-1")
    assert font.code_bytes == 2
    assert font.widths[:9] == [0.25, 1.0, 0.9, 0.25, 0.25, 0.25, 0.25, 0.3, 0.25]
    assert (font.ascent, font.descent) == (0.7, 0.1)
    assert font.text(b"\x00\x01\x00\x02") == "茶\ufffd"
    assert font.reach(b"\x00\x01\x00\x07") == 1.3


def test_a_damaged_stream_is_an_error_of_the_page() -> None:
    pdf = stream(4, b"not packed", b"/Filter /FlateDecode")
    with pytest.raises(RenderCrash, match="damaged"):
        Objects(pdf).stream(4)
