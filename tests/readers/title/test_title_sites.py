"""The name of the site, and titles without it."""

from __future__ import annotations

import pytest

from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.clues import Clues, TitleText
from pagesight.readers.title.parsed import clues_of_markup
from pagesight.readers.title.sites import SITE_ALIKE, Site, subject_of


def site(url: str = "https://www.leaf.example/tea", **said: object) -> Site:
    return Site.of(Clues(PageAddress(url), **said))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (site(), "Leaf"),
        (site(), "leaf.example"),
        (site(), "Leaf Ltd."),
        (site(), "The official Leaf website"),
        (site(sites=["Tea & Leaf"]), "tea & leaf"),
        (site(logos=["Back to the Oolong House home page"]), "Oolong House"),
        (site("https://ltu.example.org/"), "Low Tide University"),
        (site("https://ltu.example.org/"), "Low Tide and the University"),
        (site(copyright="The Tea Press Ltd. All rights reserved"), "Tea Press"),
        (site(feeds=["Oolong House » Comments Feed"]), "Oolong House"),
        (site(feeds=["Oolong House RSS Feed"]), "Oolong House"),
        (site("https://oolong.blogs.example/tea"), "Oolong"),
    ],
)
def test_names_of_the_site(known: Site, text: str) -> None:
    assert known.likeness(text) >= SITE_ALIKE


@pytest.mark.parametrize(
    "text", ["", "Ltd.", "Green tea", "Leafcutter ants", "Tea from the house of Leaf"]
)
def test_what_is_not_its_name(text: str) -> None:
    assert site(copyright="Leaf").likeness(text) < SITE_ALIKE


@pytest.mark.parametrize(
    "said",
    [
        {"sites": ["Green tea from Japan"]},
        {"logos": ["Green tea"]},
        {"feeds": ["Thread 'Green tea'"]},
        {"copyright": "Ann Green tea and more"},
    ],
)
def test_what_the_page_is_called_is_no_name_of_the_site(said: dict[str, object]) -> None:
    heading = TitleText("Green tea", "h1")
    known = site("https://www.leaf.example/green-tea", headings=[heading], **said)
    assert known.likeness("Green tea") < SITE_ALIKE


@pytest.mark.parametrize(
    ("url", "title"),
    [
        ("https://cnn.example.com/2021/cats-need-naps", "Cats Need Naps"),  # initials
        ("https://www.python.example/wiki/Python", "Python"),
        ("https://mercury.stars.example/planet/mercury", "Mercury"),
    ],
)
def test_what_h1_and_address_agree_on_is_the_page(url: str, title: str) -> None:
    assert site(url, headings=[TitleText(title, "h1")]).is_of_page(title)
    assert not site(url).is_of_page(title)
    assert site(url).likeness(title) >= SITE_ALIKE


def test_a_heading_that_the_tag_ends_with_names_the_site() -> None:
    url = "https://www.blogs.example/2020/05/green-tea"
    known = site(url, tag="Green tea | Notes of Ann", headings=[TitleText("Notes of Ann", "h1")])
    assert known.likeness("Notes of Ann") >= SITE_ALIKE
    known = site(url, tag="Tea - Green tea", headings=[TitleText("Green tea", "h1")])
    assert known.likeness("Green tea") < SITE_ALIKE


@pytest.mark.parametrize(
    ("tag", "subject"),
    [
        ("Green tea | Leaf", "green tea"),
        ("Green tea | Leaf Documentation (3.1)", "green tea"),
        ("Leaf tea | Leaf and other plants", "leaf tea | leaf and other plants"),
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
    address = PageAddress("https://archive.example/web/2014/http://www.leaf.example/green-tea.html")
    assert (address.host, address.slug) == ("leaf.example", "green tea")
    assert PageAddress("https://leaf.example/?to=/http://tea.example/").host == "leaf.example"
