"""What is read from an article: frozen values, each with its place on the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pagesight.page import Page
from pagesight.readers.value import ASIDE, Result, ToJson, Value, ValueFields, shortened


@dataclass(frozen=True, kw_only=True, repr=False)
class ArticleValue(Value):
    """A value, and the tag of the document that states the same, or alone states it.

    What only a tag states is not seen: it has no box, and its address is the tag's.
    """

    _also: ClassVar[tuple[str, ...]] = ("seen",)

    confidence: float
    tag: str | None = None

    @property
    def seen(self) -> bool:
        """Whether it is on the page, and not in a tag only."""
        return self.box is not None


class StatedFields(ValueFields):
    """The fields of a value that only a tag states."""

    tag: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Author(ArticleValue):
    """A person; `text` is the name as the page has it, without marks and degrees.

    A group of authors (a consortium, say) has no given name; its family name is its name.
    """

    _also: ClassVar[tuple[str, ...]] = ("seen", "name")

    given: str = ""
    family: str = ""
    group: bool = False
    suffix: str = ""  # "Jr.", "III"
    degrees: tuple[str, ...] = ()
    orcid: str | None = None  # 0000-0000-0000-0000
    email: str | None = None
    corresponding: bool = False
    affiliations: tuple[str, ...] = ()  # ids of affiliations
    from_tags: tuple[str, ...] = ()  # which of these only tags state: "orcid", "email", …

    @property
    def name(self) -> str:
        """The same as `text`."""
        return self.text


@dataclass(frozen=True, kw_only=True, repr=False)
class Affiliation(ArticleValue):
    """An institution with its address, as the page has it, without its mark."""

    id: str
    mark: str | None = None  # "1", "a", "†": what points to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(ToJson):
    """A part of a structured abstract; the heading of an unstructured one is empty."""

    heading: str
    text: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Abstract(ArticleValue):
    """The abstract without its own heading; `text` has a line for each section or paragraph."""

    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPart(ToJson):
    """A part of a reference; it is where the reference is."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class CitedAuthor(ToJson):
    """An author of what is cited; a group has no given name."""

    text: str
    confidence: float
    given: str = ""
    family: str = ""
    group: bool = False


@dataclass(frozen=True, kw_only=True, repr=False)
class Reference(ArticleValue):
    """One item of the list of references, and its parts as far as they are seen."""

    number: str | None = None
    authors: tuple[CitedAuthor, ...] = ()
    title: CitedPart | None = None
    container: CitedPart | None = None  # the journal, or the book that a chapter is in
    volume: CitedPart | None = None
    issue: CitedPart | None = None
    pages: CitedPart | None = None  # "211–228"
    year: str | None = None
    year_confidence: float | None = None
    doi: str | None = None
    doi_confidence: float | None = None
    url: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class ArticleDate(ArticleValue):
    """When an article was received, revised, accepted or published."""

    kind: str
    date: str  # 2024-05-17


@dataclass(frozen=True, kw_only=True, repr=False)
class LabelledZone(Value):
    """A zone of the page and what it is."""

    confidence: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ArticleReading(Result):
    """Everything that was read from one page. What was not found is None or empty."""

    is_article: bool
    confidence: float  # that it is one
    title: ArticleValue | None = None
    authors: tuple[Author, ...] = ()
    affiliations: tuple[Affiliation, ...] = ()
    abstract: Abstract | None = None
    keywords: tuple[ArticleValue, ...] = ()
    references: tuple[Reference, ...] = ()
    doi: ArticleValue | None = None
    year: ArticleValue | None = None
    dates: tuple[ArticleDate, ...] = ()
    journal: ArticleValue | None = None
    volume: ArticleValue | None = None
    issue: ArticleValue | None = None
    pages: ArticleValue | None = None  # "211–228"
    url: str | None = None
    zones: tuple[LabelledZone, ...] = ()
    problem: str | None = field(default=None, metadata=ASIDE)

    def affiliations_of(self, author: Author) -> tuple[Affiliation, ...]:
        """The affiliations that an author is linked to."""
        return tuple(one for one in self.affiliations if one.id in author.affiliations)

    @property
    def summary(self) -> str:
        """Whether it is an article; of one, who wrote it and how many references it has."""
        if not self.is_article:
            return f"not an article ({self.confidence:.0%} that it is one)"
        names = shortened(", ".join(author.family or author.text for author in self.authors))
        by = f"by {names}, " if names else ""
        return f"{by}{len(self.references)} references ({self.confidence:.0%})"


def unread(page: Page, problem: str) -> ArticleReading:
    """The reading of a page that could not be read."""
    return ArticleReading(is_article=False, confidence=0.0, url=page.url, problem=problem)
