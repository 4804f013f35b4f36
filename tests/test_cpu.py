"""Limits of CPU time, on a clock that only the tests move."""

from __future__ import annotations

import contextlib
import re
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import pagesight
from pagesight import cpu
from pagesight.cpu import limited
from pagesight.document import Document
from pagesight.errors import ReadingTimeout
from pagesight.page import Page
from pagesight.readers.registry import reading_named

Run = Callable[[Callable[[], Any]], Any]
LayOut = Callable[[str], Page]


def in_main_thread(work: Callable[[], Any]) -> Any:
    return work()


def in_another_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.fixture(params=[in_main_thread, in_another_thread])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


class Clock:
    """Stands still until it is moved."""

    now = 0.0

    def __call__(self, _: int | None = None) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(cpu, "used", clock)
    monkeypatch.setattr(cpu, "TICK", 0.001)
    return clock


def working_for_ever(clock: Clock, seconds: float) -> None:
    clock.now += seconds
    while True:
        pass


def test_work_ends_when_its_time_is_over(run: Run, clock: Clock) -> None:
    with pytest.raises(ReadingTimeout, match="not read within 20 s") as raised:
        run(lambda: limited(lambda: working_for_ever(clock, 21), 20))
    assert raised.value.hint == "raise the limit with --reading-time"


def test_work_within_its_time_is_left_alone(run: Run, clock: Clock) -> None:
    def work() -> int:
        clock.now += 19
        return sum(number % 7 for number in range(300_000))  # some ticks long

    assert run(lambda: limited(work, 20)) == run(work)


def test_a_limit_is_lifted_with_its_work(run: Run, clock: Clock) -> None:
    def late() -> int:
        limited(lambda: None, 20)
        clock.now += 1000
        return sum(number % 7 for number in range(300_000))

    assert run(late) > 0


def test_work_that_catches_everything_ends_as_well(run: Run, clock: Clock) -> None:
    def stubborn() -> None:
        clock.now += 21
        for _ in range(3):
            with contextlib.suppress(BaseException):  # as finalizers do
                working_for_ever(clock, 0)
        working_for_ever(clock, 0)

    with pytest.raises(ReadingTimeout):
        run(lambda: limited(stubborn, 20))


def test_errors_of_the_work_are_its_own(run: Run, clock: Clock) -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda: limited(lambda: 1 / (clock.now), 20))


def test_within_a_limit_no_other_holds(run: Run, clock: Clock) -> None:
    def work() -> str:
        clock.now += 10
        return limited(lambda: "done", 5)

    assert run(lambda: limited(work, 20)) == "done"


def test_a_pattern_is_interrupted_in_the_main_thread(clock: Clock) -> None:
    if not hasattr(signal, "setitimer"):
        pytest.skip("no such signals here")

    def match() -> None:
        clock.now += 21
        re.match(r"(?:a+)+b", "a" * 60)  # for years

    with pytest.raises(ReadingTimeout):
        limited(match, 20)


def test_no_thread_is_left(clock: Clock) -> None:
    before = threading.active_count()
    in_another_thread(lambda: limited(lambda: clock.now, 20))
    assert threading.active_count() == before


@pytest.fixture
def slow_article(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    def read(_: Page, **__: Any) -> None:
        working_for_ever(clock, 21)

    monkeypatch.setattr("pagesight.readers.article.reader.read_article", read)


@pytest.mark.usefixtures("slow_article")
def test_a_reading_that_takes_too_long_costs_no_other(lay_out: LayOut) -> None:
    page = lay_out("<h1>Green tea</h1><p>10.1000/182</p><h2>Abstract</h2><p>Tea is good.</p>")
    document = Document("tea.html", page)
    fields = document.to_json()["readings"]
    assert fields["article"]["problem"] == "out of time"
    assert fields["article"]["authors"] == []
    assert fields["outline"]["headings"][0]["text"] == "Green tea"
    assert "problem" not in fields["outline"]
    assert document.problems == {"article": "out of time"}
    assert document.json_of(document.article)["problem"] == "out of time"
    assert document.json_of(document.outline)["problem"] is None
    assert "out of time" in document._repr_html_()


@pytest.mark.parametrize("name", ["zones", "title", "outline", "article"])
def test_every_reading_has_an_empty_result(lay_out: LayOut, name: str) -> None:
    page = lay_out("<p>Green tea</p>")
    result = reading_named(name).call("unread", page, "out of time")
    assert result.problem == "out of time"
    assert type(result) is type(Document("tea.html", page).reading(name))
    assert result.to_json()


def test_the_limit_is_an_option() -> None:
    from pagesight.sources import Limits

    document = pagesight.read(b"<p>Tea", renderer="embedded", limits=Limits(reading_time=3))
    assert document.reading_time == 3
    assert Document("tea.html", document.page).reading_time == 20
