"""Characters become pieces, and pieces lines: without a PDF, from words written in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.render.pdf.characters import Characters, Ints, Look, Spacing
from pagesight.render.pdf.fonts import Face
from pagesight.render.pdf.lines import Shift, TextLine, lines_of
from pagesight.render.pdf.pieces import cut

LOOKS = [Look(Face("Sans"), 0xFF, False), Look(Face("Sans", weight=700), 0xFF, False)]
EM = 10.0
ADVANCE = EM / 2


@dataclass(frozen=True)
class Word:
    """Characters of equal width from `x` on, on the baseline `y`."""

    text: str
    x: float
    y: float = 100.0
    size: float = EM
    look: int = 0
    turn: int = 0
    link: int = -1
    leftward: bool = False

    @property
    def end(self) -> float:
        return self.x + len(self.text) * self.size / 2


def characters_of(words: Sequence[Word]) -> tuple[Characters, Ints]:
    """The characters of words in the order of a document, which has a break before each word."""
    rows = []
    for word in words:
        places = range(len(word.text))
        for place, letter in enumerate(word.text):
            column = places[-1 - place] if word.leftward else place
            start = word.x + column * word.size / 2
            spacing = Spacing.BREAK if place == 0 else Spacing.NONE
            rows.append((ord(letter), start, start + word.size / 2, word.y, word.size, word.turn,
                         word.look, spacing, word.link))  # fmt: skip
    table = np.array(rows, dtype=np.float64).reshape(-1, 9)
    whole = table.astype(np.int64)
    characters = Characters(
        code=whole[:, 0], start=table[:, 1], end=table[:, 2], base=table[:, 3], size=table[:, 4],
        turn=whole[:, 5], look=whole[:, 6], spacing=whole[:, 7], looks=LOOKS,
    )  # fmt: skip
    return characters, whole[:, 8]


def lines(*words: Word) -> list[TextLine]:
    return lines_of(*characters_of(words))


def texts(*words: Word) -> list[str]:
    return ["".join(run.text for run in line.runs) for line in lines(*words)]


def after(word: Word, gap: float, text: str, **other: float) -> Word:
    """A word that many ems after another one."""
    return Word(text, word.end + gap * EM, **{"y": word.y, **other})  # type: ignore[arg-type]


GREEN = Word("Green", 50)


def test_nothing_is_no_line() -> None:
    assert lines() == []


def test_a_word_is_a_line_with_its_extent() -> None:
    (line,) = lines(GREEN)
    assert line.extent == (50, 92, 75, 102)  # .8 em above the baseline, .2 em below
    assert [run.text for run in line.runs] == ["Green"]
    assert line.main is line.runs[0]


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (0.0, ["Greentea"]),
        (0.15, ["Greentea"]),
        (0.2, ["Green tea"]),
        (0.6, ["Green tea"]),
        (1.1, ["Green tea"]),  # a wide space, where nothing above or below speaks for a gutter
        (1.5, ["Green", "tea"]),
        (5.0, ["Green", "tea"]),
    ],
)
def test_a_gap_is_nothing_a_space_or_a_gutter(gap: float, expected: list[str]) -> None:
    assert texts(GREEN, after(GREEN, gap, "tea")) == expected


def test_a_gap_that_continues_above_and_below_is_a_gutter() -> None:
    rows = []
    for y in (100.0, 112.0, 124.0):
        left = Word("green", 50, y)
        rows += [left, after(left, 1.1, "white")]
    assert texts(*rows) == ["green", "white"] * 3


def test_a_line_across_the_gap_speaks_against_a_gutter() -> None:
    left = Word("green", 50, 112)
    across = [Word("a" * 20, 50, 100), Word("b" * 20, 50, 124)]
    assert "green white" in texts(across[0], left, after(left, 1.1, "white"), across[1])


@pytest.mark.parametrize("label", ["•", "1.", "12)", "(a)", "iv.", "[3]", "–"])
def test_a_label_keeps_what_it_labels(label: str) -> None:
    word = Word(label, 50)
    assert texts(word, after(word, 2.0, "tea")) == [f"{label} tea"]


@pytest.mark.parametrize("word", ["tea", "1", "2024."])
def test_other_words_do_not(word: str) -> None:
    first = Word(word, 50)
    assert len(texts(first, after(first, 2.0, "tea"))) == 2


def test_a_change_of_look_makes_a_run() -> None:
    (line,) = lines(GREEN, after(GREEN, 0.3, "tea", look=1))
    assert [(run.text, run.look.face.weight) for run in line.runs] == [
        ("Green ", 400),
        ("tea", 700),
    ]
    assert line.main.text == "Green "  # the one with more ink


def test_a_link_makes_a_run() -> None:
    (line,) = lines(GREEN, after(GREEN, 0.3, "tea", link=7))
    assert [(run.text, run.link) for run in line.runs] == [("Green ", -1), ("tea", 7)]


@pytest.mark.parametrize(
    ("rise", "size", "shift"),
    [
        (3.5, 6.0, Shift.RAISED),
        (-1.5, 6.0, Shift.LOWERED),
        (0.0, 6.0, Shift.LEVEL),
        (0.0, 10.0, Shift.LEVEL),
    ],
)
def test_marks_are_raised_or_lowered_parts_of_their_line(
    rise: float, size: float, shift: Shift
) -> None:
    (line,) = lines(GREEN, Word("2", GREEN.end, GREEN.y - rise, size))
    assert line.runs[-1].shift is (shift or Shift.LEVEL)
    assert "".join(run.text for run in line.runs) == "Green2"


def test_a_mark_far_from_every_word_is_a_line() -> None:
    assert sorted(texts(GREEN, Word("2", 400, 96, 6.0))) == ["2", "Green"]


def test_a_mark_belongs_to_the_nearest_baseline() -> None:
    upper, lower = Word("upper", 50, 100), Word("lower", 50, 112)
    mark = Word("3", upper.end, 109, 6.0)  # .3 em above the lower one, .9 em below the upper one
    assert texts(upper, lower, mark) == ["upper", "lower3"]


def test_a_drop_cap_joins_the_first_line_beside_it() -> None:
    capital = Word("T", 50, 124, 36.0)
    first = Word("ea is", capital.end + 1, 124 - 0.72 * 26, EM)
    second = Word("green", capital.end + 1, 124, EM)
    assert texts(capital, first, second) == ["Tea is", "green"]


def test_text_printed_twice_counts_once() -> None:
    assert texts(GREEN, Word("Green", 50.4)) == ["Green"]


def test_hebrew_runs_to_the_left() -> None:
    first, second = Word("שלום", 100, leftward=True), Word("תה", 80, leftward=True)
    assert texts(first, second) == ["שלום תה"]


def test_rotated_lines_come_last_and_have_upright_extents() -> None:
    aside, level = Word("aside", 50, 100, turn=90), Word("level", 50, 100)
    one, other = lines(aside, level)
    assert (one.runs[0].text, other.runs[0].text) == ("level", "aside")
    left, top, right, bottom = other.extent
    assert bottom - top == pytest.approx(len("aside") * ADVANCE)
    assert right - left == pytest.approx(EM)


WORDS = st.builds(
    Word,
    st.text("abcxyz123•.", min_size=1, max_size=8),
    st.integers(0, 500).map(float),
    st.integers(0, 60).map(lambda row: row * 4.0),
    st.sampled_from([6.0, 8.0, 10.0, 10.1, 24.0]),
    st.integers(0, 1),
    st.sampled_from([0, 0, 0, 90, 180]),
    st.integers(-1, 1),
)


@given(st.lists(WORDS, max_size=25))
def test_no_character_is_lost_or_invented(words: list[Word]) -> None:
    """Except text that is printed twice at the same place, which counts once."""
    before = Counter(letter for word in words for letter in word.text)
    afterwards = Counter(letter for text in texts(*words) for letter in text if letter != " ")
    assert afterwards <= before
    if len({word.y for word in words}) == len(words):  # nothing is printed twice
        assert afterwards == before


@given(st.lists(WORDS, min_size=1, max_size=25))
def test_a_line_is_around_its_runs(words: list[Word]) -> None:
    for line in lines(*words):
        left, top, right, bottom = line.extent
        assert line.main in line.runs
        for run in line.runs:
            assert left <= run.extent[0] <= run.extent[2] <= right
            assert top <= run.extent[1] <= run.extent[3] <= bottom


@given(st.lists(WORDS, min_size=1, max_size=25))
def test_runs_next_to_each_other_differ_in_style(words: list[Word]) -> None:
    for line in lines(*words):
        styles = [(run.look, round(run.size, 1), run.shift, run.link) for run in line.runs]
        assert all(one != other for one, other in pairwise(styles))


@given(st.lists(WORDS, max_size=12))
def test_pieces_are_the_characters_cut_into_ranges(words: list[Word]) -> None:
    characters, link = characters_of(words)
    pieces = cut(characters, link)
    reached = 0
    for piece in pieces:
        assert piece.first == reached
        inside = slice(piece.first, piece.last + 1)
        assert len(set(characters.look[inside].tolist())) == 1
        assert len(set(link[inside].tolist())) == 1
        assert piece.start == characters.start[inside].min()
        assert piece.end == characters.end[inside].max()
        reached = piece.last + 1
    assert reached == len(characters)
