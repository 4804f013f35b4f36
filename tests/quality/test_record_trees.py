"""The quality gate of the vision tree for records: what people marked must be in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.learning.corpora import Corpora, digest
from pagesight.readers.records.learning.bound import bound
from pagesight.readers.records.learning.corpus import LISTS, PRODUCTS, list_pages

pytestmark = [pytest.mark.corpora]

# The floors hold for these pages: other corpora need floors of their own.
DIGEST = "45df769af838c8d7"
FLOORS = {
    "record": 1.0,
    "name": 0.96, "price": 0.92, "image": 1.0, "description": 0.81,
    "name, joined": 1.0, "price, joined": 1.0, "description, joined": 1.0,
}  # fmt: skip


@pytest.mark.parametrize(
    "renderer", ["embedded", pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_products_are_zones_and_their_values_leaves(corpora: Path, renderer: str) -> None:
    assert digest(corpora / "records", LISTS) == DIGEST, "the corpus has changed: set new floors"
    products = list_pages(Corpora(corpora, renderer), [PRODUCTS])
    shares = {name: trees["10 for records"] for name, trees in bound(products).items()}
    assert {name: shares[name] for name in FLOORS if shares[name] < FLOORS[name]} == {}
