"""Clues: everything a document says about its own name, before anybody judges it.

They are collected in the same way from a parsed document and from a rendered Page; both offer their
elements through the protocol `ClueElement`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Protocol

from pagesight.readers.title.address import PageAddress
from pagesight.readers.title.text import WORDS, unadorned
from pagesight.segment.text import squeeze

MOST_PIECES = 60  # of each kind; more are lists, and cost time
MOST_HEADINGS = 500
MOST_ITEMS = 30  # of linked data; more are of a list, and would leave no room for others
MOST_LABELLED = 8  # classes with "title" in them are countless
MOST_FEEDS = 3
MOST_TEXTS = 8  # of an h1 whose parts are looked at
MOST_NODES = 1000  # of an element whose text is read; what has more is not a title
MOST_PLACED = 8  # headings below h1 and outside of menus; nobody asks where later ones are
MOST_LOGOS = 3
MOST_STEPS = 40  # upwards from a heading
MOST_SILENT = 4  # upwards from a text, to what silences it
LONGEST_TAG = 2000  # characters; some hold many titles
LONGEST = 400  # characters; nobody calls a page by a paragraph
COPYRIGHT = 80  # characters behind the sign

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LOW = frozenset(HEADINGS[1:])
SELECTOR = ", ".join(
    [
        "title", "meta", *HEADINGS, 'script[type="application/ld+json" i]',
        'link[rel~="canonical" i]', 'link[rel="alternate" i][title]',
        'link[rel="search" i][title]',
        '[class*="breadcrumb" i]', '[class*="title" i]', 'header img[alt]',
        '[class*="logo" i] img[alt]', 'a[href="/"]',
    ]
)  # fmt: skip
"""What `collect` wants to see, in document order."""

_META = {
    "og:title": "og:title", "twitter:title": "twitter:title", "title": "meta title",
    "citation_title": "citation_title", "dc.title": "dc.title", "dcterms.title": "dc.title",
    "parsely-title": "other meta", "sailthru.title": "other meta", "headline": "other meta",
}  # fmt: skip
_SITE = ("og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name",
         "twitter:app:name:iphone")  # fmt: skip
_DATES = frozenset({"article:published_time", "datepublished", "date", "dc.date", "pubdate"})
_TELLING = _DATES.union(
    _META, _SITE, ("keywords", "description", "og:description", "og:url", "og:type")
)
_MAIN = frozenset({"main", "article"})
_CHROME = frozenset({"nav", "footer", "aside", "dialog", "form", "noscript", "template"})
_CHROME_NAMES = re.compile(
    "nav|foot|sidebar|menu|modal|cookie|consent|popup|widget|related|newsletter|dialog|login"
)
_HOME = re.compile(r"(?:(?:https?:)?//[^/?#]+)?/?(?:index\.\w+|home)?/?", re.IGNORECASE)


class TaggedElement(Protocol):
    """An element of a document, as far as its start tag goes."""

    @property
    def tag(self) -> str:
        """Its name, in lower case."""

    @property
    def attributes(self) -> Mapping[str, str | None]:
        """What its start tag says; what has no value is None."""


class ClueElement(TaggedElement, Protocol):
    """An element of a document that may hold a clue."""

    def lineage(self) -> Iterator[tuple[int, TaggedElement]]:
        """Itself and the elements around it, each with what distinguishes it from the others."""

    @property
    def text(self) -> str:
        """The text in it, without scripts and styles."""

    @property
    def texts(self) -> list[str]:
        """The same, text by text."""

    @property
    def node(self) -> int | None:
        """Its number on the Page, if it is on one."""


class Surroundings(NamedTuple):
    """In what kind of part of the page something is."""

    main: bool = False  # in main or article
    chrome: bool = False  # in navigation, footer, dialog and the like
    header: bool = False  # in a header outside of main
    linked: bool = False  # in a link
    home: bool = False  # that link leads to the front page


NOWHERE = Surroundings()


class TitleText(NamedTuple):
    """A text that may be the title, or hold it."""

    text: str
    origin: str
    """Where it was found: ``title``, ``og:title``, ``json-ld``, ``h1``, …"""

    node: int | None = None
    around: Surroundings = NOWHERE
    texts: tuple[str, ...] = ()
    """What an h1 is made of, if of several texts: a date or a badge may be beside its title."""


@dataclass(slots=True)
class Clues:
    """What a document says about its name."""

    address: PageAddress
    tag: str = ""
    canonical: str = ""  # the address that the page prefers
    shared_as: str = ""  # the address in its og:url
    keywords: str = ""
    description: str = ""
    copyright: str = ""  # what follows the last copyright sign
    kind: str = ""  # og:type
    types: set[str] = field(default_factory=set)  # of linked data
    dated: bool = False  # it says when it was published
    meta: list[TitleText] = field(default_factory=list)
    linked_data: list[TitleText] = field(default_factory=list)
    headings: list[TitleText] = field(default_factory=list)
    labelled: list[TitleText] = field(default_factory=list)  # called a title by class or itemprop
    seen: list[TitleText] = field(default_factory=list)  # large texts, if the page is rendered
    crumbs: list[TitleText] = field(default_factory=list)
    trail: list[str] = field(default_factory=list)  # all breadcrumbs
    sites: list[str] = field(default_factory=list)  # names of the site
    logos: list[str] = field(default_factory=list)
    feeds: list[str] = field(default_factory=list)  # names of feeds and of the search
    words: Callable[[], str] = str
    """All text of the page, which takes time and is seldom needed."""

    texts: Callable[[], list[str]] = list
    """The same, text by text as the document has it."""

    @property
    def high_headings(self) -> list[TitleText]:
        return [piece for piece in self.headings if piece.origin == "h1"]

    @property
    def low_headings(self) -> list[TitleText]:
        return [piece for piece in self.headings if piece.origin != "h1"]

    def forget(self) -> None:
        """Let go of the document: `words` and `texts` are empty from now on."""
        self.words, self.texts = str, list


def collect(
    elements: Iterable[ClueElement], url: str | None, most_placed: int = MOST_PLACED
) -> Clues:
    """Sort the elements of a document that match `SELECTOR`, each given once, into clues.

    Of so many headings below h1, and outside of menus, it is asked where they are.
    """
    clues, around = Clues(PageAddress(url)), SurroundingsFinder(most_placed)
    for element in elements:
        tag = element.tag
        if tag == "meta":
            _add_meta(clues, element)
        elif tag == "title":
            if not clues.tag and not _in_drawing(element):
                clues.tag = unadorned(squeeze(element.text)[:LONGEST_TAG])
        elif tag in HEADINGS:
            _add_piece(clues.headings, element, tag, around)
        elif tag == "script":
            _add_linked_data(clues, element.text)
        elif tag == "link":
            _add_link(clues, element)
        else:
            _add_other(clues, element, around)
    if not clues.address.host:  # saved pages keep theirs
        addresses = map(PageAddress, (clues.canonical, clues.shared_as))
        clues.address = next((address for address in addresses if address.host), PageAddress(None))
    return clues


def _add_meta(clues: Clues, element: ClueElement) -> None:
    get = element.attributes.get
    name = (get("property") or get("name") or get("itemprop") or "").lower()
    if name not in _TELLING or not (content := squeeze(get("content") or "")):
        return
    if origin := _META.get(name):
        clues.meta.append(TitleText(content[:LONGEST], origin))
    elif name in _SITE:
        clues.sites.append(content)
    elif name == "keywords":
        clues.keywords = content
    elif name == "og:url":
        clues.shared_as = clues.shared_as or content
    elif name == "og:type":
        clues.kind = content.lower()
    elif name in ("description", "og:description"):
        clues.description = clues.description or content
    elif name in _DATES:
        clues.dated = True


def _add_link(clues: Clues, element: ClueElement) -> None:
    """The address that the page prefers, or a feed or search, which are called by the site."""
    get = element.attributes.get
    if is_canonical(get("rel")):
        clues.canonical = clues.canonical or get("href") or ""
    elif len(clues.feeds) < MOST_FEEDS:
        clues.feeds.append(squeeze(get("title") or ""))


def is_canonical(relation: str | None) -> bool:
    """Whether a link leads to the address that the page prefers."""
    return "canonical" in (relation or "").lower().split()


def _in_drawing(element: ClueElement) -> bool:
    _, above = next(islice(element.lineage(), 1, None), (0, None))
    return above is not None and above.tag not in ("head", "html", "body", "#document")


def _add_piece(
    pieces: list[TitleText], element: ClueElement, origin: str, around: SurroundingsFinder
) -> None:
    if len(pieces) >= MOST_HEADINGS:
        return
    text = squeeze(element.text).rstrip("¶# ")  # links to the heading itself
    if not text or len(text) > LONGEST:
        return
    if origin in _LOW:
        pieces.append(TitleText(text, origin, element.node, around.of_low_heading(element)))
        return
    texts = tuple(element.texts[: MOST_TEXTS + 1]) if origin == "h1" else ()
    several = texts if 1 < len(texts) <= MOST_TEXTS else ()
    pieces.append(TitleText(text, origin, element.node, around.of(element), several))


class SurroundingsFinder:
    """The surroundings of elements; those of ancestors are worked out once."""

    def __init__(self, most_placed: int) -> None:
        self._known: dict[int, Surroundings] = {}
        self._asked = most_placed  # for how many low headings outside of menus

    def of_low_heading(self, element: ClueElement) -> Surroundings:
        """The same, as long as it matters where low headings are."""
        if not self._asked:
            return NOWHERE
        around = self.of(element)
        self._asked -= not around.chrome
        return around

    def of(self, element: ClueElement) -> Surroundings:
        """In what kind of part of the page an element is."""
        known, around = self._known, NOWHERE
        path: list[tuple[int, TaggedElement]] = []
        for step in element.lineage():
            if step[0] in known:
                around = known[step[0]]
                break
            if len(path) == MOST_STEPS:
                break
            path.append(step)
        for key, inner in reversed(path):
            around = known[key] = _within(inner, around)
        return around


def _within(element: TaggedElement, around: Surroundings) -> Surroundings:
    tag, get = element.tag, element.attributes.get
    main, chrome, header, linked, home = around
    if tag in _MAIN or get("role") == "main":
        return Surroundings(True, False, False, linked, home)
    if tag == "a":
        href = (get("href") or "").strip()
        return Surroundings(main, chrome, header, True, _HOME.fullmatch(href) is not None)
    if tag == "header":
        return Surroundings(main, chrome, not main, linked, home)
    if chrome or not (tag in _CHROME or _is_chrome(tag, get("class"), get("id"))):
        return around
    return Surroundings(main, True, header, linked, home)


@lru_cache(1 << 13)
def _is_chrome(tag: str, classes: str | None, name: str | None) -> bool:
    """Whether an element is called navigation or the like; the same ones occur again and again."""
    if tag in ("body", "html") or not (classes or name):
        return False
    return _CHROME_NAMES.search(f"{classes or ''} {name or ''}".lower()) is not None


def _add_other(clues: Clues, element: ClueElement, around: SurroundingsFinder) -> None:
    """Elements that are found by a class, a role or a place."""
    get = element.attributes.get
    if element.tag == "img":
        _add_logo(clues, get("alt"))
    elif "breadcrumb" in f"{get('class') or ''} {get('aria-label') or ''}".lower():
        _add_crumbs(clues, element)
    elif element.tag == "a" and get("href") == "/":
        if len(clues.logos) < MOST_LOGOS:
            _add_logo(clues, element.text or get("aria-label") or get("title"))
    elif len(clues.labelled) < MOST_LABELLED:
        origin = "itemprop" if get("itemprop") else "labelled"
        _add_piece(clues.labelled, element, origin, around)


def _add_logo(clues: Clues, text: str | None) -> None:
    """What a logo says; the site is called by the first ones."""
    if len(clues.logos) < MOST_LOGOS and (squeezed := squeeze(text or "")):
        clues.logos.append(squeezed)


def _add_crumbs(clues: Clues, element: ClueElement) -> None:
    """The last of the breadcrumbs names the page."""
    texts = [text for text in element.texts if any(map(str.isalnum, text))]
    if texts and len(clues.crumbs) < MOST_PIECES:
        clues.crumbs.append(TitleText(texts[-1][:LONGEST], "breadcrumb", element.node))
        clues.trail += texts[:MOST_PIECES]


# JSON-LD

_NESTED = ("@graph", "mainEntity", "publisher")
_TYPES = {name: frozenset(types.split()) for name, types in WORDS["types"].items()}


def _add_linked_data(clues: Clues, text: str) -> None:
    try:
        data = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for item in _items(data):
        _add_item(clues, item)


def _items(data: Any) -> Iterator[dict[str, Any]]:
    """The objects that a block of linked data is about: at its top, and as main entities."""
    waiting = [data]
    for _ in range(10 * MOST_PIECES):
        if not waiting:
            return
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting.extend(item[:MOST_PIECES])
        elif isinstance(item, dict):
            yield item
            waiting += (item[key] for key in _NESTED if key in item)


def _add_item(clues: Clues, item: dict[str, Any]) -> None:
    kinds = item.get("@type")
    kinds = set(map(str, kinds)) if isinstance(kinds, list) else {str(kinds)}
    clues.types |= kinds
    clues.dated |= "datePublished" in item
    name, headline = _text(item.get("name")), _text(item.get("headline"))
    if kinds & _TYPES["site"]:
        clues.sites += [name] if name else []
    elif "BreadcrumbList" in kinds:
        names = _crumb_names(item)
        clues.trail += filter(None, names)
        if names and names[-1]:
            clues.crumbs.append(TitleText(names[-1], "json-ld breadcrumb"))
    elif len(clues.linked_data) >= MOST_ITEMS:
        return
    elif headline:
        clues.linked_data.append(TitleText(headline, "json-ld headline"))
    elif name and not kinds & _TYPES["other"]:
        clues.linked_data.append(TitleText(name, "json-ld name"))


def _crumb_names(item: dict[str, Any]) -> list[str]:
    entries = item.get("itemListElement")
    return [
        _text(_get(entry, "name") or _get(_get(entry, "item"), "name"))
        for entry in (entries[:MOST_PIECES] if isinstance(entries, list) else ())
    ]


def _get(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, dict) else None


def _text(value: Any) -> str:
    from html import unescape

    return squeeze(unescape(value))[:LONGEST] if isinstance(value, str) else ""
