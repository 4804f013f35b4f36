"""`pagesight records`, with a reader that reads small pages by their classes."""

from __future__ import annotations

import csv
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from running import lines, run
from test_cli_schema import complaints

from listed import JOBS, SHOP, jobs, shop
from pagesight.cli.commands.records import SUFFIXES, TABLES, RecordsFormat
from pagesight.cli.commands.records import lines as lines_of_read
from pagesight.page import Page
from pagesight.readers.records import Kind, RecordsReading
from pagesight.readers.registry import reading_named

OTHER = "<!doctype html><title>Nothing</title><p>Nothing is listed here."
LAID_OUT = ("--renderer", "embedded")


def read_classes(page: Page, *, metadata: str = "auto") -> RecordsReading:
    """Read a shop if there is one, or jobs; with `metadata` to be ignored, nothing."""
    names = {node.attributes.get("class") for node in page}
    if metadata == "ignore" or not ({"also"} & names or page.find("td")):
        return RecordsReading(kind=Kind.OTHER, confidence=0.8)
    return shop(page) if "also" in names else jobs(page)


@pytest.fixture(autouse=True)
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("pagesight.readers.records.reader")
    monkeypatch.setattr(module, "read_records", read_classes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, html in (("shop", SHOP), ("jobs", JOBS), ("other", OTHER)):
        (tmp_path / f"{name}.html").write_text(html)
    return tmp_path


def records(folder: Path, *arguments: str, status: int = 0) -> tuple[str, str]:
    done = run("records", *LAID_OUT, *arguments, cwd=folder)
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


def test_a_table_on_the_screen(folder: Path) -> None:
    shown = records(folder, "shop.html")[0].splitlines()
    assert shown[:2] == ["Teapots", "shop.html"]
    assert "this is     a list of 3 records  (99%)" in shown
    (pine,) = (line for line in shown if "Pine" in line)
    assert re.split(" {2,}", pine.strip()) == [
        "95%", 'Pine, "deep" green', "€1,044.50", "€52.00", "Hand-painted band.",
    ]  # fmt: skip
    assert shown[-3] == "Other lists (1)"
    assert shown[-2].startswith("2 records")


def test_lists_without_names_show_their_columns(folder: Path) -> None:
    shown = records(folder, "jobs.html")[0]
    assert " 95%  Baker  Osterby\n 95%  Smith  Norrhaven\n" in shown


def test_a_page_without_records_says_so(folder: Path) -> None:
    assert "a page without records  (80%)" in records(folder, "other.html")[0]
    assert records(folder, "--format", "csv", "other.html")[1] == "other.html: no records\n"


def test_json_is_as_the_schema_says(folder: Path) -> None:
    first, second = lines(records(folder, "--json", "shop.html", "other.html")[0].encode())
    assert complaints(first, "records") == complaints(second, "records") == []
    assert (first["kind"], second["kind"]) == ("list", "other")
    assert [record["price"]["amount"] for record in first["records"]] == [38.0, 1044.5, None]
    assert len(first["regions"][0]["records"]) == 2


def test_metadata_is_passed_on(folder: Path) -> None:
    (line,) = lines(records(folder, "--json", "--metadata", "ignore", "shop.html")[0].encode())
    assert line["records"] == []


@pytest.mark.parametrize("format_", ["csv", "markdown", "jsonld"])
def test_a_format_is_named_or_follows_from_the_file(folder: Path, format_: str) -> None:
    printed, _ = records(folder, "--format", format_, "shop.html", "jobs.html")
    name = f"out{SUFFIXES[format_]}"
    records(folder, "-o", name, "shop.html", "jobs.html")
    assert (folder / name).read_bytes() == printed.encode()


def test_one_file_for_each_source(folder: Path) -> None:
    records(folder, "--format", "csv", "-o", "tables/", "shop.html", "jobs.html")
    assert sorted(path.name for path in (folder / "tables").iterdir()) == ["jobs.csv", "shop.csv"]


def test_parquet_needs_a_file_and_pyarrow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "needs a file" in records(folder, "--format", "parquet", "shop.html", status=2)[1]
    monkeypatch.setattr("pagesight.cli.commands.records.find_spec", lambda _: None)
    message = records(folder, "-o", "a.parquet", "shop.html", status=2)[1]
    assert "pip install 'pagesight[parquet]'" in message
    assert not (folder / "a.parquet").exists()


def test_parquet(folder: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    records(folder, "-o", "a.parquet", "shop.html", "jobs.html")
    assert parquet.read_table(folder / "a.parquet").num_rows == 5


def test_a_wrapper_reads_other_pages(folder: Path) -> None:
    _, said = records(folder, "--wrapper", "w.json", "shop.html")
    assert said.startswith("w.json: .card selects 3 rows; name, price")
    wrapper = json.loads((folder / "w.json").read_text())
    assert (wrapper["row_selector"], wrapper["source"]) == (".card", "shop.html")

    more = SHOP.replace("</ul>\n<section", "<li class=card><b class=title>Cup</b></ul>\n<section")
    (folder / "more.html").write_text(more)
    first, failed = lines(
        records(folder, "--json", "--using", "w.json", "more.html", "other.html", status=1)[
            0
        ].encode()
    )
    assert complaints(first, "records") == []
    assert (first["fit"]["rows"], first["fit"]["filled"]["name"]) == (4, 1)
    assert first["records"][3]["name"]["text"] == "Cup"
    assert complaints(failed, "failure") == []
    assert (failed["source"], failed["error"]["kind"]) == ("other.html", "wrapper_misfit")


def test_a_page_that_does_not_fit_is_not_silent_in_a_table(folder: Path) -> None:
    records(folder, "--wrapper", "w.json", "shop.html")
    arguments = ("--using", "w.json", "-o", "all.csv", "shop.html", "other.html")
    assert "other.html: the wrapper does not fit" in records(folder, *arguments, status=1)[1]
    with (folder / "all.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 3


def test_a_page_without_records_has_no_wrapper(folder: Path) -> None:
    said = records(folder, "--wrapper", "w.json", "other.html", status=1)[1]
    assert "there are no records to make selectors of" in said
    assert not (folder / "w.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--wrapper", "w.json", "shop.html", "jobs.html"), "several sources"),
        (("--wrapper", "shop.html", "shop.html"), "shop.html exists"),
        (("--wrapper", "w.json", "--using", "x.json", "shop.html"), "one at a time"),
        (("--using", "none.json", "shop.html"), "none.json cannot be read"),
        (("--using", "shop.html", "shop.html"), "shop.html is not JSON"),
        (("--overwrite", "shop.html"), "--overwrite is for what -o writes"),
        (("-o", "a.xls", "shop.html"), "the suffix of a.xls is not one of"),
    ],
)
def test_wrong_use(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in records(folder, *arguments, status=2)[1]


def test_a_file_that_is_not_a_wrapper_is_wrong_use(folder: Path) -> None:
    (folder / "w.json").write_text("{}")
    said = records(folder, "--using", "w.json", "shop.html", status=2)[1]
    assert "w.json: this is not a wrapper" in said


def test_a_wrapper_is_replaced_if_that_is_asked_for(folder: Path) -> None:
    (folder / "w.json").write_text("{}")
    records(folder, "--overwrite", "--wrapper", "w.json", "shop.html")
    assert json.loads((folder / "w.json").read_text())["rows"] == 3


def test_the_first_records_are_a_section_of_what_a_page_is(folder: Path) -> None:
    done = run("read", *LAID_OUT, "shop.html", cwd=folder)
    assert "\nRecords (3)\nHarrow teapot  €38.00\n" in done.stdout.decode()
    assert list(lines_of_read(RecordsReading(kind=Kind.OTHER, confidence=1), None)) == []


def test_the_formats_are_those_that_there_are() -> None:
    assert set(SUFFIXES) == {*RecordsFormat}
    assert set(TABLES) < set(SUFFIXES)
    for name in TABLES:
        module = importlib.import_module(f"pagesight.output.records_{name}")
        assert callable(getattr(module, f"records_{name}"))


def test_the_layer_of_the_inspector(folder: Path) -> None:
    (layer,) = reading_named("records").layers
    assert layer.name == "records"
    done = run("inspect", *LAID_OUT, "--json", "-o", "a.html", "shop.html", cwd=folder)
    (line,) = lines(done.stdout)
    assert line["layers"]["records"] > 3
