"""How well an article was read: the measures of the fields, and of the zones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pagesight.learning.scores import Prf
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.segment.text import dice_of_pairs, folded, pairs, words

SAME = 0.8  # Dice from which two affiliations or references count as the same


def count_persons(wanted: Sequence[Name], found: Sequence[Name]) -> Prf:
    """Match persons one to one."""
    free = list(found)
    right = 0
    for name in wanted:
        for candidate in free:
            if same_person(name, candidate):
                free.remove(candidate)
                right += 1
                break
    return Prf.of(wanted=len(wanted), found=len(found), right=right)


def count_texts(wanted: Sequence[str], found: Sequence[str], same: float = SAME) -> Prf:
    """Match texts one to one, the most similar first; `same` is the Dice that counts as right."""
    ours, theirs = [pairs(text) for text in wanted], [pairs(text) for text in found]
    scores = sorted(
        (
            (-score, row, column)
            for row, one in enumerate(ours)
            for column, other in enumerate(theirs)
            if _may_match(one, other, same) and (score := dice_of_pairs(one, other)) >= same
        ),
    )
    rows: set[int] = set()
    columns: set[int] = set()
    for _, row, column in scores:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
    return Prf.of(wanted=len(wanted), found=len(found), right=len(rows))


def _may_match(one: Counter[str], other: Counter[str], same: float) -> bool:
    """Whether the lengths alone allow that Dice."""
    short, long = sorted((one.total(), other.total()))
    return 2 * short >= same * (short + long)


def distinct(texts: Iterable[str]) -> list[str]:
    """Texts without those that were there before, as tags repeat them for each author."""
    return list({folded("".join(words(text))): text for text in texts if text.strip()}.values())
