"""No process outlives the program that needed it, however that ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
MARK = "PAGESIGHT_TEST_MARK"
PATIENCE = 120.0  # seconds at most until nothing is left, on a busy machine, too
each_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"]
)

# Reads a good page, says so, and goes on with one that takes longer than anybody waits.
READING = """
import sys
from pagesight.document import read_all
from pagesight.render import RenderOptions, open_renderer
GOOD, SLOW = b"<p>Good morning", b"<div>" * 200_000
options = RenderOptions(timeout=120)
def read(*pages):
    for result in read_all(pages, renderer=renderer):
        print(result.page.root.text, flush=True)
"""
CLOSED = "with open_renderer(sys.argv[1], options) as renderer:\n    "
FORGOTTEN = "renderer = open_renderer(sys.argv[1], options)\n"


@contextmanager
def started(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A Python program in a group of its own, all of whose processes carry a mark."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, MARK: mark},
    )
    with process:
        try:
            yield process, mark
        finally:
            for left in marked(mark):
                left.kill()


def marked(mark: str) -> list[psutil.Process]:
    """All living processes with this mark in their environment."""
    return [process for process in psutil.process_iter() if _has(process, mark)]


def _has(process: psutil.Process, mark: str) -> bool:
    try:
        alive = process.status() != psutil.STATUS_ZOMBIE
        return bool(alive and process.environ().get(MARK) == mark)
    except psutil.Error:
        return False


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return list(psutil.Process(process.pid).children(recursive=True))


def survivors(mark: str, known: list[psutil.Process]) -> list[str]:
    """The processes that are still there after a while: those with the mark, and those known."""
    deadline = time.monotonic() + PATIENCE
    while True:
        left = {*marked(mark), *filter(_lives, known)}
        if not left or time.monotonic() > deadline:
            return [str(process) for process in left]
        time.sleep(0.05)


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def line_of(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


def errors_of(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    return process.stderr.read().decode()


@each_renderer
@pytest.mark.parametrize(
    ("ending", "status"),
    [
        pytest.param(CLOSED + "read(GOOD)", 0, id="closed"),
        pytest.param(FORGOTTEN + "read(GOOD)", 0, id="forgotten"),
        pytest.param(CLOSED + "read(GOOD); raise SystemExit(3)", 3, id="exit"),
        pytest.param(CLOSED + "read(GOOD); raise RuntimeError", 1, id="exception"),
        pytest.param(FORGOTTEN + "read(GOOD); raise RuntimeError", 1, id="forgotten exception"),
        pytest.param(
            CLOSED + "results = read_all([GOOD, SLOW, SLOW], renderer=renderer)\n"
            "    print(next(results).page.root.text); raise RuntimeError",
            1,
            id="exception while another page is rendered",
        ),
    ],
)
def test_the_end_of_a_program(ending: str, status: int, renderer: str) -> None:
    with started("-W", "error", "-c", READING + ending, renderer) as (process, mark):
        line = line_of(process)
        assert line == b"Good morning\n", errors_of(process)
        known = family(process)
        assert process.wait(PATIENCE) == status
        complaints = errors_of(process)
        assert survivors(mark, known) == []
    assert ("RuntimeError" in complaints) == (status == 1)
    assert "never" not in complaints  # awaited, retrieved: tasks that were left behind


@each_renderer
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("program", ["library", "command line"])
def test_a_signal_while_a_page_is_rendered(
    program: str, sent: signal.Signals, renderer: str, tmp_path: Path
) -> None:
    good, slow = tmp_path / "good.html", tmp_path / "slow.html"
    good.write_text("<p>Good morning")
    slow.write_text("<div>" * 200_000)
    arguments: tuple[str | Path, ...] = ("-c", READING + CLOSED + "read(GOOD, SLOW)", renderer)
    if program == "command line":
        arguments = ("-m", "pagesight", "read", "--json", "--timeout", "120", "--jobs", "1",
                     "--renderer", renderer, good, slow)  # fmt: skip
    with started(*arguments) as (process, mark):
        assert line_of(process)
        time.sleep(0.3)  # it is at the slow page now
        known = family(process)
        assert known
        if sent == signal.SIGINT:  # from the keyboard, it goes to the whole group
            os.killpg(process.pid, sent)
        else:
            process.send_signal(sent)
        status = process.wait(PATIENCE)
        assert survivors(mark, known) == []
    assert status in (-sent, 128 + sent)


@pytest.mark.browser
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_browser_starts(sent: signal.Signals) -> None:
    reading = "print('starting', flush=True)\nread(GOOD)"
    for delay in (0.0, 0.2, 0.4, 0.8):
        with started("-c", READING + CLOSED + reading.replace("\n", "; "), "chromium") as (
            process,
            mark,
        ):
            line_of(process)
            time.sleep(delay)
            known = family(process)
            process.send_signal(sent)
            process.wait(PATIENCE)
            assert survivors(mark, known) == []


@each_renderer
def test_two_jobs_keep_the_order(renderer: str, tmp_path: Path) -> None:
    pages = [tmp_path / f"{number}.html" for number in range(20)]
    for number, page in enumerate(pages):
        page.write_text(f"<title>Page {number}</title>" + "<p>text" * (1 + 300 * (number % 3)))
    with started(
        "-m", "pagesight", "read", "--json", "--jobs", "2", "--renderer", renderer, *pages
    ) as (process, mark):  # fmt: skip
        output, _ = process.communicate(timeout=600)
        assert process.returncode == 0
        assert survivors(mark, []) == []
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["source"] for line in lines] == [str(page) for page in pages]
    assert not any("error" in line for line in lines)
    assert [f"Page {number}" in json.dumps(line) for number, line in enumerate(lines)] == [
        True
    ] * 20


@each_renderer
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_renderer_is_not_for_the_children_of_its_process(renderer: str) -> None:
    program = """
import os, sys, pagesight
from pagesight import PagesightError
PAGE = b"<p>Good morning"
with pagesight.open_renderer(sys.argv[1]) as renderer:
    pagesight.read(PAGE, renderer=renderer)
    if os.fork() == 0:
        try:
            pagesight.read(PAGE, renderer=renderer)
        except PagesightError as error:
            print(error.message, flush=True)
        sys.exit()  # and what it has inherited is not for it to close
    os.wait()
    print(pagesight.read(PAGE, renderer=renderer).page.root.text)
"""
    command = [sys.executable, "-c", program, renderer]
    done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE, text=True)
    assert done.stdout == "the renderer belongs to another process\nGood morning\n"
    assert done.stderr == ""
