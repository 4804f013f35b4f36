"""Painted texts get the letters of the document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.embedded.letters import MISSING, Painted, is_garbled, restored

HEIGHT = 20.0
WORDS = st.lists(st.text(alphabet="茶道ab𝒳", min_size=1, max_size=6), min_size=1, max_size=9)


def line(number: int, *texts: str) -> list[Painted]:
    """Pieces of one line, from left to right."""
    top = number * HEIGHT
    return [Painted(text, 100.0 * x, top, top + HEIGHT) for x, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "garbled"),
    [("tea", False), ("Café – 茶", False), ("\ufffd tea", True), ("םולש", True), ("ﻲﺑﺮﻋ", True)],
)
def test_what_may_be_garbled(text: str, garbled: bool) -> None:
    assert is_garbled(text) == garbled


@pytest.mark.parametrize(
    ("document", "pieces", "texts"),
    [
        ("茶 tea", line(0, "\ufffd tea"), ["茶 tea"]),
        ("\n 茶\n\ttea ", line(0, "\ufffd tea "), ["茶 tea "]),
        ("茶 tea", line(0, "\ufffd TEA"), ["茶 TEA"]),
        ("茶道 茶", line(0, "\ufffd\ufffd") + line(1, "\ufffd"), ["茶道", "茶"]),
        ("שלום עולם", line(0, "םלוע םולש"), ["שלום עולם"]),
        ("שלום עולם", line(0, "םלוע", " םולש"), ["עולם", "שלום "]),
        ("שלום tea עולם", line(0, "םלוע ", "tea", " םולש"), [" עולם", "tea", "שלום "]),
        ("לא", line(0, "אל"), ["לא"]),
        ("لا إله", line(0, "ﻪﻟإ ﻻ"), ["لا إله"]),
        ("茶", line(0, " ", "\ufffd"), [" ", "茶"]),
        ("", line(0, "\ufffd"), [""]),
        ("茶", [], []),
    ],
)  # fmt: skip
def test_letters_are_those_of_the_document(
    document: str, pieces: list[Painted], texts: list[str]
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
    pieces = [piece for number, text in enumerate(painted) for piece in line(number, text)]
    shuffled = data.draw(st.permutations(range(len(pieces))))

    found = restored(" ".join(words), [pieces[index] for index in shuffled])

    assert found == [meant[index] for index in shuffled]
