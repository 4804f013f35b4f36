"""What is read from an article: frozen values, each with its place on the page."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol, Self

from pagesight.page import Box


class Placed(Protocol):
    """What has addresses: a node, say."""

    @property
    def xpath(self) -> str: ...

    @property
    def css(self) -> str: ...


class Address:
    """A field that holds an address, or what to ask for it: most are never looked at."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, value: object | None, owner: type) -> str:
        if value is None:
            raise AttributeError(self.name)  # so the field has no default
        given: str | Placed = value.__dict__[self.name]
        return given if isinstance(given, str) else str(getattr(given, self.name))

    def __set__(self, value: object, given: str | Placed) -> None:
        value.__dict__[self.name] = given


@dataclass(frozen=True, kw_only=True)
class Value:
    """A text, how sure the reader is of it, and where on the page it stands.

    What only a tag of the document says is not seen: it has no box, and its address is the tag's.
    """

    text: str
    confidence: float
    xpath: str = Address()  # type: ignore[assignment]
    css: str = Address()  # type: ignore[assignment]
    box: Box | None
    tag: str | None = None  # the tag of the document that says the same, or alone says it

    @property
    def seen(self) -> bool:
        """Whether it stands on the page, and not in a tag only."""
        return self.box is not None

    def changed(self, **fields: object) -> Self:
        """The same value but for these fields; unlike `replace`, it asks for no address."""
        return type(self)(**(vars(self) | fields))


@dataclass(frozen=True, kw_only=True)
class Author(Value):
    """A person; `text` is the name as the page has it, without marks and degrees.

    A group of authors (a consortium, say) has no given name; its family name is its name.
    """

    given: str = ""
    family: str = ""
    group: bool = False
    suffix: str = ""  # "Jr.", "III"
    degrees: tuple[str, ...] = ()
    orcid: str | None = None  # 0000-0000-0000-0000
    email: str | None = None
    corresponding: bool = False
    affiliations: tuple[str, ...] = ()  # ids of affiliations
    from_tags: tuple[str, ...] = ()  # which of these only tags say: "orcid", "email", …


@dataclass(frozen=True, kw_only=True)
class Affiliation(Value):
    """An institution with its address, as the page has it, without its mark."""

    id: str
    mark: str | None = None  # "1", "a", "†": what points to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a structured abstract; the heading of an unstructured one is empty."""

    heading: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Abstract(Value):
    """The abstract without its own heading; `text` has a line for each section or paragraph."""

    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reference(Value):
    """One item of the list of references, and what is cheap to see in it."""

    number: str | None = None
    year: str | None = None
    doi: str | None = None
    url: str | None = None


@dataclass(frozen=True, kw_only=True)
class LabelledZone(Value):
    """A zone of the page and what it is."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleReading:
    """Everything that was read from one page. What was not found is None or empty."""

    is_article: bool
    confidence: float  # that it is one
    title: Value | None = None
    authors: tuple[Author, ...] = ()
    affiliations: tuple[Affiliation, ...] = ()
    abstract: Abstract | None = None
    keywords: tuple[Value, ...] = ()
    references: tuple[Reference, ...] = ()
    doi: Value | None = None
    year: Value | None = None
    journal: Value | None = None  # this and what follows is looked for only where tags say it
    volume: Value | None = None
    issue: Value | None = None
    pages: Value | None = None  # "211–228"
    url: str | None = None
    zones: tuple[LabelledZone, ...] = field(default=())

    def affiliations_of(self, author: Author) -> tuple[Affiliation, ...]:
        """The affiliations that an author is linked to."""
        return tuple(one for one in self.affiliations if one.id in author.affiliations)

    def to_json(self) -> dict[str, Any]:
        """The reading as plain JSON types; an author's text is called ``name``."""
        plain: dict[str, Any] = _plain(self)
        plain["authors"] = [{"name": each.pop("text"), **each} for each in plain["authors"]]
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Box):
        return [round(number, 2) for number in value]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        found = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return _with_tag(value, found) if isinstance(value, Value) else found
    return round(value, 4) if isinstance(value, float) else value


def _with_tag(value: Value, found: dict[str, Any]) -> dict[str, Any]:
    """The fields of a value; those on tags only where a tag has a say."""
    if value.tag is None:
        del found["tag"]
    else:
        found["seen"] = value.seen
    if not found.get("from_tags", True):
        del found["from_tags"]
    return found
