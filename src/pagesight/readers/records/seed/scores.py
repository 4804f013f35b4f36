"""The measures of section 6.3, by elements of the vision tree.

A block is a record if it holds all that is known of one record and nothing of another. An element
is right if it shows the attribute that it was called. Of a record all is right if its key
attributes are just what was marked: BLK_IA is the share of such records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pagesight.readers.records.seed.labels import MarkedTree
from pagesight.readers.records.seed.methods import Found

KEYS = ("name", "image", "price")
RECORDS, ALL = "record", "all"


@dataclass
class Tally:
    """By what was read: how many are ``right``, ``read`` and ``marked``."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, name: str, *, right: int = 0, read: int = 0, marked: int = 0) -> None:
        self.counts.setdefault(name, Counter()).update(right=right, read=read, marked=marked)

    def add_all(self, other: Mapping[str, Mapping[str, int]]) -> None:
        for name, count in other.items():
            self.add(name, right=count["right"], read=count["read"], marked=count["marked"])

    def precision(self, name: str) -> float:
        count = self.counts.get(name, Counter())
        return count["right"] / max(1, count["read"])

    def recall(self, name: str) -> float:
        count = self.counts.get(name, Counter())
        return count["right"] / max(1, count["marked"])

    def f1(self, name: str) -> float:
        both = self.precision(name) + self.recall(name)
        return 2 * self.precision(name) * self.recall(name) / both if both else 0.0

    def mean_f1(self, attributes: Sequence[str]) -> float:
        """AVG_F1."""
        return sum(map(self.f1, attributes)) / len(attributes)


def matched(found: Sequence[frozenset[int]], marked: MarkedTree) -> list[int | None]:
    """For each record that was found the one that it is; each is found once at most."""
    known = [frozenset().union(*values.values()) or leaves
             for values, leaves in zip(marked.values, marked.records, strict=True)]  # fmt: skip
    at = {leaf: number for number, leaves in enumerate(known) for leaf in leaves}
    matches: list[int | None] = []
    for record in found:
        touched = {at[leaf] for leaf in record if leaf in at}
        number = touched.pop() if len(touched) == 1 else None
        whole = number is not None and known[number] <= record and number not in matches
        matches.append(number if whole else None)
    return matches


def tally_page(tally: Tally, found: Found, marked: MarkedTree, attributes: Iterable[str]) -> None:
    """Count what was found on a page with a list."""
    counted = [record for record in found.records if not _is_ignored(record, marked)]
    matches = matched(counted, marked)
    right = [match for match in matches if match is not None]
    tally.add(RECORDS, right=len(right), read=len(counted), marked=len(marked.records))
    names = tuple(attributes)
    for attribute in names:
        _tally_attribute(tally, attribute, found, marked)
    keys = [name for name in KEYS if name in names] or names
    whole = sum(
        _all_right(record, match, found, marked, keys)
        for record, match in zip(counted, matches, strict=True)
        if match is not None
    )
    tally.add(ALL, right=whole, read=len(counted), marked=len(marked.records))


def _is_ignored(record: frozenset[int], marked: MarkedTree) -> bool:
    """Whether most of what was found counts neither way."""
    return 2 * len(record & marked.ignored) > len(record)


def _tally_attribute(tally: Tally, attribute: str, found: Found, marked: MarkedTree) -> None:
    wanted = {leaf for leaf, names in marked.of_leaf.items() if attribute in names}
    neither = {leaf for leaf, names in marked.maybe.items() if attribute in names} - wanted
    read = {leaf for leaf, value in found.values.items() if value.attribute == attribute}
    read -= neither | marked.ignored
    wanted -= marked.ignored
    tally.add(attribute, right=len(read & wanted), read=len(read), marked=len(wanted))


def _all_right(
    record: frozenset[int], match: int, found: Found, marked: MarkedTree, keys: Sequence[str]
) -> bool:
    for key in keys:
        wanted = marked.values[match].get(key, frozenset())
        neither = marked.others[match].get(key, frozenset()) - wanted
        read = {leaf for leaf in record if leaf in found.values
                and found.values[leaf].attribute == key}  # fmt: skip
        if read - neither != wanted and not (read and read <= neither):
            return False
    return True
