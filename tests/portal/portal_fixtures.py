"""What tests of the portal need: a portal, somebody who uses it, a worker, and a website."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from portals import PASSWORD, Harbour

from pagesight.portal import secrets
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.values import Account
from pagesight.portal.work.worker import Worker
from pagesight.render import AnyRenderer
from serving import Website, website
from watched import FakeClock, page

_CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody guesses the passwords of tests."""
    monkeypatch.setattr(secrets, "_hasher", lambda: _CHEAP)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def own_database(tmp_path: Path) -> str:
    """The address of a new database; tests of both engines say so."""
    return f"sqlite:///{tmp_path}/portal.sqlite"


@pytest.fixture
def config(
    own_database: str, embedded: AnyRenderer, clock: FakeClock, cheap_passwords: None
) -> Settings:
    return Settings(database=own_database, private=True, renderer=embedded, clock=clock)


@pytest.fixture
def portal(config: Settings) -> Iterator[Portal]:
    with Portal.open(config) as portal:
        yield portal


@pytest.fixture
def ann(portal: Portal) -> Account:
    return portal.first_account("Ann", PASSWORD)


@pytest.fixture
def ben(portal: Portal, ann: Account) -> Account:
    _, secret = portal.invite(ann, "for Ben")
    return portal.accept(secret, "Ben", PASSWORD)


@pytest.fixture
def worker(config: Settings, portal: Portal) -> Iterator[Worker]:
    with Worker(config) as worker:
        yield worker


@pytest.fixture
def site() -> Iterator[Website]:
    with website({"/": page()}) as running:
        yield running


@pytest.fixture
def harbour(
    portal: Portal, ann: Account, worker: Worker, site: Website, clock: FakeClock
) -> Harbour:
    """A portal with a board, and a website with parts for it."""
    return Harbour(portal, ann, worker, site, clock, portal.make_board(ann, "Tea"))
