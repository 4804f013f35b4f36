"""Whether the parts that are learned without a selector are those that people want."""

from __future__ import annotations

from statistics import mean

import numpy as np

from pagesight.learning.corpora import Corpora
from pagesight.learning.tables import table
from pagesight.watch.components.learn import PICKED, all_parts
from pagesight.watch.components.learning.corpus import HOME_REDESIGN, SAME, YEARS_APART, Pair, pairs
from pagesight.watch.components.learning.examples import is_right
from pagesight.watch.components.sight import sight_of

GRANULARITIES = (0.35, 0.5, 0.6, PICKED, 0.7, 0.8)
WANTED_BY_HAND = {HOME_REDESIGN: "portals", YEARS_APART: "portals", SAME: "terms"}
Counts = tuple[int, float]  # the parts that are offered, and the share of the wanted among them


def offered_table(corpora: Corpora) -> str:
    """By granularity: how many parts a page has, and how many of those wanted are among them.

    Sections of portals are those that a list of ours names, legal terms those that a maintained
    selector does. Sites count alike, and each page once.
    """
    of_kind: dict[str, dict[str, dict[str, list[Counts]]]] = {}
    for pair in pairs(corpora):
        kind, before = WANTED_BY_HAND.get(pair.setting), pair.name.split(" to ")[0]
        if kind and pair.parts and before not in of_kind.setdefault(kind, {}).get(pair.site, {}):
            of_kind[kind].setdefault(pair.site, {})[before] = _offered(pair)
    lines = [
        [
            f"{granularity:.2f}",
            *(number for sites in of_kind.values() for number in _means(sites, at)),
        ]
        for at, granularity in enumerate(GRANULARITIES)
    ]
    header = ["granularity", *(name for kind in of_kind for name in (f"parts, {kind}", "wanted"))]
    return table(header, lines, title=f"Parts that are learned without a selector ({PICKED})")


def _offered(pair: Pair) -> list[Counts]:
    """What each granularity offers on the last page before."""
    sight = sight_of(pair.pages[-2])
    wanted = [[int(sight.units.of_node[node]) for node in part[-2]] for part in pair.parts]
    counts = []
    for granularity in GRANULARITIES:
        units = np.array([unit for _, unit, _ in all_parts(sight, granularity)], dtype=np.int64)
        counts.append(
            (len(units), mean(bool(is_right(sight, part, units).any()) for part in wanted))
        )
    return counts


def _means(sites: dict[str, dict[str, list[Counts]]], at: int) -> tuple[float, float]:
    """Of one granularity, over sites."""
    of_site = [[counts[at] for counts in pages.values()] for pages in sites.values()]
    parts, wanted = (
        mean(mean(page[which] for page in pages) for pages in of_site) for which in (0, 1)
    )
    return parts, wanted
