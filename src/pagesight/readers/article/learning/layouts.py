"""Known articles in other layouts: pages to learn from that look like no publisher of the corpus.

Records, proceedings, preprints, repositories and pages without a stylesheet are rare among the
articles of the corpus. The layouts beside this module have their shapes; what is written in them
comes from articles of the corpus. Those in `other` hold parts of articles, but show none.

A layout is well-formed HTML in which ``{title}`` is a text, an element with ``data-each`` is
repeated for each item of a list, with ``data-separator`` between them, and one with ``data-when``
is left out where there is nothing of that name.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from pagesight.learning.corpora import Corpora, rendered
from pagesight.page import Page
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.text import YEAR
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.sources import Request

FOLDER = Path(__file__).parent / "layouts"
OTHERS = FOLDER / "other"
COPIES = 3  # of each layout, each with another article
FOREIGN = 3  # one in so many is in a language whose words are not known
MOST_AUTHORS, MOST_REFERENCES, MOST_RELATED, MOST_SECTIONS = 8, 25, 5, 5
FEWEST_IN_PLACE, MOST_IN_PLACE = 4, 22  # words
_NO_PLACE = re.compile(r"[;()@:]|\b(\w+) \1$")
BODY = 40  # words of a paragraph of the text
_FIELD = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(?<=[a-z)]\.)\s+(?=[A-Z])")
_WORD = re.compile(r"\b[a-z]{2,}|(?<=[.?!] )[A-Z][a-z]{2,}|^[A-Z][a-z]{2,}")
_CIPHER = str.maketrans("aeioubcdfglmnprst", "eaoiudctvpnmlsrnz")
_TITLE = re.compile(r"[.)“”\"]\s+([A-Z][^.“”\"]{25,200})[.”\"]")
STYLED = 0.75  # the share of pages that have a stylesheet
_WORDS = json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))
Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownArticle:
    """An article of the corpus: what is known of it, and some of its text."""

    truth: Truth
    body: tuple[str, ...]
    cited: tuple[str, ...]  # references as they are printed


def known_articles(pages: Sequence[ArticlePage]) -> list[KnownArticle]:
    """The articles of which title, authors, places, abstract, and references are known."""
    return [
        KnownArticle(truth=truth, body=_texts(page, "body", BODY), cited=_cited(page))
        for page in pages
        if (truth := _plain(page.labelling.truth)).titles
        and truth.authors
        and truth.affiliations
        and truth.abstract
        and not truth.cut_off
    ]


def _plain(truth: Truth) -> Truth:
    """What is known without places in which there is more than a place."""
    places = (text.strip(" ,.;") for text in truth.affiliations)
    sizes = range(FEWEST_IN_PLACE, MOST_IN_PLACE)
    plain = (text for text in places if len(text.split()) in sizes and not _NO_PLACE.search(text))
    return replace(truth, affiliations=tuple(plain))


def _texts(page: ArticlePage, label: str, fewest: int) -> tuple[str, ...]:
    """The longer texts of zones with a label."""
    labelled = zip(page.zones.texts, page.labelling.labels, strict=True)
    long = (text for text, own in labelled if own == label and len(text.split()) >= fewest)
    return tuple(islice(long, 2 * MOST_SECTIONS))


def _cited(page: ArticlePage) -> tuple[str, ...]:
    items_of_page = items(page.zones, page.labelling.labels)
    return tuple(item.text for item in items_of_page if YEAR.search(item.text))[:MOST_REFERENCES]


def laid_out(
    corpora: Corpora, articles: Sequence[KnownArticle], folder: Path = FOLDER
) -> Iterator[Zones]:
    """Articles of the corpus in other layouts; or, with those of `OTHERS`, parts of them."""
    for page in _pages(corpora, articles, folder):
        yield article_zones(page)


def _pages(corpora: Corpora, articles: Sequence[KnownArticle], folder: Path) -> Iterator[Page]:
    """By layout some pages; there are none where too few articles are known to fill them."""
    paths = sorted(folder.glob("*.html")) if len(articles) > MOST_RELATED else []
    made = [filled(path, copy, articles)[1] for path in paths for copy in range(COPIES)]
    results = rendered([Request(source=html) for html in made], renderer=corpora.renderer)
    for _, page in zip(corpora.worked_on(made), results, strict=True):
        if isinstance(page, Page):
            yield page


def filled(path: Path, copy: int, articles: Sequence[KnownArticle]) -> tuple[Truth, bytes]:
    """What is written in a copy of a layout, and its HTML."""
    chance = random.Random(f"{path.stem} {copy}")  # noqa: S311 - the same pages every time
    article, *others = chance.sample(articles, 1 + MOST_RELATED)
    language = "en"
    if copy % FOREIGN == FOREIGN - 1:
        language = chance.choice([name for name in _WORDS["languages"] if name != "en"])
        article = _translated(article, _WORDS["languages"][language]["places"])
    truth = article.truth
    count = chance.randint(1, MOST_AUTHORS)
    places = truth.affiliations[:count]
    truth = replace(
        truth,
        titles=truth.titles[:1],
        authors=truth.authors[:count],
        affiliations=places,
        held=(),
        references=article.cited,
    )
    context = _context(replace(article, truth=truth), others, language, chance)
    layout = path.read_text(encoding="utf-8")
    page = ET.fromstring(f'<html lang="{language}">{layout}</html>')  # noqa: S314 - is our own
    written_into(page, context)
    style = f"<style>{_stylesheet(chance)}</style>" if chance.random() < STYLED else ""
    written = ET.tostring(page, encoding="unicode", method="html")
    return truth, f"<!DOCTYPE html><meta charset=utf-8>{style}{written}".encode()


def _translated(article: KnownArticle, places: Mapping[str, str]) -> KnownArticle:
    """An article in words that nobody knows; names stay, and institutions are called otherwise."""

    def named(text: str) -> str:
        for ours, theirs in places.items():
            text = text.replace(ours, theirs)
        return text

    truth = article.truth
    return replace(
        article,
        body=tuple(map(_ciphered, article.body)),
        truth=replace(
            truth,
            titles=tuple(map(_ciphered, truth.titles)),
            abstract=_ciphered(truth.abstract or ""),
            affiliations=tuple(map(named, truth.affiliations)),
        ),
    )


def _ciphered(text: str) -> str:
    return _WORD.sub(lambda word: word[0].translate(_CIPHER), text)


# What layouts can write


def _context(
    article: KnownArticle, others: Sequence[KnownArticle], language: str, chance: random.Random
) -> Context:
    truth, pick = article.truth, chance.choice
    words = _WORDS["languages"][language]
    year = chance.randint(1995, 2024)
    page = chance.randint(1, 900)
    abstract = truth.abstract or ""
    half = max(len(parts := _SENTENCE.split(abstract)) // 2, 1)
    authors = list(_authors(truth, chance))
    doi = f"10.{chance.randint(1000, 9999)}/{pick('abcxyz')}{year}.{page}"
    people = chance.sample(_WORDS["persons"], 2)
    headings = {f"h_{key}": pick(texts) for key, texts in words.items() if key != "places"}
    keywords = [word for word in truth.titles[0].split() if len(word) > 6][:5] or ["methods"]
    return headings | {
        "title": truth.titles[0],
        "translated_title": _ciphered(truth.titles[0]),
        "authors": authors,
        "names": ", ".join(f"{author['family']}, {author['given'][:1]}." for author in authors),
        "names_reversed": " and ".join(author["reversed"] for author in authors),
        "affiliations": [
            {"text": text, "mark": mark, **_lines(text)}
            for mark, text in enumerate(truth.affiliations, start=1)
        ],
        "affiliation": truth.affiliations[0],
        "abstract": [{"text": abstract}],
        "abstract_1": " ".join(parts[:half]),
        "abstract_2": " ".join(parts[half:]),
        "keywords": [{"word": word.strip(" ,.:;()").lower()} for word in keywords],
        "word": keywords[0],
        "body": article.body[0] if article.body else abstract,
        "sections": list(_sections(article.body, words["sections"])),
        "references": [
            {"number": number, "text": text, **_title_first(text)}
            for number, text in enumerate(article.cited, start=1)
        ],
        "reference": article.cited[0] if article.cited else "",
        "related": [
            {"number": number, **_related(other, chance)} for number, other in enumerate(others, 11)
        ],
        "count": len(article.cited),
        "year": year,
        "date": f"{chance.randint(1, 28)} {pick(_WORDS['months'])} {year}",
        "volume": chance.randint(2, 90),
        "issue": chance.randint(1, 12),
        "first_page": page,
        "last_page": page + chance.randint(2, 30),
        "doi": doi,
        "url": f"https://doi.org/{doi}",
        "id": f"P{year}-{page}",
        "email": authors[0]["email"],
        "submitter": authors[0]["name"],
        "other_name": people[0],
        "another_name": people[1],
        "site": pick(_WORDS["sites"]),
        "publisher": pick(_WORDS["publishers"]),
        "journal": pick(_WORDS["journals"]),
        "proceedings": pick(_WORDS["proceedings"]),
        "town": pick(_WORDS["towns"]),
    }


def _authors(truth: Truth, chance: random.Random) -> Iterator[dict[str, Any]]:
    places = truth.affiliations
    for rank, name in enumerate(truth.authors):
        at = rank % len(places) if rank < len(places) else chance.randrange(len(places))
        whole = f"{name.given} {name.family}".strip()
        initials = " ".join(f"{part[0]}." for part in name.given.split())
        yield {
            "number": rank + 1,
            "name": whole,
            "given": name.given,
            "family": name.family,
            "reversed": f"{name.family}, {name.given}",
            "initials": f"{initials} {name.family}".strip(),
            "mark": at + 1,
            "place": places[at],
            "email": f"{name.family.lower().replace(' ', '')}@example.org",
            **_lines(places[at]),
        }


def _lines(place: str) -> dict[str, str]:
    """An affiliation on two lines: the institution, and where it is."""
    parts = [part.strip() for part in place.split(",")]
    cut = max(len(parts) - 2, 1)
    return {"institution": ", ".join(parts[:cut]), "rest": ", ".join(parts[cut:])}


def _sections(body: Sequence[str], headings: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number, heading in enumerate(headings[:MOST_SECTIONS], start=1):
        paragraphs = body[2 * number - 2 : 2 * number]
        if paragraphs:
            texts = [{"text": text} for text in paragraphs]
            yield {"number": number, "heading": heading, "paragraphs": texts}


def _title_first(reference: str) -> dict[str, str]:
    """A reference as its title, and what is left without it."""
    title = _TITLE.search(reference)
    if not title:
        return {"reference_title": reference, "reference_rest": ""}
    rest = f"{reference[: title.start() + 1]} {reference[title.end() :]}"
    return {"reference_title": title[1], "reference_rest": rest}


def _related(other: KnownArticle, chance: random.Random) -> dict[str, Any]:
    names = (f"{name.given} {name.family}".strip() for name in other.truth.authors[:4])
    return {
        "title": other.truth.titles[0],
        "names": ", ".join(names),
        "excerpt": (other.truth.abstract or "")[:180],
        "journal": chance.choice(_WORDS["journals"]),
        "year": chance.randint(1995, 2024),
    }


# Filling a layout


def written_into(element: ET.Element, context: Context) -> None:
    """Write what a context says into an element and all that is in it."""
    element.text = _written(element.text, context)
    for name, value in element.items():
        element.set(name, _written(value, context))
    children, element[:] = list(element), []
    for child in children:
        tail = _written(child.tail, context)
        wanted, listed = (child.attrib.pop(name, "") for name in ("data-when", "data-each"))
        separator = child.attrib.pop("data-separator", "")
        contexts = [{**context, **item} for item in context[listed]] if listed else [context]
        for rank, inner in enumerate(contexts if not wanted or context[wanted] else ()):
            copy = deepcopy(child)
            written_into(copy, inner)
            copy.tail = separator if rank < len(contexts) - 1 else tail
            element.append(copy)


def _written(text: str | None, context: Context) -> str:
    return _FIELD.sub(lambda field: str(context[field[1]]), text or "")


def _stylesheet(chance: random.Random) -> str:
    """How a page looks, by chance."""
    size, wide = chance.randint(13, 18), chance.choice((640, 760, 960, 1180, 2000))
    font = chance.choice(("serif", "sans-serif", "Georgia, serif", "Arial, sans-serif"))
    color = chance.choice(("#222", "#003366", "#7a1f1f", "#000"))
    scale = chance.choice((1.0, 1.15, 1.3, 1.6, 2.0))
    weight = chance.choice(("normal", "bold", "600"))
    return f"""
        body {{ font: {size}px/{chance.choice((1.2, 1.5, 1.7))} {font}; max-width: {wide}px;
                margin: {chance.choice(("0", "0 auto", "1em 3em"))} }}
        h1, h2 {{ font-size: {scale + 0.3}em; font-weight: {weight}; color: {color} }}
        h3, h4, h5 {{ font-size: {max(scale - 0.2, 1)}em; color: {color} }}
        a {{ color: {chance.choice(("#0645ad", "inherit", "#c33"))}; text-decoration: none }}
        ul {{ list-style: {chance.choice(("none", "disc"))};
              padding-left: {chance.choice((0, 20))}px }}
        nav, header, aside, small {{ font-size: {chance.choice((0.8, 0.9, 1.0))}em }}
        header > a:first-child, #masthead, #header > a, .bar, .h > a:first-child {{
            font-size: {chance.choice((1.0, 1.5, 2.0, 2.6))}em; font-weight: {weight} }}
        p {{ margin: {chance.choice((0, 6, 12))}px 0 }}
    """
