"""The evidence for each candidate, as numbers. Nothing here was learned.

Four texts represent the ways in which pages name themselves: the title tag without the name of the
site, its first part, the heading, and what is meant for sharing. Each candidate is compared with
them, and what they have in common among themselves says how far each of them is to be trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log1p

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
from pagesight.readers.title.text import WORDS, alike, fold, likenesses, pair_set, plain

VERSION = 6
"""Raised whenever a feature changes its meaning: weights of another version do not fit."""

_DIGITS = re.compile(r"\d")
_NAMELESS = frozenset(re.split(r";\s+", WORDS["nameless"].strip()))
_GENERIC = _NAMELESS.union(re.split(r";\s+", WORDS["generic"].strip()))
_ORIGINS = ("json-ld headline", "json-ld name", "h1", "h2", "breadcrumb", "json-ld breadcrumb",
            "itemprop", "labelled", "twitter:title", "meta title", "citation_title")  # fmt: skip

Numbers = tuple[float, ...]

# What the numbers of each candidate are, in the order in which the functions below return them.
_TAG = ("tag share", "cut left", "cut right", "inside", "site after")
_NAMES = ("is subject", "is first", "is last", "is longest", "is heading", "is shared",
          "alike tag", "alike subject", "alike heading", "alike shared", "in tag", "in heading",
          "holds heading", "in shared")  # fmt: skip
_HEADINGS = ("h1 rank", "order", "main", "chrome", "header", "linked")
_ADDRESS = ("slug recall", "slug precision", "alike slug", "is site", "is brand",
            "ends with site", "starts with site")  # fmt: skip
_SHAPE = ("words", "length", "generic", "sentence", "digits")
FEATURES = (
    *_TAG, *_NAMES, *(f"from {origin}" for origin in _ORIGINS), "origins", *_HEADINGS, *_ADDRESS,
    *_SHAPE,
)  # fmt: skip
"""The names of the numbers in `features`."""

_NOT_IN_TAG = (-1.0,) * len(_TAG)


@dataclass(slots=True)
class TitleEvidence:
    """What all candidates of a page are held against; texts are folded."""

    clues: Clues
    site: Site
    tag: str
    subject: Subject
    longest_part: str  # of the title tag
    heading: str
    headings: dict[str, int]  # with their order
    h1: tuple[str, ...]
    shared: str  # og:title without the name of the site
    slug: str
    slug_words: frozenset[str]
    is_named: bool  # whether tag or heading say more than the name of the site
    names: dict[str, frozenset[str]]  # tag, subject, heading and shared title with their pairs

    @classmethod
    def of(cls, clues: Clues) -> TitleEvidence:
        """Gather the evidence of a page."""
        site = Site.of(clues)
        og = next((piece.text for piece in clues.meta if piece.origin == "og:title"), "")
        slug, tag = clues.address.slug, fold(clues.tag)
        subject, shared = subject_of(clues.tag or og, site), subject_of(og, site).text
        names = {subject.text, *subject.parts, shared, *map(_folded, clues.linked_data)}
        headings = without_asides(clues.headings, names, clues.tag)
        if headings != clues.headings:
            clues = replace(clues, headings=headings)
        order = {fold(headings[at].text): at for at in range(len(headings) - 1, -1, -1)}
        heading = heading_of(clues, site, (*subject.parts, subject.text, shared))
        return cls(
            clues=clues,
            site=site,
            tag=tag,
            subject=subject,
            longest_part=max(subject.parts, key=len),
            heading=heading,
            headings=order,
            h1=tuple(map(_folded, clues.high_headings)),
            shared=shared,
            slug=slug,
            slug_words=frozenset(slug.split()),
            is_named=any(
                text and text not in _NAMELESS and site.likeness(text) < SITE_ALIKE
                for text in (subject.text, heading)
            ),
            names={name: pair_set(name) for name in (tag, subject.text, heading, shared)},
        )

    def admits(self, candidate: Candidate) -> bool:
        """Whether a candidate may be the title: the site's name only if the page has no other."""
        if not self.is_named:
            return True
        folded, site = candidate.folded, self.site
        return folded not in _NAMELESS and (
            site.likeness(folded) < SITE_ALIKE
            or self.clues.address.is_root
            or site.is_of_page(folded)
        )


def _folded(piece: TitleText) -> str:
    return fold(piece.text)


def features(candidate: Candidate, evidence: TitleEvidence) -> Numbers:
    """The evidence for one candidate, called as in `FEATURES`."""
    text, folded = candidate.text, candidate.folded
    return (
        *_from_tag(candidate, evidence),
        *_from_names(folded, evidence),
        *_from_origins(candidate),
        *_from_headings(candidate, evidence),
        *_from_address(text, evidence),
        *_from_shape(text, folded),
    )


def _from_tag(candidate: Candidate, evidence: TitleEvidence) -> Numbers:
    for find in candidate.finds:
        if find.piece.origin == "title":
            break
    else:
        return _NOT_IN_TAG
    text, (_, start, end, left, right, inside) = evidence.clues.tag, find.span
    after = evidence.site.likeness(text[end:])
    return (end - start) / len(text), left, right, inside, after


def _from_names(folded: str, evidence: TitleEvidence) -> Numbers:
    tag, (parts, subject) = evidence.tag, evidence.subject
    heading, shared = evidence.heading, evidence.shared
    likeness = likenesses(folded, evidence.names)
    return (
        folded == subject,
        folded == parts[0],
        folded == parts[-1],
        folded == evidence.longest_part,
        folded == heading,
        folded == shared,
        likeness[tag],
        likeness[subject],
        likeness[heading],
        likeness[shared],
        folded in tag,
        folded in heading,
        bool(heading) and heading in folded,
        folded in shared,
    )


def _from_origins(candidate: Candidate) -> Iterable[float]:
    origins = {find.piece.origin for find in candidate.finds if find.whole}
    return *map(origins.__contains__, _ORIGINS), len(origins)


def _from_headings(candidate: Candidate, evidence: TitleEvidence) -> Numbers:
    folded, h1 = candidate.folded, evidence.h1
    main, chrome, header, linked, home = _surroundings(candidate)
    order = evidence.headings.get(folded)
    return (
        h1.index(folded) if folded in h1 else 9.0,
        log1p(order) if order is not None else 5.0,
        main,
        chrome,
        header,
        linked + home,
    )


def _surroundings(candidate: Candidate) -> Surroundings:
    """The most informative place of the candidate on the page."""
    places = [find.piece.around for find in candidate.finds if find.piece.around is not NOWHERE]
    if len(places) < 2:
        return places[0] if places else NOWHERE
    return min(places, key=lambda place: (place.chrome, place.header, not place.main))


def _from_address(text: str, evidence: TitleEvidence) -> Numbers:
    words, slug_words, site = plain(text), evidence.slug_words, evidence.site
    joined, parts = words.replace(" ", ""), words.split()
    common = sum(map(slug_words.__contains__, parts))
    names = site.long_names
    if joined in names:
        names = tuple(name for name in names if name != joined)
    return (
        common / (len(slug_words) or 1),
        common / (len(parts) or 1),
        alike(words, evidence.slug),
        site.likeness(words),
        alike(joined, evidence.clues.address.brand),
        joined.endswith(names),
        joined.startswith(names),
    )


def _from_shape(text: str, folded: str) -> Numbers:
    return (
        log1p(len(text.split())),
        log1p(len(text)),
        folded in _GENERIC,
        text.endswith((".", "!", "?")),
        len(_DIGITS.findall(text)) / len(text),
    )


def page_features(evidence: TitleEvidence) -> dict[str, float]:
    """What the names that a page gives itself have in common: the same for all candidates."""
    subject, heading, shared = evidence.subject.text, evidence.heading, evidence.shared
    first, slug, clues = evidence.subject.parts[0], evidence.slug, evidence.clues
    types = " ".join(clues.types)
    described = frozenset(plain(clues.description).split())
    trail = frozenset(map(plain, (*clues.trail, *clues.address.folders)))
    return {
        "page heading described": _described(heading, described),
        "page subject described": _described(subject, described),
        "page trail": min(len(trail), 9),
        "page depth": len(clues.address.folders),
        "page dated": clues.dated,
        "page headings": log1p(len(clues.headings)),
        "page typed article": "Article" in types or "Posting" in types,
        "page typed product": "Product" in types,
        "page typed list": "Collection" in types or "ItemList" in types,
        "page typed business": "Business" in types or "Service" in types,
        "page typed site": "WebSite" in types or "Organization" in types,
        "page h1": min(len(evidence.h1), 4),
        "page heading alike subject": alike(heading, subject) if heading else -1.0,
        "page heading in subject": heading in subject if heading else -1.0,
        "page subject in heading": subject in heading if heading else -1.0,
        "page heading alike slug": alike(plain(heading), slug) if heading and slug else -1.0,
        "page subject alike slug": alike(plain(subject), slug) if slug else -1.0,
        "page first alike slug": alike(plain(first), slug) if slug else -1.0,
        "page heading alike shared": alike(heading, shared) if heading and shared else -1.0,
        "page subject alike shared": alike(subject, shared) if shared else -1.0,
        "page heading is site": evidence.site.likeness(heading),
        "page heading length": log1p(len(heading)),
        "page subject length": log1p(len(subject)),
        "page first length": log1p(len(first)),
        "page parts": len(evidence.subject.parts),
        "page site cut": len(subject) < len(evidence.tag),
        "page article": ("article" in clues.kind) + bool(clues.linked_data) / 2,
        "page product": "product" in clues.kind,
        "page root": clues.address.is_root,
        "page slug words": min(len(evidence.slug_words), 10),
    }


def _described(text: str, described: frozenset[str]) -> float:
    """The share of words that the description has, too."""
    words = plain(text).split()
    if not words or not described:
        return -1.0
    return sum(map(described.__contains__, words)) / len(words)
