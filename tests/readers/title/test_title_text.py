from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.readers.title.text import alike, dice, fold, plain, similarity, unadorned


def test_dice_of_character_pairs() -> None:
    # ni ig gh ht and na ac ch ht have one pair of eight in common, counted on both sides.
    assert dice("night", "nacht") == 2 / 8
    assert dice("aaaa", "aa") == 2 * 1 / (3 + 1)  # pairs are counted, not only seen
    assert dice("tea", "tea") == 1.0
    assert dice("t", "tea") == 0.0
    assert dice("", "tea") == 0.0


def test_the_order_of_words_matters_little() -> None:
    assert similarity("NBA McGrady", "mcgrady nba") == pytest.approx(0.8)  # 8 of 10 pairs


@given(st.text(max_size=30), st.text(max_size=30))
def test_dice_is_what_brute_force_says(one: str, other: str) -> None:
    pairs = [Counter(text[i : i + 2] for i in range(len(text) - 1)) for text in (one, other)]
    total = sum(pairs[0].values()) + sum(pairs[1].values())
    common = sum((pairs[0] & pairs[1]).values())
    short = min(len(one), len(other)) < 2
    expected = 1.0 if one == other else 0.0 if short else 2 * common / total
    assert dice(one, other) == pytest.approx(expected)
    assert dice(one, other) == dice(other, one)
    assert 0 <= alike(one, other) <= 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tea  &\nCoffee", "tea & coffee"),
        ("The Cook’s “Guide”", 'the cook\'s "guide"'),
        ("Tea – green", "Tea - green"),
        ("Assis\u00adtance", "Assistance"),
    ],
)
def test_folding_takes_away_what_does_not_matter(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("foreign", "english"),
    [
        ("Silmäasema", "silmaasema"), ("Åbo Ørsted", "abo orsted"), ("Łódź", "lodz"),
        ("Straße", "strasse"), ("Þór Ðan", "thor dan"), ("Œuvre Æsir", "oeuvre aesir"),
        ("Ŋŧ Đorđe", "ngt dorde"), ("Çelik Şahin Ğ", "celik sahin g"),
        ("Зелёный чай", "zelenyi chai"), ("Τσάι", "tsai"), ("お茶", "お茶"),
        ("S-market Kausala!", "s market kausala"),
    ],
)  # fmt: skip
def test_letters_as_addresses_write_them(foreign: str, english: str) -> None:
    assert plain(foreign) == english


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (":: Tea ::", "Tea"),
        ("*** Tea | Milk ***", "Tea | Milk"),
        ("» Tea", "» Tea"),
        ("«Tea»", "«Tea»"),
        (": :", ": :"),
        ("|", "|"),
        ("", ""),
    ],
)
def test_ornaments_are_not_part_of_a_title(text: str, bare: str) -> None:
    assert unadorned(text) == bare
