"""Which text node a painted piece belongs to."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.matching import match

Found = tuple[int, int] | None


def matched(texts: list[str], pieces: list[str]) -> list[Found]:
    """The first text, and how many letters are in front of it, of every piece."""
    return [(found[0].text, found[0].start) if found else None for found in match(texts, pieces)]


@pytest.mark.parametrize(
    ("texts", "pieces", "expected"),
    [
        (["tea"], ["tea"], [(0, 0)]),
        (["one two", "three"], ["one", "two", "three"], [(0, 0), (0, 0), (1, 0)]),
        (["  one\n\ttwo ", " three "], ["one two", " three"], [(0, 0), (1, 0)]),
        (["straße"], ["STRASSE"], [(0, 0)]),
        (["Café", "tea"], ["CAFÉ", "TEA"], [(0, 0), (1, 0)]),
        (["office", "tea"], ["ofﬁce", "tea"], [(0, 0), (1, 0)]),
        (["oﬃce", "tea"], ["office", "tea"], [(0, 0), (1, 0)]),
        (["co\u00adop", "tea"], ["co-", "op", "tea"], [(0, 0), (0, 0), (1, 0)]),
        (["co\u00adop", "tea"], ["coop", "tea"], [(0, 0), (1, 0)]),
        (["שלום", "tea"], ["םולש", "tea"], [(0, 0), (1, 0)]),
        (["שלום ", " טוב"], ["בוט ", "םולש"], [(1, 0), (0, 0)]),
        (["שלום", "עולם"], ["שלום", "עולם"], [(0, 0), (1, 0)]),
        (["tea"], ["•", "tea"], [None, (0, 0)]),
        (["tea"], ["1. ", "tea"], [None, (0, 0)]),
        (["هذا ", " عربي"], ["ﻲﺑﺮﻋ", "اﺬﻫ"], [(1, 0), (0, 0)]),
        (["hidden", "shown"], ["shown"], [(1, 0)]),
        (["a", "a", "a"], ["a", "a", "a"], [(0, 0), (1, 0), (2, 0)]),
        (["one", "two"], ["xyz", "two"], [None, (1, 0)]),
        ([" ", "tea", " "], ["tea"], [(1, 0)]),
        ([" "], [" "], [None]),
        (["tea"], ["tea", "tea"], [(0, 0), None]),
        (["茶", "tea"], ["\ufffd", "tea"], [(0, 0), (1, 0)]),
        (["tea"], [], []),
    ],
)  # fmt: skip
def test_pieces_find_their_texts(
    texts: list[str], pieces: list[str], expected: list[Found]
) -> None:
    assert matched(texts, pieces) == expected


LETTERS = st.text(alphabet="abcde ", min_size=1, max_size=12)


@given(st.data(), st.lists(LETTERS, min_size=1, max_size=5))
def test_every_piece_is_found_where_its_first_letter_stands(
    data: st.DataObject, texts: list[str]
) -> None:
    whole = "".join(texts)
    owners = [index for index, text in enumerate(texts) for _ in text]
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=6))
    bounds = sorted({0, len(whole), *cuts})
    spans = [(start, end) for start, end in pairwise(bounds) if whole[start:end].strip()]
    squeezed = data.draw(st.booleans())
    pieces = ["".join(whole[a:b].split()) if squeezed else whole[a:b] for a, b in spans]
    firsts = [a + len(whole[a:b]) - len(whole[a:b].lstrip()) for a, b in spans]

    assert matched(texts, pieces) == [(owners[first], 0) for first in firsts]


@given(st.lists(st.text(max_size=8), max_size=4), st.lists(st.text(max_size=8), max_size=6))
def test_no_piece_is_too_strange(texts: list[str], pieces: list[str]) -> None:
    found = matched(texts, pieces)

    assert len(found) == len(pieces)
    assert all(one is None or (0 <= one[0] < len(texts) and one[1] >= 0) for one in found)


@pytest.mark.parametrize(
    ("texts", "piece", "expected"),
    [
        (["tea", "time"], "teatime", ["tea", "time"]),
        (["one ", " ", "two", " three"], "one two three", ["one ", "two ", "three"]),
        (["a", "b", "c"], "ABC", ["A", "B", "C"]),
        (["straß", "e"], "STRASSE", ["STRASS", "E"]),
        (["ab", "", "cd"], "abcd", ["ab", "cd"]),
        (["tea", "time"], "tea", ["tea"]),
    ],
)
def test_a_piece_is_divided_between_the_texts_it_is_made_of(
    texts: list[str], piece: str, expected: list[str]
) -> None:
    (parts,) = match(texts, [piece])

    assert [piece[part.start : part.end] for part in parts] == expected
    assert [part.text for part in parts] == sorted({part.text for part in parts})


@given(st.lists(st.text(alphabet="abß ", max_size=5), min_size=1, max_size=6))
def test_all_texts_in_one_piece(texts: list[str]) -> None:
    whole = "".join(texts)
    (parts,) = match(texts, [whole])
    filled = [index for index, text in enumerate(texts) if text.strip()]

    assert [part.text for part in parts] == filled
    assert "".join(whole[part.start : part.end] for part in parts) == (whole if filled else "")
    for part in parts:
        assert whole[part.start : part.end].split() == texts[part.text].split()
