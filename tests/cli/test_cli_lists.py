"""`--from`: lists of sources, as lines and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import lines, run, save_small_page

BAD = [
    ("{not JSON", "this line is not JSON"),
    ('{"url": "https://example.com/"}', 'this line has no "source"'),
    ('{"source": 3}', '"source" is not a text'),
    ("-", "a list cannot name standard input"),
]


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


def _list(folder: Path, *rows: str, name: str = "list.txt") -> Path:
    path = folder / name
    path.write_text("\n".join(rows))
    return path


def test_plain_lines_and_json_may_be_mixed(page_file: Path, tmp_path: Path) -> None:
    url = "https://example.com/elsewhere"
    row = json.dumps({"source": page_file.name, "url": url})
    listed = _list(tmp_path, "# teas", page_file.name, "", row, str(page_file))
    done = run("read", "--json", "--from", listed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line["source"] for line in lines(done.stdout)] == [str(page_file)] * 3


@pytest.mark.parametrize("command", [("read",), ("title",), ("title", "--fast")])
@pytest.mark.parametrize(("row", "message"), BAD)
def test_a_bad_line_costs_that_line_only(
    command: tuple[str, ...], row: str, message: str, page_file: Path, tmp_path: Path
) -> None:
    listed = _list(tmp_path, page_file.name, "", row, page_file.name)
    done = run(*command, "--json", "--from", listed)
    assert done.returncode == 1
    before, failed, after = lines(done.stdout)
    assert before == after
    assert before["source"] == str(page_file)
    assert failed["source"] == f"{listed}:3"
    assert failed["error"]["kind"] == "bad_manifest"
    assert failed["error"]["message"] == message
    assert done.stderr.decode().startswith(f"error: {listed}:3: {message}\n")


def test_every_bad_line_is_reported(page_file: Path, tmp_path: Path) -> None:
    listed = _list(tmp_path, *(row for row, _ in BAD), page_file.name)
    done = run("zones", "--json", "--from", listed)
    assert done.returncode == 1
    sources = [line["source"] for line in lines(done.stdout)]
    assert sources == [*(f"{listed}:{number}" for number in range(1, 5)), str(page_file)]
    assert done.stderr.decode().count("error: ") == len(BAD)


def test_without_json_a_bad_line_is_on_standard_error_only(page_file: Path, tmp_path: Path) -> None:
    listed = _list(tmp_path, "{", page_file.name)
    done = run("title", "--from", listed)
    assert done.returncode == 1
    assert b"list.txt:1" not in done.stdout
    assert f"error: {listed}:1: this line is not JSON\n".encode() in done.stderr
    assert b"  hint: A line is a path, an address, or {" in done.stderr


def test_bad_lines_of_standard_input_have_numbers_as_well(page_file: Path) -> None:
    given = f"\n{{\n{page_file}\n".encode()
    done = run("title", "--json", "--from", "-", stdin=given)
    assert done.returncode == 1
    assert [line["source"] for line in lines(done.stdout)] == ["<stdin>:2", str(page_file)]


def test_sources_of_the_command_line_come_first(page_file: Path, tmp_path: Path) -> None:
    listed = _list(tmp_path, "{", page_file.name)
    done = run("title", "--json", "no-such.html", "--from", listed)
    sources = [line["source"] for line in lines(done.stdout)]
    assert sources == ["no-such.html", f"{listed}:1", str(page_file)]


@pytest.mark.parametrize("command", [("read",), ("title", "--fast")])
def test_a_list_that_is_not_there(command: tuple[str, ...], page_file: Path) -> None:
    done = run(*command, "--json", page_file, "--from", "no-such.txt")
    assert done.returncode == 1
    page, failed = lines(done.stdout)
    assert page["source"] == str(page_file)
    assert failed["source"] == "no-such.txt"
    assert failed["error"]["kind"] == "source_not_found"


@pytest.mark.parametrize("rows", [(), ("", "  ", "# nothing")])
def test_an_empty_list_is_no_failure(rows: tuple[str, ...], tmp_path: Path) -> None:
    listed = _list(tmp_path, *rows)
    done = run("read", "--json", "--from", listed)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == f"{listed} lists no sources\n"


def test_a_list_of_bad_lines_is_not_called_empty(tmp_path: Path) -> None:
    done = run("read", "--from", _list(tmp_path, "{"))
    assert done.returncode == 1
    assert b"lists no sources" not in done.stderr


def test_an_empty_address_leaves_that_of_the_page(page_file: Path, tmp_path: Path) -> None:
    rows = [json.dumps({"source": page_file.name, "url": url}) for url in ("", None)]
    done = run("read", "--json", "--from", _list(tmp_path, *rows))
    assert done.returncode == 0
    assert [line["url"] for line in lines(done.stdout)] == ["https://example.com/tea"] * 2


def test_failures_of_lines_are_in_the_list_of_failures(page_file: Path, tmp_path: Path) -> None:
    listed = _list(tmp_path, "{", page_file.name)
    assert run("render", "--from", listed, "-o", tmp_path / "pages").returncode == 1
    (failed,) = lines((tmp_path / "pages/errors.jsonl").read_bytes())
    assert failed["source"] == f"{listed}:1"
    (saved,) = lines((tmp_path / "pages/manifest.jsonl").read_bytes())
    assert saved["from"] == str(page_file)
