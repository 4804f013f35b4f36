"""The Title Tag Analyzer, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.seed import tta
from pagesight.readers.title.text import dice

SHOP = "https://www.s-kanava.fi/toimipaikka/s-market-kausala"


def clues(head: str, body: str = "", url: str | None = None) -> Clues:
    return clues_of_markup(f"<head>{head}</head><body>{body}</body>", url)


@pytest.mark.parametrize(
    "delimiter",
    [" – ", " / ", " . ", " : ", ", ", " -", ": ", " :", " |", " >", " «", " »", "?,", "-,", " ::",
     " /", "—", " <"],
)  # fmt: skip
def test_table_1(delimiter: str) -> None:
    assert tta.segments(f"Tea{delimiter}Coffee") == ["Tea", "Coffee"]


def test_hyphens_inside_words_do_not_cut() -> None:
    assert tta.segments("S-market Kausala - S-kanava") == ["S-market Kausala", "S-kanava"]


def test_special_characters_are_removed() -> None:
    assert tta.segments("Tea! @ home? | Shop*") == ["Tea home", "Shop"]


def test_case_3_of_table_4() -> None:
    tag = (
        "Secret Garden Bed & Breakfast (formerly Whitegates Guest House), near Keynsham, Bristol: "
        "Rooms, Prices and Guest Information"
    )
    assert tta.segments(tag)[0] == "Secret Garden Bed & Breakfast (formerly Whitegates Guest House)"
    assert len(tta.segments(tag)) == 5


def test_metas_count_beside_a_title_and_keywords_without_one() -> None:
    metas = '<meta name="title" content="B"><meta property="og:title" content="C">'
    keywords = '<meta name="keywords" content="D, E">'
    assert tta.tags(clues(f"<title>A</title>{metas}{keywords}")) == [["A"], ["B"], ["C"]]
    assert tta.tags(clues(metas + keywords)) == [["D", "E"]]


def test_placement() -> None:
    scored = tta.analyze(clues("<title>First | Second | Third</title>"))
    assert [each.placement for each in scored] == [0.1, 0.0, 0.1]


def test_popularity() -> None:
    headings = [("h1", "green tea"), ("h2", "tea and tea"), ("h6", "coffee")]
    assert tta.popularity("Tea", headings) == 6 * 1 + 5 * 2
    assert tta.popularity("Coffee", headings) == 1
    body = "<h1>Green tea</h1><h2>Tea and tea</h2><h6>Coffee</h6>"
    scored = tta.analyze(clues("<title>Tea | Coffee | Milk</title>", body))
    assert [each.popularity for each in scored] == [1.0, 1 / 16, 0.0]


def test_position_in_the_address() -> None:
    address = PageAddress(SHOP)
    assert tta.position_weight("S-market Kausala", address) == 3.0  # the document name
    assert tta.position_weight("Toimipaikka", address) == 1.5  # a folder
    assert tta.position_weight("Skanava", PageAddress("https://skanava.fi/")) == 1.0  # the host
    assert tta.position_weight("Market", address) == pytest.approx(
        3 * dice("market", "s market kausala")
    )


def test_the_example_of_the_paper() -> None:
    page = clues("<title>S-kanava | S-market Kausala</title>", url=SHOP)
    assert [each.position for each in tta.analyze(page)] == [0.0, 1.0]
    assert tta.title(page) == "S-market Kausala"


def test_criteria_can_be_chosen() -> None:
    page = clues(
        "<title>Green | Black | White</title>", "<h1>Black</h1>", "https://tea.example/white"
    )
    assert [tta.title(page, criteria) for criteria in ((1,), (2,), (3,))] == [
        "Green",
        "Black",
        "White",
    ]
    scored = tta.analyze(page)
    assert scored[2].total() == pytest.approx(0.1 + 0.0 + 1.0)
    assert scored[1].total((1, 2)) == 1.0


def test_normalisation() -> None:
    assert tta.normalized([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5]
    assert tta.normalized([2.0, 2.0]) == [0.0, 0.0]
    assert tta.normalized([]) == []


def test_nothing_comes_of_nothing() -> None:
    assert tta.title(clues("")) is None
