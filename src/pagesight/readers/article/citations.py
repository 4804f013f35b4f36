"""References: the items of the list that reference zones make up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.readers.article.cues import CUES, JOURNAL
from pagesight.readers.article.headings import heading_kinds
from pagesight.readers.article.identifiers import DOI
from pagesight.readers.article.zones import Zones

_NUMBER = re.compile(
    r"^[\[(]?(\d{1,4})[\])]?[.:]?\s+(?=\S)|^[\[(](\d{1,4})[\])][.:]?\s*|^(\d{1,4})\.\s*(?=\D)"
)
_LINKS = re.compile(
    r"""\W*(?:cross\ ?ref|pub\ ?med(?:\ central)?|google\ scholar|search\ google\ scholar.*|medline|
    scopus|cas|chemport|isi|ads|web\ of\ science.*|article|full\ text.*|publisher\ full\ text|
    view\ (?:article|record|in\ article|at\ publisher).*|abstract.*|free\ full\ text.*|pdf.*|
    download.*|open\ ?url.*|find\ .*|export\ citation|go\ to\ reference.*|links?|order\ .*|bmc\ .*|
    europe\ pmc.*|pmc\ free\ .*|mathscinet|zentralblatt.*|inspec|external\ link|doi|ref\ list|top|
    ↵|\^|[abc]|\d{1,3}(?=\ ?$)|\[?(?:cited\ (?:by|\d+).*|\(\d+\))\]?|
    article\ (?:google|cas|ads|pubmed).*|reference)\W*""",
    re.IGNORECASE | re.VERBOSE,
)
_TRAILING = re.compile(
    r"""(?:[\s\[\](),.|;/]*\b(?:CrossRef|PubMed(?:\ Central|\ Abstract)?|Google\ Scholar|Medline|
    Web\ of\ Science|View\ Article|Article|CAS|ADS|ISI|Full\ Text|Publisher\ Full\ Text|
    Free\ Full\ Text|Abstract|OpenUrl|PMC\ free\ article|BioMed\ Central\ Full\ Text|
    Search\ Google\ Scholar|Export\ Citation|webcite)\b[\s\[\](),|;/]*)+$""",
    re.VERBOSE,
)
_DATED = re.compile(r"(?:1[89]|20)(?<!\d\d\d)\d\d(?!\d)")  # "Chest2010;137" as well
FEWEST_ITEMS = 3
FEWEST_NUMBERED = 5
FEWEST_MIXED = 5  # in a list of which some have no year
MOSTLY = 0.7
NEAR = 2  # zones below a heading, in which a list of a few begins
FEWEST_WORDS = 6  # of an item of such a list
MOST_LISTS = 8  # that are looked at where no heading tells the references
DEEPEST = 8  # elements between a list and the texts of its items


@dataclass(slots=True)
class Item:
    """One reference: its zones, and what they say."""

    zones: list[int]
    text: str
    number: str | None
    doi: str | None
    url: str | None

    @property
    def year(self) -> str | None:
        """The year in parentheses if there is one, otherwise the last that is no page number."""
        found = re.findall(r"\(((?:1[89]|20)\d\d)[a-z]?\b", self.text) or _DATED.findall(self.text)
        return found[0][:4] if found else None


def items(zones: Zones, labels: Sequence[str]) -> list[Item]:
    """The references of a page, in their order."""
    cited = [zone for zone, label in enumerate(labels) if label == "reference"]
    if zones.page.info.media == "pdf":
        groups = max(_by_lines(zones, cited), _numbered_list(zones), key=len)
    else:
        groups = _by_structure(zones, labels, cited) if cited else []
        groups = max(groups, _headed_list(zones), key=len) or _unheaded_list(zones)
    found = [_item(zones, group) for group in groups]
    return [item for item in found if len(item.text) > 12]


def _by_structure(zones: Zones, labels: Sequence[str], cited: list[int]) -> list[list[int]]:
    """Zones in the groups that the elements around them make: items of a list, rows, paragraphs."""
    page = zones.page
    heads = {zone: zones.nodes_of(zone)[0] for zone in cited}
    holder = _holder(page, list(heads.values()))
    keys = {zone: _child(page, holder, node) for zone, node in heads.items()}
    sizes = Counter(keys.values())
    if len(sizes) < FEWEST_ITEMS or sizes.most_common(1)[0][1] > 0.3 * len(cited) + 2:
        return [[zone] for zone in cited]
    parts = {
        zone: _child(page, holder, zones.nodes_of(zone)[0])
        for zone in range(cited[0], min(cited[-1] + 12, len(zones)))
        if labels[zone] in ("reference", "reference part") or zone > cited[-1]
    }
    wanted = set(keys.values()) - {-1}
    grouped: dict[int, list[int]] = {}
    for zone, key in parts.items():
        if key in wanted:
            grouped.setdefault(key, []).append(zone)
    return list(grouped.values())


def items_of(zones: Zones, cited: list[int]) -> list[int]:
    """For each zone the element of the list of references that it lies in, or -1."""
    heads = zones.nodes[zones.first[:-1]].tolist()
    holder = _holder(zones.page, [heads[zone] for zone in cited])
    return [_child(zones.page, holder, head) for head in heads]


def _headed_list(zones: Zones) -> list[list[int]]:
    """The items of a list below a heading ``References``, most of which name a year."""
    best: list[list[int]] = []
    years = np.array(
        [bool(_DATED.search(text)) and not CUES["citation"].match(text) for text in zones.texts],
        dtype=np.bool_,
    )
    heads = zones.nodes[zones.first[:-1]]
    for heading, kinds in enumerate(zones.kinds):
        if "references" not in kinds:
            continue
        after = (zone for zone in range(heading + 1, len(zones)) if zones.kinds[zone] - kinds)
        end = next(after, len(zones))
        stop = int(heads[end]) if end < len(zones) else len(zones.page)
        dated = np.flatnonzero(years[heading + 1 : min(heading + 40, end)])[:1] + heading + 1
        for zone in dated.tolist():
            found = _items_around(zones, int(heads[zone]), int(heads[heading]), stop, years)
            if len(found) >= FEWEST_MIXED or _is_short_list(zones, heading, found):
                best = max(best, found, key=len)
    return best


def _unheaded_list(zones: Zones) -> list[list[int]]:
    """The last ordered list that reads like references, where no heading says so: of a letter."""
    page, heads = zones.page, zones.nodes[zones.first[:-1]]
    citing = [bool(JOURNAL.search(text) and _DATED.search(text)) for text in zones.texts]
    lists = {
        _list_around(page, int(heads[zone])): zone for zone, cites in enumerate(citing) if cites
    }
    for holder, zone in sorted(lists.items(), reverse=True)[:MOST_LISTS]:
        if holder < 0 or "citing" in _heading_above(zones, zone):
            continue
        groups: dict[int, list[int]] = {}
        for own in np.flatnonzero((heads > holder) & (heads < page.end[holder])).tolist():
            groups.setdefault(_child(page, holder, int(heads[own])), []).append(own)
        if all(any(citing[own] for own in group) for group in groups.values()):
            return list(groups.values())
    return []


def _list_around(page: Page, node: int) -> int:
    """The ordered list that a node lies in, or -1."""
    for _ in range(DEEPEST):
        node = int(page.columns["parent"][node])
        if node < 0 or page.name(node) == "ol":
            return node
    return -1


def _heading_above(zones: Zones, zone: int) -> frozenset[str]:
    """What the last heading above a zone is."""
    return next((zones.kinds[at] for at in range(zone, -1, -1) if zones.kinds[at]), frozenset())


def _is_short_list(zones: Zones, heading: int, groups: list[list[int]]) -> bool:
    """Whether a few items are references: sentences right below the heading, not navigation."""
    near = bool(groups) and groups[0][0] - heading <= NEAR
    return near and all(zones.words[group].sum() >= FEWEST_WORDS for group in groups)


def _items_around(
    zones: Zones, node: int, heading: int, stop: int, years: NDArray[np.bool_]
) -> list[list[int]]:
    """The widest list around a node, of elements of one name after the heading, before `stop`."""
    page, heads = zones.page, zones.nodes[zones.first[:-1]]
    parent, name = page.columns["parent"], page.columns["name"]
    best: list[list[int]] = []
    for _ in range(DEEPEST):
        above = int(parent[node])
        if above <= 0:
            break
        alike = [
            child.id
            for child in page[above].children
            if name[child.id] == name[node] and child.id > heading
        ]
        groups = [np.flatnonzero((heads >= one) & (heads < stop)) for one in alike]
        groups = [
            group[heads[group] < page.end[one]] for one, group in zip(alike, groups, strict=True)
        ]
        listed = _dated([group.tolist() for group in groups if len(group)], years)
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


def _holder(page: Page, nodes: Sequence[int]) -> int:
    """The innermost element around most of these nodes."""
    counts: Counter[int] = Counter()
    parent = page.columns["parent"]
    for node in nodes:
        above = int(parent[node])
        while above >= 0:
            counts[above] += 1
            above = int(parent[above])
    return max(node for node, count in counts.items() if count >= 0.6 * len(nodes))


def _child(page: Page, holder: int, node: int) -> int:
    """The child of `holder` that a node lies in, or -1."""
    parent = page.columns["parent"]
    while node >= 0 and int(parent[node]) != holder:
        node = int(parent[node])
    return node


def _by_lines(zones: Zones, cited: list[int]) -> list[list[int]]:
    """Paragraphs in groups: some go on from the column or sheet before."""
    numbered = {zone for zone in cited if _NUMBER.match(zones.texts[zone])}
    groups: list[list[int]] = []
    for zone in cited:
        text = zones.texts[zone]
        unfinished = bool(groups) and not zones.texts[groups[-1][-1]].endswith((".", "]", ")"))
        goes_on = zone not in numbered and (
            len(numbered) >= 0.5 * len(cited) or (text[:1].islower() and unfinished)
        )
        if goes_on and groups:
            groups[-1].append(zone)
        else:
            groups.append([zone])
    return groups


def _numbered_list(zones: Zones) -> list[list[int]]:
    """The last paragraphs numbered from 1 on that mostly name a year: below a heading, if any."""
    texts = zones.texts
    headings = [zone for zone, text in enumerate(texts) if "references" in heading_kinds(text)]
    first = [zone for zone in range(len(texts)) if _number(texts[zone]) == 1]
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
        if _number(zones.texts[zone]) == len(groups) + 1:
            groups.append([zone])
        elif _goes_on(zones, groups[-1][-1], zone):
            groups[-1].append(zone)
    return groups


def _number(text: str) -> int:
    """The number that a text begins with, or 0."""
    found = _NUMBER.match(text)
    return int(next(filter(None, found.groups()))) if found else 0


def _goes_on(zones: Zones, before: int, zone: int) -> bool:
    """Whether a paragraph ends what another, above in the same list, begins."""
    same_size = abs(zones.font_size[zone] - zones.font_size[before]) < 0.06 * zones.font_size[zone]
    return bool(same_size) and not zones.texts[before].endswith((".", ")", "]"))


def _item(zones: Zones, group: list[int]) -> Item:
    texts = [text for zone in group if (text := _text(zones, zone))]
    text = _joined(texts) if zones.page.info.media == "pdf" else " ".join(texts)
    text = _TRAILING.sub("", text).strip()
    number = _NUMBER.match(text)
    found = DOI.search(text) or next(filter(None, map(DOI.search, _targets(zones, group))), None)
    url = next((each for each in _targets(zones, group) if each.startswith("http")), None)
    bare = text[number.end() :] if number else text
    label = next(filter(None, number.groups()), None) if number else None
    return Item(group, bare, label, found[0] if found else None, url)


def _joined(lines: list[str]) -> str:
    """Lines as one text; a hyphen at the end of a line is taken for a divided word."""
    text = ""
    for line in lines:
        if text.endswith("-") and line[:1].islower():
            text = text[:-1] + line
        else:
            text = f"{text} {line}" if text else line
    return text


def _text(zones: Zones, zone: int) -> str:
    """The text of a zone without its links to search engines and the like."""
    parts = []
    start, stop = zones.first[zone : zone + 2].tolist()
    pieces = zip(zones.link[start:stop].tolist(), zones.spelled[start:stop], strict=True)
    for link, run in groupby(pieces, key=itemgetter(0)):
        text = "".join(spelled for _, spelled in run)
        if link < 0 or not _LINKS.fullmatch(text.strip()):
            parts.append(text)
    whole = " ".join("".join(parts).split())
    return "" if _LINKS.fullmatch(whole) and not re.fullmatch(r"\W*\d+\W*", whole) else whole


def _targets(zones: Zones, group: list[int]) -> Iterator[str]:
    """Where the links in these zones lead, one by one: often the first is enough."""
    for zone in group:
        links = dict.fromkeys(zones.link[zones.first[zone] : zones.first[zone + 1]].tolist())
        for link in links:
            if link >= 0 and (target := zones.page.target(link)):
                yield target
