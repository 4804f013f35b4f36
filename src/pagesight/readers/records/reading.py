"""What the reading `records` returns: the records of a page, their attributes and their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pagesight.page import Box, Page
from pagesight.readers.value import Addressed, Result, ToJson, Value, shortened


class Kind(StrEnum):
    """What a page shows."""

    LIST = "list"
    DETAIL = "detail"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True, repr=False)
class Price(Value):
    """A price as it is written, and what it amounts to."""

    amount: float | None
    currency: str | None
    """A sign or a code, as on the page: ``$``, ``EUR``."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Picture(Value):
    """A picture; its text is what it is called, where something says so."""

    src: str
    """Its absolute address, if that of the page is known."""


@dataclass(frozen=True, kw_only=True, repr=False)
class UnitPrice(Price):
    """A price for a kilogram, a litre, a piece."""

    per: str
    """What it is for, as on the page: ``kg``, ``100 g``."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Rating(Value):
    """What buyers think of it: `value` of at most `best`."""

    value: float
    best: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Reviews(Value):
    """How many people have rated it."""

    count: int


class Stock(StrEnum):
    """Whether something can be had."""

    IN = "in_stock"
    OUT = "out_of_stock"
    LIMITED = "limited"
    PREORDER = "preorder"


@dataclass(frozen=True, kw_only=True, repr=False)
class Availability(Value):
    """What a page says about whether it can be had."""

    state: Stock


@dataclass(frozen=True, kw_only=True, repr=False)
class Cell(Value):
    """A text or a picture of a record, in the column of those that are in the same place."""

    column: int
    src: str | None = None
    """The address of a picture."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Record(ToJson):
    """One of the things that a page lists, or the one that it is about."""

    name: Value | None = None
    image: Picture | None = None
    price: Price | None = None
    description: Value | None = None
    url: str | None = None
    """Where its name or its picture leads."""

    old_price: Price | None = None
    """The price before, which is struck out or called so."""

    unit_price: UnitPrice | None = None
    rating: Rating | None = None
    reviews: Reviews | None = None
    availability: Availability | None = None
    brand: Value | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    """Attributes that a model of somebody's own reads, by name."""

    cells: tuple[Cell, ...] = ()
    confidence: float | None = None
    """The probability that it is a record of this list."""

    place: Addressed | None = field(default=None, compare=False, metadata={"as": ("xpath", "css")})
    box: Box | None = None

    @property
    def xpath(self) -> str | None:
        """The address of its element; of the first one if it consists of several."""
        return self.place.xpath if self.place else None

    @property
    def css(self) -> str | None:
        """The CSS selector of that element."""
        return self.place.css if self.place else None

    def __repr__(self) -> str:
        title = self.name.text if self.name else " ".join(cell.text for cell in self.cells)
        return f"<Record {shortened(title)!r}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class Region(ToJson):
    """Another list of the page: a carousel, what others bought, a list of links."""

    records: tuple[Record, ...]
    confidence: float | None = None
    place: Addressed | None = field(default=None, compare=False, metadata={"as": ("xpath", "css")})
    box: Box | None = None

    @property
    def xpath(self) -> str | None:
        """The address of the element around all of it."""
        return self.place.xpath if self.place else None

    @property
    def css(self) -> str | None:
        """The CSS selector of that element."""
        return self.place.css if self.place else None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RecordsReading(Result):
    """The records of a page: its main list in reading order, or the one that it is about."""

    kind: Kind
    confidence: float
    """The probability of this kind."""

    records: tuple[Record, ...] = ()
    regions: tuple[Region, ...] = ()
    problem: str | None = field(default=None, metadata={"as": ()})

    @property
    def summary(self) -> str:
        """How many records there are."""
        if self.kind is Kind.LIST:
            return f"{len(self.records)} records"
        return "one record" if self.records else "no records"


def unread(_: Page, problem: str) -> RecordsReading:
    """The reading of a page that could not be read."""
    return RecordsReading(kind=Kind.OTHER, confidence=0.0, problem=problem)
