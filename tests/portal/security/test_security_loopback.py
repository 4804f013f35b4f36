"""Hostile pages that somebody watches: a worker looks at them, and nothing reaches this machine.

`tests/render/test_egress_live.py` shows that each of these ways does arrive without the guard.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from guarding import PUBLIC, guard_of
from hostile import LATE, NAME, WAYS, Stage, careless_renderer, script, staged
from pagesight.portal import Portal, Settings
from pagesight.portal.errors import Invalid
from pagesight.portal.values import Account, PreviewState
from pagesight.portal.work.worker import Worker
from pagesight.render import AnyRenderer
from pagesight.sources import Guard, Limits

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged() as running:
        yield running


@pytest.fixture(scope="module")
def renderer(live_browser: object) -> Iterator[AnyRenderer]:
    with careless_renderer() as opened:
        yield opened


class Watching:
    """A portal whose worker looks at what it is told."""

    def __init__(self, portal: Portal, worker: Worker, account: Account) -> None:
        self.portal = portal
        self.worker = worker
        self.account = account

    def look(self, address: str) -> PreviewState:
        """Look at a page, and wait for what comes late."""
        preview = self.portal.preview(self.account, address)
        self.worker.do_all()
        time.sleep(LATE)
        return self.portal.preview_of(self.account, preview.uid).state


@pytest.fixture(scope="module")
def watching(renderer: AnyRenderer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watching]:
    guard = guard_of(hostile=PUBLIC, rebinding=[[PUBLIC], ["127.0.0.1"]])
    with opened(tmp_path_factory.mktemp("portal"), renderer, guard) as running:
        yield running


@contextmanager
def opened(folder: Path, renderer: AnyRenderer, guard: Guard) -> Iterator[Watching]:
    config = Settings(
        database=str(folder / "portal.sqlite"),
        limits=Limits(guard=guard),
        renderer=renderer,
        delay=0.0,
        threads=1,
    )
    with Portal.open(config) as portal, Worker(config) as worker:
        yield Watching(portal, worker, portal.first_account("ada", "a cup of green tea"))


@pytest.mark.parametrize("way", WAYS)
def test_a_page_that_is_watched_does_not_reach_this_machine(
    way: str, stage: Stage, watching: Watching
) -> None:
    stage.play(way)
    host = PUBLIC if way == "service worker" else NAME  # which takes what is secure, or local
    state = watching.look(f"http://{host}:{stage.port}/")
    assert stage.visitors == []
    assert set(stage.site.pages) <= set(stage.site.asked)  # it came as far as that
    assert state in (PreviewState.READY, PreviewState.FAILED)


def test_a_name_that_leads_here_the_second_time(stage: Stage, watching: Watching) -> None:
    stage.play(script("fetch('/secret')"))  # DNS rebinding
    watching.look(f"http://rebinding.example:{stage.port}/")
    assert stage.visitors == []
    assert "/secret" not in stage.site.asked


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0177.0.0.1", "169.254.169.254"]
)
def test_an_address_of_this_machine_cannot_be_watched(
    host: str, stage: Stage, watching: Watching
) -> None:
    stage.play("<p>hi</p>")
    try:
        state = watching.look(f"http://{host}:{stage.port}/")
    except Invalid:
        state = PreviewState.FAILED
    assert state is PreviewState.FAILED
    assert stage.visitors == []


def test_files_are_not_pages_of_the_web(watching: Watching) -> None:
    for address in ("file:///etc/passwd", "/etc/passwd", "data:text/html,tea", "ftp://tea.example"):
        with pytest.raises(Invalid):
            watching.portal.preview(watching.account, address)
