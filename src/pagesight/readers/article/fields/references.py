"""References: the items of the list that reference zones make up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, takewhile
from operator import itemgetter
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.page.columns import Array
from pagesight.readers.article.labelling.confidence import StatedValue
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.reading import Reference
from pagesight.readers.article.text import DOI
from pagesight.readers.article.vocabulary import CUES, GENERAL, unwrapped
from pagesight.readers.article.zones import Zones
from pagesight.segment.nodes import named
from pagesight.segment.text import folded, rejoined, squeeze

_NUMBER = re.compile(
    r"^[\[(]?(\d{1,4})[\])]?[.:]?\s+(?=\S)|^[\[(](\d{1,4})[\])][.:]?\s*|^(\d{1,4})\.\s*(?=\D)"
)
_LINKS = re.compile(rf"\W*(?:{unwrapped(GENERAL['link_texts'])})\W*", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")
_CAPTION = re.compile(r"(?:^|(?<=[.,;]))\s*[A-Z][a-z]+(?: [A-Za-z]+){0,2}:\s*$")  # "Cited by:"
# Where links were, or elements meet.
_APART = re.compile(r"[\[(]\s*[\])]|\s+(?=[,.;)\]](?:\s|$))")
_DATED = re.compile(r"(?:1[89]|20)(?<!\d\d\d)\d\d(?!\d)")  # "Chest2010;137" as well
_ABBREVIATED = re.compile(r"\b(?:[A-Z]|pp?|no|nos|vol|vols|al|eds?|art|[A-Z][a-z]{1,4})\.$")
_CUT_OFF = re.compile(  # an identifier whose rest is on the next line, which nothing follows
    r"(10\.(?<=\b10\.)\d{4,9}/\S*[./()_:-])\s(?!pmid)(?=\S*\d)([\da-z(\[]\S*)$"
)
_ADDRESS = re.compile(r"(?:https?:|doi\s?:)", re.IGNORECASE)
_RANGE = re.compile(r"(?:1[89]|20)\d\d\s?[;,:]|\d+\s?[:(–-]\s?\d")  # year, volume or pages
_UNENDED = (",", "&", "and", "–", "-", ":", ";", "/")  # at the end of a line that continues
FEWEST_ITEMS = 3
LEAST_SHARE = 0.02  # of the items, which a link has to end not to be a part of any
LEAST_LINKED = 0.1  # of the items, which a line of links has to be in not to be a part of any
LEAST_PLAIN = 0.3  # the same of a last line without links: journals repeat, too
MOSTLY_LINKS = 0.5  # the share of links in a line of links
MOST_IN_ACTION = 3  # words of a link that says what it does: "Search in MathSciNet"
LONGEST_LINK = 60  # characters of what a link to a search engine is called
FEWEST_NUMBERED = 5
FEWEST_MIXED = 5  # in a list of which some have no year
MOSTLY = 0.7
BEGINNING = 60  # characters by which an item is known again
NEAR = 2  # zones below a heading, in which a list of a few begins
FEWEST_WORDS = 6  # of an item of such a list
FARTHEST = 12  # zones above the first and below the last entry that may belong to it
LIST_ITEMS = ("li", "dd", "tr")
DEEPEST = 8  # elements between a list and the texts of its items


@dataclass(slots=True)
class CitedItem:
    """One reference: its zones, and what they say."""

    zones: list[int]
    text: str
    number: str | None
    doi: str | None
    url: str | None


def references(labelled: LabelledZones) -> tuple[Reference, ...]:
    """The references of labelled zones, one by one, with their parts."""
    zones = labelled.zones
    cited = items(zones, labelled.labels)
    if not cited:
        return ()
    from pagesight.readers.article.citations.fields import cited_fields
    from pagesight.readers.article.citations.lines import citations_of
    from pagesight.readers.article.citations.weights import shipped_weights

    citations = citations_of(zones, ((item.zones, item.text) for item in cited))
    parsed = cited_fields(citations, [item.doi for item in cited], shipped_weights())
    stated = [StatedValue(item.text, item.zones, marked=bool(item.number)) for item in cited]
    return tuple(
        Reference(**value, number=item.number, url=item.url, **fields)
        for value, item, fields in zip(
            labelled.values("reference", stated), cited, parsed, strict=True
        )
    )


def items(zones: Zones, labels: Sequence[str]) -> list[CitedItem]:
    """The references of a page, in their order."""
    cited = [zone for zone, label in enumerate(labels) if label == "reference"]
    if zones.on_sheets:
        cited = _with_rests(zones, labels, cited)
        groups = max(_numbered_list(zones), _by_lines(zones, cited), key=len)
    else:
        groups = _by_structure(zones, labels, cited)
        groups = max(_headed_list(zones), groups, key=partial(_telling, zones))
    while groups and "dates" in zones.cues[groups[-1][0]]:
        groups = groups[:-1]
    furniture = _furniture(zones, groups)
    listed_items = [_item(zones, group, furniture) for group in groups]
    return _printed_once([item for item in listed_items if len(item.text) > 12])


def _telling(zones: Zones, groups: list[list[int]]) -> int:
    """How many of the items say as much as a reference: a label ("Verde et al., 2010") does not."""
    return sum(_says_enough(zones, group) for group in groups)


def _says_enough(zones: Zones, group: list[int]) -> bool:
    return bool(zones.words[group].sum() >= FEWEST_WORDS)


def _printed_once(listed_items: list[CitedItem]) -> list[CitedItem]:
    """The items without those that are printed again below: in a panel, or in the text."""
    last = {
        (item.number, folded(item.text[: 2 * BEGINNING])[:BEGINNING]): item for item in listed_items
    }
    repeated = len(listed_items) - len(last)
    printed_again = repeated >= max(FEWEST_ITEMS, len(last) / 3)
    return list(last.values()) if printed_again else listed_items


def _by_structure(zones: Zones, labels: Sequence[str], cited: list[int]) -> list[list[int]]:
    """Zones in the groups that the elements around them make: items of a list, rows, paragraphs.

    A list may continue in another one of the same kind.
    """
    parts = {zone for zone, label in enumerate(labels) if label in ("reference", "reference part")}
    groups: list[list[int]] = []
    kinds: set[int] = set()
    while len(cited) >= FEWEST_ITEMS:
        keys = _children(zones.page, _holder(zones.page, zones.heads[cited]), zones.heads)
        sizes = Counter(keys[[zone for zone in cited if keys[zone] >= 0]].tolist())
        more_kinds = set(zones.page.columns["name"][list(sizes)].tolist())
        in_one = sizes.most_common(1)[0][1] > 0.3 * len(cited) + 2
        if len(sizes) < FEWEST_ITEMS or in_one or (kinds and not more_kinds <= kinds):
            break
        kinds |= more_kinds
        taken = {zone for group in groups for zone in group}
        more = _grouped(zones, keys, cited, parts)
        groups += [group for group in more if taken.isdisjoint(group)]
        cited = [zone for zone in cited if keys[zone] < 0]
    return sorted(groups) or [[zone] for zone in cited]


def _grouped(
    zones: Zones, keys: NDArray[np.int64], cited: list[int], parts: set[int]
) -> list[list[int]]:
    """The zones of each element that holds some of a reference, and of those between them.

    If most items of a list do, all of them are entries.
    """
    inside = [zone for zone in cited if keys[zone] >= 0]
    names, held = zones.page.columns["name"], set(keys[inside].tolist())
    kinds = set(names[list(held)].tolist())
    above = (zone for zone in range(inside[0] - 1, -1, -1) if zones.kinds[zone])
    below = (zone for zone in range(inside[-1] + 1, len(zones)) if zones.kinds[zone])
    begin, end = next(above, -1) + 1, next(below, len(zones))  # a list ends at a heading
    grouped: dict[int, list[int]] = {}
    for zone in (np.flatnonzero(keys[begin:end] >= 0) + begin).tolist():
        if names[keys[zone]] in kinds:
            grouped.setdefault(int(keys[zone]), []).append(zone)
    telling = {key for key, group in grouped.items() if _says_enough(zones, group)}
    are_items = named(zones.page, LIST_ITEMS)[list(held)].all()  # a paragraph may be anything
    if are_items and len(held) >= MOSTLY * len(telling):
        return [grouped[key] for key in sorted(held | telling)]
    first, last = inside[0], inside[-1]
    near = range(first - FARTHEST, last + FARTHEST + 1)
    return [
        [zone for zone in group if zone in near and (zone in parts or not first < zone < last)]
        for key, group in grouped.items()
        if key in held or (key in telling and parts.issuperset(group))
    ]


def items_of(zones: Zones, cited: list[int]) -> list[int]:
    """For each zone the element of the list of references that it lies in, or -1."""
    heads = zones.heads
    elements = _children(zones.page, _holder(zones.page, heads[cited]), heads)
    return list(map(int, elements))


def _headed_list(zones: Zones) -> list[list[int]]:
    """The items of a list below a heading ``References``, most of which name a year."""
    best: list[list[int]] = []
    if not any("references" in kinds for kinds in zones.kinds):
        return best
    years = np.array(
        [
            bool(_DATED.search(text)) and "citation" not in cues
            for text, cues in zip(zones.texts, zones.cues, strict=True)
        ]
    )
    years |= _is_counted(zones)
    heads = zones.heads
    for heading, kinds in enumerate(zones.kinds):
        if "references" not in kinds or zones.table[heading]:
            continue
        end = next(_headings_below(zones, heading), len(zones))
        stop = int(heads[end]) if end < len(zones) else len(zones.page)
        dated = np.flatnonzero(years[heading + 1 : end])[:1] + heading + 1
        for zone in dated.tolist():
            groups = _items_around(zones, int(heads[zone]), int(heads[heading]), stop, years)
            if len(groups) >= FEWEST_MIXED or _is_short_list(zones, heading, groups):
                best = max(best, groups, key=len)
    return best


def _is_counted(zones: Zones) -> NDArray[np.bool_]:
    """Which zones are numbered one after the other and say as much as a reference."""
    counted, last = np.zeros(len(zones), np.bool_), 0
    for zone, text in enumerate(zones.texts):
        number = number_of(text)
        counted[zone] = number in (1, last + 1) and zones.words[zone] >= FEWEST_WORDS
        last = number if counted[zone] or number == last + 1 else last
    return counted


def _headings_below(zones: Zones, heading: int) -> Iterator[int]:
    """The headings of other sections below one that look like it: a journal is called Methods."""
    for zone in range(heading + 1, len(zones)):
        if zones.kinds[zone] - zones.kinds[heading]:
            same = zones.bold[zone] == zones.bold[heading] and _same_size(zones, heading, zone)
            if same or zones.font_size[zone] > zones.font_size[heading]:
                yield zone


def _is_short_list(zones: Zones, heading: int, groups: list[list[int]]) -> bool:
    """Whether a few items are references: sentences right below the heading, not navigation."""
    near = bool(groups) and groups[0][0] - heading <= NEAR
    return near and all(_says_enough(zones, group) for group in groups)


def _items_around(
    zones: Zones, node: int, heading: int, stop: int, years: NDArray[np.bool_]
) -> list[list[int]]:
    """The widest list around a node, of elements of one name after the heading, before `stop`."""
    page, heads = zones.page, zones.heads
    parent, name = page.columns["parent"], page.columns["name"]
    above_stop = heads < stop
    best: list[list[int]] = []
    for _ in range(DEEPEST):
        above = int(parent[node])
        if above <= 0:
            break
        children = _children(page, above, heads)
        alike = above_stop & (children > heading) & (name[children] == name[node])
        groups: dict[int, list[int]] = {}
        for zone in np.flatnonzero(alike).tolist():
            groups.setdefault(int(children[zone]), []).append(zone)
        listed = _dated([groups[child] for child in sorted(groups)], years)
        if len(listed) > len(best):
            best = listed
        node = above
    return best


def _dated(groups: list[list[int]], years: NDArray[np.bool_]) -> list[list[int]]:
    """The first groups, most of which name a year, if there are enough; where none does, it ends.

    Of a few, all have to.
    """
    dated = [bool(years[group].any()) for group in groups]
    end = next((at for at in range(len(dated)) if not any(dated[at : at + 2])), len(dated))
    count = sum(dated[:end])
    fewest = FEWEST_MIXED if count < end else 1
    return groups[:end] if count >= max(MOSTLY * end, fewest) else []


def _holder(page: Page, nodes: Array) -> int:
    """The innermost element around most of these nodes."""
    ordered = np.sort(nodes)
    below = np.searchsorted(ordered, page.end)
    below -= np.searchsorted(ordered, np.arange(len(page)), "right")
    return int(np.flatnonzero(below >= 0.6 * len(nodes))[-1])


def _children(page: Page, holder: int, nodes: Array) -> NDArray[np.int64]:
    """The child of `holder` that each node lies in, or -1; a term lies in its description."""
    children = np.flatnonzero(page.columns["parent"] == holder)
    at = np.maximum(np.searchsorted(children, nodes, "right") - 1, 0)
    child = children[at]
    terms = np.flatnonzero(named(page, ("dt",))[children[:-1]] & named(page, ("dd",))[children[1:]])
    described = children.copy()
    described[terms] = children[terms + 1]
    return np.where((child <= nodes) & (nodes < page.end[child]), described[at], -1)


def _with_rests(zones: Zones, labels: Sequence[str], cited: list[int]) -> list[int]:
    """With the rest of an entry that a column or sheet cuts off, if that is taken for a link."""
    rests = {
        zone + 1
        for zone in cited
        if labels[zone + 1 : zone + 2] == ["reference part"]
        and _is_rest(zones.texts[zone], zones.texts[zone + 1])
    }
    return sorted({*cited, *rests})


def _by_lines(zones: Zones, cited: list[int]) -> list[list[int]]:
    """Paragraphs in groups: some continue from the column or sheet before."""
    numbered = {zone for zone in cited if _NUMBER.match(zones.texts[zone])}
    mostly = len(numbered) >= 0.5 * len(cited)
    groups: list[list[int]] = []
    last = 0
    for zone in cited:
        before = zones.texts[groups[-1][-1]] if groups else "."
        continues = zone not in numbered if mostly else _is_rest(before, zones.texts[zone])
        number = number_of(zones.texts[zone])
        if mostly and number != last + 1 and before.endswith(_UNENDED):
            continues = True  # "pages 12–" and "27."
        last = last if continues else number
        if continues and groups:
            groups[-1].append(zone)
        else:
            groups.append([zone])
    return groups


def _is_rest(before: str, text: str) -> bool:
    """Whether a paragraph cannot be but the rest of one that a column or sheet cut off."""
    return not _is_finished(before) and (not text[:1].isupper() or before.endswith(_UNENDED))


def _is_finished(text: str) -> bool:
    """Whether a reference may end so."""
    return text.endswith((".", "]", ")")) and not _ABBREVIATED.search(text)


def _numbered_list(zones: Zones) -> list[list[int]]:
    """The last paragraphs numbered from 1 on that mostly name a year: below a heading, if any."""
    texts = zones.texts
    headings = [zone for zone, kinds in enumerate(zones.kinds) if "references" in kinds]
    first = [zone for zone in range(len(texts)) if number_of(texts[zone]) == 1]
    below = [zone for zone in first if headings and zone > headings[-1]]
    for start in below[:1] or reversed(first):
        groups = _numbered_from(zones, start)
        dated = sum(bool(_DATED.search(texts[zone])) for group in groups for zone in group)
        if len(groups) >= FEWEST_NUMBERED and dated >= 0.7 * len(groups):
            return groups
    return []


def _numbered_from(zones: Zones, start: int) -> list[list[int]]:
    """The paragraphs from `start` on whose numbers follow each other, with what ends them."""
    groups: list[list[int]] = []
    for zone in range(start, len(zones)):
        if number_of(zones.texts[zone]) == len(groups) + 1:
            groups.append([zone])
        elif _continues(zones, groups[-1][-1], zone):
            groups[-1].append(zone)
    return groups


def number_of(text: str) -> int:
    """The number that a text begins with, or 0."""
    number = _NUMBER.match(text)
    return int(next(filter(None, number.groups()))) if number else 0


def _continues(zones: Zones, before: int, zone: int) -> bool:
    """Whether a paragraph ends what another, above in the same list, begins."""
    text = zones.texts[zone]
    located = _ADDRESS.match(text) and not _ADDRESS.search(zones.texts[before])
    more = located or _RANGE.match(text) or not _is_finished(zones.texts[before])
    return _same_size(zones, before, zone) and bool(more)


def _same_size(zones: Zones, one: int, other: int) -> bool:
    sizes = zones.font_size
    return bool(abs(sizes[one] - sizes[other]) < 0.06 * sizes[other])


def _item(zones: Zones, group: list[int], furniture: Collection[str] = ()) -> CitedItem:
    text = squeeze(_APART.sub("", squeeze(_said(zones, group, furniture)))).rstrip(" [(|,")
    if zones.on_sheets:
        text = _CUT_OFF.sub(r"\1\2", rejoined(text))
    number, doi = _NUMBER.match(text), DOI.search(text)
    targets: Iterable[str] = _targets(zones, group)
    if not doi:
        targets = list(targets)
        asked = (re.split(r"[&#]", unquote(target))[0] for target in targets)
        doi = next(filter(None, map(DOI.search, asked)), None)
    url = next((target for target in targets if target.startswith("http")), None)
    bare = text[number.end() :] if number else text
    label = next(filter(None, number.groups()), None) if number else None
    return CitedItem(group, bare, label, doi[0] if doi else None, url)


def _said(zones: Zones, group: list[int], furniture: Collection[str]) -> str:
    """What an item says besides links that lead away; below a line of these, it says no more."""
    said = ""
    for zone in group:
        text = _unlinked(zones, zone, furniture, begins=not said)
        if _WORD.search(text) and zones.texts[zone] not in furniture:
            said += f" {text}"
        elif len(said.split()) >= FEWEST_WORDS:
            break
    return said


def _unlinked(zones: Zones, zone: int, furniture: Collection[str], *, begins: bool) -> str:
    """The text of a zone without links that lead away, their captions, and the signs between."""
    kept: list[str] = []
    after_link = False
    for link, text in _pieces(zones, zone):
        if link >= 0 and (
            _leads_away(text, furniture)
            or _leads_back(zones, link, text, begins=begins and not kept)
        ):
            kept[-1:] = [_CAPTION.sub("", piece) for piece in kept[-1:]]
            after_link = True
        elif not after_link or _WORD.search(text):
            kept.append(text)
            after_link = False
    return "".join(kept)


def _pieces(zones: Zones, zone: int) -> Iterator[tuple[int, str]]:
    """The texts of a zone, links apart: the link, or -1, and the text with the space before it."""
    start, stop = zones.first[zone : zone + 2].tolist()
    pieces = zip(zones.link[start:stop].tolist(), zones.spelled[start:stop], strict=True)
    for link, run in groupby(pieces, key=itemgetter(0)):
        yield link, "".join(text for _, text in run)


def _leads_away(text: str, furniture: Collection[str]) -> bool:
    """Whether the text of a link is no part of a reference: it leads to a search engine, say."""
    called = squeeze(text)
    known = len(called) <= LONGEST_LINK and bool(_LINKS.fullmatch(called))
    acts = called.count(" ") < MOST_IN_ACTION and bool(CUES["action"].match(called))
    return known or acts or called in furniture


def _leads_back(zones: Zones, link: int, text: str, *, begins: bool) -> bool:
    """Whether a short link leads to where the text cites this; one at the beginning names it."""
    target = zones.page.attribute(link, "href") or ""
    is_inside = target.startswith("#") and target != "#"
    return is_inside and not begins and len(text.split()) < FEWEST_WORDS


def _furniture(zones: Zones, groups: Sequence[list[int]]) -> set[str]:
    """What links are called that end several items; and lines of links, or last ones, of many."""
    links: Counter[str] = Counter()
    linked: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for group in groups:
        pieces = [piece for zone in group for piece in _pieces(zones, zone)]
        last = takewhile(lambda piece: piece[0] >= 0 or not _WORD.search(piece[1]), pieces[::-1])
        links.update({squeeze(text) for link, text in last if link >= 0 and _LETTER.search(text)})
        for zone in group[1:]:
            if zones.link_share[zone] > MOSTLY_LINKS:
                linked[zones.texts[zone]] += 1
            elif zone == group[-1] and not _DIGIT.search(zones.texts[zone]):
                plain[zones.texts[zone]] += 1
    return {
        text
        for counts, share in ((links, LEAST_SHARE), (linked, LEAST_LINKED), (plain, LEAST_PLAIN))
        for text, count in counts.items()
        if count >= max(FEWEST_ITEMS, share * len(groups))
    }


def _targets(zones: Zones, group: list[int]) -> Iterator[str]:
    """Where the links in these zones lead, one by one: often the first is enough."""
    for zone in group:
        links = dict.fromkeys(zones.link[zones.first[zone] : zones.first[zone + 1]].tolist())
        for link in links:
            address = (zones.page.attribute(link, "href") or "").strip() if link >= 0 else ""
            if not address.startswith("http") and link >= 0:
                address = zones.page.target(link) or ""
            if address:
                yield address
