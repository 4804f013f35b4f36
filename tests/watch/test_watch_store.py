"""The database: its schema, what it keeps, and that nobody writes over another."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from pagesight.errors import PartNotFound, StoreError, StoreTooNew, WatchNotInstalled
from pagesight.page import Box
from pagesight.sources import Validators
from pagesight.watch.store import Store, opened, tables
from pagesight.watch.store.opening import HEAD, VARIABLE
from pagesight.watch.store.store import CheckRow, Content, NewPart, Overtaken, Snapshot
from pagesight.watch.values import Item, Outcome, Part, PartState, Sight, Status

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
CONTENT = Content(digest="d1", validators=Validators(etag='"1"', last_modified="today"))


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    for name in ("a?b.db", "a%20b.db", "a#b.db", "a b.db"):
        opened(str(tmp_path / name)).dispose()
        assert (tmp_path / name).is_file()


def row(outcome: Outcome = Outcome.CHANGED, minutes: float = 0, **error: str) -> CheckRow:
    time = NOON + timedelta(minutes=minutes)
    due = time + timedelta(hours=1)
    return CheckRow(time=time, outcome=outcome, next_check=due, error=error or None)


def sight(words: str = "Green tea", **fields: Any) -> Sight:
    seen = Sight(
        status=Status.FOUND,
        html=f"<p>{words}</p>",
        text=words,
        items=(Item(words, words, "https://tea.example/"),),
        picture=b"\x89PNG\0\xff",
        box=Box(1.5, 2, 3, 4),
        xpath="/html/body/p",
        css="p",
        confidence=0.75,
        runner_up={"xpath": "/html/body/div", "score": 0.5},
        changes=("moved",),
    )
    return replace(seen, **fields)


def added(store: Store, address: str = "https://tea.example/", *names: str) -> tuple[Part, ...]:
    parts = [
        NewPart(component=f"c{number}", name=name, selector=f"#{name}", sight=sight())
        for number, name in enumerate(names or ("news",))
    ]
    return store.add(address, CONTENT, {"samples": [1]}, parts, row(Outcome.ADDED))


def test_the_migrations_make_the_tables(database: str) -> None:
    engine = opened(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
    engine.dispose()


def test_the_known_version_is_the_last_one() -> None:
    config = Config()
    config.set_main_option("script_location", "pagesight.watch.store:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_several_processes_open_a_new_database(database: str) -> None:
    program = f"""
from pagesight.watch.store import Store
print(Store.open({database!r}).pages())"""
    command = [sys.executable, "-W", "error", "-c", program]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    assert [process.communicate()[0] for process in running] == [b"()\n"] * 4


def test_a_database_of_a_newer_version(database: str) -> None:
    engine = opened(database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreTooNew, match="newer version of Pagesight"):
        opened(database)


def test_what_was_added(database: str) -> None:
    store = Store.open(database)
    news, weather = added(store, "https://tea.example/", "news", "weather")
    assert (news.name, news.selector, news.state) == ("news", "#news", PartState.WATCHED)
    assert store.parts() == (news, weather)
    assert store.pages() == (news.page,)
    assert store.page_at("https://tea.example/") == store.page(news.page.id) == news.page
    assert (news.page.added, news.page.etag, news.page.digest) == (NOON, '"1"', "d1")
    assert store.learned(news.page.id) == {news.learned: {"samples": [1]}}
    (seen,) = store.observations(news.id)
    assert (seen.number, seen.time, seen.last) == (1, NOON, NOON)
    assert (seen.text, seen.items, seen.box) == ("Green tea", sight().items, Box(1.5, 2, 3, 4))
    assert (seen.status, seen.confidence, seen.changes) == (Status.FOUND, 0.75, ("moved",))
    assert seen.runner_up == {"xpath": "/html/body/div", "score": 0.5}
    assert seen.has_picture
    assert store.picture(news.id, 1) == b"\x89PNG\0\xff"
    assert [check.outcome for check in store.checks(news.page.id)] == [Outcome.ADDED]
    store.close()


def test_what_was_written_is_there_after_opening_again(database: str) -> None:
    store = Store.open(database)
    added(store)
    store.close()
    again = Store.open(database)
    assert [part.name for part in again.parts()] == ["news"]
    again.close()


def test_observations_have_numbers(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    new = Content(digest="d2", validators=Validators())
    store.write_observed(part.page, new, row(minutes=1), new={part.id: (2, sight("Black tea"))})
    page = store.page(part.page.id)
    assert page
    assert (page.digest, page.etag, page.checked) == ("d2", None, NOON + timedelta(minutes=1))
    store.write_unchanged(page, None, row(Outcome.UNCHANGED, minutes=2))
    first, second = store.observations(part.id)
    assert (first.text, first.last) == ("Green tea", NOON)
    assert (second.text, second.last) == ("Black tea", NOON + timedelta(minutes=2))
    assert store.latest([part.id]) == {part.id: second}
    assert store.observation(part.id, 1) == first
    assert store.observation(part.id, 3) is None
    store.close()


def test_whoever_is_overtaken_writes_nothing(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    other = Content(digest="d2", validators=Validators())
    store.write_observed(part.page, other, row(), new={part.id: (2, sight("Black tea"))})
    late = {part.id: (2, sight("White tea"))}
    with pytest.raises(Overtaken):
        store.write_observed(part.page, other, row(), new=late)
    current = store.page(part.page.id)
    assert current
    with pytest.raises(Overtaken):  # the number is taken, even if the page is current
        store.write_observed(current, other, row(), new=late)
    assert [seen.text for seen in store.observations(part.id)] == ["Green tea", "Black tea"]
    assert len(store.checks(part.page.id)) == 2
    with pytest.raises(Overtaken):
        added(store)  # the address is taken
    assert len(store.parts()) == 1
    store.close()


def test_failures_are_counted_until_a_check_succeeds(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    for minutes in (1, 2):
        page = store.page(part.page.id)
        assert page
        store.write_failed(page, row(Outcome.FAILED, minutes, kind="fetch_failed", message="no"))
    page = store.page(part.page.id)
    assert page
    assert (page.failures, page.failing_since) == (2, NOON + timedelta(minutes=1))
    assert page.error == {"kind": "fetch_failed", "message": "no"}
    store.write_unchanged(page, None, row(Outcome.UNCHANGED, 3))
    page = store.page(part.page.id)
    assert page
    assert (page.failures, page.failing_since, page.error) == (0, None, None)
    store.close()


def test_parts_go_with_what_was_observed_and_the_last_one_with_its_page(database: str) -> None:
    store = Store.open(database)
    news, weather = added(store, "https://tea.example/", "news", "weather")
    (other,) = added(store, "https://cake.example/")
    store.remove(news)
    assert store.parts() == (weather, other)
    assert store.observations(news.id) == ()
    store.remove(weather)
    assert store.pages() == (other.page,)
    assert store.learned(news.page.id) == {}
    with pytest.raises(PartNotFound, match=f"there is no part {news.id}"):
        store.part(news.id)
    store.close()


def test_the_number_of_a_part_is_not_given_again(database: str) -> None:
    store = Store.open(database)
    (first,) = added(store)
    store.remove(first)
    assert added(store)[0].id > first.id
    store.close()


def test_texts_that_no_database_takes(database: str) -> None:
    store = Store.open(database)
    odd = sight("nul \0 and half \ud83c", html="<p>\0</p>", items=(Item("\0", "\udfff", None),))
    parts = [NewPart(component="c", name="n\0", selector=None, sight=odd)]
    (part,) = store.add("https://tea.example/", CONTENT, {}, parts, row(Outcome.ADDED))
    (seen,) = store.observations(part.id)
    assert (seen.text, seen.html, part.name) == ("nul � and half ?", "<p>�</p>", "n�")
    assert seen.items == (Item("�", "?", None),)
    store.close()


def test_a_page_is_kept_while_a_part_is_unsure(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    kept = Snapshot(page=b"page", source=b"<p>", picture=None)
    store.write_observed(
        part.page, None, row(), new={part.id: (2, sight(status=Status.UNSURE))}, snapshot=kept
    )
    assert store.snapshot(part.page.id) == kept
    page = store.page(part.page.id)
    assert page
    states = {part.id: PartState.GONE}
    store.write_observed(page, None, row(), new={}, learned={part.learned: 2}, states=states)
    assert store.snapshot(part.page.id) is None
    assert store.part(part.id).state is PartState.GONE
    assert store.learned(part.page.id) == {part.learned: 2}
    store.close()


def test_what_robots_may_do_is_kept(database: str) -> None:
    store = Store.open(database)
    store.write_robots("https://tea.example", 100.0, "Disallow: /", None)
    store.write_robots("https://tea.example", 200.0, "", {"kind": "fetch_failed"})
    known = {"server": "https://tea.example", "time": 200.0, "text": ""}
    assert store.robots(150.0) == [known | {"error": {"kind": "fetch_failed"}}]
    assert store.robots(250.0) == []
    store.close()


# Opening


def test_sqlite_is_written_through_to_the_disk(tmp_path: Path) -> None:
    engine = opened(str(tmp_path / "tea.sqlite"))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_path_is_a_sqlite_file_and_its_folder_is_made(tmp_path: Path) -> None:
    opened(str(tmp_path / "a/b/tea.sqlite")).dispose()
    assert (tmp_path / "a/b/tea.sqlite").is_file()


def test_the_usual_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "usual.sqlite"))
    opened().dispose()
    assert (tmp_path / "usual.sqlite").is_file()  # by the variable
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    store = Store.open()
    assert store.name.startswith("sqlite:///")
    assert "pagesight" in store.name
    store.close()


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("tea://host/name", "no such kind of database: tea://host/name"),
        ("postgresql+nothing://me:secret@host/", r"no such kind of database: .*me:\*\*\*@host"),
        ("sqlite:////proc/no/such/folder/tea", "the database cannot be used"),
        ("postgresql://me:secret@127.0.0.1:1/tea", "the database cannot be used"),
    ],
)
def test_a_database_that_cannot_be_opened(url: str, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint) as failed:
        opened(url)
    assert "secret" not in str(failed.value)


@pytest.mark.postgresql
def test_a_server_says_what_is_wrong(postgresql: str) -> None:
    url = postgresql.rpartition("/")[0] + "/nothing"
    with pytest.raises(StoreError, match=r'\(database "nothing" does not exist\)'):
        opened(url)


def test_a_file_that_is_not_a_database(tmp_path: Path) -> None:
    (tmp_path / "tea.sqlite").write_bytes(b"Good morning, this is not a database. " * 20)
    with pytest.raises(StoreError, match="not a database"):
        opened(str(tmp_path / "tea.sqlite"))


def test_a_driver_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pg8000", None)
    with pytest.raises(WatchNotInstalled) as missing:
        opened("postgresql://me@host/tea")
    assert missing.value.hint == "pip install 'pagesight[postgresql]'"


def test_a_migration_that_ends_halfway_leaves_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        # After the tables, before the version.
        patch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", killed)
        with pytest.raises(Killed):
            opened(database)
    engine = create_engine(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert len(compare_metadata(context, tables.metadata)) >= len(tables.metadata.tables)
    engine.dispose()
    opened(database).dispose()


# Read-only


def test_a_database_that_is_opened_to_read_is_not_written_to(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    store.close()
    reading = Store.open(database, read_only=True)
    assert reading.part(part.id) == part
    with pytest.raises(StoreError, match="cannot be used"):
        reading.remove(part)
    with pytest.raises(StoreError, match="cannot be used"):
        reading.write_unchanged(part.page, None, row())
    assert reading.parts() == (part,)
    reading.close()


def test_what_is_written_meanwhile_is_read(database: str) -> None:
    store = Store.open(database)
    added(store)
    reading = Store.open(database, read_only=True)
    added(store, "https://other.example/")
    assert len(reading.parts()) == 2
    for one in (store, reading):
        one.close()


def test_reading_makes_no_database(database: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nothing is watched yet"):
        opened(database, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_reading_brings_nothing_up_to_date(database: str) -> None:
    engine = opened(database)
    for version, complaint in (("0000", "an older version"), ("9999", "a newer version")):
        with engine.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
        with pytest.raises(StoreError, match=complaint):
            opened(database, read_only=True)
    engine.dispose()


def test_what_held_at_a_time(database: str) -> None:
    store = Store.open(database)
    (part,) = added(store)
    store.write_observed(part.page, CONTENT, row(minutes=60), new={part.id: (2, sight("Black"))})
    for minutes, number in ((-1, None), (0, 1), (59, 1), (60, 2), (600, 2)):
        seen = store.observation_at(part.id, NOON + timedelta(minutes=minutes))
        assert (seen.number if seen else None) == number
    store.close()
