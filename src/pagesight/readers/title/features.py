"""The evidence for each candidate, as numbers. Nothing here was learned.

Four texts stand for the ways in which pages name themselves: the title tag without the name of the
site, its first part, the heading, and what is meant for sharing. Each candidate is compared with
them, and what they have in common among themselves says how far each of them is to be trusted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagesight.readers.title.candidates import Candidate
from pagesight.readers.title.clues import NOWHERE, Clues, Surroundings
from pagesight.readers.title.segments import Cut, delimiters
from pagesight.readers.title.text import alike, fold, plain

VERSION = 1
"""Raised whenever a feature changes its meaning: weights of another version do not fit."""

SITE_ALIKE = 0.8  # from here on, a part of a tag is the name of the site
MOST_LOGOS = 3
_DIGITS = re.compile(r"\d")
_GENERIC = frozenset({
    "home", "homepage", "home page", "welcome", "index", "start", "startseite", "accueil",
    "inicio", "untitled", "page", "menu", "search", "login", "contact", "contact us", "about",
    "about us", "navigation", "main navigation", "main menu", "footer", "header", "comments",
    "related", "related articles", "share", "newsletter", "subscribe", "cookies", "privacy",
    "skip to content", "contents", "table of contents", "categories", "archives", "recent posts",
    "tags", "leave a reply", "filter", "filters", "official site", "official website",
    "our services", "overview",
})  # fmt: skip
_ORIGINS = ("json-ld headline", "json-ld name", "h1", "h2", "breadcrumb", "json-ld breadcrumb",
            "itemprop", "labelled", "twitter:title", "meta title", "citation_title")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all candidates of a page are held against; texts are folded."""

    clues: Clues
    sites: tuple[str, ...]
    tag: str
    parts: tuple[str, ...]  # of the tag, without those that name the site
    subject: str  # from the first to the last of these parts
    heading: str
    headings: dict[str, int]  # with their order
    h1: tuple[str, ...]
    shared: str  # og:title without the name of the site
    slug: str
    slug_words: frozenset[str]

    @classmethod
    def of(cls, clues: Clues) -> Evidence:
        """Gather the evidence of a page."""
        sites = site_names(clues)
        tag = fold(clues.tag)
        parts, subject = _subject(tag, sites)
        og = next((piece.text for piece in clues.meta if piece.origin == "og:title"), "")
        order: dict[str, int] = {}
        for number, piece in enumerate(clues.headings):
            order.setdefault(fold(piece.text), number)
        slug = clues.address.slug
        return cls(
            clues=clues,
            sites=sites,
            tag=tag,
            parts=tuple(parts),
            subject=subject,
            heading=_heading(clues, sites),
            headings=order,
            h1=tuple(fold(piece.text) for piece in clues.headings if piece.origin == "h1"),
            shared=_subject(fold(og), sites)[1],
            slug=slug,
            slug_words=frozenset(slug.split()),
        )


def site_names(clues: Clues) -> tuple[str, ...]:
    """Names of the site as letters only: said by the page, and in its address."""
    names = [*clues.sites, *clues.logos[:MOST_LOGOS], clues.address.host]
    joined = (plain(name).replace(" ", "") for name in names)
    return tuple(dict.fromkeys(filter(None, (clues.address.brand, *joined))))


def is_site(text: str, sites: Sequence[str]) -> float:
    """How much a text is the name of the site, in [0, 1]."""
    joined = plain(text).replace(" ", "")
    return max((_same(joined, site) for site in sites), default=0.0) if joined else 0.0


def _same(joined: str, site: str) -> float:
    """As `alike`, but a name with something added to it is another name."""
    return len(site) / len(joined) if site in joined else alike(joined, site)


def _subject(text: str, sites: Sequence[str]) -> tuple[list[str], str]:
    """The parts of a title between bars and dashes without the site's name, and all of them."""
    marks = [mark for mark in delimiters(text) if mark.cut >= Cut.DASH]
    starts = [0, *(mark.end for mark in marks)]
    ends = [*(mark.start for mark in marks), len(text)]
    first, last = 0, len(starts) - 1
    while last > first and is_site(text[starts[last] : ends[last]], sites) >= SITE_ALIKE:
        last -= 1
    while first < last and is_site(text[starts[first] : ends[first]], sites) >= SITE_ALIKE:
        first += 1
    parts = [text[starts[i] : ends[i]] for i in range(first, last + 1)]
    return parts, text[starts[first] : ends[last]]


def _heading(clues: Clues, sites: Sequence[str]) -> str:
    """The first h1 that is no logo and stands in no menu; otherwise the first h1."""
    high = [piece for piece in clues.headings if piece.origin == "h1"]
    for piece in high:
        if not piece.around.chrome and not piece.around.home:
            folded = fold(piece.text)
            if is_site(folded, sites) < SITE_ALIKE:
                return folded
    return fold(high[0].text) if high else ""


def features(candidate: Candidate, evidence: Evidence) -> dict[str, float]:
    """The evidence for one candidate; all candidates of all pages have the same names."""
    return {
        **_from_tag(candidate, evidence),
        **_from_names(candidate, evidence),
        **_from_origins(candidate),
        **_from_headings(candidate, evidence),
        **_from_address(candidate, evidence),
        **_from_shape(candidate),
    }


def _from_tag(candidate: Candidate, evidence: Evidence) -> dict[str, float]:
    span = next((find.span for find in candidate.finds if find.piece.origin == "title"), None)
    text = evidence.clues.tag
    if span is None:
        return dict.fromkeys(("tag share", "cut left", "cut right", "inside", "site after"), -1.0)
    return {
        "tag share": (span.end - span.start) / len(text),
        "cut left": float(span.left),
        "cut right": float(span.right),
        "inside": float(span.inside),
        "site after": is_site(text[span.end :], evidence.sites),
    }


def _from_names(candidate: Candidate, evidence: Evidence) -> dict[str, float]:
    folded = candidate.folded
    longest = max(evidence.parts, key=len)
    return {
        "is subject": float(folded == evidence.subject),
        "is first": float(folded == evidence.parts[0]),
        "is last": float(folded == evidence.parts[-1]),
        "is longest": float(folded == longest),
        "is heading": float(folded == evidence.heading),
        "is shared": float(folded == evidence.shared),
        "alike tag": alike(folded, evidence.tag),
        "alike subject": alike(folded, evidence.subject),
        "alike heading": alike(folded, evidence.heading),
        "alike shared": alike(folded, evidence.shared),
        "in tag": float(folded in evidence.tag),
        "in heading": float(folded in evidence.heading),
        "holds heading": float(bool(evidence.heading) and evidence.heading in folded),
        "in shared": float(folded in evidence.shared),
    }


def _from_origins(candidate: Candidate) -> dict[str, float]:
    origins = {find.piece.origin for find in candidate.finds if find.whole}
    named = {f"from {origin}": float(origin in origins) for origin in _ORIGINS}
    return named | {"origins": float(len(origins))}


def _from_headings(candidate: Candidate, evidence: Evidence) -> dict[str, float]:
    around = _surroundings(candidate)
    order = evidence.headings.get(candidate.folded)
    return {
        "h1 rank": _rank(candidate.folded, evidence.h1),
        "order": math.log1p(order) if order is not None else 5.0,
        "main": float(around.main),
        "chrome": float(around.chrome),
        "header": float(around.header),
        "linked": float(around.linked + around.home),
    }


def _rank(folded: str, texts: tuple[str, ...]) -> float:
    return float(texts.index(folded)) if folded in texts else 9.0


def _surroundings(candidate: Candidate) -> Surroundings:
    """The most telling place where the candidate stands on the page."""
    places = [find.piece.around for find in candidate.finds if find.piece.around is not NOWHERE]
    return min(
        places, key=lambda place: (place.chrome, place.header, not place.main), default=NOWHERE
    )


def _from_address(candidate: Candidate, evidence: Evidence) -> dict[str, float]:
    words = plain(candidate.text)
    joined, each = words.replace(" ", ""), words.split()
    common = sum(word in evidence.slug_words for word in each)
    names = [site for site in evidence.sites if len(site) > 2 and site != joined]
    return {
        "slug recall": common / max(len(evidence.slug_words), 1),
        "slug precision": common / max(len(each), 1),
        "alike slug": alike(words, evidence.slug),
        "is site": is_site(words, evidence.sites),
        "is brand": alike(joined, evidence.clues.address.brand),
        "ends with site": float(any(map(joined.endswith, names))),
        "starts with site": float(any(map(joined.startswith, names))),
    }


def _from_shape(candidate: Candidate) -> dict[str, float]:
    text = candidate.text
    return {
        "words": math.log1p(len(text.split())),
        "length": math.log1p(len(text)),
        "generic": float(candidate.folded in _GENERIC),
        "sentence": float(text.endswith((".", "!", "?"))),
        "digits": len(_DIGITS.findall(text)) / len(text),
    }


def page_features(evidence: Evidence) -> dict[str, float]:
    """What the names that a page gives itself have in common: the same for all candidates."""
    subject, heading, shared = evidence.subject, evidence.heading, evidence.shared
    slug, clues = evidence.slug, evidence.clues
    return {
        "page h1": float(min(len(evidence.h1), 4)),
        "page heading alike subject": alike(heading, subject) if heading else -1.0,
        "page heading in subject": float(heading in subject) if heading else -1.0,
        "page subject in heading": float(subject in heading) if heading else -1.0,
        "page heading alike slug": alike(plain(heading), slug) if heading and slug else -1.0,
        "page subject alike slug": alike(plain(subject), slug) if slug else -1.0,
        "page first alike slug": alike(plain(evidence.parts[0]), slug) if slug else -1.0,
        "page heading alike shared": alike(heading, shared) if heading and shared else -1.0,
        "page subject alike shared": alike(subject, shared) if shared else -1.0,
        "page heading is site": is_site(heading, evidence.sites),
        "page heading length": math.log1p(len(heading)),
        "page subject length": math.log1p(len(subject)),
        "page first length": math.log1p(len(evidence.parts[0])),
        "page parts": float(len(evidence.parts)),
        "page site cut": float(len(subject) < len(evidence.tag)),
        "page article": float("article" in clues.kind) + float(bool(clues.linked_data)) / 2,
        "page product": float("product" in clues.kind),
        "page root": float(clues.address.is_root),
        "page slug words": float(min(len(evidence.slug_words), 10)),
    }
