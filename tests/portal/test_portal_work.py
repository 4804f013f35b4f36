"""The queue, the turns of servers, and what workers do; whatever dies in between."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from portals import HOUR, NEWS, WEATHER, Harbour
from sqlalchemy import func, select

from pagesight.errors import FetchFailed, StoreError
from pagesight.portal.intervals import JITTER, learned_interval
from pagesight.portal.settings import Settings
from pagesight.portal.store.hosts import HELD, HostTurns
from pagesight.portal.store.opening import open_database
from pagesight.portal.store.queue import CHECKS, FAR, LATER, LEASE, MOST_ATTEMPTS, Queue
from pagesight.portal.values import JobState, PreviewState, TileState
from pagesight.portal.work import supervisor
from pagesight.portal.work.worker import Worker
from pagesight.watch.store import tables as watched
from pagesight.watch.store.store import Store
from serving import Answer
from watched import FakeClock, page

pytest_plugins = ["portal_fixtures"]

WALL = "<title>Just a moment...</title><h1>Checking your browser</h1>"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    store = Store(open_database(database))
    yield store
    store.close()


@pytest.fixture
def queue(store: Store, clock: FakeClock) -> Queue:
    return Queue(store, clock)


# The queue


def test_a_job_is_done_once(queue: Queue) -> None:
    queue.add("check", "check:1", {"page": 1})
    queue.add("check", "check:1", {"page": 1})
    job = queue.take("one")
    assert job
    assert job.payload == {"page": 1}
    assert queue.take("two") is None
    assert queue.state_of("check:1") is JobState.RUNNING
    queue.done(job, "one")
    assert queue.state_of("check:1") is JobState.DONE
    assert queue.waiting()[0] == 0


def test_a_lease_that_ran_out_is_taken_over(queue: Queue, clock: FakeClock) -> None:
    queue.add("check", "check:1")
    first = queue.take("one")
    clock.now += LEASE.total_seconds()
    second = queue.take("two")
    assert first
    assert second
    assert (second.id, second.attempts) == (first.id, 2)
    queue.done(first, "one")  # too late: it is another's now
    assert queue.state_of("check:1") is JobState.RUNNING


def test_a_worker_that_is_there_keeps_its_jobs(queue: Queue, clock: FakeClock) -> None:
    queue.add("check", "check:1")
    queue.add("check", "check:2")
    kept, left = queue.take("one"), queue.take("one")
    assert kept
    assert left
    for _ in range(5):
        clock.now += LEASE.total_seconds() - 1
        queue.here("one", [kept.id])
    taken = queue.take("two")
    assert taken
    assert taken.id == left.id
    assert queue.take("two") is None


def test_what_a_dead_worker_had_is_free_at_once(queue: Queue, clock: FakeClock) -> None:
    queue.here("one")
    queue.add("check", "check:1", host="http://a")
    turns = HostTurns(queue.store, clock, "one")
    assert queue.take("one")
    assert queue.workers()
    turns.take("http://a")
    queue.gone("one")
    clock.now += 2
    assert queue.take("two")
    assert queue.workers() == []


def test_a_job_that_ends_workers_again_and_again_waits(queue: Queue, clock: FakeClock) -> None:
    queue.add("add", "add:1")
    for _ in range(MOST_ATTEMPTS + 1):
        assert queue.take("one")
        queue.gone("one")
    assert queue.take("one") is None
    clock.now += LATER.total_seconds()
    assert queue.take("one")


def test_a_server_gets_one_job_at_a_time(queue: Queue, clock: FakeClock) -> None:
    for number in range(2):
        queue.add("check", f"check:{number}", host="http://a")
    queue.add("check", "check:3", host="http://b")
    first, second = queue.take("one"), queue.take("two")
    assert first
    assert second
    assert {first.host, second.host} == {"http://a", "http://b"}
    assert queue.take("three") is None


def test_the_job_that_waited_longest_is_first(queue: Queue, clock: FakeClock) -> None:
    now = queue.now()
    queue.add("check", "late", due=now - timedelta(seconds=1))
    queue.add("check", "later", due=now + timedelta(seconds=1))
    queue.add("check", "first", due=now - timedelta(seconds=9))
    assert queue.waiting() == (2, timedelta(seconds=9))
    jobs = [queue.take("one"), queue.take("one"), queue.take("one")]
    assert [job and job.kind for job in jobs] == ["check", "check", None]
    queue.add("check", "later", due=now)
    assert queue.take("one")


def test_many_workers_take_each_job_once(queue: Queue) -> None:
    for number in range(40):
        queue.add("check", f"check:{number}")

    def work(worker: int) -> list[int]:
        taken = []
        while job := queue.take(f"worker {worker}"):
            taken.append(job.id)
        return taken

    with ThreadPoolExecutor(8) as pool:
        taken = [job for jobs in pool.map(work, range(8)) for job in jobs]
    assert len(taken) == len(set(taken)) == 40


def test_a_clock_that_is_set_back_stops_nothing(queue: Queue, clock: FakeClock) -> None:
    queue.add("check", "check:1", host="http://a")
    turns = HostTurns(queue.store, clock, "one")
    turns.take("http://a")
    assert queue.take("one") is None
    clock.now -= 10 * HOUR
    queue.add("check", "check:2", host="http://b", due=queue.now())
    assert queue.take("one")
    turns.take("http://a")
    assert clock.slept == []


# Turns


def test_servers_are_asked_seconds_apart(queue: Queue, clock: FakeClock) -> None:
    one, two = (HostTurns(queue.store, clock, name) for name in ("one", "two"))
    one.take("http://a")
    two.take("http://b")
    one.end("http://a", 2.0)
    began = clock.now
    two.take("http://a")
    assert clock.now - began == pytest.approx(2.0, abs=0.1)


def test_a_server_that_is_asked_by_a_dead_worker_is_free_after_a_while(
    queue: Queue, clock: FakeClock
) -> None:
    HostTurns(queue.store, clock, "one").take("http://a")
    HostTurns(queue.store, clock, "two").take("http://a")
    assert sum(clock.slept) == pytest.approx(HELD.total_seconds(), abs=1)


def test_nobody_waits_for_a_turn_for_ever(queue: Queue, clock: FakeClock) -> None:
    turns = HostTurns(queue.store, clock, "one")
    turns.take("http://a")
    turns.end("http://a", 10 * HOUR)
    with pytest.raises(FetchFailed):
        turns.take("http://a")
    assert sum(clock.slept) < FAR.total_seconds()


# Checks


def count(harbour: Harbour, table: Any) -> int:
    with harbour.portal.store.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_a_change_is_observed_once(harbour: Harbour) -> None:
    harbour.place(NEWS, WEATHER)
    harbour.publish(news=["White tea is new"])
    assert [view.state for view in harbour.views()] == [TileState.CHANGED, TileState.UNCHANGED]
    assert count(harbour, watched.observations) == 3
    harbour.clock.now += 40 * HOUR
    assert harbour.work() == 1
    assert count(harbour, watched.observations) == 3


def test_a_page_that_says_it_is_the_same_is_not_rendered(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour.site.pages["/"] = Answer(page().encode(), headers={"ETag": '"1"'})
    harbour.place()
    monkeypatch.setattr("pagesight.watch.looking.Looks.show", None)  # nobody may
    harbour.clock.now += 40 * HOUR
    assert harbour.work() == 1
    assert harbour.site.unmodified == ["/"]
    harbour.site.pages["/"] = page()  # equal bytes, without a validator
    harbour.clock.now += 40 * HOUR
    assert harbour.work() == 1
    assert harbour.view().state is TileState.UNCHANGED


def test_a_page_nobody_looks_at_is_not_asked_for(harbour: Harbour) -> None:
    first, second = harbour.place(NEWS, WEATHER)
    portal, ann = harbour.portal, harbour.account
    portal.change_tile(ann, first.uid, is_paused=True)
    portal.remove_tile(ann, second.uid)
    asked = len(harbour.site.asked)
    harbour.publish(news=["White tea"])
    assert len(harbour.site.asked) == asked
    portal.change_tile(ann, first.uid, is_paused=False)
    harbour.work()
    assert harbour.view().state is TileState.CHANGED


def test_checks_that_have_observed_nothing_are_forgotten(harbour: Harbour) -> None:
    def count(table: Any) -> int:
        with harbour.portal.store.reading() as connection:
            return connection.execute(select(func.count()).select_from(table)).scalar_one()

    harbour.place(NEWS)
    harbour.publish(news=["Red tea is new"])
    for _ in range(3):
        harbour.clock.now += 40 * HOUR
        harbour.work()
    assert count(watched.checks) == 5
    harbour.worker.tasks.expire()
    assert count(watched.checks) == 5
    harbour.clock.now += CHECKS.total_seconds()
    harbour.worker.tasks.expire()
    assert count(watched.checks) == count(watched.observations) == 2


def test_check_now_does_not_wait(harbour: Harbour) -> None:
    (tile,) = harbour.place()
    portal, ann = harbour.portal, harbour.account
    assert portal.check_state(ann, tile.uid) is JobState.DONE
    portal.check_now(ann, tile.uid)
    portal.check_now(ann, tile.uid)
    assert portal.check_state(ann, tile.uid) is JobState.WAITING
    assert harbour.work() == 1
    assert portal.check_state(ann, tile.uid) is JobState.DONE


def test_the_last_good_copy_is_shown_while_a_site_is_down(harbour: Harbour) -> None:
    harbour.place()
    began = harbour.portal.now()
    harbour.site.pages["/"] = Answer(status=500)
    harbour.clock.now += 40 * HOUR
    harbour.work()
    view = harbour.view()
    assert view.state is TileState.OLD
    assert view.error
    assert view.observation
    assert "Green tea" in view.observation.text
    assert view.since
    assert view.since > began
    assert view.age
    assert view.age > timedelta(hours=39)
    harbour.site.pages["/"] = WALL
    harbour.clock.now += 40 * HOUR
    harbour.work()
    assert harbour.view().state is TileState.WALL


def test_a_site_that_is_down_is_asked_less_and_less(harbour: Harbour) -> None:
    harbour.place()
    harbour.site.pages["/"] = Answer(status=500)
    waits = []
    for _ in range(12):
        harbour.clock.now += 40 * HOUR
        harbour.work()
        (failing,) = harbour.portal.health(harbour.account).failing
        anybody = harbour.portal.health()
        assert (anybody.pages, anybody.failing) == (1, ())
        waits.append((failing.next_check - failing.checked).total_seconds())
    assert 300 * (1 - JITTER) <= waits[0] <= 300 * (1 + JITTER)
    assert 24 * HOUR * (1 - JITTER) <= waits[-1] <= 24 * HOUR * (1 + JITTER)
    assert all(later > sooner for sooner, later in pairwise(waits[:8]))


def test_a_server_says_when_to_come_again(harbour: Harbour) -> None:
    harbour.place()
    harbour.site.pages["/"] = Answer(status=503, headers={"Retry-After": "7200"})
    harbour.clock.now += 40 * HOUR
    harbour.work()
    (failing,) = harbour.portal.health(harbour.account).failing
    assert failing.next_check - failing.checked == timedelta(hours=2)


def test_robots_are_obeyed(harbour: Harbour) -> None:
    harbour.site.pages["/robots.txt"] = "User-agent: *\nDisallow: /secret"
    preview = harbour.preview("/secret")
    assert preview.state is PreviewState.FAILED
    assert "/secret" not in harbour.site.asked


def test_a_page_that_ends_workers_is_given_up(harbour: Harbour) -> None:
    preview = harbour.portal.preview(harbour.account, harbour.site("/"))
    for number in range(3):
        assert harbour.worker.queue.take(f"dead {number}")
        harbour.worker.queue.gone(f"dead {number}")
        harbour.clock.now += 3
    harbour.work()
    given_up = harbour.portal.preview_of(harbour.account, preview.uid)
    assert given_up.state is PreviewState.FAILED
    assert "/" not in harbour.site.asked


def test_a_job_that_was_interrupted_is_finished_by_another(
    harbour: Harbour, config: Settings
) -> None:
    harbour.place(NEWS)
    harbour.site.pages["/"] = page(news=["White tea is new"])
    harbour.clock.now += 40 * HOUR
    harbour.worker.queue.plan()
    job = harbour.worker.queue.take("dead")
    assert job
    watch = harbour.worker._new_watch()
    harbour.worker.tasks.do(job, watch)  # it dies before it can say that it is done
    harbour.clock.now += LEASE.total_seconds()
    assert harbour.work() == 1
    assert harbour.view().state is TileState.CHANGED
    assert count(harbour, watched.observations) == 2


def test_a_private_address_is_not_reached(config: Settings, harbour: Harbour) -> None:
    with Worker(replace(config, private=False)) as guarded:
        preview = harbour.portal.preview(harbour.account, harbour.site("/"))
        guarded.do_all()
    failed = harbour.portal.preview_of(harbour.account, preview.uid)
    assert failed.state is PreviewState.FAILED
    assert failed.error
    assert failed.error["kind"] == "address_refused"
    assert harbour.site.asked == []


def test_a_worker_that_cannot_be_started_is_started_later(
    config: Settings, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "COMMAND", (sys.executable, "-c", "pass"))
    monkeypatch.setattr(supervisor, "LOOK", 0.01)
    config = replace(config, renderer="embedded")
    with supervisor.Supervisor(config, harbour.worker.queue) as workers:
        start, tried = workers._started, list[int]()

        def started() -> subprocess.Popen[bytes]:
            tried.append(1)
            if len(tried) == 1:
                raise OSError("too many processes")
            return start()

        monkeypatch.setattr(workers, "_started", started)
        until = time.monotonic() + 10
        while len(tried) < 2 and time.monotonic() < until:
            time.sleep(0.02)
    assert len(tried) >= 2


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8181"),
        ("::1", "http://[::1]:8181"),
        ("0.0.0.0", f"http://{socket.gethostname()}:8181"),
    ],
)
def test_messages_name_an_address_that_leads_here(host: str, address: str) -> None:
    assert Settings(host=host).address == address


def test_work_goes_on_when_the_database_is_back(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    preview = harbour.portal.preview(harbour.account, harbour.site("/"))
    previews = harbour.worker.tasks._previews

    def full(*_: object) -> None:
        raise StoreError("the database cannot be used (disk full)")

    with monkeypatch.context() as patched:
        patched.setattr(previews, "ready", full)
        harbour.work()
    harbour.clock.now += LEASE.total_seconds()
    harbour.work()
    ready = harbour.portal.preview_of(harbour.account, preview.uid)
    assert ready.state is PreviewState.READY


# Intervals


@pytest.mark.parametrize(
    ("days", "changes", "hours"),
    [(0, 0, 1), (14, 0, 24), (14, 14, 5.66), (14, 14 * 24, 0.25), (14, 14 * 200, 1 / 6)],
)
def test_pages_are_looked_at_as_often_as_they_change(
    days: float, changes: int, hours: float
) -> None:
    assert learned_interval(days * 24 * HOUR, changes) / HOUR == pytest.approx(hours, rel=0.02)


def test_the_shortest_interval_of_all_tiles_holds(harbour: Harbour) -> None:
    first, second = harbour.place(NEWS, WEATHER)
    portal, ann = harbour.portal, harbour.account
    portal.change_tile(ann, first.uid, every=7200)
    portal.change_tile(ann, second.uid, every=600)
    page_of = portal.tile(ann, first.uid).page
    assert page_of
    assert page_of.next_check - portal.now() <= timedelta(seconds=600)
    harbour.publish(news=["White tea"])
    page_of = portal.tile(ann, first.uid).page
    assert page_of
    waited = (page_of.next_check - page_of.checked).total_seconds()
    assert 600 * (1 - JITTER) <= waited <= 600 * (1 + JITTER)
