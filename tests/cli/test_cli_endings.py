"""Closed pipes and signals."""

from __future__ import annotations

import contextlib
import json
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import psutil  # type: ignore[import-untyped]
import pytest
from running import EXAMPLES, PROGRAM, save_small_page

from pagesight.cli import output
from pagesight.cli.options import ReadingOptions
from pagesight.cli.output import Progress
from pagesight.cli.sources import read_sources
from pagesight.render import AnyRenderer

PATIENCE = 120.0  # seconds at most, on a busy machine, too
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


def _start(*arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _start_articles(page_file: Path, *options: str) -> subprocess.Popen[bytes]:
    """`pagesight article` that has read a page, and waits for further sources."""
    command = ("article", "--all", *options, "-j", "1", "--from", "-")
    process = _start(*command, stdin=subprocess.PIPE)
    sources = [str(page_file), *["no-such.html"] * 20]
    listed = "".join(json.dumps({"source": source}) + "\n" for source in sources)
    _pipe(process.stdin).write(listed.encode())
    _pipe(process.stdin).flush()
    assert b"no-such.html" in _pipe(process.stderr).readline()  # so the page before it was read
    return process


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)  # dead, and not yet buried
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("options", [["--json"], []])
def test_a_closed_pipe_ends_quietly(options: list[str], page_file: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "list.jsonl"
    manifest.write_text('{"source": "tea.pagesight"}\n' * 2000)
    process = _start("read", *options, "--from", str(manifest))
    assert _pipe(process.stdout).readline()
    _pipe(process.stdout).close()
    assert _pipe(process.stderr).read() == b""
    _pipe(process.stderr).close()
    assert process.wait(PATIENCE) == 128 + 13


@pytest.mark.parametrize("place", ["typer.main.get_command", "pagesight.cli.app.main"])
def test_an_interrupt_of_the_start_ends_quietly(place: str) -> None:
    module, name = place.rsplit(".", 1)
    program = f"""
import importlib, signal
from pagesight.cli import main
def interrupted(*_):
    signal.raise_signal(signal.SIGINT)
setattr(importlib.import_module({module!r}), {name!r}, interrupted)
main()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


def test_an_interrupt_of_the_imports_ends_quietly() -> None:
    program = """
import sys
from pagesight.cli import main
class Interrupted:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
main()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


def test_an_interrupt_waits_until_the_browser_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_reasons", [])
    gone = []

    def close(_: AnyRenderer) -> None:
        output.end(KeyboardInterrupt())
        gone.append(True)

    monkeypatch.setattr(AnyRenderer, "close", close)
    with pytest.raises(KeyboardInterrupt):
        assert [*read_sources(ReadingOptions(sources=["no-such.html"]))]
    assert gone


def test_an_interrupt_closes_what_is_left_open() -> None:
    program = """
import atexit
from pagesight.cli import app, main
atexit.register(print, "closed")
def interrupted(*_, **__):
    raise SystemExit(app.INTERRUPTED)
app.app = interrupted
main()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"closed\n", b"")


def test_a_second_interrupt_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_reasons", [])
    with output.undisturbed():
        output.end(KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            output.end(KeyboardInterrupt())
        monkeypatch.setattr(output, "_reasons", [])


def test_an_ending_that_is_swallowed_comes_with_the_next_output(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(output, "_reasons", [])
    output.end_if_due()
    with contextlib.suppress(KeyboardInterrupt):
        output.end(KeyboardInterrupt())
    for speak in (output.say_lines, output.say_json):
        with pytest.raises(KeyboardInterrupt):
            speak({})
    assert capfdbinary.readouterr().out == b""
    with pytest.raises(KeyboardInterrupt):
        output.say_last(b"all that was read")
    assert capfdbinary.readouterr().out == b"all that was read"
    with pytest.raises(KeyboardInterrupt):
        Progress(1).advance()


@pytest.mark.parametrize("options", ["read", "read --json", "article --format markdown --all"])
def test_standard_output_may_be_closed(options: str, page_file: Path) -> None:
    command = f'exec "$@" {options} {page_file.name} >&-'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *PROGRAM],
        cwd=page_file.parent,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("options", ["--help", "--version", "read --help"])
def test_a_help_that_finds_no_room(options: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [*PROGRAM, *options.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [(signal.SIGINT, 130, b"interrupted\n"), (signal.SIGTERM, 143, b"")],
)
def test_a_signal_while_waiting_for_sources(
    sent: signal.Signals, status: int, said: bytes, page_file: Path
) -> None:
    process = _start("read", "--json", "--jobs", "1", "--from", "-", stdin=subprocess.PIPE)
    line = json.dumps({"source": str(page_file)}).encode() + b"\n"
    _pipe(process.stdin).write(line * 20)
    _pipe(process.stdin).flush()
    assert b"Tea" in _pipe(process.stdout).readline()
    process.send_signal(sent)
    # Standard input stays open: the program must not wait for its end.
    assert process.wait(PATIENCE) == status
    assert _pipe(process.stderr).read() == said
    for stream in (process.stdin, process.stdout, process.stderr):
        _pipe(stream).close()


def test_a_result_does_not_wait_for_further_sources(page_file: Path) -> None:
    process = _start("read", "--json", "--jobs", "2", "--from", "-", stdin=subprocess.PIPE)
    line = json.dumps({"source": str(page_file)}).encode() + b"\n"
    for _ in range(2):
        _pipe(process.stdin).write(line)
        _pipe(process.stdin).flush()
        assert select.select([_pipe(process.stdout)], [], [], PATIENCE)[0], "nothing comes"
        assert b"Tea" in _pipe(process.stdout).readline()
    _pipe(process.stdin).close()
    assert process.wait(PATIENCE) == 0
    for stream in (process.stdout, process.stderr):
        _pipe(stream).close()


def test_a_closed_pipe_while_waiting_for_sources(page_file: Path) -> None:
    process = _start("read", "--json", "--from", "-", stdin=subprocess.PIPE)
    line = json.dumps({"source": str(page_file)}).encode() + b"\n"
    _pipe(process.stdout).close()
    _pipe(process.stdin).write(line)
    _pipe(process.stdin).flush()
    assert process.wait(PATIENCE) == 141
    assert _pipe(process.stderr).read() == b""
    for stream in (process.stdin, process.stderr):
        _pipe(stream).close()


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(
    ("options", "name", "begin"),
    [
        (["--format", "bibtex"], "", b"@misc{"),
        (["--format", "csl"], "", b"["),
        (["--format", "bibtex"], "all.bib", b"@misc{"),
        (["--json"], "all.jsonl", b'{"source": '),
    ],
)
def test_articles_that_were_read_before_a_signal_are_written(
    sent: signal.Signals, status: int, options: list[str], name: str, begin: bytes, page_file: Path
) -> None:
    file = page_file.with_name(name) if name else None
    into = ["-o", str(file)] if file else []
    process = _start_articles(page_file, *options, *into)
    process.send_signal(sent)
    assert process.wait(PATIENCE) == status
    written = file.read_bytes() if file else _pipe(process.stdout).read()
    assert written.startswith(begin)
    assert b"Green tea" in written
    assert (f"{file}: 1 written\n".encode() in _pipe(process.stderr).read()) == bool(file)
    for stream in (process.stdin, process.stdout, process.stderr):
        _pipe(stream).close()


def test_an_interrupt_keeps_its_status_where_nobody_reads_on(page_file: Path) -> None:
    process = _start_articles(page_file, "--format", "bibtex")
    _pipe(process.stdout).close()
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert _pipe(process.stderr).read().endswith(b"interrupted\n")
    for stream in (process.stdin, process.stderr):
        _pipe(stream).close()


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_a_page_comes_from_standard_input(
    sent: signal.Signals, status: int, page_file: Path
) -> None:
    process = _start("read", "--json", "-j", "1", str(page_file), "-", stdin=subprocess.PIPE)
    assert b"Tea" in _pipe(process.stdout).readline()
    process.send_signal(sent)
    assert process.wait(PATIENCE) == status
    for stream in (process.stdin, process.stdout, process.stderr):
        _pipe(stream).close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [(signal.SIGINT, 130, b"interrupted\n"), (signal.SIGTERM, 143, b"")],
)
def test_no_browser_stays_behind(sent: signal.Signals, status: int, said: bytes) -> None:
    source = str(EXAMPLES / "product/index.html")
    process = _start("read", "--json", "--renderer", "chromium", "-j", "2", *[source] * 200)
    assert _pipe(process.stdout).readline()
    started = psutil.Process(process.pid).children(recursive=True)
    assert len(started) > 1
    process.send_signal(sent)
    assert process.wait(PATIENCE) == status
    assert _pipe(process.stderr).read() == said
    for stream in (process.stdout, process.stderr):
        _pipe(stream).close()
    deadline = time.monotonic() + PATIENCE
    while any(map(_is_alive, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [child for child in started if _is_alive(child)] == []
