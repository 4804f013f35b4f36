"""The name of the site, and titles without it."""

from __future__ import annotations

import pytest

from pagesight.readers.title.address import Address
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.sites import SITE_ALIKE, Site, subject_of


def site(url: str = "https://www.leaf.example/tea", **said: object) -> Site:
    return Site.of(Clues(Address(url), **said))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (site(), "Leaf"),
        (site(), "leaf.example"),
        (site(sites=["Tea & Leaf"]), "tea & leaf"),
        (site(logos=["Back to the Oolong House home page"]), "Oolong House"),
        (site("https://ltu.example.org/"), "Low Tide University"),
        (site(copyright="The Tea Press Ltd. All rights reserved"), "Tea Press"),
    ],
)
def test_names_of_the_site(known: Site, text: str) -> None:
    assert known.likeness(text) >= SITE_ALIKE


@pytest.mark.parametrize("text", ["", "Green tea", "Leafcutter ants", "Tea from the house of Leaf"])
def test_what_is_not_its_name(text: str) -> None:
    assert site(copyright="Leaf").likeness(text) < SITE_ALIKE


@pytest.mark.parametrize(
    ("tag", "subject"),
    [
        ("Green tea | Leaf", "green tea"),
        ("Leaf » Green tea", "green tea"),
        ("Green tea – Tea, cups & more – Leaf", "green tea - tea, cups & more"),
        ("Green tea - Leaf - the tea shop", "green tea"),
        ("Leaf: Green tea", "green tea"),
        ("Tea: Green tea", "tea: green tea"),
        ("Leaf", "leaf"),
        ("", ""),
    ],
)
def test_a_title_tag_without_the_site(tag: str, subject: str) -> None:
    known = site(sites=["Leaf - the tea shop"])
    assert subject_of(tag, known).text == subject


def test_the_copyright_line_is_read_without_tags_and_years() -> None:
    found = clues_of_markup("<p>&copy; 2019</p><footer>© 2024 <b>Tea&nbsp;Press</b></footer>", None)
    assert found.copyright == "Tea Press"


def test_an_archived_page_has_the_address_that_it_had() -> None:
    address = Address("https://archive.example/web/2014/http://www.leaf.example/green-tea.html")
    assert (address.host, address.slug) == ("leaf.example", "green tea")
    assert Address("https://leaf.example/?to=/http://tea.example/").host == "leaf.example"
