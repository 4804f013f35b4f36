"""Exports and imports: the same again elsewhere, and nothing that somebody forged."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import zipfile
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import pytest
from portals import NEWS, PASSWORD, WEATHER, Harbour
from starlette.testclient import TestClient

from pagesight.portal.errors import Invalid, NotAllowed
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.transfer import archive
from pagesight.portal.values import Account, TileState
from pagesight.portal.web import make_app
from pagesight.portal.work import tasks
from pagesight.portal.work.worker import Worker
from pagesight.render import AnyRenderer
from serving import website
from watched import FakeClock, page

pytest_plugins = ["portal_fixtures"]

Entries = dict[str, bytes]
HOME = "http://localhost"
NUMBERS = ("id", "version", "position", "digest", "etag", "last_modified", "next_check",
           "visited", "seen_until")  # fmt: skip


def filled(harbour: Harbour) -> None:
    """Boards with all that there is."""
    portal, ann = harbour.portal, harbour.account
    news, _ = harbour.place(NEWS, WEATHER, excluded=[f"{NEWS}/h2"], every=900)
    harbour.publish(news=["Red tea is new", "Green tea is here"])
    channel = portal.add_channel(ann, "Hook", "json://hooks.example/x")
    portal.change_tile(
        ann, news.uid, channel=channel.id, look="original", condition={"kind": "new items"}
    )
    portal.make_tab(ann, harbour.board.uid, "Second")
    portal.make_board(ann, "Empty")


def elsewhere(tmp_path: Path) -> Portal:
    return Portal.open(Settings(database=f"sqlite:///{tmp_path}/elsewhere.sqlite", private=True))


def entries_of(data: bytes) -> Entries:
    with zipfile.ZipFile(BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def saved(file: IO[bytes]) -> bytes:
    with file:
        return file.read()


def packed(entries: Entries) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writing:
        for name, data in entries.items():
            writing.writestr(name, data)
    return file.getvalue()


def rows_of(entries: Entries, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in entries.get(f"rows/{table}.jsonl", b"").splitlines()]


def written(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def content(data: bytes) -> dict[str, Any]:
    """What an export says, without numbers and without what a new look tells anyway."""
    entries = entries_of(data)
    tables = {name for name in entries if name.startswith("rows/")}
    told: dict[str, Any] = {}
    for table in (Path(name).stem for name in tables):
        told[table] = [
            {key: value for key, value in row.items()
             if key not in NUMBERS and not key.endswith("_id")}
            for row in rows_of(entries, table)
        ]  # fmt: skip
    told["files"] = sorted(name for name in entries if name.startswith("files/"))
    return told


# The same again


def test_a_new_installation_from_an_export_is_the_same(
    harbour: Harbour, ben: Account, tmp_path: Path
) -> None:
    filled(harbour)
    portal, ann = harbour.portal, harbour.account
    portal.set_people(ann, harbour.board.uid, {"ben": True})
    portal.share(ann, board=harbour.board.uid)
    _, token = portal.make_token(ann, "Script", ["read"])
    data = saved(portal.export(ann, whole=True))
    with elsewhere(tmp_path) as other:
        other_ann = other.first_account("Ann", PASSWORD)
        report = other.import_(other_ann, data)
        assert (report.boards, report.tiles, report.parts) == (2, 2, 2)
        assert report.observations == 3
        assert report.skipped == ()
        again = content(saved(other.export(other_ann, whole=True)))
        before = content(data)
        for table, rows in before.items():
            if table != "accounts":  # who imports keeps uid and password
                assert again[table] == rows, table
        assert [one["name"] for one in again["accounts"]] == ["ann", "ben"]
        token_there = other.by_token(token)
        assert token_there
        assert token_there.account == other_ann
        assert other.sign_in("Ben", PASSWORD, client="here")
        views = other.tile_views(other_ann, harbour.board.uid)
        assert [view.observation and view.observation.text for view in views] == [
            view.observation and view.observation.text for view in harbour.views()
        ]
        tile = views[0].tile.uid
        assert other.picture(other_ann, tile, 1) == portal.picture(ann, tile, 1) is not None
        assert len(other.history(other_ann, tile)) == 2


def test_what_was_learned_comes_along(
    harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "send", lambda *_: None)
    filled(harbour)
    data = saved(harbour.portal.export(harbour.account))
    with elsewhere(tmp_path) as other:
        ann = other.first_account("Ann", PASSWORD)
        other.import_(ann, data)
        config = Settings(
            database=other.config.database, private=True, renderer=harbour.worker._renderer,
            delay=0.0,
        )  # fmt: skip
        harbour.site.pages["/"] = page(news=["Blue tea is new", "Green tea is here"])
        with Worker(config) as worker:
            worker.do_all()  # all pages are due at once
        states = [view.state for view in other.tile_views(ann, harbour.board.uid)]
        assert states == [TileState.CHANGED, TileState.UNCHANGED]


def test_somebody_takes_their_own_boards_along(
    harbour: Harbour, ben: Account, tmp_path: Path
) -> None:
    filled(harbour)
    portal = harbour.portal
    portal.make_board(ben, "Of Ben")
    entries = entries_of(saved(portal.export(harbour.account)))
    assert not {"rows/accounts.jsonl", "rows/tokens.jsonl"} & entries.keys()
    assert [row["name"] for row in rows_of(entries, "boards")] == ["Tea", "Empty"]
    with pytest.raises(NotAllowed):
        saved(portal.export(ben, whole=True))
    report = portal.import_(ben, packed(entries))
    assert report.boards == 2
    assert report.parts == report.observations == 0
    assert [board.name for board in portal.boards(ben)] == ["Of Ben", "Tea", "Empty"]
    mine = portal.boards(ben)[1]
    assert mine.uid != harbour.board.uid
    assert mine.tabs[0].uid != harbour.tab
    assert [tile.part for tile in mine.tiles] == [view.tile.part for view in harbour.views()]


def test_only_who_looks_after_the_portal_brings_people(
    harbour: Harbour, ben: Account, tmp_path: Path
) -> None:
    data = saved(harbour.portal.export(harbour.account, whole=True))
    with elsewhere(tmp_path) as other:
        zoe = other.first_account("Zoe", PASSWORD)
        _, secret = other.invite(zoe)
        guest = other.accept(secret, "Guest", PASSWORD)
        other.import_(guest, data)
        assert [one.name for one in other.people(zoe)] == ["guest", "zoe"]


# What somebody forged


def forged(change: Callable[[Entries], None]) -> Callable[[Entries], bytes]:
    def make(entries: Entries) -> bytes:
        change(entries)
        return packed(entries)

    return make


def row_changed(table: str, **fields: Any) -> Callable[[Entries], bytes]:
    """An export with other values in all rows of a table."""

    def change(entries: Entries) -> None:
        rows = [row | fields for row in rows_of(entries, table)]
        assert rows
        entries[f"rows/{table}.jsonl"] = written(rows)

    return forged(change)


def with_entry(name: str, data: bytes = b"") -> Callable[[Entries], bytes]:
    return forged(lambda entries: entries.update({name: data}))


def without_observations(entries: Entries) -> None:
    del entries["rows/observations.jsonl"]


def without_head(entries: Entries) -> None:
    del entries["portal.json"]


def other_content(entries: Entries) -> None:
    for name in entries:
        if name.startswith("files/"):
            entries[name] = b"\x89PNG something else"


def bomb(entries: Entries) -> None:
    entries[f"files/{'0' * 64}"] = bytes(64 << 20)


FORGED: dict[str, Callable[[Entries], bytes]] = {
    "not a zip": lambda _: b"PK\x03\x04 and nothing else",
    "empty": lambda _: b"",
    "another zip": lambda _: packed({"portal.json": b"{}"}),
    "no head": forged(without_head),
    "newer": with_entry("portal.json", b'{"format": "pagesight portal", "version": 2}'),
    "zip slip": with_entry("../../etc/cron.d/x", b"* * * * * root true"),
    "zip slip below": with_entry("files/../../x"),
    "absolute": with_entry("/etc/passwd"),
    "backslashes": with_entry("rows\\..\\x"),
    "a folder": with_entry("files/"),
    "another file": with_entry("readme.txt"),
    "a bomb": forged(bomb),
    "deep": with_entry("rows/boards.jsonl", b"[" * 100_000),
    "not rows": with_entry("rows/boards.jsonl", b"1\n"),
    "not JSON": with_entry("rows/boards.jsonl", b"{\n"),
    "a file that lies": forged(other_content),
    "no observations": forged(without_observations),
    "a file of this machine": row_changed("pages", address="/etc/passwd"),
    "a file address": row_changed("pages", address="file:///etc/passwd"),
    "an odd address": row_changed("pages", address="HTTP://EXAMPLE.org"),
    "a tile of a file": row_changed("tiles", address="/etc/passwd"),
    "a tile beside the tab": row_changed("tiles", x=11, width=4),
    "a tile too often": row_changed("tiles", every=1),
    "a tile that cuts out anything": row_changed("tiles", excluded=["//script"]),
    "a tile of nowhere": row_changed("tiles", tab_id=10**6),
    "a tile of no part": row_changed("tiles", part_id=10**6),
    "an odd look": row_changed("tiles", look="<script>"),
    "an odd condition": row_changed("tiles", condition={"kind": "x"}),
    "an odd uid": row_changed("tiles", uid="../x"),
    "a board without a name": row_changed("boards", name=None),
    "a number as name": row_changed("boards", name=7),
    "a huge number": row_changed("tiles", y=1 << 70),
    "a flag as number": row_changed("tiles", x=True),
    "an odd time": row_changed("tiles", added="yesterday"),
    "a time of nowhere": row_changed("tiles", added="2026-01-01T00:00:00"),
    "an odd status": row_changed("observations", status="fine"),
    "odd items": row_changed("observations", items=[{"name": "x"}]),
    "items that are not texts": row_changed("observations", items=[{"title": 1, "text": 2}]),
    "an odd box": row_changed("observations", box=[1, 2]),
    "a picture that is missing": row_changed("observations", picture="0" * 64),
    "a picture elsewhere": row_changed("observations", picture="../portal.json"),
    "observations twice": row_changed("observations", number=1),
    "odd components": row_changed("learned", components={"components": "x"}),
    "no components": row_changed("learned", components=None),
    "an odd state": row_changed("parts", state="odd"),
}


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory, embedded: AnyRenderer) -> bytes:
    """An export that nobody has changed yet."""
    folder, clock = tmp_path_factory.mktemp("genuine"), FakeClock()
    config = Settings(
        database=str(folder / "portal.sqlite"), private=True, renderer=embedded, clock=clock
    )
    with Portal.open(config) as portal, Worker(config) as worker, website({"/": page()}) as site:
        ann = portal.first_account("Ann", PASSWORD)
        harbour = Harbour(portal, ann, worker, site, clock, portal.make_board(ann, "Tea"))
        filled(harbour)
        return saved(portal.export(ann))


@pytest.mark.parametrize("how", FORGED)
@pytest.mark.usefixtures("cheap_passwords")
def test_what_is_forged_is_refused_as_a_whole(genuine: bytes, tmp_path: Path, how: str) -> None:
    data = FORGED[how](entries_of(genuine))
    with elsewhere(tmp_path) as other:
        ann = other.first_account("Ann", PASSWORD)
        with pytest.raises(Invalid):
            other.import_(ann, data)
        assert other.boards(ann) == []
        assert other.store.pages() == ()
        assert other.channels(ann) == []
    assert not (tmp_path / "etc").exists()


def test_a_picture_is_a_picture(harbour: Harbour, tmp_path: Path) -> None:
    filled(harbour)
    entries = entries_of(saved(harbour.portal.export(harbour.account)))
    script = b"<svg onload=alert(1)>"
    name = hashlib.sha256(script).hexdigest()
    entries[f"files/{name}"] = script
    rows = [row | {"picture": name} for row in rows_of(entries, "observations")]
    entries["rows/observations.jsonl"] = written(rows)
    with elsewhere(tmp_path) as other, pytest.raises(Invalid):
        other.import_(other.first_account("Ann", PASSWORD), packed(entries))


def test_sizes_that_an_archive_states_are_limits(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = saved(harbour.portal.export(harbour.account))
    for limit in ("LARGEST", "LARGEST_PIECE", "MOST_ENTRIES"):
        with monkeypatch.context() as patched:
            patched.setattr(archive, limit, 3)
            with pytest.raises(Invalid):
                harbour.portal.import_(harbour.account, data)


def test_an_import_takes_nothing_from_others(harbour: Harbour, ben: Account) -> None:
    filled(harbour)
    entries = entries_of(saved(harbour.portal.export(harbour.account)))
    rows = [row | {"text": "forged"} for row in rows_of(entries, "observations")]
    entries["rows/observations.jsonl"] = written(rows)
    harbour.portal.import_(ben, packed(entries))
    for view in harbour.views():
        assert view.observation
        assert view.observation.text != "forged"


def test_a_page_from_the_future_keeps_nobody_from_picking(
    harbour: Harbour, ben: Account, genuine: bytes
) -> None:
    entries = entries_of(genuine)
    future = {"address": harbour.site("/"), "checked": "2999-01-01T00:00:00+00:00"}
    entries["rows/pages.jsonl"] = written([row | future for row in rows_of(entries, "pages")])
    harbour.portal.import_(ben, packed(entries))
    assert harbour.place(NEWS)


def test_channels_that_must_not_be_used_are_left_out(harbour: Harbour, tmp_path: Path) -> None:
    filled(harbour)
    entries = entries_of(saved(harbour.portal.export(harbour.account)))
    rows = [row | {"address": "exec://rm"} for row in rows_of(entries, "channels")]
    entries["rows/channels.jsonl"] = written(rows)
    with elsewhere(tmp_path) as other:
        ann = other.first_account("Ann", PASSWORD)
        report = other.import_(ann, packed(entries))
        assert len(report.skipped) == 1
        assert other.channels(ann) == []
        assert {tile.channel for tile in other.boards(ann)[0].tiles} == {None}


# Outlines


def test_outlines_go_both_ways(harbour: Harbour, tmp_path: Path) -> None:
    filled(harbour)
    text = harbour.portal.opml(harbour.account)
    with elsewhere(tmp_path) as other:
        ann = other.first_account("Ann", PASSWORD)
        report = other.import_opml(ann, text)
        assert (report.boards, report.tiles) == (1, 2)
        (board,) = other.boards(ann)
        assert board.name == "Tea"
        assert [tab.name for tab in board.tabs] == ["First"]
        assert {tile.address for tile in board.tiles} == {harbour.site("/")}
        (first, _) = other.tile_views(ann, board.uid)
        assert first.state is TileState.WAITING


def test_a_page_of_an_outline_gets_its_main_part(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    text = f'<opml><body><outline text="Tea" htmlUrl="{harbour.site("/")}"/></body></opml>'
    portal.import_opml(ann, text)
    harbour.work()
    board = portal.boards(ann)[1]
    (view,) = portal.tile_views(ann, board.uid)
    assert view.state is TileState.FRESH
    assert view.observation
    assert view.observation.text


def test_a_page_that_is_not_there_yet_is_tried_again(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    text = f'<opml><body><outline text="Tea" htmlUrl="{harbour.site("/new")}"/></body></opml>'
    portal.import_opml(ann, text)
    harbour.work()
    board = portal.boards(ann)[1]
    assert portal.tile_views(ann, board.uid)[0].state is TileState.WAITING
    harbour.site.pages["/new"] = harbour.site.pages["/"]
    harbour.work()
    assert portal.tile_views(ann, board.uid)[0].state is TileState.WAITING
    harbour.clock.now += 3600
    harbour.work()
    assert portal.tile_views(ann, board.uid)[0].state is TileState.FRESH


@pytest.mark.parametrize(
    "text",
    ["", "no outline", "<opml/>", "<opml><body></opml>", "\0",
     '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><opml>&b;</opml>'],
)  # fmt: skip
def test_what_is_not_an_outline_is_refused(portal: Portal, ann: Account, text: str) -> None:
    with pytest.raises(Invalid):
        portal.import_opml(ann, text)
    assert portal.boards(ann) == []


def test_what_cannot_be_used_of_an_outline_is_left_out(portal: Portal, ann: Account) -> None:
    text = """<?xml version="1.0" encoding="ISO-8859-1"?><opml version="2.0"><body>
        <outline text="Caf\xe9" url="https://example.com/"/>
        <outline text="\xa0" url="https://example.com/nameless"/>
        <outline text="&#xE000;"><outline text="Tea" url="https://example.com/tea"/></outline>
        <outline text="Last" url="https://example.com/last"/></body></opml>"""
    report = portal.import_opml(ann, text.encode("latin-1"))
    assert (report.boards, report.tiles, len(report.skipped)) == (1, 2, 2)
    (board,) = portal.boards(ann)
    assert [tile.name for tile in board.tiles] == ["Caf\xe9", "Last"]
    assert [(tile.place.x, tile.place.y) for tile in board.tiles] == [(0, 0), (4, 0)]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_outlines_are_known_by_their_beginning(portal: Portal, ann: Account, mark: bytes) -> None:
    outline = b'<opml version="2.0"><body><outline url="https://example.com/"/></body></opml>'
    with TestClient(make_app(portal), base_url=HOME, headers={"Origin": HOME}) as client:
        client.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
        answer = client.post("/settings/transfer", files={"file": ("a.opml", mark + outline)})
    assert answer.status_code == 200
    assert len(portal.boards(ann)) == 1


def test_one_file_for_many_rows_is_still_a_bomb(
    genuine: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacking = archive.Unpacking(BytesIO(genuine))
    picture = next(row["picture"] for row in unpacking.rows("observations") if row["picture"])
    size = len(unpacking.file(picture))
    monkeypatch.setattr(archive, "LARGEST", max(10 * size, 2 * len(genuine)))
    again = archive.Unpacking(BytesIO(genuine))
    with pytest.raises(Invalid, match="too large"):
        [again.file(picture) for _ in range(2 + archive.LARGEST // size)]


def test_a_file_that_lists_too_much_is_refused_before_it_is_read(
    genuine: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_LISTED", 100)
    monkeypatch.setattr(archive, "ZipFile", None)
    with pytest.raises(Invalid, match="too many"):
        archive.Unpacking(BytesIO(genuine))


def test_a_file_that_says_of_its_list_what_another_record_does_not(genuine: bytes) -> None:
    end = genuine[-22:]
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, 1 << 40, 0)
    for place in (len(genuine) - 22, 0):
        locator = struct.pack("<4sLQL", b"PK\6\7", 0, place, 1)
        with pytest.raises(Invalid):
            archive.Unpacking(BytesIO(genuine[:-22] + record + locator + end))


def test_an_export_larger_than_memory_may_be_is_taken(
    harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes through files on the disk, and back, also through a browser."""
    monkeypatch.setattr(archive, "IN_MEMORY", 100)
    data = saved(harbour.portal.export(harbour.account))
    with elsewhere(tmp_path) as other:
        ann = other.first_account("Ann", PASSWORD)
        noise = random.Random(0).randbytes(70 << 20)  # more than a form may have otherwise
        entries = entries_of(data) | {f"files/{sha256(noise).hexdigest()}": noise}
        with TestClient(make_app(other), base_url=HOME, headers={"Origin": HOME}) as client:
            client.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
            sent = {"file": ("a.zip", packed(entries))}
            assert client.post("/settings/transfer", files=sent).status_code == 200
            assert client.post("/settings", content=noise).status_code == 413
            again = client.post("/settings/export").content
        assert len(other.boards(ann)) == 1
    assert content(again)["observations"] == content(data)["observations"]


def test_outlines_do_not_read_files(portal: Portal, ann: Account) -> None:
    text = (
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><opml><body>'
        '<outline text="&f;" htmlUrl="https://example.com/"/>'
        '<outline text="Mine" htmlUrl="/etc/passwd"/>'
        '<outline text="Script" htmlUrl="javascript:alert(1)"/></body></opml>'
    )
    try:
        report = portal.import_opml(ann, text)
    except Invalid:
        return
    assert len(report.skipped) == 2
    assert "root:" not in repr(portal.boards(ann))
