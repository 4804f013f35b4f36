from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pagesight.page.words import Searched


@given(
    st.lists(st.text("aAbİ\n ", max_size=6), max_size=8),
    st.lists(st.text("ab", min_size=1, max_size=3), max_size=3),
)
def test_strings_hold_words_as_each_does_alone(strings: list[str], words: list[str]) -> None:
    wanted = [any(word in string.lower() for word in words) for string in strings]
    assert Searched(strings).holding(words).tolist() == wanted
