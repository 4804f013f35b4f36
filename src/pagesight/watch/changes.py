"""What changed between two observations: as text, as marked HTML, and as numbers."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from pagesight.watch.extras import not_installed
from pagesight.watch.values import Item, Observation, Sight, Status

CONTEXT = 2  # lines around a change
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The difference between two observations of a part."""

    before: Observation
    after: Observation
    new_items: tuple[Item, ...]
    gone_items: tuple[Item, ...]
    changed_items: tuple[Item, ...]
    """As they are now: other words at the same address."""

    words_added: int
    words_removed: int

    @property
    def text(self) -> str:
        """The lines that differ, as `diff -u` writes them."""
        return text_diff(self.before, self.after)

    @property
    def html(self) -> str:
        """The part as it is now, with what is new and what is gone marked; a whole document."""
        try:
            from pagesight.watch.marking import marked_document
        except ModuleNotFoundError as error:
            raise not_installed(error) from error
        return marked_document(self.before, self.after)

    @property
    def summary(self) -> str:
        """In one line: ``3 new items, 1 gone``."""
        return summary_of(self)

    def to_json(self, *, html: bool = True) -> dict[str, Any]:
        """As plain values; without the marked document, which takes the longest, if not `html`."""
        fields = {
            "before": {"number": self.before.number, "time": self.before.time.isoformat()},
            "after": {"number": self.after.number, "time": self.after.time.isoformat()},
            "status": {"before": self.before.status.value, "after": self.after.status.value},
            "summary": self.summary,
            "new_items": [item.to_json() for item in self.new_items],
            "gone_items": [item.to_json() for item in self.gone_items],
            "changed_items": [item.to_json() for item in self.changed_items],
            "words_added": self.words_added,
            "words_removed": self.words_removed,
            "text": self.text,
        }
        return fields | ({"html": self.html} if html else {})


def compare(before: Observation, after: Observation, known: Observation | None = None) -> Changes:
    """What changed from one observation to another.

    `known` is the last one in which the part was present, if it was not in `before`: items and
    words that were there then are not new. Those of a candidate are not the part's, as long as it
    is unsure.
    """
    since = before if before.status.is_present else known
    new, gone, changed = _item_changes(since, after)
    words = [Counter(_WORD.findall(seen.text)) for seen in _comparable(since or before, after)]
    return Changes(
        before=before,
        after=after,
        new_items=new,
        gone_items=gone,
        changed_items=changed,
        words_added=(words[1] - words[0]).total(),
        words_removed=(words[0] - words[1]).total(),
    )


def _comparable(since: Observation, after: Observation) -> tuple[Observation, Observation]:
    """Two observations of the part: where one is of a candidate, the other one twice."""
    if after.status is Status.UNSURE:
        return since, since
    return (since, after) if since.status is not Status.UNSURE else (after, after)


def differs(before: Observation, after: Sight | Observation) -> bool:
    """Whether a sight is worth a new observation: a visitor would notice.

    Names of classes, boxes and the like may be others on every day, and say nothing. Where a part
    is unsure, so is what it says: another candidate is another observation.
    """
    if _presence(before.status) != _presence(after.status):
        return True
    if before.text != after.text or any(item_changes(before.items, after.items)):
        return True
    return pictures(before.html) != pictures(after.html)


def _presence(status: Status) -> Status:
    return Status.FOUND if status.is_present else status


def pictures(html: str) -> list[str]:
    """Where the pictures of a part are, without queries: those are often as new as the page."""
    if "<img" not in html:
        return []
    found = LexborHTMLParser(html).css("img[src]")
    return [_without_query(node.attributes["src"] or "") for node in found]


def _without_query(address: str) -> str:
    try:
        return urlsplit(address)._replace(query="", fragment="").geturl()
    except ValueError:
        return address


# Items

Items = tuple[Item, ...]


def item_changes(before: Sequence[Item], after: Sequence[Item]) -> tuple[Items, Items, Items]:
    """Which items are new, which are gone, and which have changed.

    An item is the same if it leads to the same address, if no other one of the part does; or else
    if it says the same. So neither a count of comments nor a session in the address makes one new.
    """
    by_address, by_text = _by_address(before), Counter(item.text for item in before)
    addresses = _by_address(after)
    new, changed, kept = [], [], set[str | None]()
    for item in after:
        known = by_address.get(item.url) if addresses.get(item.url) else None
        if known is not None:
            kept.add(item.url)
            by_text[known.text] -= 1
            if known.text != item.text:
                changed.append(item)
    for item in after:
        if item.url in kept:
            continue
        if by_text[item.text] > 0:
            by_text[item.text] -= 1
        else:
            new.append(item)
    return tuple(new), _left(before, by_text, kept), tuple(changed)


def _item_changes(since: Observation | None, after: Observation) -> tuple[Items, Items, Items]:
    if since is None or after.status is Status.UNSURE:
        return (), (), ()
    return item_changes(since.items, after.items)


def _by_address(items: Sequence[Item]) -> dict[str | None, Item]:
    """The items that are alone in leading where they lead."""
    counts = Counter(item.url for item in items)
    return {item.url: item for item in items if item.url and counts[item.url] == 1}


def _left(before: Sequence[Item], by_text: Counter[str], kept: set[str | None]) -> Items:
    """The items that nothing was matched with."""
    gone = []
    for item in before:
        if item.url not in kept and by_text[item.text] > 0:
            by_text[item.text] -= 1
            gone.append(item)
    return tuple(gone)


_TURNS = {
    Status.FOUND: "found again",
    Status.MISSING: "no longer there",
    Status.UNSURE: "may be another part: confirm it",
}


def summary_of(changes: Changes) -> str:
    """What changed, in one line."""
    before, after = _presence(changes.before.status), _presence(changes.after.status)
    if before != after:
        return _TURNS[after]
    if after is Status.UNSURE:
        return "another candidate: confirm it"
    counts = {"new": changes.new_items, "changed": changes.changed_items,
              "gone": changes.gone_items}  # fmt: skip
    told = [f"{len(items)} {name}" for name, items in counts.items() if items]
    if told:
        first = told[0].split()
        noun = "item" if first[0] == "1" else "items"
        return ", ".join([f"{first[0]} {first[1]} {noun}", *told[1:]])
    words = {"added": changes.words_added, "removed": changes.words_removed}
    told = [
        f"{count} {'word' if count == 1 else 'words'} {what}"
        for what, count in words.items()
        if count
    ]
    if not told and pictures(changes.before.html) != pictures(changes.after.html):
        return "another picture"
    return ", ".join(told) or "nothing that is read"


def text_diff(before: Observation, after: Observation) -> str:
    """The lines that differ, in unified format."""
    lines = difflib.unified_diff(
        before.text.splitlines(),
        after.text.splitlines(),
        _named(before),
        _named(after),
        n=CONTEXT,
        lineterm="",
    )
    return "".join(f"{line}\n" for line in lines)


def _named(seen: Observation) -> str:
    return f"observation {seen.number} ({seen.time:%Y-%m-%d %H:%M})"
