"""The interface for programs."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from openapi_spec_validator import validate

from pagesight.portal.api.openapi import document
from pagesight.portal.api.operations import Operation
from pagesight.portal.api.problems import MEDIA
from pagesight.portal.api.table import PREFIX, TABLE
from pagesight.portal.values import Scope
from programs import Working, working
from watched import NEWS

ALL = tuple(Scope)


@pytest.fixture
def working_portal(tmp_path: Path) -> Iterator[Working]:
    with working(tmp_path) as portal:
        yield portal


@pytest.fixture
def api(working_portal: Working) -> Program:
    return Program(working_portal)


class Program:
    """A program with a token, which checks each answer against the description."""

    def __init__(self, working: Working, *scopes: Scope) -> None:
        self.working = working
        self.headers = working.token(*(scopes or ALL))

    def __call__(self, method: str, path: str, body: Any = None, **settings: Any) -> Any:
        headers = self.headers | settings.pop("headers", {})
        if body is not None:
            settings["json"] = body
        return self.working.client.request(method, PREFIX + path, headers=headers, **settings)

    def get(self, path: str, **settings: Any) -> Any:
        return self("GET", path, **settings)


# The description


def test_the_description_is_valid() -> None:
    validate(document())


def test_anybody_may_read_the_description(working_portal: Working) -> None:
    answer = working_portal.client.get(f"{PREFIX}/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(document()))


def test_every_operation_is_described() -> None:
    described = {
        (method.upper(), path)
        for path, methods in document()["paths"].items()
        for method in methods
    }
    assert len(described) == len(TABLE)
    names = [operation.name for operation in TABLE]
    assert len(set(names)) == len(names)
    assert all(operation.about for operation in TABLE)


def filled(path: str, **values: Any) -> str:
    for name in ("uid", "number:int", "id:int"):
        path = path.replace(f"{{{name}}}", str(values.get(name.partition(":")[0], 1)))
    return path


@pytest.mark.parametrize("operation", TABLE, ids=lambda one: f"{one.method} {one.path}")
def test_nothing_is_done_without_a_token(operation: Operation, shared: Working) -> None:
    path = PREFIX + filled(operation.path, uid="x")
    answer = shared.client.request(operation.method, path, json={})
    is_refused_as_from_elsewhere = operation.method != "GET"  # a browser may have sent it
    assert answer.status_code == (403 if is_refused_as_from_elsewhere else 401)
    wrong = {"Authorization": "Bearer wrong"}
    answer = shared.client.request(operation.method, path, json={}, headers=wrong)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == MEDIA


@pytest.mark.parametrize("operation", TABLE, ids=lambda one: f"{one.method} {one.path}")
def test_a_token_allows_what_its_scopes_say(operation: Operation, shared: Working) -> None:
    others = shared.token(*(scope for scope in Scope if scope is not operation.scope))
    path = PREFIX + filled(operation.path, uid="x")
    answer = shared.client.request(operation.method, path, json={}, headers=others)
    assert answer.status_code == 403
    assert f'scope="{operation.scope}"' in answer.headers["www-authenticate"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Working]:
    """One portal for tests in which nothing is done."""
    with working(tmp_path_factory.mktemp("portal")) as portal:
        yield portal


def test_answers_are_as_described(working_portal: Working) -> None:
    """Walks all operations that only read, on a portal with something of each kind."""
    tile = working_portal.place()
    working_portal.look(tile, news=(*NEWS, "White tea is new"))
    working_portal.portal.share(working_portal.account, tile=tile.uid)
    board = working_portal.portal.boards(working_portal.account)[0]
    preview = working_portal.portal.preview(working_portal.account, working_portal.address)
    working_portal.worker.do_all()
    uids = {"boards": board.uid, "tiles": tile.uid, "previews": preview.uid}
    program, walked = Program(working_portal), 0
    for operation in TABLE:
        if operation.method == "GET" and "question" not in operation.path:
            uid = uids.get(operation.path.split("/")[1], "")
            answer = program.get(filled(operation.path, uid=uid))
            assert answer.status_code == 200, (operation.path, answer.text)
            check(operation, answer)
            walked += 1
    assert walked > 20


def check(operation: Operation, answer: Any) -> None:
    """Compare an answer with its description."""
    path = operation.path.replace(":int", "")
    described = document()["paths"][path][operation.method.lower()]["responses"]
    content = described[str(answer.status_code)].get("content", {})
    media = answer.headers.get("content-type", "").partition(";")[0]
    assert media in content, (operation.path, media)
    if schema := content[media].get("schema"):
        whole = {**schema, "components": document()["components"]}
        jsonschema.Draft202012Validator(whole).validate(answer.json())


# Problems


def test_what_is_not_there(api: Program) -> None:
    answer = api.get("/boards/nothing")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == MEDIA
    assert answer.json()["kind"] == "not_there"
    assert api.get("/nothing").json()["status"] == 404


def test_a_method_that_is_not_offered(api: Program) -> None:
    answer = api("PUT", "/boards")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) >= {"GET", "POST"}
    assert answer.headers["content-type"] == MEDIA


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": 7}, "name"),
        ({"name": ""}, "name"),
        ({"name": "Tea", "colour": "green"}, "colour"),
        ({"name": None}, "name"),
    ],
)
def test_fields_that_cannot_be_used_are_named(api: Program, body: Any, field: str) -> None:
    answer = api("POST", "/boards", body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field


@pytest.mark.parametrize(
    ("data", "media", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"name=tea", "application/x-www-form-urlencoded", 415),
        (b" " * (1 << 21), "application/json", 413),
    ],
)
def test_bodies_that_cannot_be_read(api: Program, data: bytes, media: str, status: int) -> None:
    answer = api("POST", "/boards", content=data, headers={"Content-Type": media})
    assert answer.status_code == status
    assert answer.headers["content-type"] == MEDIA


@pytest.mark.parametrize("query", ["limit=x", "limit=99999999999", "cursor=x", "cursor=%00"])
def test_queries_that_cannot_be_read(api: Program, query: str) -> None:
    assert api.get(f"/boards?{query}").status_code == 422


def test_a_defect_tells_nothing_about_itself(
    working_portal: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working_portal.portal, "boards", lambda _: 1 / 0)
    answer = Program(working_portal).get("/boards")
    assert answer.status_code == 500
    assert "division" not in answer.text


# Boards and tiles


def test_a_board_from_beginning_to_end(api: Program) -> None:
    made = api("POST", "/boards", {"name": "Tea"})
    assert made.status_code == 201
    uid = made.json()["uid"]
    assert made.headers["location"] == f"{PREFIX}/boards/{uid}"
    renamed = api("PATCH", f"/boards/{uid}", {"name": "Green tea"})
    assert renamed.json()["name"] == "Green tea"
    tab = api("POST", f"/boards/{uid}/tabs", {"name": "Second"}).json()
    assert (
        api("PATCH", f"/tabs/{tab['uid']}", {"name": "Other", "position": 0}).json()["tabs"][0][
            "name"
        ]
        == "Other"
    )
    assert len(api("DELETE", f"/tabs/{tab['uid']}").json()["tabs"]) == 1
    assert api("DELETE", f"/boards/{uid}").status_code == 204
    assert api.get(f"/boards/{uid}").status_code == 404


def test_parts_are_picked_placed_and_changed(api: Program) -> None:
    working = api.working
    preview = api("POST", "/previews", {"address": working.address})
    assert preview.status_code == 202
    assert preview.json()["state"] == "waiting"
    working.worker.do_all()
    path = preview.headers["location"].removeprefix(PREFIX)
    assert api.get(path).json()["state"] == "ready"
    parts = api.get(f"{path}/parts").json()
    assert any("News of the house" in part["text"] for part in parts)
    tab = api("POST", "/boards", {"name": "Tea"}).json()["tabs"][0]["uid"]
    body = {"preview": preview.json()["uid"], "xpaths": ["/html/body/div[1]"], "name": "News"}
    (tile,) = api("POST", f"/tabs/{tab}/tiles", body).json()
    changed = api("PATCH", f"/tiles/{tile['uid']}", {"look": "original", "every": 600})
    assert (changed.json()["look"], changed.json()["every"]) == ("original", 600)
    place = {"x": 4, "y": 2, "width": 6, "height": 3}
    board = api("PUT", f"/tabs/{tab}/places", {"places": {tile["uid"]: place}}).json()
    assert board["tabs"][0]["tiles"][0]["place"] == place
    assert api("DELETE", f"/tiles/{tile['uid']}").status_code == 204


@pytest.mark.parametrize("place", [{}, {"x": 1}, {"x": "1", "y": 1, "width": 1, "height": 1}])
def test_a_place_has_four_numbers(api: Program, place: Any) -> None:
    tile = api.working.place()
    answer = api("PATCH", f"/tiles/{tile.uid}", {"place": place})
    assert answer.status_code == 422


def test_a_check_is_asked_for_and_followed(api: Program) -> None:
    tile = api.working.place()
    path = f"/tiles/{tile.uid}/check"
    asked = api("POST", path)
    assert (asked.status_code, asked.json()) == (202, {"state": "waiting"})
    api.working.clock.now += 10
    api.working.worker.do_all()
    assert api.get(path).json() == {"state": "done"}


def test_history_and_changes(api: Program) -> None:
    tile = api.working.place()
    api.working.look(tile, news=(*NEWS, "White tea is new"))
    history = api.get(f"/tiles/{tile.uid}/observations").json()["items"]
    assert [seen["number"] for seen in history] == [2, 1]
    changes = api.get(f"/tiles/{tile.uid}/changes").json()
    assert [item["title"] for item in changes["new_items"]] == ["White tea is new"]
    assert changes["summary"] == "1 new item"
    (news,) = api.get("/news").json()["items"]
    assert news["tile"]["uid"] == tile.uid
    api.working.clock.now += 1
    api("POST", "/news/seen")
    assert api.get("/news").json()["items"] == []


def test_feeds(api: Program) -> None:
    tile = api.working.place()
    feed = api.get(f"/tiles/{tile.uid}/feed.atom")
    assert feed.headers["content-type"] == "application/atom+xml"
    assert len(ET.fromstring(feed.text).findall("{*}entry")) == len(NEWS)
    json_feed = api.get(f"/tiles/{tile.uid}/feed.json").json()
    assert [item["title"] for item in json_feed["items"]] == [*NEWS]


# Tags and cursors


def test_what_is_known_is_not_sent_again(api: Program) -> None:
    tile = api.working.place()
    board = api.working.portal.boards(api.working.account)[0].uid
    for path in (f"/boards/{board}", f"/boards/{board}/tiles", f"/tiles/{tile.uid}/observations/1"):
        tag = api.get(path).headers["etag"]
        answer = api.get(path, headers={"If-None-Match": tag})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == tag
        weak = api.get(path, headers={"If-None-Match": f'"x", W/{tag}'})
        assert weak.status_code == 304  # as a proxy that compresses makes it
    tag = api.get(f"/boards/{board}/tiles").headers["etag"]
    api.working.look(tile, news=(*NEWS, "White tea is new"))
    answer = api.get(f"/boards/{board}/tiles", headers={"If-None-Match": tag})
    assert answer.status_code == 200


def test_what_has_changed_meanwhile_is_not_overwritten(api: Program) -> None:
    board = api("POST", "/boards", {"name": "Tea"})
    path, tag = f"/boards/{board.json()['uid']}", board.headers["etag"]
    first = api("PATCH", path, {"name": "Green"}, headers={"If-Match": tag})
    assert first.status_code == 200
    second = api("PATCH", path, {"name": "Black"}, headers={"If-Match": tag})
    assert second.status_code == 412
    assert api("DELETE", path, headers={"If-Match": tag}).status_code == 412
    assert api.get(path).json()["name"] == "Green"
    assert api("PATCH", path, {"name": "Black"}, headers={"If-Match": "*"}).status_code == 200


def test_tiles_that_somebody_has_moved_are_not_moved_back(api: Program) -> None:
    tile = api.working.place()
    board = api.get("/boards").json()["items"][0]
    tag = api.get(f"/boards/{board['uid']}").headers["etag"]
    path = f"/tabs/{board['tabs'][0]['uid']}/places"
    body = {"places": {tile.uid: {"x": 0, "y": 0, "width": 4, "height": 4}}}
    moved = api("PUT", path, body, headers={"If-Match": tag})
    assert moved.status_code == 200
    assert api("PUT", path, body, headers={"If-Match": tag}).status_code == 412
    assert api("PUT", path, body, headers={"If-Match": moved.headers["etag"]}).status_code == 200
    assert api("PUT", path, body, headers={"If-Match": '"x"'}).status_code == 412


def test_many_come_page_by_page(api: Program) -> None:
    for number in range(5):
        api("POST", "/boards", {"name": f"Tea {number}"})
    names, cursor = [], ""
    while cursor is not None:
        page = api.get(f"/boards?limit=2{f'&cursor={cursor}' if cursor else ''}").json()
        assert len(page["items"]) <= 2
        names += [board["name"] for board in page["items"]]
        cursor = page["next"]
    assert names == [f"Tea {number}" for number in range(5)]


# Who may do what


def test_what_is_private_stays_private(api: Program) -> None:
    tile = api.working.place()
    board = api.working.portal.boards(api.working.account)[0]
    other = Program(api.working, *ALL[:2])
    other.headers = api.working.token(Scope.READ, Scope.WRITE, account=api.working.another())
    assert other.get("/boards").json()["items"] == []
    for path in (f"/boards/{board.uid}", f"/tiles/{tile.uid}", f"/tiles/{tile.uid}/feed.atom"):
        assert other.get(path).status_code == 404
    assert other("DELETE", f"/boards/{board.uid}").status_code == 404


def test_a_token_is_no_more_of_an_admin_than_it_says(working_portal: Working) -> None:
    reader = Program(working_portal, Scope.READ)
    assert reader.get("/export?whole=true").status_code == 403
    assert reader.get("/export").status_code == 403  # it holds addresses with passwords
    assert Program(working_portal).get("/export?whole=true").status_code == 200


def test_a_board_is_shown_to_others(api: Program) -> None:
    other = api.working.another()
    board = api("POST", "/boards", {"name": "Tea"}).json()
    path = f"/boards/{board['uid']}"
    changed = api("PATCH", path, {"people": {other.name: True}})
    assert changed.json()["people"] == {str(other.id): True}, changed.text
    assert api("PATCH", path, {"people": {"nobody": True}}).status_code == 422


def test_links_are_made_and_taken_back(api: Program) -> None:
    tile = api.working.place()
    link = api("POST", "/shares", {"tile": tile.uid, "expires": "2030-01-01T00:00:00Z"}).json()
    assert "/shared/" in link["address"]
    assert len(api.get("/shares").json()["items"]) == 1
    assert api("DELETE", f"/shares/{link['share']['uid']}").status_code == 204
    assert api("POST", "/shares", {"tile": tile.uid, "expires": "soon"}).status_code == 422


def test_channels_do_not_tell_their_addresses(api: Program) -> None:
    address = "json://tea.example/secret"
    made = api("POST", "/channels", {"name": "Tea", "address": address})
    assert made.status_code == 201
    assert "secret" not in made.text + api.get("/channels").text
    assert api("POST", "/channels", {"name": "x", "address": "file:///x"}).status_code == 422
    assert api("DELETE", f"/channels/{made.json()['id']}").status_code == 204


def test_an_export_is_imported(api: Program) -> None:
    api.working.place()
    data = api.get("/export")
    assert data.headers["content-disposition"] == 'attachment; filename="pagesight.zip"'
    assert send(api, data.content, "application/zip").status_code == 200
    outline = api.get("/export.opml")
    assert send(api, outline.content, "text/x-opml").status_code == 200
    assert send(api, b"PK", "application/zip").status_code == 422
    assert send(api, b"PK", "text/plain").status_code == 415


def send(api: Program, data: bytes, media: str) -> Any:
    """Import a file."""
    return api("POST", "/import", content=data, headers={"Content-Type": media})


def test_people(api: Program) -> None:
    invited = api("POST", "/invitations", {"note": "Bob"}).json()
    secret = invited["address"].rpartition("/")[2]
    person = api.working.portal.accept(secret, "bob", "a cup of black tea")
    assert [one["name"] for one in api.get("/people").json()["items"]] == ["ada", "bob"]
    assert api("DELETE", f"/people/{person.id}").status_code == 204
    assert api.get("/account").json()["name"] == "ada"


# Feeds, metrics and health


def test_the_address_of_a_feed_opens_that_feed_only(api: Program) -> None:
    working = api.working
    tile = working.place()
    link = working.portal.feed_link(working.account, tile.uid)
    feed = working.client.get(f"/feeds/{link}/atom")
    assert feed.headers["content-type"] == "application/atom+xml"
    assert NEWS[0] in feed.text
    assert working.client.get(f"/feeds/{link}/json").json()["items"]
    known = {"If-None-Match": feed.headers["etag"]}
    assert working.client.get(f"/feeds/{link}/atom", headers=known).status_code == 304
    uid, _, signature = link.partition(".")
    for wrong in (uid, f"{uid}.", f"{uid}.{signature[::-1]}", f"x.{signature}"):
        assert working.client.get(f"/feeds/{wrong}/atom").status_code == 404
    assert working.client.get(f"/feeds/{link}/xml").status_code == 404
    assert working.client.get(f"/shared/{link}").status_code == 404
    working.portal.remove_tile(working.account, tile.uid)
    assert working.client.get(f"/feeds/{link}/atom").status_code == 404


def test_metrics_are_for_who_looks_after_the_portal(api: Program) -> None:
    client = api.working.client
    assert client.get("/metrics").status_code == 401
    reader = api.working.token(Scope.READ)
    assert client.get("/metrics", headers=reader).status_code == 403
    api.working.place()
    text = client.get("/metrics", headers=api.headers).text
    assert "pagesight_pages 1.0" in text
    assert "pagesight_workers 1.0" in text


def test_health_says_whether_the_work_is_done_and_nothing_else(api: Program) -> None:
    client = api.working.client
    assert client.get("/health").json() == {"status": "well"}
    api.working.clock.now += 3600
    answer = client.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"status": "no worker"})


def test_a_picture_of_a_part(tmp_path: Path, chromium: Any) -> None:
    with working(tmp_path, renderer=chromium) as portal:
        tile = portal.place()
        program = Program(portal)
        picture = program.get(f"/tiles/{tile.uid}/observations/1/picture")
        assert picture.headers["content-type"] == "image/png"
        from PIL import Image

        assert Image.open(io.BytesIO(picture.content)).width > 100
