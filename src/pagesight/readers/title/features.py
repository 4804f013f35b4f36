"""The evidence for each candidate, as numbers. Nothing here was learned.

Four texts represent the ways in which pages name themselves: the title tag without the name of the
site, its first part, the heading, and what is meant for sharing. Each candidate is compared with
them, and what they have in common among themselves says how far each of them is to be trusted.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property

from pagesight.readers.title.candidates import Candidate
from pagesight.readers.title.clues import NOWHERE, Clues, Surroundings, TitleText
from pagesight.readers.title.sites import (
    SITE_ALIKE,
    Site,
    Subject,
    heading_of,
    subject_of,
    without_asides,
)
from pagesight.readers.title.text import WORDS, alike, fold, plain

VERSION = 6
"""Raised whenever a feature changes its meaning: weights of another version do not fit."""

_DIGITS = re.compile(r"\d")
_NAMELESS = frozenset(re.split(r";\s+", WORDS["nameless"].strip()))
_GENERIC = _NAMELESS.union(re.split(r";\s+", WORDS["generic"].strip()))
_ORIGINS = ("json-ld headline", "json-ld name", "h1", "h2", "breadcrumb", "json-ld breadcrumb",
            "itemprop", "labelled", "twitter:title", "meta title", "citation_title")  # fmt: skip


_FROM = {origin: f"from {origin}" for origin in _ORIGINS}
_FROM_NOWHERE = dict.fromkeys(_FROM.values(), 0.0)
_NOT_IN_TAG = dict.fromkeys(("tag share", "cut left", "cut right", "inside", "site after"), -1.0)


@dataclass(frozen=True)
class TitleEvidence:
    """What all candidates of a page are held against; texts are folded."""

    clues: Clues
    site: Site
    tag: str
    subject: Subject
    heading: str
    headings: dict[str, int]  # with their order
    h1: tuple[str, ...]
    shared: str  # og:title without the name of the site
    slug: str
    slug_words: frozenset[str]
    described: frozenset[str]  # the words of the description
    trail: frozenset[str]  # breadcrumbs and folders, in plain letters

    @classmethod
    def of(cls, clues: Clues) -> TitleEvidence:
        """Gather the evidence of a page."""
        site = Site.of(clues)
        og = next((piece.text for piece in clues.meta if piece.origin == "og:title"), "")
        slug = clues.address.slug
        subject, shared = subject_of(clues.tag or og, site), subject_of(og, site).text
        names = {subject.text, *subject.parts, shared, *map(_folded, clues.linked_data)}
        clues = replace(clues, headings=without_asides(clues.headings, names, clues.tag))
        order: dict[str, int] = {}
        for number, piece in enumerate(clues.headings):
            order.setdefault(fold(piece.text), number)
        return cls(
            clues=clues,
            site=site,
            tag=fold(clues.tag),
            subject=subject,
            heading=heading_of(clues, site, (*subject.parts, subject.text, shared)),
            headings=order,
            h1=tuple(map(_folded, clues.high_headings)),
            shared=shared,
            slug=slug,
            slug_words=frozenset(slug.split()),
            described=frozenset(plain(clues.description).split()),
            trail=frozenset(map(plain, (*clues.trail, *clues.address.folders))),
        )

    def admits(self, candidate: Candidate) -> bool:
        """Whether a candidate may be the title: the site's name only if the page has no other."""
        if not self._is_named:
            return True
        folded, site = candidate.folded, self.site
        return folded not in _NAMELESS and (
            site.likeness(folded) < SITE_ALIKE
            or self.clues.address.is_root
            or site.is_of_page(folded)
        )

    @cached_property
    def longest_part(self) -> str:
        """The longest part of the title tag."""
        return max(self.subject.parts, key=len)

    @cached_property
    def _is_named(self) -> bool:
        """Whether tag or heading say more than the name of the site."""
        return any(
            text and text not in _NAMELESS and self.site.likeness(text) < SITE_ALIKE
            for text in (self.subject.text, self.heading)
        )


def _folded(piece: TitleText) -> str:
    return fold(piece.text)


def features(candidate: Candidate, evidence: TitleEvidence) -> dict[str, float]:
    """The evidence for one candidate; all candidates of all pages have the same names."""
    text = candidate.text
    return {
        **_from_tag(candidate, evidence),
        **_from_names(candidate, evidence),
        **_from_origins(candidate),
        **_from_headings(candidate, evidence),
        **_from_address(text, evidence),
        **_from_shape(text, candidate.folded),
    }


def _from_tag(candidate: Candidate, evidence: TitleEvidence) -> dict[str, float]:
    span = next((find.span for find in candidate.finds if find.piece.origin == "title"), None)
    if span is None:
        return _NOT_IN_TAG
    text = evidence.clues.tag
    return {
        "tag share": (span.end - span.start) / len(text),
        "cut left": span.left,
        "cut right": span.right,
        "inside": span.inside,
        "site after": evidence.site.likeness(text[span.end :]),
    }


def _from_names(candidate: Candidate, evidence: TitleEvidence) -> dict[str, float]:
    folded, tag, subject = candidate.folded, evidence.tag, evidence.subject
    heading, shared = evidence.heading, evidence.shared
    return {
        "is subject": folded == subject.text,
        "is first": folded == subject.parts[0],
        "is last": folded == subject.parts[-1],
        "is longest": folded == evidence.longest_part,
        "is heading": folded == heading,
        "is shared": folded == shared,
        "alike tag": alike(folded, tag),
        "alike subject": alike(folded, subject.text),
        "alike heading": alike(folded, heading),
        "alike shared": alike(folded, shared),
        "in tag": folded in tag,
        "in heading": folded in heading,
        "holds heading": bool(heading) and heading in folded,
        "in shared": folded in shared,
    }


def _from_origins(candidate: Candidate) -> dict[str, float]:
    origins = {find.piece.origin for find in candidate.finds if find.whole}
    named = {_FROM[origin]: 1.0 for origin in origins if origin in _FROM}
    return {**_FROM_NOWHERE, **named, "origins": len(origins)}


def _from_headings(candidate: Candidate, evidence: TitleEvidence) -> dict[str, float]:
    around, h1 = _surroundings(candidate), evidence.h1
    order = evidence.headings.get(candidate.folded)
    return {
        "h1 rank": h1.index(candidate.folded) if candidate.folded in h1 else 9.0,
        "order": math.log1p(order) if order is not None else 5.0,
        "main": around.main,
        "chrome": around.chrome,
        "header": around.header,
        "linked": around.linked + around.home,
    }


def _surroundings(candidate: Candidate) -> Surroundings:
    """The most informative place of the candidate on the page."""
    places = [find.piece.around for find in candidate.finds if find.piece.around is not NOWHERE]
    return min(
        places, key=lambda place: (place.chrome, place.header, not place.main), default=NOWHERE
    )


def _from_address(text: str, evidence: TitleEvidence) -> dict[str, float]:
    words, slug_words, site = plain(text), evidence.slug_words, evidence.site
    joined, parts = words.replace(" ", ""), words.split()
    common = sum(map(slug_words.__contains__, parts))
    names = site.long_names
    if joined in names:
        names = tuple(name for name in names if name != joined)
    return {
        "slug recall": common / (len(slug_words) or 1),
        "slug precision": common / (len(parts) or 1),
        "alike slug": alike(words, evidence.slug),
        "is site": site.likeness(words),
        "is brand": alike(joined, evidence.clues.address.brand),
        "ends with site": joined.endswith(names),
        "starts with site": joined.startswith(names),
    }


def _from_shape(text: str, folded: str) -> dict[str, float]:
    return {
        "words": math.log1p(len(text.split())),
        "length": math.log1p(len(text)),
        "generic": folded in _GENERIC,
        "sentence": text.endswith((".", "!", "?")),
        "digits": len(_DIGITS.findall(text)) / len(text),
    }


def _described(text: str, evidence: TitleEvidence) -> float:
    """The share of words that the description has, too."""
    words = plain(text).split()
    if not words or not evidence.described:
        return -1.0
    return sum(word in evidence.described for word in words) / len(words)


def page_features(evidence: TitleEvidence) -> dict[str, float]:
    """What the names that a page gives itself have in common: the same for all candidates."""
    subject, heading, shared = evidence.subject.text, evidence.heading, evidence.shared
    slug, clues = evidence.slug, evidence.clues
    types = " ".join(clues.types)
    return {
        "page heading described": _described(heading, evidence),
        "page subject described": _described(subject, evidence),
        "page trail": float(min(len(evidence.trail), 9)),
        "page depth": float(len(clues.address.folders)),
        "page dated": float(clues.dated),
        "page headings": math.log1p(len(clues.headings)),
        "page typed article": float("Article" in types or "Posting" in types),
        "page typed product": float("Product" in types),
        "page typed list": float("Collection" in types or "ItemList" in types),
        "page typed business": float("Business" in types or "Service" in types),
        "page typed site": float("WebSite" in types or "Organization" in types),
        "page h1": float(min(len(evidence.h1), 4)),
        "page heading alike subject": alike(heading, subject) if heading else -1.0,
        "page heading in subject": float(heading in subject) if heading else -1.0,
        "page subject in heading": float(subject in heading) if heading else -1.0,
        "page heading alike slug": alike(plain(heading), slug) if heading and slug else -1.0,
        "page subject alike slug": alike(plain(subject), slug) if slug else -1.0,
        "page first alike slug": alike(plain(evidence.subject.parts[0]), slug) if slug else -1.0,
        "page heading alike shared": alike(heading, shared) if heading and shared else -1.0,
        "page subject alike shared": alike(subject, shared) if shared else -1.0,
        "page heading is site": evidence.site.likeness(heading),
        "page heading length": math.log1p(len(heading)),
        "page subject length": math.log1p(len(subject)),
        "page first length": math.log1p(len(evidence.subject.parts[0])),
        "page parts": float(len(evidence.subject.parts)),
        "page site cut": float(len(subject) < len(evidence.tag)),
        "page article": float("article" in clues.kind) + float(bool(clues.linked_data)) / 2,
        "page product": float("product" in clues.kind),
        "page root": float(clues.address.is_root),
        "page slug words": float(min(len(evidence.slug_words), 10)),
    }
