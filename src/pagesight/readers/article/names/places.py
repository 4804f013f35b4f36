"""Affiliations: the places in affiliation zones, each with the mark that points to it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Node
from pagesight.readers.article.text import (
    ALONE,
    ASTERISKS,
    EMAIL,
    HAN,
    OF_PLACE,
    has_han,
    is_other_script,
    without_brackets,
)
from pagesight.readers.article.vocabulary import (
    CUES,
    GENERAL,
    WORD_FIELDS,
    alternatives,
    heading_kinds,
    is_institution_caption,
    listed,
    log_odds,
    names_institution,
)
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import rejoined, size_in_words, words
from pagesight.segment.tree import common_element

MOST_WORDS = 60  # of an affiliation
LONGEST_ADDRESS = 8  # words of a town and a country
MOST_OTHERS = 20  # zones that are looked at for entries alike
MOST_SENTENCES = 2  # that end within an affiliation
LEAST_LIKELY = -1.3  # log-odds per word, of a zone that is labelled as an affiliation
SURE = -0.1  # of any other zone

_PREFIX = re.compile(
    r"^(?:(?:show |hide )?(?:author(?:s['’]?)? )?"
    r"(?:affiliations?|address(?:es)?|information|details)\s*[:.]?\s*|"
    r"(?:作者)?[单單]位\s?[:：]\s*|(?:from )?(?-i:the )(?=[A-Z])|[►↵+•·\s]+)+", re.IGNORECASE
)  # fmt: skip
_LATER = re.compile(r"(?:present|current) address\s*:\s*", re.IGNORECASE)
_TAIL = re.compile(
    r"""\s*\{[^{}]*\}\s?@\S+.*$ |
    (?<![\s.,;(])[\s.,;(]*\b(?:e-?mail|electronic\ address|tel(?:ephone)?\b|phone|fax|
    corresponding\ author|author\ for\ correspondence|correspondence\ to|search\ for\ more\ papers|
    google\ scholar|see\ all)\b.*$ |
    \.\s+(?-i:We|I\ (?:am|was|have|had|thank|wish|would|work\w*|declare)|The\ authors?|
    This|These|Supported|Funded|Financial)\s.*$""",
    re.IGNORECASE | re.VERBOSE,
)

_NUMBERED = re.compile(
    r"(?:(?<=[,;.])\s*|^\s*)(?=\d{1,2}\s+[A-Z][a-z]+)|"
    r"(?<=[a-z])\s+(?=\d{1,2}\s+(?:Department|Division|Facult|Institut|Laborator|School|Universi))|"
    rf"(?:(?<=[,;.，；。])\s*|^\s*|(?<=[{HAN}])\s+)(?=\d{{1,2}}\s?[.．、]?\s?[{HAN}])"
)
_OTHERWISE = re.compile(  # a journal, a source in the text, who paid
    r"https?://|www\.|\d{1,4}:\s?\w?\d{1,4}\b|\(\d{4,}\)?|\[\d+\]|"
    r"\b(?:grants?|project no|journal of)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[a-zà-ÿ]{3}\.\s+(?=[A-ZÀ-Þ][a-zà-ÿ]*\s[a-zà-ÿ])")
_COUNTRY = re.compile(rf"(?<!\w)(?:{alternatives(listed(GENERAL['countries']))})\b\.?,\s+(?=[A-Z])")
_SEMICOLON = re.compile(r"[;；]\s*(?:and\s+)?")
_POSTCODE = re.compile(r"\b\d{6}\b,?\s*")
_BRACKETED = re.compile(r"\s*[（(](.*)[)）]\s*")  # as in China


@dataclass(slots=True)
class Institution:
    """An affiliation, as a zone has it."""

    text: str
    mark: str | None
    node: int
    zone: int
    again: list[int] = field(default_factory=list)  # zones that say the same


def places(zones: Zones, labelled: list[int]) -> list[Institution]:
    """The affiliations of the zones that are labelled so, in their order."""
    located: list[Institution] = []
    last = 0
    labelled = _with_addresses(zones, labelled)
    for zone in labelled:
        if located and _in_one_entry(zones, located[-1], zone, labelled):
            between = (zones.texts[line].strip(" ,") for line in range(last + 1, zone + 1))
            lines = (line for line in between if not EMAIL.search(line))
            located[-1].text = ", ".join((located[-1].text.rstrip(" ,"), *filter(None, lines)))
            last = zone
            continue
        last = zone
        parts = _parts(zones, zone)
        if not located or not _continues(zones, located[-1], zone, parts):
            located += parts
        else:
            comma = "" if zones.is_in_brackets(zone) else ","
            located[-1].text = f"{located[-1].text.rstrip(' ,')}{comma} {parts[0].text}"
            located += parts[1:]
    return [place for place in map(cleaned, located) if _may_be_place(place)]


def _with_addresses(zones: Zones, labelled: list[int]) -> list[int]:
    """The zones with the towns and countries below them in the same element, if it is repeated."""
    page, heads = zones.page, zones.heads.tolist()
    holders = {zone: _line(page[heads[zone]]).parent for zone in labelled}
    keys = Counter(_key(holder) for holder in holders.values() if holder)
    added = set(labelled)
    for zone, holder in holders.items():
        below = zone + 1
        while below < len(zones) - 1 and not any(map(str.isalnum, zones.texts[below])):
            below += 1  # a comma between two elements
        if zones.on_sheets or holder is None or below in added or below >= len(zones):
            continue
        alike = _line(page[heads[below]]).parent == holder and keys[_key(holder)] > 1
        text = zones.texts[below]
        may_be = alike and zones.words[below] <= LONGEST_ADDRESS and "," in text
        if may_be and _is_address(text) and likelihood(text) > SURE:  # and not names, say
            added.add(below)
    return sorted(added)


def _line(node: Node) -> Node:
    """The outermost element around a text in which there is nothing else."""
    while node.parent is not None and len(node.parent.children) == 1:
        node = node.parent
    return node


def _may_be_place(place: Institution) -> bool:
    """Whether a text may be an affiliation; what is numbered need not read like one."""
    text = _POSTCODE.sub("", place.text) if is_other_script(place.text) else place.text
    otherwise = _OTHERWISE.search(text) or CUES["citation"].match(text) or _is_note(text)
    otherwise = otherwise or is_institution_caption(text)
    if len(_SENTENCE.findall(text)) >= MOST_SENTENCES:
        return False
    numbered = place.mark is not None and place.mark.isalnum()
    likely = numbered or likelihood(text) > LEAST_LIKELY or _is_other_institution(text)
    return max(len(words(text)), size_in_words(text)) >= 2 and not otherwise and likely


def _is_other_institution(text: str) -> bool:
    """Whether a text names an institution in letters whose words are not known."""
    return is_other_script(text) and names_institution(text) and "。" not in text


def likelihood(text: str) -> float:
    """How much likelier the words are in an affiliation than anywhere else, per word."""
    tokens = words(text)[:MOST_WORDS]
    others = tuple(field for field in WORD_FIELDS if field != "affiliation")
    return log_odds(tokens, ("affiliation",), others) if tokens else LEAST_LIKELY


def is_likely_place(text: str) -> bool:
    """Whether a text reads like one affiliation."""
    if "," not in text or not 3 <= len(text.split()) <= MOST_WORDS:
        return False
    return likelihood(text) > SURE and not CUES["correspondence"].match(text)


def may_read_like_place(text: str) -> bool:
    """Whether a text may be one affiliation, if what is around it says so."""
    fits = "," in text and 3 <= len(text.split()) <= MOST_WORDS and not _SENTENCE.search(text)
    return fits and likelihood(text) > LEAST_LIKELY and not heading_kinds(text)


def _parts(zones: Zones, zone: int) -> list[Institution]:
    """The zone, cut at marks: superscripts in front of a text; or at semicolons between places.

    On sheets, lines of notes may follow.
    """
    parts: list[Institution] = [Institution("", None, zones.nodes_of(zone)[0], zone)]
    noted = False
    for at in range(int(zones.first[zone]), int(zones.first[zone + 1])):
        text = zones.pieces[at]
        noted |= zones.on_sheets and bool(parts[-1].text) and _is_note(text)
        mark = ALONE.fullmatch(text.strip(" ,;").translate(ASTERISKS))
        if zones.raised[at] and mark:
            if _PREFIX.sub("", parts[-1].text.strip()).strip(" ,;&and."):
                parts.append(Institution("", mark[1], int(zones.nodes[at]), zone))
            else:
                parts[-1].mark = mark[1]
            noted = False
        elif not noted:
            parts[-1].text += zones.spelled[at]
    for part in parts:
        part.text = rejoined(part.text)
    return [place for part in parts for place in cut(part)]


def _is_note(line: str) -> bool:
    """Whether a line says of itself that it is about something else than a place."""
    return any(CUES[cue].match(line) for cue in ("correspondence", "editor", "note"))


def cut(place: Institution) -> list[Institution]:
    """Several places in one text: before numbers, at semicolons, or after countries."""
    if has_han(place.text) and (inner := _BRACKETED.fullmatch(place.text)):
        place.text = inner[1]
    numbered = _NUMBERED.split(place.text)
    for way in (numbered, _SEMICOLON.split(place.text), _after_countries(place.text)):
        texts = [text for text in way if text.strip(" ,;.，；。")]
        if len(texts) > 1 and all(map(names_institution, texts)):
            # A mark points to all places that follow it, unless each has a number of its own.
            marks = [place.mark, *([None if way is numbered else place.mark] * (len(texts) - 1))]
            return [
                Institution(text, mark, place.node, place.zone)
                for text, mark in zip(texts, marks, strict=True)
            ]
    return [place]


def goes_on_after_country(text: str) -> bool:
    """Whether a text names a country, and then something else: two places in one, say."""
    return bool(_COUNTRY.search(text))


def ends_in_country(text: str) -> bool:
    """Whether a text ends in the name of a country."""
    return bool(_COUNTRY.search(f"{text.rstrip(' .')}, A"))


def _after_countries(text: str) -> list[str]:
    """Text up to each country, unless it says no more, or what follows names no institution.

    ``University of Wales, Bangor`` is one place.
    """
    ends = [country.end() for country in _COUNTRY.finditer(text)]
    parts: list[str] = []
    for part in (text[start:end] for start, end in pairwise([0, *ends, len(text)])):
        if parts and not (names_institution(part) and "," in parts[-1].rstrip(" ,")):
            parts[-1] += part
        else:
            parts.append(part)
    return parts


def _in_one_entry(zones: Zones, before: Institution, zone: int, labelled: list[int]) -> bool:
    """Whether a zone is a further line of an entry: an element like those of other entries."""
    if zones.on_sheets or _are_two(before.text.strip(), zones.texts[zone]):
        return False
    page, heads = zones.page, zones.heads
    entry = common_element(page, (before.node, int(heads[zone])))
    inner, line = _zones_in(zones, entry), list(_up_to(entry, page[int(heads[zone])]))
    if not line or zones.words[inner].sum() > MOST_WORDS:
        return False
    above, text = zones.pieces[zones.first[zone] - 1].rstrip(), zones.texts[zone]
    last = bisect_right(labelled, int(inner[-1]))
    rest = [zones.texts[other] for other in labelled[bisect_left(labelled, zone) : last]]
    if not above.endswith(",") and (text.count(",") > 1 or not any(map(_is_address, rest))):
        return False  # a place by itself, unless a town or a country comes after it
    if any(node.tag == "li" or len(_zones_in(zones, node)) > 1 for node in line):
        return False
    outer = (other for other in labelled if not inner[0] <= other <= inner[-1])
    others = (page[int(heads[other])] for other in islice(outer, MOST_OTHERS))
    return any(_key(node) == _key(entry) for other in others for node in _up_to(None, other))


def _is_address(text: str) -> bool:
    """Whether a text is no more than a town or a country."""
    return not names_institution(text) and text.count(",") <= 1


def _zones_in(zones: Zones, node: Node) -> NDArray[np.int64]:
    heads = zones.heads
    return np.flatnonzero((heads >= node.id) & (heads < zones.page.end[node.id]))


def _key(node: Node) -> tuple[str, str | None]:
    return node.tag, node.attributes.get("class")


def _up_to(top: Node | None, node: Node) -> Iterator[Node]:
    """A node and the elements around it, up to one of them that does not count."""
    inner: Node | None = node
    while inner is not None and inner != top:
        yield inner
        inner = inner.parent


def _continues(zones: Zones, before: Institution, zone: int, parts: list[Institution]) -> bool:
    """Whether a zone is a further line of the same address."""
    text = zones.texts[zone].translate(ASTERISKS)
    if parts[0].mark or OF_PLACE.match(text) or CUES["correspondence"].match(text):
        return False
    if zones.on_sheets:  # the line or column ended
        return zone == before.zone + 1 and bool(before.mark)
    if zones.leaf[zone] != zones.leaf[before.zone]:
        return False
    return zones.is_in_brackets(zone) or not _are_two(before.text.strip(), text)


def _are_two(place: str, text: str) -> bool:
    """Whether two lines are a place each: the first is whole, and the second may be."""
    if is_other_script(place):
        return names_institution(place) and names_institution(text)
    if place.count(",") < 2:
        return False
    if place.endswith(","):
        return names_institution(text) and names_institution(place)
    return names_institution(text) or text.count(",") >= 2


def cleaned(place: Institution) -> Institution:
    """A place without the words around it, the mark apart."""
    text = " ".join(place.text.split()).translate(ASTERISKS)
    text = _PREFIX.sub("", text)
    if place.mark is None and (mark := OF_PLACE.match(text)):
        place.mark, text = mark[1], text[mark.end() :]
    if place.mark:
        text = _LATER.sub("", text)
    text = _TAIL.sub("", EMAIL.sub("", text))
    text = text.strip(" ,;:&，；。").removesuffix(" and").strip(" ,;")
    place.text = without_brackets(text)
    return place
