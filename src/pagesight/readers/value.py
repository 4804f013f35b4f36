"""Value: what every reading returns, and how readings become JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from math import isfinite
from typing import Any, ClassVar, Protocol, TypedDict

from pagesight.page import Box

PIXELS = 2  # digits after the point, of boxes
SHARES = 4  # the same of confidences and other numbers
LONGEST_SHOWN = 60  # characters of a text in a repr


OUT_OF_TIME = "out of time"  # the problem of a page that takes too long to read
ASIDE: Mapping[str, Any] = {"as": ()}  # fields that are not in the JSON of a value itself


class Addressed(Protocol):
    """What has addresses, which are made when they are asked for: a node, or a zone."""

    @property
    def xpath(self) -> str: ...

    @property
    def css(self) -> str: ...


class ToJson:
    """A dataclass that turns into plain JSON types, field by field.

    A field called `x` becomes the key ``x``, or the one that its metadata names: ``{"json": "y"}``.
    Properties named in `_also` are written as well. A place is written as its addresses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _also: ClassVar[tuple[str, ...]] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types."""
        return {key: to_plain(value) for key, value in self._items()}

    def _items(self) -> Iterator[tuple[str, Any]]:
        for part in fields(self):
            for name in part.metadata.get("as", (part.name,)):
                yield part.metadata.get("json", name), getattr(self, name)
        for name in self._also:
            yield name, getattr(self, name)


class Result(ToJson):
    """What a reading returns."""

    @property
    def summary(self) -> str:
        """The most of it that fits on a line."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.summary}>"


def to_plain(value: Any) -> Any:
    """A value as plain JSON types; numbers are rounded here and nowhere else."""
    if isinstance(value, ToJson):
        return value.to_json()
    if isinstance(value, Box):
        return [round(length, PIXELS) for length in value]
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: to_plain(item) for name, item in value.items()}
    if isinstance(value, float):
        return round(value, SHARES) if isfinite(value) else None  # JSON has no other numbers
    return value


@dataclass(frozen=True, kw_only=True, repr=False)
class Value(ToJson):
    """A text, how sure the reader is of it, and where on the page it is.

    What only a tag of the document states is not seen: it has no box.
    """

    text: str
    confidence: float | None
    """The probability that it is right; None where the reader cannot tell."""

    place: Addressed | None = field(default=None, compare=False, metadata={"as": ("xpath", "css")})
    box: Box | None = None

    def __repr__(self) -> str:
        sure = "" if self.confidence is None else f" {self.confidence:.0%}"
        return f"<{type(self).__name__} {shortened(self.text)!r}{sure}>"

    def __str__(self) -> str:
        return self.text

    @property
    def xpath(self) -> str | None:
        """The address of the element that has it."""
        return self.place.xpath if self.place else None

    @property
    def css(self) -> str | None:
        """The CSS selector of that element."""
        return self.place.css if self.place else None


def shortened(text: str, longest: int = LONGEST_SHOWN) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


class ValueFields(TypedDict):
    """The fields of a `Value`, to make one of its subclasses of."""

    text: str
    confidence: float
    place: Addressed | None
    box: Box | None
