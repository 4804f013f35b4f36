"""Affiliations: the places in affiliation zones, each with the mark that points to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pagesight.readers.article.lexicon import CUES, EMAIL, INSTITUTION
from pagesight.readers.article.text import words
from pagesight.readers.article.words import FIELDS, log_table, word_table
from pagesight.readers.article.zones import Zones

MOST_WORDS = 60  # of an affiliation
CEILING = 3.0  # of what one word can say
LEAST_LIKELY = -1.3  # log-odds per word, of a zone that is labelled as an affiliation
SURE = -0.1  # of any other zone

_MARK = r"\d{1,2}|[a-z]{1,2}|[A-Z](?=\s)|[*†‡§¶#∥‖]+"
_ONLY_MARK = re.compile(rf"[(\[]?({_MARK})[)\].:]?")
_LEADING_MARK = re.compile(r"[(\[]?(\d{1,2}|[a-z](?=\s?[A-Z])|[*†‡§¶#∥‖]+)[)\].:]?\s*(?=[^\W\d_])")
_PREFIX = re.compile(
    r"^(?:show |hide )?(?:author(?:s['’]?)? )?(?:affiliations?|address(?:es)?|information|details)"
    r"\s*[:.]?\s*|"
    r"^from (?=the )|^[►↵+•·\s]+", re.IGNORECASE
)  # fmt: skip
_TAIL = re.compile(
    r"[\s.,;(]*\b(?:e-?mail|electronic address|tel(?:ephone)?\b|phone|fax|corresponding author|"
    r"search for more papers|google scholar|see all)\b.*$", re.IGNORECASE
)  # fmt: skip

_COUNTRIES = """Argentina|Australia|Austria|Belgium|Brazil|Canada|Chile|China|Colombia|Croatia|
Czech Republic|Denmark|Egypt|England|Estonia|Finland|France|Germany|Greece|Hungary|Iceland|India|
Indonesia|Iran|Ireland|Israel|Italy|Japan|Kenya|South Korea|Korea|Malaysia|Mexico|New Zealand|
Norway|Pakistan|Peru|Poland|Portugal|Romania|Russia|Saudi Arabia|Scotland|Serbia|Singapore|
Slovakia|Slovenia|South Africa|Spain|Sweden|Switzerland|Taiwan|Thailand|Netherlands|Turkey|Uganda|
Ukraine|United Kingdom|UK|United States of America|United States|USA|Viet ?nam|Wales"""
_COUNTRY = re.compile(rf"\b(?:{_COUNTRIES})(?:,|\s+and)\s+(?=[A-Z])".replace("\n", ""))
_NUMBERED = re.compile(r"(?:(?<=[,;.])\s*|^\s*)(?=\d{1,2}\s+[A-Z][a-z]+)")
_OTHERWISE = re.compile(r"https?://|www\.|\d{1,4}:\s?\w?\d{1,4}\b|\(\d{4}\)")  # a journal, say
_SEMICOLON = re.compile(r";\s*(?:and\s+)?")


@dataclass(slots=True)
class Place:
    """An affiliation, as it stands in a zone."""

    text: str
    mark: str | None
    node: int
    zone: int


def places(zones: Zones, labelled: list[int]) -> list[Place]:
    """The affiliations of the zones that are labelled so, in their order."""
    found: list[Place] = []
    pending: str | None = None
    for zone in labelled:
        if alone := _ONLY_MARK.fullmatch(zones.texts[zone]):
            pending = alone[1]
            continue
        parts = _parts(zones, zone)
        if not found or not _continues(zones, found[-1], zone, parts):
            if pending and parts[0].mark is None:
                parts[0].mark = pending
            found += parts
        else:
            found[-1].text = f"{found[-1].text.rstrip(',')}, {parts[0].text}"
            found += parts[1:]
        pending = None
    return [
        place
        for place in map(_cleaned, found)
        if len(words(place.text)) >= 2
        and not _OTHERWISE.search(place.text)
        and not CUES["correspondence"].match(place.text)
        and not CUES["citation"].match(place.text)
        and likelihood(place.text) > LEAST_LIKELY
    ]


def likelihood(text: str) -> float:
    """How much likelier the words are in an affiliation than anywhere else, per word."""
    logs = log_table()[word_table().indices(words(text)[:MOST_WORDS])]
    if not len(logs):
        return -CEILING
    place = FIELDS.index("affiliation")
    odds = logs[:, place] - np.delete(logs, place, axis=1).max(axis=1)
    return float(np.clip(odds, -CEILING, CEILING).mean())


def is_likely_place(text: str) -> bool:
    """Whether a text reads like one affiliation."""
    if "," not in text or not 3 <= len(text.split()) <= MOST_WORDS:
        return False
    return likelihood(text) > SURE and not CUES["correspondence"].match(text)


def _parts(zones: Zones, zone: int) -> list[Place]:
    """The zone, cut at marks: superscripts in front of a text; or at semicolons between places."""
    parts: list[Place] = [Place("", None, zones.nodes_of(zone)[0], zone)]
    for at in range(int(zones.first[zone]), int(zones.first[zone + 1])):
        text = zones.pieces[at]
        mark = _ONLY_MARK.fullmatch(text.strip(" ,;"))
        if zones.raised[at] and mark and len(mark[1]) <= 2:
            if parts[-1].text.strip(" ,;&and."):
                parts.append(Place("", mark[1], int(zones.nodes[at]), zone))
            else:
                parts[-1].mark = mark[1]
        else:
            parts[-1].text += (" " if zones.spaced[at] else "") + text
    return [part for each in parts for part in cut(each)]


def cut(place: Place) -> list[Place]:
    """Several places in one text: before numbers, at semicolons, or after countries."""
    for way in (_NUMBERED.split(place.text), _SEMICOLON.split(place.text), _by_country(place.text)):
        texts = [text for text in way if text.strip(" ,;.")]
        if len(texts) > 1 and all(INSTITUTION.search(text) for text in texts):
            return [
                Place(text, place.mark if not rank else None, place.node, place.zone)
                for rank, text in enumerate(texts)
            ]
    return [place]


def _by_country(text: str) -> list[str]:
    ends = [0, *(found.end() for found in _COUNTRY.finditer(text)), len(text)]
    parts: list[str] = []
    for start, stop in pairwise(ends):
        # "University of New South Wales, Sydney" and "University of Ireland, Road" are one place.
        whole = parts and "," in parts[-1].rstrip(" ,") and INSTITUTION.search(text[start:stop])
        if whole or not parts:
            parts.append(text[start:stop])
        else:
            parts[-1] += text[start:stop]
    return parts


def _continues(zones: Zones, before: Place, zone: int, parts: list[Place]) -> bool:
    """Whether a zone is a further line of the same address."""
    text = zones.texts[zone]
    if parts[0].mark or _LEADING_MARK.match(text):
        return False
    if zones.page.info.media == "pdf":  # the line or column ended
        return zone == before.zone + 1 and bool(before.mark)
    if zones.leaf[zone] != zones.leaf[before.zone]:
        return False
    whole = (
        INSTITUTION.search(text) and INSTITUTION.search(before.text) and before.text.count(",") >= 2
    )
    return not whole


def _cleaned(place: Place) -> Place:
    text = " ".join(place.text.split())
    text = _PREFIX.sub("", text)
    if place.mark is None and (found := _LEADING_MARK.match(text)):
        place.mark, text = found[1], text[found.end() :]
    text = _TAIL.sub("", EMAIL.sub("", text))
    place.text = text.strip(" ,;:&").removesuffix(" and").strip(" ,;")
    return place
