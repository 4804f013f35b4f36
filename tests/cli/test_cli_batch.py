"""`pagesight batch`, as a user runs it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from running import lines, run, run_program

from archives import page, page_record, record, write_archive
from pagesight.batch.folder import Folder
from pagesight.cli.commands.batch import parse_part, parse_readings
from pagesight.cli.options import WrongUse

parquet: Any = import_module("pyarrow.parquet")
QUICK = ("--renderer", "embedded", "--readings", "title")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    revisit = record(9, b"", kind="revisit")
    return write_archive(
        tmp_path_factory.mktemp("archive") / "tea.warc.gz",
        [*map(page_record, range(5)), revisit],
    )


def test_an_archive_becomes_parquet_and_the_same_command_changes_nothing(
    archive: Path, tmp_path: Path
) -> None:
    command = ("batch", archive, "-o", tmp_path / "rows", "--shard-size", "4", *QUICK)
    done = run_program(*command)
    assert done.returncode == 0, done.stderr
    assert b"6 of 6" in done.stdout
    assert b"1 revisit_record" in done.stdout
    files = sorted((tmp_path / "rows/rows").iterdir())
    assert [path.name for path in files] == ["00000.parquet", "00001.parquet"]
    rows = parquet.read_table(tmp_path / "rows/rows").to_pylist()
    assert [row["record_id"] for row in rows] == [
        f"<urn:uuid:{number:012}>" for number in (0, 1, 2, 3, 4, 9)
    ]
    assert rows[1]["readings"]["title"]["title"]["text"] == "The tea house number 1 by the river"
    assert rows[5]["error"]["kind"] == "revisit_record"
    assert (tmp_path / "rows/report.html").exists()
    before = [path.stat().st_mtime_ns for path in files]
    assert run_program(*command).returncode == 0
    assert [path.stat().st_mtime_ns for path in files] == before


def test_a_list_and_a_table_become_json_lines(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(page(1))
    (tmp_path / "list.txt").write_text("a.html\nno-such.html\n")
    table = {"html": page(2).decode(), "url": "https://tea.example/2", "id": "two"}
    (tmp_path / "table.jsonl").write_text(json.dumps(table))
    done = run_program(
        "batch", "table.jsonl", "--from", "list.txt", "-o", "rows", "--format", "jsonl", "--json",
        *QUICK, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (status,) = lines(done.stdout)
    assert (status["rows"], status["errors"]) == (3, {"source_not_found": 1})
    first, second, third = lines((tmp_path / "rows/rows/00000.jsonl").read_bytes())
    assert (first["record_id"], first["input"]) == ("two", "table.jsonl")
    assert (second["path"], second["input"]) == (str(tmp_path / "a.html"), "list.txt")
    assert third["error"]["kind"] == "source_not_found"


def test_another_batch_is_not_mixed_into_a_folder(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rows"
    assert run_program("batch", archive, "-o", folder, *QUICK).returncode == 0
    refused = run("batch", archive, "-o", folder, "--readings", "outline")
    assert refused.returncode == 1
    assert b"other options" in refused.stderr
    assert b"hint: repeat the command" in refused.stderr


def test_the_status_of_a_folder(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rows"
    half = ("batch", archive, "-o", folder, "--shard-size", "3", "--shard", "1/2", *QUICK)
    assert run_program(*half).returncode == 0
    shown = run("batch", "-o", folder, "--status")
    assert b"not running" in shown.stdout
    assert b"3 of 6" in shown.stdout
    assert b"continues it" in shown.stderr
    (status,) = lines(run("batch", "-o", folder, "--status", "--json").stdout)
    assert (status["shards"], status["shards_done"], status["complete"]) == (2, 1, False)
    assert not Folder(folder).report.exists()
    nothing = run("batch", "-o", tmp_path / "none", "--status")
    assert nothing.returncode == 1
    assert b"there is no batch in this folder" in nothing.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), b"no source given"),
        (("--from", "-"), b"standard input"),
        (("x.warc", "--shard", "3/2"), b"'3/2' is not a part such as 3/20"),
        (("x.warc", "--readings", "tea"), b"'tea' is not one of the readings zones"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], message: bytes, tmp_path: Path) -> None:
    done = run("batch", "-o", tmp_path / "rows", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    done = run("batch", "no-such.warc", "-o", tmp_path / "rows")
    assert done.returncode == 1
    assert b"no-such.warc: there is no such file or folder" in done.stderr
    assert not (tmp_path / "rows").exists()


def test_parts_and_readings_are_parsed() -> None:
    assert parse_part(None) == (1, 1)
    assert parse_part("3/20") == (3, 20)
    with pytest.raises(WrongUse):
        parse_part("0/2")
    assert parse_readings("title, zones") == ("zones", "title")
