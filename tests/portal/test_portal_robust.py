"""What must not be lost: a full disk, a migration that is killed, workers that are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from portals import NEWS, PASSWORD, Harbour
from sqlalchemy import event

from pagesight.errors import StoreError
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.store import tables
from pagesight.portal.store.opening import PORTAL, open_database
from pagesight.portal.values import Account, PreviewState, TileState
from pagesight.portal.work.supervisor import Supervisor
from pagesight.watch.store.opening import revision_of
from portal_kill import run as run_kills
from serving import Website

pytest_plugins = ["portal_fixtures"]

PATIENCE = 120.0  # seconds, on a busy machine
YEAR = 365 * 24 * 3600
KILLED_MIDWAY = """
import os, signal, sys
from alembic import op
from pagesight.portal.store.opening import open_database
made, create = [], op.create_table
def create_some(name, *columns, **options):
    made.append(name)
    if len(made) > int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return create(name, *columns, **options)
op.create_table = create_some
open_database(sys.argv[1])
"""


def wait_until(is_so: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


# The database


def test_the_migrations_make_the_tables(database: str) -> None:
    engine = open_database(database)
    with engine.connect() as connection:
        options = {
            "version_table": PORTAL.version_table,
            "include_name": lambda name, kind, _: kind != "table" or name in tables.metadata.tables,
        }
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, tables.metadata) == []
    engine.dispose()


@pytest.mark.parametrize("made", [0, 3, 12, 20])
def test_a_migration_that_is_killed_is_made_by_the_next(database: str, made: int) -> None:
    command = [sys.executable, "-c", KILLED_MIDWAY, database, str(made)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    engine = open_database(database)
    with engine.connect() as connection:
        assert revision_of(connection, PORTAL) == PORTAL.head
    engine.dispose()


def fill_the_disk(portal: Portal, spare: int | None) -> None:
    """Let the database grow by so many pages at most; None: as it likes."""

    def limit(connection: Any, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        most = 1 << 30 if spare is None else pages + spare
        connection.execute(f"PRAGMA max_page_count={most}")

    event.listen(portal.store.engine, "connect", limit)
    portal.store.engine.dispose()


def test_a_full_disk_is_told_and_nothing_is_written_by_half(portal: Portal, ann: Account) -> None:
    fill_the_disk(portal, 2)
    made: list[str] = []

    def make_boards() -> None:
        while len(made) < 1000:
            made.append(portal.make_board(ann, f"{len(made)} " + 190 * "x").uid)

    with pytest.raises(StoreError, match="full"):
        make_boards()
    assert [board.uid for board in portal.boards(ann)] == made
    assert all(len(board.tabs) == 1 for board in portal.boards(ann))
    fill_the_disk(portal, None)
    assert portal.make_board(ann, "More").uid in {board.uid for board in portal.boards(ann)}


def test_a_check_on_a_full_disk_is_made_later(harbour: Harbour) -> None:
    harbour.place(NEWS)
    fill_the_disk(harbour.worker.tasks, 0)  # type: ignore[arg-type]
    harbour.publish(news=[f"Tea number {number} is new" for number in range(200)])
    assert harbour.view().state is TileState.FRESH
    fill_the_disk(harbour.worker.tasks, None)  # type: ignore[arg-type]
    harbour.clock.now += 40
    harbour.work()
    assert harbour.view().state is TileState.CHANGED


def test_a_clock_that_is_a_year_ahead_for_a_while_keeps_nothing_from_being_checked(
    harbour: Harbour,
) -> None:
    harbour.place(NEWS)
    harbour.clock.now += YEAR
    harbour.work()
    harbour.clock.now -= YEAR
    harbour.publish(news=[f"Tea number {number} is new" for number in range(9)])
    assert harbour.view().state is TileState.CHANGED


# Workers


@pytest.fixture
def living(config: Settings) -> Settings:
    """Settings for real processes, in real time."""
    return replace(config, renderer="embedded", clock=time, delay=0.0, threads=2)


def test_a_worker_that_dies_is_started_again(
    living: Settings, site: Website, cheap_passwords: None
) -> None:
    with Portal.open(living) as portal, Supervisor(living, portal._queue) as supervisor:
        ann = portal.first_account("Ann", PASSWORD)
        first = supervisor.processes[0].pid
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: supervisor.processes[0].pid != first)
        preview = portal.preview(ann, site("/"))
        wait_until(lambda: portal.preview_of(ann, preview.uid).state is PreviewState.READY)
        wait_until(lambda: [one.name for one in portal.health().workers] != [])
        (process,) = supervisor.processes
    assert process.returncode == 0
    assert portal.health().workers == ()


def test_a_worker_ends_with_a_signal_and_with_its_server(
    living: Settings, cheap_passwords: None
) -> None:
    with Portal.open(living) as portal:
        with Supervisor(living, portal._queue) as supervisor:
            wait_until(lambda: portal.health().workers)
            (process,) = supervisor.processes
            supervisor._stopping.set()  # nobody starts another one
            process.terminate()
            assert process.wait(PATIENCE) == 0
        assert portal.health().workers == ()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_portal_survives_kills(database: str, tmp_path: Path) -> None:
    outcome = run_kills(database, pages=2, kills=2, renderer="embedded")
    assert outcome.is_flawless
    assert outcome.acknowledged
    assert outcome.kills == {"server": 1, "worker": 1}
