"""Words, as the ends of lines leave them."""

from __future__ import annotations

import pytest

from pagesight.readers.article.words import rejoined


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
        ("tea - and coffee", "tea - and coffee"),
    ],
)  # fmt: skip
def test_what_lines_divided_is_whole_again(lines: str, text: str) -> None:
    assert rejoined(lines) == text
