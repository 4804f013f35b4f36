"""Strings: folding, words, likeness, and what the ends of lines did to them."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.segment.text import (
    bigrams,
    continues_unspaced,
    dice,
    dice_of_pairs,
    dice_of_sets,
    folded,
    is_unspaced,
    known_words,
    pairs,
    rejoined,
    says,
    size_in_words,
    squeeze,
    without_accents,
    words,
)

TEXTS = st.text(max_size=20)


def test_white_space_is_squeezed() -> None:
    assert squeeze(" green\n\t tea\u00a0cup ") == "green tea cup"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("GREEN tea", "green tea"), ("Élan vital", "elan vital"), ("ﬁne", "fine"),
        ("Łódź–Ørsted", "lodz-orsted"), ("Weiß’", "weiss'"), ("Þór Æsir", "thor aesir"),
        ("ЧАЙ", "чаи"),
    ],
)  # fmt: skip
def test_folding_leaves_what_spellings_have_in_common(text: str, plain: str) -> None:
    assert folded(text) == plain


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert words(folded(text)) == words(text)


@given(TEXTS)
def test_letters_are_folded_one_by_one(text: str) -> None:
    assert folded(text) == without_accents(text).casefold()


def test_letters_without_accents_may_be_replaced() -> None:
    assert (
        without_accents("Чаёк", str.maketrans({"Ч": "Ch", "а": "a", "е": "e", "к": "k"})) == "Chaek"
    )


def test_words_are_letters_and_digits() -> None:
    assert words("Tea_cups: 2.5 l, naïve") == ["tea", "cups", "2", "5", "l", "naive"]
    assert words("…") == []


def test_two_characters_count_as_a_word_where_no_spaces_are() -> None:
    assert size_in_words("绿茶对审稿人") == 3
    assert size_in_words("зелёный чай") == 2
    assert size_in_words("green tea, 绿茶") == 3
    assert size_in_words("") == 0


def test_a_text_that_quotes_chinese_words_is_not_chinese() -> None:
    assert is_unspaced(["绿茶对审稿人的影响", "A. King"])
    assert not is_unspaced(["The word 茶 means tea, and little else", "as far as we know"])
    assert not is_unspaced([])


def test_chinese_continues_without_a_space_and_nothing_else_does() -> None:
    assert continues_unspaced("绿茶", "对审稿人")
    assert not continues_unspaced("绿茶", "tea")
    assert not continues_unspaced("green", "tea")
    assert not continues_unspaced("", "茶")


@given(TEXTS, TEXTS)
def test_dice_is_what_its_definition_says(one: str, other: str) -> None:
    counted = [Counter(text[i : i + 2] for i in range(len(text) - 1)) for text in (one, other)]
    common = sum(min(counted[0][pair], counted[1][pair]) for pair in counted[0])
    total = max(len(one) - 1, 0) + max(len(other) - 1, 0)
    likeness = dice_of_pairs(bigrams(one), bigrams(other))
    if min(len(one), len(other)) > 1:
        assert likeness == 2 * common / total
    else:
        assert likeness == float(one == other)


@given(TEXTS, TEXTS)
def test_dice_is_a_symmetric_likeness(one: str, other: str) -> None:
    assert dice(one, other) == dice(other, one) == dice_of_pairs(pairs(one), pairs(other))
    assert 0 <= dice(one, other) <= 1
    assert dice(one, one) == 1


def test_dice_forgives_spelling_and_counts_pairs() -> None:
    assert dice("Green Tea", "green-tea!") == 1
    assert dice("night", "nacht") == 2 / 8
    assert dice("aaaa", "aa") == 2 / 4


def test_dice_of_sets() -> None:
    assert dice_of_sets(frozenset("abc"), frozenset("bcd")) == 2 * 2 / 6
    assert dice_of_sets(frozenset(), frozenset()) == 0


def test_the_list_of_words_knows_words_and_ranks_them_from_one() -> None:
    known = known_words()
    assert {"tea", "the", "university"} <= known.keys()
    assert sorted(known.values()) == list(range(1, len(known) + 1))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("the phar- macological action", "the pharmacological action"),
        ("a two- year study", "a two-year study"),
        ("short- and long-term effects", "short- and long-term effects"),
        ("ADP- glucose", "ADP-glucose"),
        ("Haemato- Oncology", "Haemato-Oncology"),
        ("pages 194– 203", "pages 194–203"),
        ("an interleukin- 6 assay", "an interleukin-6 assay"),
        ("https://doi.org/10.1111/j.1365- 2486.2009.x", "https://doi.org/10.1111/j.1365-2486.2009.x"),
        ("see https://tea.example/ for more", "see https://tea.example/ for more"),
        ("https://a.b/c- d2", "https://a.b/c-d2"),
        ("https://a.b/green- tea", "https://a.b/green-tea"),
        ("https://doi.org/ 10.1000/tea- 2020- 12.", "https://doi.org/10.1000/tea-2020-12."),
        ("doi: 10.1000/ 1234 5", "doi: 10.1000/1234 5"),
        ("https://tea.org/ 12 May 2020", "https://tea.org/ 12 May 2020"),
        ("https://tea.org/ (2020-05-12).", "https://tea.org/ (2020-05-12)."),
        ("tea - and coffee", "tea - and coffee"),
        ("short- vs. long-term", "short- vs. long-term"),
        ("Ein- bzw. Ausgang", "Ein- bzw. Ausgang"),
        ("pre- en postnatal", "pre- en postnatal"),
        ("has tak- en Pushpana- than", "has taken Pushpanathan"),
        ("more short- than long-term", "more short- than long-term"),
    ],
)  # fmt: skip
def test_what_lines_divided_is_whole_again(lines: str, text: str) -> None:
    assert rejoined(lines) == text


@pytest.mark.parametrize(
    "text",
    [
        "http://" * 40_000 + " - ",
        "http://- " * 40_000,
        f"{'a' * 40_000}- and /",
        f"- {'a' * 40_000} 1/",
        "a- " * 40_000,
    ],
    ids=["addresses", "divided addresses", "long word", "longer word", "hyphens"],
)
def test_endless_texts_come_to_an_end(text: str) -> None:
    assert len(rejoined(text)) <= len(text)


@given(st.text("abc-–/ 1.", max_size=30))
def test_rejoining_only_takes_spaces_and_hyphens_away(text: str) -> None:
    assert re.sub("[ -]", "", rejoined(text)) == re.sub("[ -]", "", text)


@given(st.text("iISſskK\u212aıİ lüÜ", max_size=12))
def test_patterns_are_found_whatever_the_case(text: str) -> None:
    pattern = re.compile(r"\blis|sk|ü\S", re.IGNORECASE)
    assert says(text, pattern) == bool(pattern.search(text))


@pytest.mark.parametrize("pattern", ["List", "satılık"])
def test_patterns_that_are_not_in_small_letters_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="small letters"):
        says("tea", re.compile(pattern, re.IGNORECASE))
