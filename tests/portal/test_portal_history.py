"""Parts that were observed many times: no answer reads all of it."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from pagesight.portal.services.giving import MOST_TOLD
from pagesight.portal.values import Scope, Tile
from pagesight.portal.web.screens.parts import LISTED
from pagesight.watch.store import tables
from programs import NAME, PASSWORD, Working, working

MANY = 3 * MOST_TOLD


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Working]:
    with working(tmp_path) as running:
        yield running


@pytest.fixture
def tile(portal: Working) -> Tile:
    """A tile whose part was observed many times, with one item more each time."""
    tile = portal.place()
    seen = tables.observations
    with portal.portal.store.writing() as connection:
        row = dict(connection.execute(select(seen)).mappings().one())
        checks, (first, *_) = tables.checks, row["items"]
        check = dict(connection.execute(select(checks)).mappings().one())
        for number in range(2, MANY + 1):
            item = {**first, "text": f"Tea {number}", "title": f"Tea {number}",
                    "url": f"http://tea.example/{number}"}  # fmt: skip
            connection.execute(insert(checks).values(check | {"id": number}))
            fields = {"number": number, "check_id": number, "items": [item, *row["items"]],
                      "text": f"Tea {number}"}  # fmt: skip
            connection.execute(insert(seen).values(row | fields))
        assert connection.execute(select(func.count()).select_from(seen)).scalar_one() == MANY
    return tile


@pytest.fixture
def most_read(portal: Working, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many observations were read at a time."""
    read, observations = [], portal.portal.store.observations

    def counted(part: int, *, before: int | None = None, most: int | None = None) -> object:
        found = observations(part, before=before, most=most)
        read.append(len(found))
        return found

    monkeypatch.setattr(portal.portal.store, "observations", counted)
    return read


def test_programs_get_a_long_history_page_by_page(
    portal: Working, tile: Tile, most_read: list[int]
) -> None:
    headers = portal.token(Scope.READ)
    numbers, cursor, pages = [], "", 0
    while cursor is not None:
        path = f"/api/v1/tiles/{tile.uid}/observations?limit=150&cursor={cursor}"
        page = portal.client.get(path.removesuffix("&cursor="), headers=headers).json()
        numbers += [seen["number"] for seen in page["items"]]
        cursor, pages = page["next"], pages + 1
    assert numbers == [*range(MANY, 0, -1)]
    assert pages == MANY // 150
    assert max(most_read) <= 151
    for wrong in ("x", "bnVsbA", "InRlYSI", "WzFd", "MTAwMDAwMDAwMDAwMDAwMDAwMDAwMDA"):
        path = f"/api/v1/tiles/{tile.uid}/observations?cursor={wrong}"
        answer = portal.client.get(path, headers=headers)
        assert answer.status_code == (200 if wrong == "bnVsbA" else 422), wrong


def test_a_screen_shows_the_moments_around_one(
    portal: Working, tile: Tile, most_read: list[int]
) -> None:
    client = portal.client
    client.headers["Origin"] = str(client.base_url).rstrip("/")
    client.post("/sign-in", data={"name": NAME, "password": PASSWORD})
    for asked, current in (
        ("", MANY), ("?to=300", 300), ("?to=1", 1), (f"?to={MANY + 9}", MANY),
        ("?to=300&from=7", 300), ("?to=99999999999999999999", MANY),
    ):  # fmt: skip
        html = client.get(f"/tiles/{tile.uid}{asked}").text
        listed = [*map(int, re.findall(r'<a href="\?to=(\d+)"', html))]
        assert current in listed
        assert len(listed) <= LISTED + 2
        assert f'max="{MANY}" value="{current}"' in html
        assert ("Earlier" in html, "Later" in html) == (current != 1, current != MANY)
    assert max(most_read) <= LISTED
    assert client.get(f"/tiles/{tile.uid}/pictures/99999999999999999999").status_code == 422


def test_a_feed_tells_of_the_last_observations_only(
    portal: Working, tile: Tile, most_read: list[int]
) -> None:
    link = portal.portal.feed_link(portal.account, tile.uid)
    feed = json.loads(portal.client.get(f"/feeds/{link}/json").text)
    assert {item["title"] for item in feed["items"]} == {
        f"Tea {number}" for number in range(MANY - MOST_TOLD + 1, MANY + 1)
    }  # and not the items that were there all the time
    entries = ET.fromstring(portal.client.get(f"/feeds/{link}/atom").text).findall("{*}entry")
    assert len(entries) == MOST_TOLD
    assert max(most_read) <= MOST_TOLD
