"""Values, and the JSON that is made of them."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.page import Box
from pagesight.readers.article import ArticleReading, Author, Reference
from pagesight.readers.outline import OutlineReading
from pagesight.readers.title import TitleCandidate, TitleReading
from pagesight.readers.value import Result, ToJson, Value, shortened, to_plain

BASE = ["text", "confidence", "xpath", "css", "box"]


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


@dataclass(frozen=True, kw_only=True, repr=False)
class Price(Value):
    _also: ClassVar[tuple[str, ...]] = ("cheap",)

    amount: float
    origin: str = field(default="text", metadata={"json": "from"})
    secret: str = field(default="", metadata={"as": ()})

    @property
    def cheap(self) -> bool:
        return self.amount < 1


def test_an_address_is_made_when_asked_for() -> None:
    place = Asked()
    value = Value(text="Tea", confidence=0.9, place=place)
    assert (value.box, place.times) == (None, 0)
    assert (value.xpath, value.css, place.times) == ("/html/p", "p", 2)


def test_a_changed_value_asks_for_no_address() -> None:
    place = Asked()
    value = replace(Reference(text="Tea", confidence=0.9, place=place, year="1851"), tag="dc.title")
    assert (value.tag, value.year, place.times) == ("dc.title", "1851", 0)


def test_values_are_equal_whatever_has_their_addresses() -> None:
    place = Asked()
    assert Value(text="Tea", confidence=1.0, place=place) == Value(text="Tea", confidence=1.0)
    assert Value(text="Tea", confidence=1.0) != Value(text="Tea", confidence=0.5)
    assert place.times == 0


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Value(text="Tea", confidence=None).text = "Coffee"  # type: ignore[misc]


def test_a_value_needs_a_confidence_even_if_it_is_none() -> None:
    with pytest.raises(TypeError, match="confidence"):
        Value(text="Tea")  # type: ignore[call-arg]


def test_the_json_of_a_value() -> None:
    value = Value(text="Tea", confidence=2 / 3, place=Asked(), box=Box(1 / 3, 2, 3, 4))
    assert value.to_json() == {
        "text": "Tea",
        "confidence": 0.6667,
        "xpath": "/html/p",
        "css": "p",
        "box": [0.33, 2, 3, 4],
    }


def test_the_json_of_a_value_that_is_nowhere() -> None:
    fields = Value(text="Tea", confidence=None).to_json()
    assert list(fields) == BASE
    assert [fields[name] for name in BASE[1:]] == [None] * 4


def test_subclasses_add_their_fields_and_properties() -> None:
    fields = Price(text="0.99", confidence=1.0, amount=0.99, secret="x").to_json()
    assert list(fields) == [*BASE, "amount", "from", "cheap"]
    assert (fields["from"], fields["cheap"]) == ("text", True)


CITED = {
    "number", "authors", "title", "container", "volume", "issue", "pages", "year",
    "year_confidence", "doi", "doi_confidence", "url", "tag", "seen",
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "more"),
    [
        (TitleCandidate(text="Tea", confidence=1.0, score=0.5, origin="h1"), {"score", "from"}),
        (Reference(text="Tea", confidence=1.0), CITED),
    ],
)
def test_all_values_have_the_same_first_keys(value: Value, more: set[str]) -> None:
    fields = value.to_json()
    assert list(fields)[:5] == BASE
    assert set(fields) - set(BASE) == more


def test_an_author_has_a_name_and_a_text() -> None:
    fields = Author(text="Ada King", confidence=1.0, given="Ada", family="King").to_json()
    assert fields["name"] == fields["text"] == "Ada King"
    assert (fields["seen"], fields["from_tags"]) == (False, [])


@given(st.recursive(st.floats() | st.text() | st.none() | st.booleans() | st.integers(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_everything_becomes_json_that_any_program_reads(value: object) -> None:
    text = json.dumps(to_plain(value), allow_nan=False)  # NaN and Infinity are not JSON
    assert json.loads(text) == to_plain(value)


def test_what_has_no_number_is_null() -> None:
    assert to_plain([float("nan"), float("inf"), 0.123456]) == [None, None, 0.1235]


def test_a_value_is_its_text_for_people() -> None:
    assert f"{Value(text='Tea', confidence=1.0)}" == "Tea"


def test_reprs_are_short() -> None:
    long = Value(text="Tea " * 100, confidence=0.876)
    assert len(repr(long)) < 90
    assert repr(long).endswith("…' 88%>")
    assert repr(Value(text="Tea", confidence=None)) == "<Value 'Tea'>"


def test_reprs_of_readings_say_the_most_of_them() -> None:
    title = TitleCandidate(text="Green tea", confidence=0.9, score=0.8, origin="h1")
    assert repr(TitleReading(title, confidence=0.9)) == "<TitleReading Green tea (90%)>"
    assert repr(TitleReading()) == "<TitleReading no title>"
    assert repr(OutlineReading(())) == "<OutlineReading 0 headings>"
    author = Author(text="Ada King", confidence=1.0, family="King")
    article = ArticleReading(is_article=True, confidence=0.99, authors=(author,))
    assert repr(article) == "<ArticleReading by King, 0 references (99%)>"
    other = ArticleReading(is_article=False, confidence=0.25)
    assert repr(other) == "<ArticleReading not an article (25% that it is one)>"


def test_a_result_without_a_summary_still_has_a_repr() -> None:
    @dataclass(frozen=True, repr=False)
    class Nothing(Result):
        pass

    assert repr(Nothing()) == "<Nothing >"
    assert Nothing().to_json() == {}


def test_shortened_texts_are_on_one_line() -> None:
    assert shortened("Green\n  tea") == "Green tea"
    assert shortened("abcdef", 4) == "abc…"
    assert shortened("abcd", 4) == "abcd"


def test_nested_results_are_written_by_their_fields() -> None:
    @dataclass(frozen=True)
    class Shelf(ToJson):
        prices: tuple[Price, ...]
        sizes: dict[str, float]

    fields = Shelf((Price(text="1", confidence=1.0, amount=1.0),), {"tall": 1 / 3}).to_json()
    assert fields["prices"][0]["amount"] == 1.0
    assert fields["sizes"] == {"tall": 0.3333}
