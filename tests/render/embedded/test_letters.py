"""Painted texts get the letters of the document."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.letters import (
    LONGEST,
    LONGEST_PATTERNS,
    MISSING,
    is_garbled,
    restored,
)

WORDS = st.lists(st.text(alphabet="茶道世界ab", min_size=1, max_size=6), min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("text", "garbled"),
    [("tea", False), ("Café – 茶", False), ("\ufffd tea", True), ("םולש", True), ("ﻲﺑﺮﻋ", True)],
)
def test_what_may_be_garbled(text: str, garbled: bool) -> None:
    assert is_garbled(text) == garbled


@pytest.mark.parametrize(
    ("document", "pieces", "texts"),
    [
        ("茶 tea", ["\ufffd tea"], ["茶 tea"]),
        ("\n 茶\n\ttea ", ["\ufffd tea "], ["茶 tea "]),
        ("hello 世界 straße", ["HELLO \ufffd\ufffd STRASSE"], ["HELLO 世界 STRASSE"]),
        ("茶道 茶", ["\ufffd\ufffd", "\ufffd"], ["茶道", "茶"]),
        ("漢  字", ["a", "\ufffd  \ufffd"], ["a", "漢  字"]),
        ("e\u0301 茶", ["é \ufffd"], ["é 茶"]),
        ("שלום עולם", ["םלוע םולש"], ["שלום עולם"]),
        ("שלום עולם", ["םלוע", " םולש"], ["עולם", "שלום "]),
        ("Hi שלום עולם טוב", ["Hi ", "בוט םלוע םולש"], ["Hi ", "שלום עולם טוב"]),
        ("שלום Pagesight is fast", ["Pagesight is fast", " םולש"], ["Pagesight is fast", "שלום "]),
        ("שלום 世界", [" \ufffd\ufffd", "םולש"], [" 世界", "שלום"]),
        ("כאן (2021).", [".(", "2021", ") ןאכ"], [").", "2021", "כאן ("]),
        ("Name: محمد عبد", ["Name: ", "ﺪﺒﻋ ﺪﻤﺤﻣ"], ["Name: ", "محمد عبد"]),
        ("لا إله", ["ﻪﻟإﻻ"], ["لا إله"]),  # spaces are not always painted
        ("می‌خواهم", ["ﻢﻫاﻮﺧﯽﻣ"], ["می‌خواهم"]),
        ("茶", [" ", "\ufffd"], [" ", "茶"]),
        ("①一二 b", ["①b"], ["①一二 b"]),
        ("一①二 b三", ["①b"], ["一①二 b三"]),
        ("①一 ②二", ["①", "②"], ["①一", "②二"]),
        ("أولاً", ["ﻻوأ"], ["أولاً"]),
        ("", ["\ufffd"], ["\ufffd"]),
        ("茶", [], []),
    ],
)  # fmt: skip
def test_letters_are_those_of_the_document(
    document: str, pieces: list[str], texts: list[str]
) -> None:
    assert restored(document, pieces) == texts


@given(WORDS, st.data())
def test_lines_are_found_again(words: list[str], data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    lines: list[list[str]] = [[]]
    for word, cut in zip(words, cuts, strict=True):
        if cut and lines[-1]:
            lines.append([])
        lines[-1].append(word)
    meant = [" ".join(each) for each in lines]
    painted = ["".join(MISSING if letter > "z" else letter for letter in each) for each in meant]

    assert restored(" ".join(words), painted) == meant


@given(
    st.text(max_size=30), st.lists(st.text(alphabet="aאش茶\ufffd( \u0301", max_size=8), max_size=5)
)
def test_anything_may_be_painted(document: str, pieces: list[str]) -> None:
    assert len(restored(document, pieces)) == len(pieces)


def test_patterns_are_not_longer_than_texts_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    compiled = re.compile

    def compile_(pattern: str, *flags: re.RegexFlag) -> re.Pattern[str]:
        sizes.append(len(pattern))
        return compiled(pattern, *flags)

    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 2000)))
    pieces = [letters[at : at + 20] + MISSING for at in range(0, 2000, 20)]
    monkeypatch.setattr(re, "compile", compile_)
    assert len(restored(letters + "€" * 100, pieces)) == len(pieces)
    assert sum(sizes) <= LONGEST_PATTERNS
    assert restored("€" * (LONGEST + 1), [MISSING]) == [MISSING]
