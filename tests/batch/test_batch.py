"""From inputs to rows: each page is a row, once, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from archives import page_record, record, write_archive
from batch_kill import add_reading
from batch_kill import run as run_and_kill
from pagesight.batch.folder import Beat, Folder
from pagesight.batch.inputs import specs_of
from pagesight.batch.memory import limited_memory
from pagesight.batch.options import BatchOptions
from pagesight.batch.plan import Plan, Planned, key_of, make_plan
from pagesight.batch.rows import PageReader, Row, failed_row
from pagesight.batch.running import Engine, inputs_of, prepare, run, write_report
from pagesight.batch.schema import JSON, Shape, fitted, row_shape, write_parquet
from pagesight.batch.shard import run_shard
from pagesight.batch.status import StatusReader
from pagesight.batch.summary import Summary, confidence_of, kind_of
from pagesight.batch.worker import most_cpu_time
from pagesight.errors import (
    BatchError,
    BatchNotInstalled,
    FolderBusy,
    ForeignFolder,
    InputChanged,
    OutOfMemory,
    RenderTimeout,
)
from pagesight.render import RenderOptions, open_renderer
from pagesight.sources import load

Draft202012Validator: Any = import_module("jsonschema").Draft202012Validator
SCHEMA = json.loads((files("pagesight.output") / "schema.json").read_text("utf-8"))
READINGS = ("zones", "title", "outline", "article", "records")
OPTIONS = BatchOptions(readings=("title",), format="jsonl", shard_size=4)
PAGES = 10


def archive(folder: Path, pages: int = PAGES) -> Path:
    return write_archive(folder / "tea.warc.gz", map(page_record, range(pages)))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with a plan of ten pages in three shards."""
    made = Folder(tmp_path / "rows")
    prepare(inputs_of([archive(tmp_path)]), made, OPTIONS)
    return made


def quick_row(planned: Planned) -> Row:
    """A row without rendering anything."""
    return failed_row(planned, RenderTimeout("not tried"))


def rows(folder: Folder) -> list[Row]:
    paths = sorted((folder.path / "rows").iterdir())
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def complaints(row: Row) -> list[str]:
    one = {"$ref": "#/$defs/batch", "$defs": SCHEMA["$defs"]}
    return [error.message for error in Draft202012Validator(one).iter_errors(row)]


# The plan


def test_pages_are_divided_into_shards(folder: Folder) -> None:
    plan = folder.plan
    assert [shard.count for shard in plan.shards] == [4, 4, 2]
    assert plan.count == PAGES
    targets = [one.item.identity.target for number in range(3) for one in plan.items(number)]
    assert targets == [f"https://tea.example/{number}" for number in range(PAGES)]
    assert [one.index for one in plan.items(1, skip=3)] == [7]


def test_a_plan_is_read_as_it_was_written(folder: Folder) -> None:
    assert Plan.from_bytes(folder.plan.to_bytes()) == folder.plan


def test_shards_go_across_inputs(tmp_path: Path) -> None:
    paths = [
        write_archive(tmp_path / f"{letter}.warc", map(page_record, range(3))) for letter in "abc"
    ]
    plan = make_plan(inputs_of(paths), OPTIONS)
    assert [shard.count for shard in plan.shards] == [4, 4, 1]
    names = [(Path(one.input).name[0], one.index) for one in plan.items(1)]
    assert names == [("b", 1), ("b", 2), ("c", 0), ("c", 1)]


def test_the_key_is_that_of_inputs_options_and_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = inputs_of([archive(tmp_path)])
    key = key_of(inputs, OPTIONS)
    assert key == key_of(inputs, OPTIONS)
    others = {key_of(inputs, BatchOptions(readings=("zones",), format="jsonl", shard_size=4))}
    archive(tmp_path, 11)
    others.add(key_of(inputs, OPTIONS))
    monkeypatch.setattr("pagesight.batch.plan.__version__", "9")
    others.add(key_of(inputs, OPTIONS))
    assert len(others | {key}) == 4


def test_an_input_that_has_become_shorter_is_an_error(folder: Folder, tmp_path: Path) -> None:
    archive(tmp_path, 5)
    with pytest.raises(InputChanged, match="pages fewer"):
        [*folder.plan.items(1)]


# The folder


def test_a_folder_with_another_plan_is_refused(folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(ForeignFolder, match="other options"):
        prepare(inputs_of([tmp_path / "tea.warc.gz"]), Folder(folder.path),
                BatchOptions(readings=("outline",)))  # fmt: skip
    prepare(inputs_of([tmp_path / "tea.warc.gz"]), Folder(folder.path), OPTIONS)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text("tea")
    with pytest.raises(ForeignFolder, match="not empty"):
        prepare(inputs_of([archive(tmp_path)]), Folder(tmp_path), OPTIONS)
    with pytest.raises(ForeignFolder, match="no batch"):
        _ = Folder(tmp_path).plan
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(ForeignFolder, match="cannot be read"):
        _ = Folder(tmp_path).plan


def test_a_batch_that_others_begin_at_this_moment_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "rows/work").mkdir(parents=True)
    (tmp_path / "rows/plan.json.12.part").touch()
    prepare(inputs_of([archive(tmp_path)]), Folder(tmp_path / "rows"), OPTIONS)


def test_a_folder_that_is_being_worked_on_is_refused(folder: Folder) -> None:
    with folder.lock("run-1-of-1"), pytest.raises(FolderBusy), folder.lock("run-1-of-1", 0.1):
        pass
    assert not folder.is_locked("run-1-of-1")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pagesight.batch.running.find_spec", lambda _: None)
    with pytest.raises(BatchNotInstalled, match="fastwarc") as caught:
        prepare([], Folder(tmp_path), OPTIONS)
    assert caught.value.hint == "pip install 'pagesight[batch]'"


@pytest.mark.parametrize(
    ("pages", "shards"), [(25, [10, 10, 5]), (1000, [10] * 100), (1001, [50] * 20 + [1])]
)
def test_a_few_pages_are_divided_into_small_shards(
    tmp_path: Path, pages: int, shards: list[int]
) -> None:
    half = pages // 2
    lists = {"a.jsonl": range(half), "b.jsonl": range(half, pages)}
    for name, numbers in lists.items():
        lines = (json.dumps({"html": f"<p>{number}"}) for number in numbers)
        (tmp_path / name).write_text("\n".join(lines))
    options = BatchOptions(readings=("title",), format="jsonl")
    plan = make_plan(inputs_of([tmp_path / name for name in lists]), options)
    assert [shard.count for shard in plan.shards] == shards
    items = [item for number in range(len(shards)) for item in plan.items(number)]
    places = [(name, at) for name, numbers in lists.items() for at in range(len(numbers))]
    assert [(Path(item.input).name, item.index) for item in items] == places


# A shard


def test_a_shard_is_there_when_it_is_complete_and_nothing_is_left(folder: Folder) -> None:
    for number in range(3):
        run_shard(folder, number, quick_row)
    assert [row["index"] for row in rows(folder)] == list(range(PAGES))
    assert [*folder.work.iterdir()] == []
    assert folder.open_shards() == []
    assert StatusReader(folder).read().errors == {"render_timeout": PAGES}


def test_a_shard_continues_after_its_last_row(folder: Folder) -> None:
    read: list[int] = []
    ends = [InterruptedError()]

    def dying(planned: Planned) -> Row:
        if planned.index == 2 and ends:
            raise ends.pop()
        read.append(planned.index)
        return quick_row(planned)

    with pytest.raises(InterruptedError):
        run_shard(folder, 0, dying)
    assert not folder.is_done(0)
    assert StatusReader(folder).read().rows == 2
    journal = folder.work_file(0, "journal")
    journal.write_bytes(journal.read_bytes() + b'{"seconds": 1, "row": {"ind')  # half a row
    run_shard(folder, 0, dying)
    assert read == [0, 1, 2, 3]
    assert [row["index"] for row in rows(folder)] == [0, 1, 2, 3]


def test_a_journal_of_zeros_is_read_again(folder: Folder) -> None:
    folder.work_file(0, "journal").write_bytes(b"\0" * 500 + b"\n")
    run_shard(folder, 0, quick_row)
    assert [row["index"] for row in rows(folder)] == [0, 1, 2, 3]


def test_a_complete_shard_is_not_read_again(folder: Folder) -> None:
    run_shard(folder, 0, quick_row)
    run_shard(folder, 0, lambda _: pytest.fail("read again"))


def test_a_page_that_kills_twice_is_not_read_a_third_time(folder: Folder) -> None:
    for _ in range(2):
        beat = folder.work_file(0, "beat")
        beat.write_text('{"position": 1, "errors": {}}')
        assert folder.note_death(0, "SIGKILL") == 1
        assert not beat.exists()  # a worker that dies before its next page has nobody to blame
    assert folder.note_death(0, "SIGKILL") is None
    run_shard(folder, 0, quick_row)
    errors = [row["error"] for row in rows(folder)]
    assert [error["kind"] for error in errors] == [
        "render_timeout", "worker_died", "render_timeout", "render_timeout",
    ]  # fmt: skip
    assert "2 processes died" in errors[1]["message"]
    assert "SIGKILL, SIGKILL" in errors[1]["message"]


def test_a_beat_is_read_as_it_was_written(tmp_path: Path) -> None:
    with (tmp_path / "beat").open("wb") as file:
        Beat(100, {"not_a_page": 3}).write(file.fileno())
        Beat(7, {}).write(file.fileno())
    assert Beat.from_bytes((tmp_path / "beat").read_bytes()) == Beat(7, {})


# Rows


def test_rows_are_as_the_schema_says(folder: Folder, embedded: Any) -> None:
    options = BatchOptions(readings=READINGS)
    reader = PageReader(options)
    try:
        planned = [*folder.plan.items(0)]
        row = reader.row(planned[0])
        broken = reader.row(Planned("x", 1, planned[0].item.__class__(
            planned[0].item.place, planned[0].item.identity, lambda: 1 / 0,  # type: ignore[arg-type,return-value]
        )))  # fmt: skip
    finally:
        reader.close()
    assert complaints(row) == []
    assert row["source"] == row["target"] == row["url"] == "https://tea.example/0"
    assert row["error"] is None
    assert row["readings"]["title"]["title"]["text"] == "The tea house number 0 by the river"
    assert complaints(broken) == []
    assert broken["error"]["kind"] == "unexpected_error"


def test_parquet_has_all_that_json_has(folder: Folder, tmp_path: Path) -> None:
    reader = PageReader(BatchOptions(readings=READINGS))
    try:
        read = [reader.row(next(folder.plan.items(0))), quick_row(next(folder.plan.items(1)))]
    finally:
        reader.close()
    write_parquet(read, tmp_path / "a.parquet", READINGS)
    first, second = import_module("pyarrow.parquet").read_table(tmp_path / "a.parquet").to_pylist()
    tree = first["readings"]["zones"]["tree"]
    first["readings"]["zones"]["tree"] = json.loads(tree)
    assert _without_missing(first) == _without_missing(read[0])
    assert _without_missing(second) == _without_missing(read[1])


def _without_missing(value: Any) -> Any:
    """Without what is null, which Parquet cannot tell from what is not there."""
    if isinstance(value, dict):
        kept = {name: _without_missing(one) for name, one in value.items() if one is not None}
        return {name: one for name, one in kept.items() if one != {}}
    return [_without_missing(one) for one in value] if isinstance(value, list) else value


def test_the_columns_do_not_depend_on_the_rows(folder: Folder, tmp_path: Path) -> None:
    parquet = import_module("pyarrow.parquet")
    write_parquet([], tmp_path / "a.parquet", READINGS)
    write_parquet([quick_row(next(folder.plan.items(1)))], tmp_path / "b.parquet", READINGS)
    first, second = (parquet.read_schema(tmp_path / f"{letter}.parquet") for letter in "ab")
    assert first.equals(second)
    assert first.names[-1] == "readings"


def test_shapes_are_those_of_the_schema() -> None:
    shape = row_shape(("zones", "title", "toy"))
    assert shape.fields["index"] == Shape("int64")
    assert shape.fields["error"].fields["kind"] == Shape("string")
    readings = shape.fields["readings"].fields
    assert readings["toy"] is JSON
    assert readings["zones"].fields["tree"] is JSON  # a zone contains zones
    title = readings["title"].fields["title"]
    assert title.fields["confidence"] == Shape("float64")
    assert title.fields["box"] == Shape("list", items=Shape("float64"))
    assert fitted({"a": 1, "b": [1]}, Shape("struct", {"a": Shape("float64"), "b": JSON})) == {
        "a": 1.0, "b": "[1]",
    }  # fmt: skip


# What pages were like


def test_summaries_add_up() -> None:
    row: Row = {"error": None, "problem": None, "media": "html", "readings": {
        "title": {"confidence": 0.95}, "records": {"kind": "list", "confidence": 0.3},
    }}  # fmt: skip
    first, second = Summary(), Summary()
    first.add(row, 0.3)
    second.add({"error": {"kind": "not_a_page"}}, 0.01)
    both = Summary.from_json((first + second).to_json())
    assert (both.rows, both.errors, both.kinds) == (2, {"not_a_page": 1}, {"records: list": 1})
    assert both.confidence == {"title 9": 1, "records 3": 1}
    assert sum(both.times.values()) == 2


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"problem": "not found"}, "problem: not found"),
        ({"readings": {"article": {"confidence": 0.9}}}, "article"),
        ({"readings": {"article": {"confidence": 0.1}}}, "other page"),
        ({"readings": {"records": {"kind": "detail"}}}, "records: detail"),
        ({"media": "pdf"}, "PDF"),
        ({}, "other page"),
    ],
)
def test_kinds_of_pages(fields: Row, kind: str) -> None:
    assert kind_of({"problem": None, "media": "html", "readings": {}} | fields) == kind


def test_the_confidence_of_a_reading() -> None:
    assert confidence_of({"confidence": 0.5}) == 0.5
    assert confidence_of({"headings": [{"confidence": 0.2}, {"confidence": 0.4}]}) == (
        pytest.approx(0.3)
    )
    assert confidence_of({"headings": []}) is None


def test_the_report_escapes_what_it_quotes(tmp_path: Path) -> None:
    sneaky = record(1, b"HTTP/1.1 200 OK\r\nContent-Type: x/<script>tea\r\n\r\n")
    path = write_archive(tmp_path / "<b>.warc", [page_record(0), sneaky])
    folder = Folder(tmp_path / "rows")
    prepare(inputs_of([path]), folder, OPTIONS)
    run_shard(folder, 0, quick_row)
    write_report(folder)
    html = folder.report.read_text("utf-8")
    assert "render_timeout" in html
    assert "<script>" not in html
    assert "<b>" not in html


# Workers


def test_a_worker_reads_all_shards_and_a_report_is_written(folder: Folder) -> None:
    told: list[int] = []
    status = run(folder, Engine(workers=2), lambda now: told.append(now.rows))
    assert status.is_complete
    assert (status.rows, status.errors, status.running) == (PAGES, {}, False)
    assert told[-1] == PAGES
    assert folder.report.exists()
    assert [row["index"] for row in rows(folder)] == list(range(PAGES))
    assert [*folder.work.iterdir()] == []


def test_parts_make_the_whole(folder: Folder) -> None:
    first = run(folder, Engine(workers=1, part=(1, 2)), lambda _: None)
    assert (first.shards_done, first.rows) == (2, 6)
    assert not folder.report.exists()
    second = run(folder, Engine(workers=1, part=(2, 2)), lambda _: None)
    assert second.is_complete
    assert folder.report.exists()


def test_an_error_that_is_not_of_a_page_ends_the_batch(folder: Folder, tmp_path: Path) -> None:
    archive(tmp_path, 5)
    with pytest.raises(InputChanged, match="pages fewer"):
        run(folder, Engine(workers=2), lambda _: None)


def test_workers_that_cannot_start_end_the_batch(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesight.batch.supervisor.WORKER", "pagesight.no_such_module")
    with pytest.raises(BatchError, match="before they have read a page"):
        run(folder, Engine(workers=1), lambda _: None)


def test_each_page_is_a_row_once_whatever_is_killed(tmp_path: Path) -> None:
    outcome = run_and_kill(tmp_path, pages=300, kills=3)  # 2,000: benchmarks/batch_kill.py
    assert outcome.is_flawless(300, 100), outcome
    assert outcome.kills == {"coordinator": 3, "worker": 3}


# Limits


def test_a_worker_may_use_more_time_than_all_readings_together() -> None:
    options = BatchOptions(readings=("title", "zones"), reading_time=20)
    assert most_cpu_time(options) > 40


def test_what_takes_more_memory_than_the_limit_is_an_error() -> None:
    with limited_memory(1 << 30):
        assert len(bytes(200 << 20)) == 200 << 20
    with (
        pytest.raises(OutOfMemory, match="more than 64 MB"),
        limited_memory(64 << 20),
    ):
        bytes(200 << 20)
    assert len(bytes(200 << 20)) == 200 << 20  # the limit is lifted


def test_a_worker_that_has_grown_leaves_the_rest_of_its_shard_to_another(folder: Folder) -> None:
    assert not run_shard(folder, 0, quick_row, is_spent=lambda: True)
    assert (folder.rows_so_far(0), folder.beat(0), folder.is_done(0)) == (1, None, False)
    assert run_shard(folder, 0, quick_row)
    assert [row["index"] for row in rows(folder)] == [0, 1, 2, 3]


HUNGRY = """
import os
from pagesight.readers.registry import Reading

KEPT = []

class Worker:
    problem = None
    def to_json(self):
        return {"worker": os.getpid()}

def read(page):
    if page.url == "https://tea.example/3":
        bytes(8 << 30)
    KEPT.append(b"x" * (100 << 20))
    return Worker()

READING = Reading(name="hungry", question="how much does a worker keep?", read="hungry:read")
"""


def test_a_page_that_takes_too_much_is_an_error_and_a_worker_that_keeps_too_much_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_reading(tmp_path, "hungry", HUNGRY)
    monkeypatch.syspath_prepend(tmp_path)  # of the workers, too
    options = BatchOptions(readings=("hungry",), format="jsonl", memory=1 << 30)
    folder = Folder(tmp_path / "rows")
    prepare(inputs_of([archive(tmp_path)]), folder, options)
    status = run(folder, Engine(workers=1), lambda _: None)
    assert (status.rows, status.errors) == (PAGES, {"out_of_memory": 1})
    assert [row["index"] for row in rows(folder)] == list(range(PAGES))
    workers = [row["readings"]["hungry"]["worker"] for row in rows(folder) if not row["error"]]
    assert 1 < len(set(workers)) < len(workers)


def test_rendering_is_limited_in_cpu_time() -> None:
    deep = "<div><table><tr><td>" * 3000
    options = RenderOptions(timeout=0.05, cpu_time=True)
    with (
        open_renderer("embedded", options) as renderer,
        pytest.raises(RenderTimeout, match=r"0\.05 s of CPU time"),
    ):
        renderer.render(load(deep.encode()))


@pytest.mark.parametrize("make", [lambda path: path, lambda path: path.parent])
def test_inputs_are_named_as_they_were_given(make: Callable[[Path], Path], tmp_path: Path) -> None:
    (spec,) = specs_of(make(archive(tmp_path)))
    assert spec.name == str(tmp_path / "tea.warc.gz")
