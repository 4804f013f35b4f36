"""Feeds of what is new in a part: Atom and JSON Feed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5
from xml.etree import ElementTree as ET

from pagesight.output.xml import add, add_text, document
from pagesight.sources.source import is_address
from pagesight.watch.changes import item_changes, pictures
from pagesight.watch.values import Item, Observation, Part

MOST_ENTRIES = 200  # of a feed, the newest
ATOM = "http://www.w3.org/2005/Atom"
JSON_FEED = "https://jsonfeed.org/version/1.1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was new in a part."""

    id: str
    """The same whenever the feed is made."""

    title: str
    text: str
    url: str | None
    time: datetime


def entries(
    part: Part, observations: Sequence[Observation], before: Observation | None = None
) -> tuple[Entry, ...]:
    """What was new, the newest first: items of the part, or the part itself if it has none.

    An item is new once, also if it was away in between. What was there `before` these observations
    is not new.
    """
    found: dict[str, Entry] = {}
    for seen in observations:
        if seen.status.is_present:
            for entry in _entries(part, before, seen):
                found.setdefault(entry.id, entry)
            before = seen
    newest_last = sorted(found.values(), key=lambda entry: entry.time)
    return tuple(reversed(newest_last[-MOST_ENTRIES:]))


def _entries(part: Part, before: Observation | None, seen: Observation) -> Iterator[Entry]:
    """What is new since the part was present before."""
    new, _, _ = item_changes(before.items if before else (), seen.items)
    counts = Counter(item.url for item in seen.items)
    for item in reversed(new):  # what is on top comes first in the end
        urn = _urn(part, item, is_alone=counts[item.url] == 1)
        yield Entry(urn, item.title, item.text, _web(item.url), seen.time)
    if not seen.items and not (before and _is_same(before, seen)):
        urn = _named(part, f"observation {seen.number}")
        title = f"{part.name}: {seen.text.partition(chr(10))[0]}"
        yield Entry(urn, title, seen.text, _web(part.page.address), seen.time)


def _is_same(before: Observation, after: Observation) -> bool:
    return before.text == after.text and pictures(before.html) == pictures(after.html)


def _urn(part: Part, item: Item, *, is_alone: bool) -> str:
    """The name of an item: where it leads, if no other one does, or else also what it says."""
    if item.url and is_alone:
        return _named(part, item.url)
    return _named(part, f"{item.url or ''}\n{item.text}")


def _named(part: Part, name: str) -> str:
    return uuid5(UUID(part.uid), name).urn


def _web(url: str | None) -> str | None:
    """An address that leads somewhere for everybody who gets a feed."""
    return url if url and is_address(url) else None


def atom(part: Part, observations: Sequence[Observation], before: Observation | None = None) -> str:
    """The feed of a part, as Atom (RFC 4287)."""
    listed = entries(part, observations, before)
    root = ET.Element("feed", {"xmlns": ATOM})
    add(root, "id", UUID(part.uid).urn)
    add(root, "title", _title(part))
    add(root, "updated", _written(listed[0].time if listed else part.added))
    add(add(root, "author"), "name", _title(part))
    if url := _web(part.page.address):
        add(root, "link", href=url, rel="alternate")
    for entry in listed:
        _add_entry(root, entry)
    return document(root)


def _add_entry(root: ET.Element, entry: Entry) -> None:
    element = add(root, "entry")
    add(element, "id", entry.id)
    add(element, "title", entry.title)
    add(element, "updated", _written(entry.time))
    if entry.url:
        add(element, "link", href=entry.url, rel="alternate")
    add_text(element, "content", entry.text, type="text")


def json_feed(
    part: Part, observations: Sequence[Observation], before: Observation | None = None
) -> str:
    """The feed of a part, as JSON Feed 1.1."""
    feed: dict[str, Any] = {"version": JSON_FEED, "title": _title(part)}
    if url := _web(part.page.address):
        feed["home_page_url"] = url
    feed["items"] = [
        {"id": entry.id, "title": entry.title, "content_text": entry.text,
         "date_published": _written(entry.time)} | ({"url": entry.url} if entry.url else {})
        for entry in entries(part, observations, before)
    ]  # fmt: skip
    return json.dumps(feed, ensure_ascii=False, indent=2) + "\n"


def _title(part: Part) -> str:
    return f"{part.name}: {part.page.address}"


def _written(time: datetime) -> str:
    return time.isoformat(timespec="seconds")
