"""`--public-only`: every command that fetches pages has it, and reaches nothing else then."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import lines, run

from serving import doorkeeper, website

PAGE = b"<title>Green tea</title><h1>Green tea</h1><p id=news>From Japan."
READING = ("article", "inspect", "outline", "read", "records", "title", "zones")
WORDS = b"127.0.0.1 is an address of this machine"


@pytest.mark.parametrize("command", READING)
def test_commands_that_read_pages(command: str, tmp_path: Path) -> None:
    with doorkeeper() as (place, visitors):
        result = run(command, "--public-only", f"http://{place}/", cwd=tmp_path)
    assert result.returncode == 1
    assert WORDS in result.stderr
    assert b"hint: with --public-only" in result.stderr
    assert visitors == []


def test_rendering(tmp_path: Path) -> None:
    with doorkeeper() as (place, visitors):
        result = run("render", "--public-only", f"http://{place}/", "-o", tmp_path / "a.pagesight")
    assert (result.returncode, visitors) == (1, [])
    assert WORDS in result.stderr


def test_the_error_in_json() -> None:
    with doorkeeper() as (place, visitors):
        result = run("title", "--fast", "--json", "--public-only", f"http://{place}/")
    (fields,) = lines(result.stdout)
    assert fields["error"]["kind"] == "address_refused"
    assert fields["error"]["message"] == WORDS.decode()
    assert visitors == []


def test_without_it_this_machine_is_read() -> None:
    with website({"/": PAGE}) as server:
        result = run("title", "--fast", "--json", server())
    (fields,) = lines(result.stdout)
    assert fields["title"]["text"] == "Green tea"


def test_files_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_bytes(PAGE)
    assert run("title", "--fast", "--public-only", "tea.html", cwd=tmp_path).returncode == 0


def test_a_crawl(tmp_path: Path) -> None:
    with doorkeeper() as (place, visitors):
        result = run("crawl", f"http://{place}/", "-o", tmp_path, "--json", "--public-only")
    assert result.returncode == 1
    assert lines(result.stdout)[0]["error"]["kind"] == "address_refused"
    assert visitors == []


def test_watching(tmp_path: Path) -> None:
    usual = ("--database", tmp_path / "watch.sqlite", "--renderer", "embedded", "--json")
    with website({"/": PAGE}) as server:
        refused = run("watch", "add", server(), "--part", "#news", "--public-only", *usual)
        assert server.asked == []
        assert refused.returncode == 1
        assert run("watch", "add", server(), "--part", "#news", *usual).returncode == 0
        server.asked.clear()
        checked = run("watch", "check", "--public-only", "--delay", "0", *usual)
        assert server.asked == []
    assert checked.returncode == 1
    assert WORDS in refused.stderr
    assert WORDS in checked.stderr + checked.stdout
