"""Feeds: what was new, once."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree as ET

from pagesight.watch.feeds import ATOM, MOST_ENTRIES, atom, entries, json_feed
from pagesight.watch.values import Item, Observation, Part, PartState, Status, WatchedPage

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PAGE = WatchedPage(id=1, address="https://tea.example/", added=NOON, checked=NOON, next_check=NOON)
PART = Part(
    id=7, uid="0" * 31 + "7", page=PAGE, name="News", selector="#news", state=PartState.WATCHED,
    added=NOON,
)  # fmt: skip


def seen(number: int, *titles: str, text: str = "", **more: Any) -> Observation:
    time = NOON + timedelta(hours=number)
    known = Observation(
        part=7, number=number, time=time, last=time, status=Status.FOUND, html="", text=text,
        items=tuple(Item(title, title, f"https://tea.example/{title}") for title in titles),
        box=None, xpath=None, css=None, confidence=None, runner_up=None, changes=(),
        has_picture=False,
    )  # fmt: skip
    return replace(known, **more)


HISTORY = [seen(1, "A", "B"), seen(2, "C", "A", "B"), seen(3, "D", "C"), seen(4, "D", "A")]


def test_an_item_is_new_once_and_the_newest_is_first() -> None:
    listed = entries(PART, HISTORY)
    assert [entry.title for entry in listed] == ["D", "C", "A", "B"]
    assert [entry.time.hour for entry in listed] == [15, 14, 13, 13]


def test_entries_keep_their_names() -> None:
    before = {entry.title: entry.id for entry in entries(PART, HISTORY[:2])}
    after = {entry.title: entry.id for entry in entries(PART, HISTORY)}
    assert before.items() <= after.items()
    assert len(set(after.values())) == len(after)
    other = replace(PART, uid="0" * 31 + "8")
    assert not {entry.id for entry in entries(other, HISTORY)} & set(after.values())


def listed_of(*observations: list[tuple[str, str]]) -> list[str]:
    """The titles of entries, of items that are given as titles and addresses."""
    history = [
        seen(number, items=tuple(Item(title, title, url) for title, url in items))
        for number, items in enumerate(observations, 1)
    ]
    return [entry.title for entry in entries(PART, history)]


def test_a_session_in_an_address_makes_nothing_new() -> None:
    first = [("A", "https://tea.example/a;s=1"), ("B", "https://tea.example/b;s=1")]
    second = [("C", "https://tea.example/c;s=2"), ("A", "https://tea.example/a;s=2")]
    assert listed_of(first, second) == ["C", "A", "B"]


def test_items_that_lead_to_the_same_place_are_told_apart() -> None:
    place = "https://tea.example/all"
    assert listed_of([("A", place), ("B", place)], [("C", place), ("A", place)]) == ["C", "A", "B"]


def test_what_is_seen_again_is_not_new() -> None:
    away = [seen(2, "X", status=Status.UNSURE), seen(3, status=Status.MISSING)]
    history = [seen(1, "A"), *away, seen(4, "B", "A")]
    assert [entry.title for entry in entries(PART, history)] == ["B", "A"]
    history = [seen(1, text="12 €"), *away, seen(4, text="12 €")]
    assert [entry.time.hour for entry in entries(PART, history)] == [13]


def test_a_part_without_items_is_news_itself() -> None:
    history = [seen(1, text="12 €"), seen(2, text="14 €\nper kg"), seen(3, status=Status.MISSING)]
    listed = entries(PART, history)
    assert [entry.title for entry in listed] == ["News: 14 €", "News: 12 €"]
    assert {entry.url for entry in listed} == {"https://tea.example/"}


def test_a_feed_has_an_end() -> None:
    titles = [str(number) for number in range(MOST_ENTRIES + 50)]
    assert len(entries(PART, [seen(1, *titles)])) == MOST_ENTRIES


def test_atom() -> None:
    feed = ET.fromstring(atom(PART, HISTORY))
    names = {"a": ATOM}
    assert feed.findtext("a:title", namespaces=names) == "News: https://tea.example/"
    assert feed.findtext("a:updated", namespaces=names) == "2026-11-01T15:00:00+00:00"
    assert feed.findtext("a:id", namespaces=names) == f"urn:uuid:{'0' * 8}-0000-0000-0000-{7:012}"
    assert feed.find("a:author/a:name", names) is not None
    first = feed.findall("a:entry", names)[0]
    assert first.findtext("a:title", namespaces=names) == "D"
    link = first.find("a:link", names)
    assert link is not None
    assert link.get("href") == "https://tea.example/D"
    for entry in feed.findall("a:entry", names):
        for required in ("id", "title", "updated"):
            assert entry.findtext(f"a:{required}", namespaces=names)


def test_json_feed() -> None:
    feed = json.loads(json_feed(PART, HISTORY))
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["home_page_url"] == "https://tea.example/"
    assert [item["title"] for item in feed["items"]] == ["D", "C", "A", "B"]
    assert feed["items"][0] == {
        "id": feed["items"][0]["id"],
        "title": "D",
        "content_text": "D",
        "date_published": "2026-11-01T15:00:00+00:00",
        "url": "https://tea.example/D",
    }


def test_what_a_page_says_cannot_break_a_feed() -> None:
    odd = '</title><script>alert(1)</script> & "\x00\x0b'
    history = [seen(1, items=(Item(odd, odd, "javascript:alert(1)"), Item("B", "B", "file:///x")))]
    feed = ET.fromstring(atom(PART, history))
    assert len(feed.findall(f"{{{ATOM}}}entry")) == 2
    assert feed.findall(f"{{{ATOM}}}entry/{{{ATOM}}}link") == []  # nothing to follow
    assert [set(item) & {"url"} for item in json.loads(json_feed(PART, history))["items"]] == [
        set(), set(),
    ]  # fmt: skip


def test_a_feed_of_a_file_names_no_address() -> None:
    part = replace(PART, page=replace(PAGE, address="/home/me/tea.html"))
    assert "home_page_url" not in json.loads(json_feed(part, HISTORY))
    assert ET.fromstring(atom(part, [])).findall(f"{{{ATOM}}}link") == []
