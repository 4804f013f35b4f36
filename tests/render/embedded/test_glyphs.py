"""Strings of glyphs in a PDF: their codes, their texts, and how far they reach."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.glyphs import Font, shown

CODES = st.lists(st.tuples(st.binary(max_size=6), st.integers(-500, 500)), max_size=5)


def small_font(**fields: object) -> Font:
    """T, e and a, half as wide as they are high, and a ligature that is one as wide."""
    font = Font(letters={84: "T", 101: "e", 97: "a", 1: "fi"})
    font.widths[84] = font.widths[101] = font.widths[97] = 0.5
    font.widths[1] = 1.0
    for name, value in fields.items():
        setattr(font, name, value)
    return font


@pytest.mark.parametrize(
    ("operand", "codes", "moves"),
    [
        (b"(Tea)", b"Tea", 0.0),
        (b"(Te)-20(a)", b"Tea", -20.0),
        (b"(T)12.5(e)-2.5(a)", b"Tea", 10.0),
        (b"", b"", 0.0),
        (b"()", b"", 0.0),
        (rb"(\(Tea\))", b"(Tea)", 0.0),
        (rb"(a\\b)", rb"a\b", 0.0),
        (rb"(\101\7x)", b"A\x07x", 0.0),
        (rb"(\1012)", b"A2", 0.0),
        (rb"(\8)", b"8", 0.0),
        (rb"(\189)", b"\x0189", 0.0),
        (rb"(\n\r\t\b\f\q)", b"\n\r\t\b\fq", 0.0),
        (b"(Te\\\na)", b"Tea", 0.0),  # a line that is broken inside of a string
        (b"<546561>", b"Tea", 0.0),
        (b"<54 65\n61>", b"Tea", 0.0),
        (b"<5>", b"P", 0.0),  # the last digit is 0 if it is missing
        (b"<54>-7<65>3(a)", b"Tea", -4.0),
    ],
)
def test_strings_are_written_in_many_ways(operand: bytes, codes: bytes, moves: float) -> None:
    assert shown(operand) == (codes, moves)


@given(CODES)
def test_codes_come_back_however_they_were_written(pieces: list[tuple[bytes, int]]) -> None:
    wanted = (b"".join(codes for codes, _ in pieces), sum(move for _, move in pieces))
    in_digits = b"".join(b"<%s>%d" % (codes.hex().encode(), move) for codes, move in pieces)
    octal = (("".join(f"\\{code:03o}" for code in codes), move) for codes, move in pieces)
    in_letters = "".join(f"({codes}){move}" for codes, move in octal).encode()
    assert shown(in_digits) == shown(in_letters) == wanted


def test_codes_without_letters_are_shown_as_unknown() -> None:
    assert small_font().text(b"Te?") == "Te\ufffd"
    table = "".join({84: "T"}.get(code, "\ufffe") for code in range(256))
    assert small_font(table=table).text(b"TeT") == "T\ufffdT"


def test_a_code_may_be_several_letters() -> None:
    assert small_font().text(b"\x01T") == "fiT"


def test_codes_of_two_bytes_are_read_in_pairs() -> None:
    font = Font(code_bytes=2, letters={0x0102: "茶", 0x0041: "A"})
    assert list(font.codes(b"\x01\x02\x00\x41")) == [0x0102, 0x41]
    assert font.text(b"\x01\x02\x00\x41\xff\xff") == "茶A\ufffd"
    assert font.text(b"\x01\x02\x00") == "茶"  # half a code is none


def test_a_string_reaches_as_far_as_its_codes_are_wide() -> None:
    assert small_font().reach(b"Tea") == 1.5
    assert small_font().reach(b"") == 0
    assert small_font().reach(b"\x01?") == 1.0  # what the font lacks takes no space


@pytest.mark.parametrize(
    ("letters", "reach"), [(0, 0.0), (1, 1.0), (2, 1.5), (3, 2.0), (4, 2.0), (99, 2.0)]
)
def test_moves_between_letters_count_with_the_letter_before(letters: int, reach: float) -> None:
    assert small_font().advance(b"(T)-500(ea)", letters) == reach


def test_a_ligature_reaches_as_a_whole() -> None:
    font = small_font()
    assert [font.advance(b"(\x01T)", letters) for letters in range(4)] == [0, 1, 1, 1.5]


@given(st.lists(st.tuples(st.text("Tea", max_size=5), st.integers(-900, 0)), max_size=5))
def test_further_letters_reach_further_and_all_of_them_to_the_end(
    pieces: list[tuple[str, int]],
) -> None:
    font = small_font()
    operand = "".join(f"({letters}){move}" for letters, move in pieces).encode()
    codes, moves = shown(operand)
    reaches = [font.advance(operand, letters) for letters in range(len(codes) + 1)]
    assert reaches == sorted(reaches)
    assert reaches[-1] == pytest.approx(font.reach(codes) - moves / 1000)
