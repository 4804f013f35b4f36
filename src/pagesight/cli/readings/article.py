"""The journal article that a page shows, for people and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from pagesight.cli.output import printable, width
from pagesight.cli.readings import USUAL_WIDTH, headline, labelled
from pagesight.readers.article.reading import ArticleReading, ArticleValue, Author

INDENT = " " * 6  # a confidence and a space
MOST_PERSONS = 20
MOST_PLACES = 10
MOST_LINES = 4  # of an abstract
MOST_REFERENCES = 3
MOST_NAMES = 3  # that `pagesight read` shows


def lines(reading: ArticleReading, _: int | None) -> Iterator[Text]:
    """An article in one line; `pagesight article` says more."""
    if not reading.is_article:
        return
    names = ", ".join(author.family or author.text for author in reading.authors[:MOST_NAMES])
    names += " …" if len(reading.authors) > MOST_NAMES else ""
    counts = {"author": len(reading.authors), "reference": len(reading.references)}
    known = [f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    by = f"by {names}  " if names else ""
    yield labelled("article", f"{by}({reading.confidence:.0%}, {', '.join(known)})")


def article_lines(source: str, reading: ArticleReading, *, every: bool = False) -> Iterator[Text]:
    """Everything about an article that fits on a screen, with how sure each part is.

    Of what is not an article only that it is not one, unless `every`.
    """
    yield from headline(reading.title.text if reading.title else None, source)
    yield Text()
    verdict = "an article" if reading.is_article else "probably not an article"
    yield labelled("this is", f"{verdict}  ({reading.confidence:.0%} that it is one)")
    if not (reading.is_article or every):
        return
    yield from _facts(reading)
    yield from _persons(reading)
    yield from _abstract(reading)
    yield from _references(reading)


def _facts(reading: ArticleReading) -> Iterator[Text]:
    from pagesight.output.text import in_journal

    if reading.title:
        yield labelled("title", f"{reading.title.confidence:.0%}{_tag(reading.title)}")
    if published := in_journal(reading):
        yield labelled("in", published)
    for name, value in (("DOI", reading.doi), ("year", reading.year)):
        if value and not (published and name == "year"):
            yield labelled(name, f"{value.text}{_tag(value)}")
    if reading.keywords:
        yield labelled("keywords", "; ".join(keyword.text for keyword in reading.keywords))


def _persons(reading: ArticleReading) -> Iterator[Text]:
    ranks = {place.id: rank for rank, place in enumerate(reading.affiliations, start=1)}
    yield from _headed(f"Authors ({len(reading.authors)})" if reading.authors else "No authors")
    for author in reading.authors[:MOST_PERSONS]:
        yield _valued(author, f"{author.text}{_details(author, ranks)}")
    yield from _more(reading.authors, MOST_PERSONS)
    if reading.affiliations:
        yield from _headed("Affiliations")
    for place in reading.affiliations[:MOST_PLACES]:
        yield _valued(place, f"{ranks[place.id]:>2}  {place.text}")
    yield from _more(reading.affiliations, MOST_PLACES)


def _details(author: Author, ranks: dict[str, int]) -> str:
    """What is known of a person besides the name."""
    numbers = ", ".join(str(ranks[place]) for place in author.affiliations if place in ranks)
    told = (
        f"[{numbers}]" if numbers else "",
        ", ".join(author.degrees),
        "corresponding" if author.corresponding else "",
        author.email or "",
        f"ORCID {author.orcid}" if author.orcid else "",
    )
    return "".join(f"  {each}" for each in told if each)


def _abstract(reading: ArticleReading) -> Iterator[Text]:
    if reading.abstract is None:
        yield from _headed("No abstract")
        return
    text = " ".join(reading.abstract.text.split())
    yield from _headed(f"Abstract ({len(text.split())} words)")
    room = (width() or USUAL_WIDTH) - len(INDENT)
    shown = textwrap.wrap(printable(text), room, max_lines=MOST_LINES, placeholder=" …")
    yield _valued(reading.abstract, shown[0] if shown else "")
    for line in shown[1:]:
        yield Text(INDENT + line)


def _references(reading: ArticleReading) -> Iterator[Text]:
    count = len(reading.references)
    yield from _headed(f"References ({count:,})" if count else "No references")
    for reference in reading.references[:MOST_REFERENCES]:
        yield _valued(reference, reference.text)
    yield from _more(reading.references, MOST_REFERENCES)


def _headed(heading: str) -> Iterator[Text]:
    yield Text()
    yield Text(heading, style="bold")


def _valued(value: ArticleValue, text: str) -> Text:
    return Text.assemble(
        (f"{value.confidence:4.0%}  ", "dim"), printable(text), (_only_tag(value), "yellow")
    )


def _tag(value: ArticleValue) -> str:
    """Which tag agrees, or alone says it."""
    return _only_tag(value) or (f"  (as {value.tag} says)" if value.tag else "")


def _only_tag(value: ArticleValue) -> str:
    return "" if value.seen else f"  (only in {value.tag})"


def _more(values: Sequence[object], most: int) -> Iterable[Text]:
    if len(values) > most:
        yield Text(f"{INDENT}and {len(values) - most} more", style="dim")
