"""Visiting pages breadth first, and keeping those that are examples of good headings.

Every step is written to a journal, line by line. Reading it again shows what is left to do, so that
a crawl that was stopped continues from there.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from selectolax.lexbor import LexborHTMLParser

from pagesight.crawl.addresses import cleaned, file_of, key_of, links, site_of
from pagesight.crawl.copies import Copies, stylesheet_count
from pagesight.crawl.form import heading_levels, is_coherent, is_strict, is_well_formed
from pagesight.crawl.lines import RAW, Lines
from pagesight.crawl.politeness import Clock, Refused, Visitor
from pagesight.crawl.visit import Outcome, Visit, failed
from pagesight.errors import NotAPage, PagesightError, SaveFailed, UnexpectedError
from pagesight.readers.outline.learning.corpus import CORPUS
from pagesight.render.cache import write_whole
from pagesight.sources import DEFAULT_LIMITS, Limits, Source

JOURNAL = "crawl.jsonl"
INDEX = "dev.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """How far a crawl goes, and what it keeps."""

    pages: int = 200
    """Pages to keep."""

    addresses: int = 5000
    """Addresses to visit, whatever the outcome."""

    links: int = 50
    """The first links of each page are followed."""

    per_site: int = 7
    """Addresses to visit on one site."""

    delay: float = 1.0
    """Seconds between two requests to one server, if it does not ask for more."""

    xhtml: bool = False
    """Whether only XHTML counts as well-formed."""

    strict: bool = False
    """Whether headings must begin with h1 and skip no level on the way down."""

    pictures: bool = False
    """Whether pictures and fonts are saved, too."""

    limits: Limits = DEFAULT_LIMITS
    """Of each request."""


@dataclass
class _Frontier:
    """Addresses that are still to be visited, in the order in which they were added."""

    waiting: deque[str] = field(default_factory=deque)
    known: set[str] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    on_site: Counter[str] = field(default_factory=Counter)

    def add(self, urls: Iterable[str]) -> None:
        for url in urls:
            if (key := key_of(url)) not in self.known:
                self.known.add(key)
                self.waiting.append(url)

    def next(self, per_site: int) -> str | None:
        while self.waiting:
            url = self.waiting.popleft()
            if key_of(url) not in self.visited and self.on_site[site_of(url)] < per_site:
                return url
        return None

    def done(self, visit: Visit) -> None:
        addresses = {visit.url, visit.final or visit.url}
        self.visited.update(map(key_of, addresses))
        if visit.outcome is not Outcome.FORBIDDEN:  # which was not asked for
            self.on_site.update({site_of(url) for url in addresses})
        self.add(visit.links)


class Crawl:
    """A crawl into the folder of a corpus, new or continued. Use as a context manager."""

    def __init__(
        self, folder: Path, options: CrawlOptions | None = None, *, clock: Clock = time
    ) -> None:
        self.folder = folder / CORPUS
        self.options = options or CrawlOptions()
        self.visits: list[Visit] = []
        self._frontier = _Frontier()
        self._digests: set[str] = set()
        _check(self.folder)
        with ExitStack() as stack:
            self._journal = stack.enter_context(closing(Lines(self.folder / JOURNAL)))
            self._index = stack.enter_context(closing(Lines(self.folder / INDEX)))
            self._visitor = Visitor(
                self._journal, delay=self.options.delay, limits=self.options.limits, clock=clock
            )
            stack.callback(self._visitor.close)
            self._open = stack.pop_all()
        self._copies = Copies(
            self.folder, self._visitor, self._journal, pictures=self.options.pictures
        )
        self._remember()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def kept(self) -> int:
        """How many pages are in the corpus."""
        return len(self._index.rows)

    def run(self, starts: Iterable[str] = ()) -> Iterator[Visit]:
        """Visit pages from these addresses on, after those that waited; each as it is done."""
        for start in starts:
            if key_of(start) not in self._frontier.known:
                self._journal.add({"start": start})
                self._frontier.add([start])
        yield from self._unfinished()
        while url := self._next():
            visit = self._visited(url)
            self._journal.add({"visit": visit.fields()})
            self._count(visit)
            if visit.outcome is Outcome.KEPT:
                self._finish(visit)
            yield visit

    def _next(self) -> str | None:
        enough = self.kept >= self.options.pages or len(self.visits) >= self.options.addresses
        return None if enough else self._frontier.next(self.options.per_site)

    def _remember(self) -> None:
        """Replay the journal."""
        for row in self._journal.rows:
            if "start" in row:
                self._frontier.add([row["start"]])
            elif "visit" in row:
                self._count(Visit.of(row["visit"]))

    def _count(self, visit: Visit) -> None:
        self.visits.append(visit)
        self._digests.add(visit.digest)
        self._frontier.done(visit)

    def _visited(self, url: str) -> Visit:
        try:
            return self._judged(url, self._visitor.page(url))
        except Refused as refused:
            final = refused.url if refused.url != url else ""
            return Visit(url=url, outcome=refused.outcome, final=final, error=refused.error)
        except PagesightError as error:
            return failed(url, error)
        except OSError as error:  # of the disk: those of the network have a type
            raise _unwritable(self.folder, error) from error
        except Exception as error:  # noqa: BLE001 - see UnexpectedError
            return failed(url, UnexpectedError.of(error, url))

    def _judged(self, url: str, source: Source) -> Visit:
        """Judge a page that was fetched, and save it if it is good."""
        final = cleaned(source.url or url) or url
        if key_of(final) != key_of(url) and key_of(final) in self._frontier.visited:
            return Visit(url=url, outcome=Outcome.DUPLICATE, final=final)
        if not source.kind.is_markup:
            return failed(url, NotAPage("this is not HTML"), final=final)
        return self._page(url, final, source.text)

    def _page(self, url: str, final: str, text: str) -> Visit:
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]
        if digest in self._digests:
            return Visit(url=url, outcome=Outcome.DUPLICATE, final=final)
        parser = LexborHTMLParser(text)
        levels = heading_levels(parser)
        outcome = self._outcome(text, levels)
        kept = outcome is Outcome.KEPT
        file = f"pages/{file_of(final, '.html')}" if kept else ""
        if kept:
            write_whole(self.folder / (file + RAW), text.encode(errors="replace"))
        generator = parser.css_first("meta[name=generator i]")
        return Visit(
            url=url,
            outcome=outcome,
            final=final,
            levels=levels,
            sheets=stylesheet_count(text),
            links=links(parser, final, self.options.links),
            file=file,
            digest=digest,
            generator=(generator.attributes.get("content") or "") if generator else "",
        )

    def _outcome(self, text: str, levels: str) -> Outcome:
        if not is_well_formed(text, xhtml=self.options.xhtml):
            return Outcome.MALFORMED
        fits = is_strict if self.options.strict else is_coherent
        return Outcome.KEPT if fits(levels) else Outcome.INCOHERENT

    def _unfinished(self) -> Iterator[Visit]:
        """Pages that were kept, when the crawl ended before it had their stylesheets."""
        finished = {row["file"] for row in self._index.rows}
        for visit in self.visits:
            raw = self.folder / (visit.file + RAW)
            if visit.outcome is Outcome.KEPT and visit.file not in finished and raw.exists():
                self._finish(visit)
                yield visit

    def _finish(self, visit: Visit) -> None:
        """Save a page with its stylesheets, and put it on the list."""
        raw = self.folder / (visit.file + RAW)
        row = {
            "file": visit.file,
            "root": "pages",
            "url": visit.final,
            "levels": visit.levels,
            "family": site_of(visit.final),
            "generator": visit.generator,
        }
        try:
            self._copies.save(raw.read_bytes().decode(), visit.final, visit.file)
            self._index.add(row)
            raw.unlink()
        except OSError as error:
            raise _unwritable(self.folder, error) from error


def is_begun(folder: Path) -> bool:
    """Whether a folder of corpora has a crawl to continue."""
    journal = folder / CORPUS / JOURNAL
    return journal.is_file() and journal.stat().st_size > 0


def _check(folder: Path) -> None:
    """Make the folder; one that contains another corpus is not touched."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if (folder / INDEX).exists() and not (folder / JOURNAL).exists():
        raise SaveFailed(
            f"{folder / INDEX} exists already, and is not from pagesight crawl",
            hint="choose another folder",
        )


def _unwritable(folder: Path, error: OSError) -> SaveFailed:
    return SaveFailed(f"{folder} cannot be written ({error.strerror or error})")
