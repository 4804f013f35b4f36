"""Cases to learn from: a part as it was, and the candidates on a page of another day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.watch.components.evidence import Candidates, candidates, compared
from pagesight.watch.components.index import Seen, seen_on
from pagesight.watch.components.learning.corpus import Pair, Part, brand_of, pairs, without
from pagesight.watch.components.profile import Profile, profile_of
from pagesight.watch.components.sight import Sight, sight_of

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WHOLE = 0.9  # of what a part shows, that an answer must hold
LEFT_OUT = 0.5  # of the rest of the page, that an answer must leave out
ALIKE = 0.8  # of what the part and the answer show together, that is in both
TWICE = 0.5  # likeness from which on a page shows a part a second time
NAMED_PAGES = "home, own names"
ALONE = 3  # of so many parts one is looked for without its relatives
EVERY = 2  # of so many parts one is also looked for on a page that lacks it


@dataclass(frozen=True, eq=False)
class Case:
    """The candidates for a part, which of them are right, and how much each two have in common."""

    brand: str
    setting: str
    name: str
    gone: bool
    """Whether the part was taken off the page, so that no answer is right."""

    found: Candidates
    right: Flags
    overlap: Floats


def is_right(sight: Sight, wanted: Sequence[int], units: Ints) -> Flags:
    """Which units hold what is wanted, and not much else.

    On a page that consists of little else, `body` holds what is wanted. So an answer must also
    leave out half of the rest.
    """
    parts = np.array(wanted, dtype=np.int64)
    if not len(parts):
        return np.zeros(len(units), dtype=np.bool_)
    held = sight.shared(units[:, None], parts[None, :]).sum(axis=1)
    return _fits(sight, parts, held, sight.shown[units])


def are_right(sight: Sight, wanted: Sequence[int], units: Sequence[int]) -> bool:
    """Whether disjoint units together hold what is wanted, and not much else."""
    parts, answer = (np.array(each, dtype=np.int64) for each in (wanted, units))
    held = sight.shared(answer[:, None], parts[None, :]).sum()
    return bool(_fits(sight, parts, held, sight.shown[answer].sum()))


def _fits(sight: Sight, parts: Ints, held: Ints, shown: Ints) -> Flags:
    """By how much of the parts answers hold, and how much they show."""
    wanted = int(sight.shown[parts].sum())
    beside = shown - held
    apart = beside <= LEFT_OUT * (int(sight.shown[0]) - wanted)
    return np.asarray(
        (held >= WHOLE * wanted) & apart & (held >= ALIKE * (wanted + beside)), dtype=np.bool_
    )


def cases(corpora: Corpora) -> Iterator[Case]:
    """The cases of a corpus, each part learned from one snapshot."""
    turn = 0
    for pair in pairs(corpora):
        seen = seen_on(sight_of(pair.pages[-2]))
        single = [part for part in pair.parts if len(part[-2]) == len(part[-1]) == 1]
        for part in single:  # of several elements, nobody knows which is which
            turn += 1
            relatives = _relatives(pair, part, single) if turn % ALONE else []
            yield from _cases(pair, part, seen, relatives, also_gone=turn % EVERY == 0)


def _relatives(pair: Pair, part: Part, parts: Sequence[Part]) -> list[str]:
    """The families, after, of the parts that were siblings of this one before."""
    before, after = (sight_of(page) for page in pair.pages[-2:])
    family = before.family(_unit(before, part[-2][0]))
    return [
        after.family(_unit(after, other[-1][0]))
        for other in parts
        if other is not part and before.family(_unit(before, other[-2][0])) == family
    ]


def _cases(
    pair: Pair,
    part: Part,
    seen: Seen,
    relatives: Sequence[str],
    *,
    also_gone: bool,
) -> Iterator[Case]:
    before, after = (sight_of(page) for page in pair.pages[-2:])
    old, new = (_unit(sight, nodes[0]) for sight, nodes in ((before, part[-2]), (after, part[-1])))
    profile = profile_of(before, old)

    def case(sight: Sight, wanted: int | None, setting: str = pair.setting) -> Case:
        known = () if setting == NAMED_PAGES else relatives
        found = candidates(compared(sight, seen), profile, known)
        right = is_right(sight, [] if wanted is None else [wanted], found.unit)
        overlap = sight.overlap(found.unit[:, None], found.unit[None, :])
        brand = brand_of(pair.site)
        return Case(brand, setting, pair.name, wanted is None, found, right, overlap)

    yield case(after, new)
    if also_gone:
        rest = page_without(pair.pages[-1], part[-1])
        if rest is not None:
            yield case(sight_of(rest), None)
    else:  # a page with its own names teaches that names can be trusted
        yield from (case(sight_of(page), new, NAMED_PAGES) for page in pair.named)


def _unit(sight: Sight, node: int) -> int:
    return int(sight.units.of_node[node])


def _is_there_twice(part: Profile, rest: Sight) -> bool:
    """Whether a page without a part shows the same once more: a menu for phones, for example."""
    found = candidates(compared(rest, seen_on(rest)), part)
    return bool(found.table["shown"].max(initial=0) > TWICE)


def page_without(page: Page, part: Sequence[int]) -> Page | None:
    """The page without a part; None if it shows the same once more."""
    sight = sight_of(page)
    rest = without(page, part)
    profiles = (profile_of(sight, _unit(sight, node)) for node in part)
    return None if any(_is_there_twice(known, sight_of(rest)) for known in profiles) else rest
