"""A list that goes on under a heading of its own is two lists: a carousel has the same cards.

Sections of one list have headings that look alike; what others bought has a smaller one than the
list that the page is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.clues import record_clues
from pagesight.readers.records.groups import RUNS, Group
from pagesight.readers.records.model import RECORD, RecordsModel, ScoredList, scored_lists
from pagesight.readers.records.sight import Sight
from pagesight.segment.text import folded, says

Ints = NDArray[np.int64]
ALIKE = 1.0  # px between the font sizes of headings that look alike
PRICED = 0.5  # the share of records with a price: other lists go on under any heading
LEAST_PART = 3  # records of a part that is a list of its own
ASIDE = 5.0  # how much less the score of a list counts that is beside what a page is about
SCROLLED = 0.25  # the share of records beside the window, from which on a list is a carousel
MOST_AHEAD = 3  # texts in front of a list that may be its heading
LONGEST_AHEAD = 60  # characters of these
_ASIDE = re.compile(
    r"also (?:bought|viewed|like|love|purchased|interested|read)|customers who|others bought|"
    r"you (?:may|might|could|will) (?:also )?(?:like|love|enjoy)|recommend(?:ed|ations) for|"
    r"(?:related|similar|recommended) (?:products?|items?|jobs?|articles?|posts?|offers?|hotels?|"
    r"books?)|(?:recently|last) viewed|frequently bought|more like this|inspired by your|"
    r"auch (?:gekauft|angesehen|interessieren|gefallen)|kunden kauften|ähnliche |"
    r"empfehlungen für|für (?:sie|dich) empfohlen|zuletzt (?:an)?gesehen|das könnte (?:ihnen|dir|"
    r"sie|dich)|(?:aussi|également) (?:acheté|consulté|vu|aimé)|vous aimerez|pourraient? vous|"
    r"(?:produits|articles) (?:similaires|associés|apparentés|recommandés)|récemment (?:vus?|"
    r"consultés)|recommand(?:é|ations?) pour|también (?:compraron|vieron|te)|(?:productos?|"
    r"artículos) (?:relacionados|similares|recomendados)|recomenda(?:do|ciones) para|vistos "
    r"recientemente|anche (?:acquistato|comprato|visto)|potrebbe(?:ro)? (?:anche )?(?:piacer|"
    r"interessar)|prodotti (?:correlati|simili|consigliati)|consigliati per|visti di recente|"
    r"também (?:compraram|viram|pode)|produtos (?:relacionados|semelhantes|recomendados)|vistos "
    r"recentemente|ook (?:bekeken|gekocht|interessant|leuk)|vergelijkbare|gerelateerde|aanbevolen "
    r"voor|recent bekeken|(?:köpte|tittade) också|andra köpte|liknande |lignende |relat(?:erade|"
    r"erede|erte) |rekommenderas för|anbefalt? til|podobne|polecane dla|inni kupili|ostatnio "
    r"oglądane|podobné|doporučené pro|naposledy|похожие|рекомендуем (?:вам|также)|с этим (?:"
    r"товаром )?покупают|benzer ürün|sizin için öner|関連商品|おすすめ(?:商品|アイテム)|"
    r"この商品を(?:買った|見た)|最近(?:チェック|閲覧|見た)|相关(?:商品|产品)|为[你您]推荐|"
    r"推荐(?:商品|产品)|猜你喜欢|看了又看|最近浏览|관련 상품|추천 상품|최근 본|함께 구매",
    re.IGNORECASE,
)
"""What the heading of a list says that is beside the one that a page is about.

"Recommended" alone is also an order in which a list may be sorted.
"""


def main_list(model: RecordsModel, sight: Sight, lists: Sequence[ScoredList]) -> ScoredList:
    """The list that suits best, with how probable its records are beside the other lists."""
    best = best_list(model, sight, lists)
    return best._replace(chances=model.judged(RECORD, record_clues(lists, best)))


def best_list(model: RecordsModel, sight: Sight, lists: Sequence[ScoredList]) -> ScoredList:
    """The list that suits best, or the part of it that does.

    What others bought, and what is scrolled to from the side, is beside what a page is about.
    """
    return _main_part(model, sight, _best(sight, lists))


def _best(sight: Sight, lists: Sequence[ScoredList]) -> ScoredList:
    aside = _aside(sight, [scored.group for scored in lists])
    suits = [scored.score - ASIDE * is_it for scored, is_it in zip(lists, aside, strict=True)]
    return lists[suits.index(max(suits))]


def _aside(sight: Sight, groups: Sequence[Group]) -> list[bool]:
    """Which lists are told to be beside the others: by their headings, or their place.

    A heading is of the first list after it.
    """
    title = folded(sight.units.page.head.title or "")
    written = np.flatnonzero(sight.pieces.characters > 0)
    begins = sorted({int(group.first[0]) for group in groups})
    told = set[int]()
    for before, begin in zip([0, *begins], begins, strict=False):
        ahead = written[np.searchsorted(written, before) : np.searchsorted(written, begin)]
        texts = [sight.pieces.texts[at] for at in ahead[-MOST_AHEAD:].tolist()]
        if any(_is_aside(text) and folded(text) not in title for text in texts):
            told.add(begin)
    return [int(group.first[0]) in told or _is_scrolled(sight, group) for group in groups]


def _is_aside(text: str) -> bool:
    return len(text) <= LONGEST_AHEAD and says(text, _ASIDE)


def _is_scrolled(sight: Sight, group: Group) -> bool:
    """Whether much of a list begins to the right of the window."""
    width = sight.units.page.info.viewport[0]
    return bool((sight.boxes(group.first, group.last)[:, 0] >= width).mean() >= SCROLLED)


def _main_part(model: RecordsModel, sight: Sight, scored: ScoredList) -> ScoredList:
    """The part of a list of products that suits best as one; all if its headings look alike."""
    cuts = _cuts(sight, scored.group)
    if not len(cuts) or scored.features["with prices"] < PRICED:
        return scored
    of_part = np.searchsorted(cuts, np.arange(len(scored.group)), side="right")
    parts = [scored.group.only(of_part == part) for part in range(len(cuts) + 1)]
    best = _best(sight, scored_lists(model, sight, parts))
    return best if len(best.group) >= LEAST_PART else scored


def _cuts(sight: Sight, group: Group) -> Ints:
    """The members that begin another list: they are elsewhere, or have another class."""
    none = np.zeros(0, dtype=np.int64)
    if group.how == RUNS:
        return none
    pieces = np.flatnonzero(sight.pieces.heading)
    before = np.searchsorted(pieces, group.first) - 1  # the last heading in front of each
    headed = before[1:] > np.searchsorted(pieces, group.last[:-1]) - 1
    moved = np.diff(sight.units.parent[group.heads]) != 0
    renamed = np.zeros(len(headed), dtype=np.bool_)
    renamed[headed] = [one != other for one, other in pairwise(_shared(sight, group, headed))]
    begins = np.flatnonzero(headed & (moved | renamed)) + 1
    if not len(begins) or before[0] < 0:
        return none
    size = sight.pieces.size[pieces[before]]
    aside = np.array([_is_aside(sight.pieces.texts[pieces[before[at]]]) for at in begins.tolist()])
    return np.asarray(begins[(np.abs(size[begins] - size[0]) > ALIKE) | aside])


def _shared(sight: Sight, group: Group, headed: NDArray[np.bool_]) -> list[frozenset[str]]:
    """The classes that all members between two headings have: each may have others of its own."""
    classes = [frozenset(sight.classes[head].split()) for head in group.heads.tolist()]
    ends = [0, *(np.flatnonzero(headed) + 1).tolist(), len(classes)]
    return [frozenset.intersection(*classes[one:other]) for one, other in pairwise(ends)]
