"""Words of strangers in feeds, answers and exports: they stay words."""

from __future__ import annotations

import html
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagesight.portal.api.table import PREFIX
from pagesight.portal.values import Scope
from programs import Working, working

EVIL = "<img src=x onerror=alert(1)>\"'&]]></title><script>alert(1)</script>"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def portal(tmp_path: Path) -> Iterator[Working]:
    with working(tmp_path) as running:
        escaped = html.escape(EVIL)
        running.site.pages["/"] = (
            f"<!doctype html><title>{escaped}</title><body><h1>The tea house by the river</h1>"
            f'<div><h2>News of the house</h2><ul><li><a href="/{escaped}">{escaped}</a></li>'
            '<li><a href="javascript:alert(1)">A second one about tea</a></li></ul></div></body>'
        )
        yield running


def test_hostile_titles_are_texts_in_feeds(portal: Working) -> None:
    tile = portal.place("/html/body/div", name=EVIL)
    link = portal.portal.feed_link(portal.account, tile.uid)
    answer = portal.client.get(f"/feeds/{link}/atom")
    root = ET.fromstring(answer.text)
    assert EVIL in (root.findtext(f"{ATOM}title") or "")
    titles = [entry.findtext(f"{ATOM}title") or "" for entry in root.iter(f"{ATOM}entry")]
    assert any(title.startswith("<img src=x") for title in titles)
    assert {node.get("type") for node in root.iter(f"{ATOM}content")} == {"text"}
    links = [node.get("href") or "" for node in root.iter(f"{ATOM}link")]
    assert all(address.startswith("http") for address in links)
    items = portal.client.get(f"/feeds/{link}/json").json()["items"]
    assert all("content_html" not in item for item in items)
    assert all(item.get("url", "http:").startswith("http") for item in items)


@pytest.mark.parametrize(
    "path", ["/feeds/x/atom", f"{PREFIX}/boards", f"{PREFIX}/<script>", "/metrics"]
)
def test_answers_to_programs_are_not_taken_for_pages(path: str, portal: Working) -> None:
    headers = portal.token(Scope.READ)
    for answer in (portal.client.get(path), portal.client.get(path, headers=headers)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "html" not in answer.headers["content-type"]
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_hostile_words_come_back_as_json(portal: Working) -> None:
    headers = portal.token(*Scope)
    made = portal.client.post(f"{PREFIX}/boards", json={"name": EVIL}, headers=headers)
    assert made.headers["content-type"] == "application/json"
    assert made.json()["name"] == " ".join(EVIL.split())
    wrong = portal.client.get(f"{PREFIX}/boards?cursor={EVIL}", headers=headers)
    assert json.loads(wrong.text)["status"] == 422


def test_hostile_names_of_files_and_headers_are_not_believed(portal: Working) -> None:
    headers = portal.token(*Scope) | {"If-Match": '"x"\\, *', "Content-Type": "application/json"}
    board = portal.portal.make_board(portal.account, "Tea")
    path = f"{PREFIX}/boards/{board.uid}"
    answer = portal.client.patch(path, content=b'{"name": "Black"}', headers=headers)
    assert answer.status_code == 412
