"""Words, as the ends of lines leave them."""

from __future__ import annotations

import pytest

from pagesight.readers.article.names.words import rejoined


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
