"""Values: their addresses are made when somebody asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagesight.readers.article import Reference, Value


class Asked:
    """Something with addresses that counts the questions."""

    def __init__(self) -> None:
        self.times = 0

    @property
    def xpath(self) -> str:
        self.times += 1
        return "/html/p"

    @property
    def css(self) -> str:
        self.times += 1
        return "p"


def value(place: object) -> Reference:
    return Reference(text="Tea", confidence=0.9, xpath=place, css=place, box=None, year="1851")  # type: ignore[arg-type]


def test_an_address_is_made_when_asked_for() -> None:
    place = Asked()
    found = value(place)
    assert place.times == 0
    assert (found.xpath, found.css, place.times) == ("/html/p", "p", 2)


def test_a_changed_value_asks_for_no_address() -> None:
    place = Asked()
    found = value(place).changed(tag="citation_title")
    assert (found.tag, found.year, place.times) == ("citation_title", "1851", 0)
    assert found == replace(value(Asked()), tag="citation_title")


def test_addresses_may_be_given_as_they_are() -> None:
    given = Reference(text="Tea", confidence=0.9, xpath="/html/p", css="p", box=None, year="1851")
    assert given == value(Asked())
    assert "xpath='/html/p'" in repr(value(Asked()))


def test_a_value_needs_an_address() -> None:
    with pytest.raises(TypeError, match="xpath"):
        Value(text="Tea", confidence=0.9, box=None)
