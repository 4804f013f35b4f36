"""Long answers, and how they are continued."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import Draft202012Validator, marked, save, with_client
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from pagesight.mcp import Settings
from pagesight.mcp.calls import Call, Cancelled
from pagesight.mcp.cutting import SMALL, size_of, window
from pagesight.mcp.service import Service
from pagesight.mcp.watching_tools import Checks, _check_now
from pagesight.render import AnyRenderer

LEAST = 1000  # characters of an answer, as the program takes them
VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=6),
    max_leaves=40,
)


@pytest.fixture
def settings(tmp_path: Path, embedded: AnyRenderer) -> Settings:
    return Settings(database=str(tmp_path / "watch.sqlite"), folders=[tmp_path], renderer=embedded)


def test_what_fits_is_whole() -> None:
    value = {"title": "Tea", "cups": [1, 2, 3]}
    assert window(value, "", 0, None, 100) == (value, [])
    assert window(value, "/cups", 1, 1, 100)[0] == [2]
    assert window(value, "/cups/2", 0, None, 100)[0] == 3


def test_a_long_text_leaves_room_for_the_others() -> None:
    value = {"text": "tea " * 1000, "html": "cup " * 2000, "box": [1, 2, 3, 4], "name": "Tea"}
    shown, cuts = window(value, "", 0, None, 2000)
    assert (shown["box"], shown["name"]) == ([1, 2, 3, 4], "Tea")
    assert [(cut.path, cut.total) for cut in cuts] == [("/text", 4000), ("/html", 8000)]
    assert 900 < len(shown["text"]) == cuts[0].next
    assert 900 < len(shown["html"]) == cuts[1].next


@given(VALUES, st.integers(LEAST, 4000))
def test_all_of_a_value_is_found_by_following_the_cuts(value: Any, room: int) -> None:
    whole = {"value": value}
    shown, cuts = window(whole, "", 0, None, room)
    for cut in cuts:
        restore(shown, cut.path, rest_of(whole, cut.path, cut.next, room))
    assert shown == whole


def rest_of(whole: Any, path: str, offset: int, room: int) -> Any:
    """A list or a text from an offset on, asked for piece by piece."""
    rest: Any = None
    while True:
        piece, cuts = window(whole, path, offset, None, room)
        for inner in cuts:
            if inner.path != path:
                steps = inner.path.removeprefix(path).split("/")
                at = "/".join(["", str(int(steps[1]) - offset), *steps[2:]])
                restore(piece, at, rest_of(whole, inner.path, inner.next, room))
        rest = piece if rest is None else rest + piece
        further = [cut for cut in cuts if cut.path == path]
        if not further:
            return rest
        assert further[0].next > offset
        offset = further[0].next


def restore(value: Any, path: str, rest: Any) -> None:
    """Put what is missing to the end of a list or text."""
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    key: Any = int(last) if isinstance(value, list) else last
    value[key] = value[key] + rest


@given(VALUES, st.integers(LEAST, 4000))
def test_an_answer_is_about_as_long_as_it_may_be(value: Any, room: int) -> None:
    shown, _ = window({"value": value}, "", 0, None, room)
    assert size_of(shown) <= max(size_of(value) + 20, room) + 20
    assert size_of(shown) <= room + 8 * SMALL + 6 * 400  # keys are never cut, nor what is small


def test_a_long_outline_is_read_to_its_end(settings: Settings, tmp_path: Path) -> None:
    headings = "".join(f"<h2>Tea number {number}</h2><p>It is good.</p>" for number in range(150))
    save(tmp_path, extra=headings)

    async def use(client: Client) -> None:
        schema = {tool.name: tool for tool in (await client.list_tools()).tools}["outline"]
        answer = marked(await client.call_tool("outline", {"source": "tea.html"}))
        assert Draft202012Validator(schema.output_schema).is_valid(answer)
        assert len(json.dumps(answer)) < 6000
        found = answer["content"]["headings"]
        (cut,) = answer["cut"]
        while answer["cut"]:
            (cut,) = answer["cut"]
            further = {"path": cut["path"], "offset": cut["next_offset"]}
            answer = marked(await client.call_tool("outline", {"source": "tea.html", **further}))
            assert Draft202012Validator(schema.output_schema).is_valid(answer)
            found += answer["piece"]
        texts = [heading["text"] for heading in found]
        assert texts[-150:] == [f"Tea number {number}" for number in range(150)]
        assert len(texts) == cut["total"]

    with_client(replace(settings, answer_size=4000), use)


# Checks that take too long


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Any:
    with Service(settings) as service:
        for name in ("a.html", "b.html", "c.html"):
            service.watch().add(save(tmp_path, name), select=["#news"])
        yield service


def test_pages_for_which_there_was_no_time(service: Service) -> None:
    first = _check_now(service, Checks(), Call(1e-9)).content
    assert [page["outcome"] for page in first["checked"]] == ["unchanged"]
    assert [left["reason"] for left in first["not_checked"]] == ["out of time"] * 2
    rest = [left["id"] for left in first["not_checked"]]
    second = _check_now(service, Checks(parts=rest), Call(60)).content
    assert [page["page"] for page in second["checked"]] == [2, 3]
    assert second["not_checked"] == []


def test_a_check_that_nobody_waits_for_ends_after_a_page(service: Service) -> None:
    call = Call(60)
    call.ended.set()
    with pytest.raises(Cancelled):
        _check_now(service, Checks(), call)
    checked = [len(service.watch().store.checks(page.id)) for page in service.watch().pages()]
    assert checked == [2, 1, 1]
