"""Pages built in the manner of well-known platforms, none of which anything was learned from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesight.page import Page
from pagesight.readers.article.learning.fresh import scores
from pagesight.readers.article.reader import read_article

FOLDER = Path(__file__).parent / "platforms"
NAMES = sorted(path.stem for path in FOLDER.glob("*.html"))
MISREAD = {
    "bepress_like",  # each name and its institution in one link
    "bibliotekanauki_polish",  # captions in Polish
    "cvf_like",  # names and the proceedings in one line
    "cyberleninka_russian",  # authors only within the heading of the abstract
    "diva_swedish",  # a student's thesis, not taken for an article
    "elibrary_russian",  # a year before the first name; an abstract without heading
    "essay_authors_end",  # authors only below the references
    "handmade_old",  # an abstract without heading, above a text without one
    "hrcak_croatian",  # a place that two authors share, below each of them
    "iacr_like",  # without a browser: short names of institutions taken for persons
    "jmir_like",  # the lines of an address taken for names and places
    "journal_italian",  # a short place below a long one
    "ojs_german",  # a museum taken for a person
    "openedition_french",  # "back to top" taken for a name; how to cite, below the references
    "plain_sequences",  # places in several lines below each name
    "thesis_german",  # its language taken for a name
    "thesis_spanish",  # family names of two words come first; advisors
}
CONFIDENT = 0.5


def labelled(name: str) -> tuple[dict[str, Any], str]:
    """What is right on a page, which its first comment says, and its HTML."""
    html = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    comment, _, rest = html.removeprefix("<!--").partition("-->")
    return json.loads(comment), rest


def pages(*, articles: bool) -> list[object]:
    """The pages that are articles, or those that are not; what is known to be wrong has to fail."""
    wrong = pytest.mark.xfail(strict=True, reason="known to be misread")
    wanted = [name for name in NAMES if labelled(name)[0].get("is_article", True) == articles]
    return [pytest.param(name, marks=wrong) if name in MISREAD else name for name in wanted]


@pytest.mark.parametrize("name", pages(articles=True))
def test_an_article_is_read_on_a_platform(name: str, lay_out: Callable[[str], Page]) -> None:
    labels, html = labelled(name)
    reading = read_article(lay_out(html), metadata="ignore")
    wrong = {field: score for field, score in scores(reading, labels).items() if score < 1}
    if not labels["affiliations"]:
        assert not reading.affiliations
        wrong.pop("affiliations", None)
    assert not wrong


@pytest.mark.parametrize("name", pages(articles=False))
def test_a_page_that_looks_like_an_article(name: str, lay_out: Callable[[str], Page]) -> None:
    reading = read_article(lay_out(labelled(name)[1]), metadata="ignore")
    assert not reading.is_article
    assert all(author.confidence < CONFIDENT for author in reading.authors)


def test_few_pages_are_known_to_be_misread() -> None:
    assert set(NAMES) >= MISREAD
    assert len(MISREAD) <= len(NAMES) / 3
