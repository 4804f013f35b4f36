"""The quality gate of zone trees: floors that real pages must reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrity import Integrity, measure
from pagesight.learning.corpora import Corpora, digest
from reading_order import Order, pdf_orders, share

pytestmark = [pytest.mark.corpora]

# The floors hold for these pages: other corpora need floors of their own.
DIGEST = "3cdd93b181a04857"
PDFS = 16  # benchmarks/reading_order.py takes all
OWN_ZONE = {"title": 0.97, "abstract": 0.8, "reference": 0.99}  # structured abstracts are split


@pytest.fixture(scope="module")
def articles(corpora: Path) -> Path:
    folder = corpora / "articles"
    assert digest(folder, "articles.jsonl") == DIGEST, "the corpus has changed: set new floors"
    return folder


@pytest.fixture(scope="module")
def orders(articles: Path) -> list[Order]:
    return list(pdf_orders(articles / "pdf", PDFS))


def test_abstracts_of_pdfs_are_in_order(orders: list[Order]) -> None:
    assert [order for order in orders if not order.right] == []
    assert share(orders, "adjacent", "pairs") >= 0.96


@pytest.fixture(scope="module")
def fields(articles: Path, chromium: object) -> dict[str, Integrity]:
    return measure(Corpora(articles.parent), split="dev")


@pytest.mark.browser
@pytest.mark.parametrize("field", OWN_ZONE)
def test_fields_of_articles_stand_in_zones_of_their_own(
    field: str, fields: dict[str, Integrity]
) -> None:
    assert fields[field].own >= OWN_ZONE[field] * fields[field].found > 0
