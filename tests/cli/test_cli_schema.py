"""Whatever is printed with --json is as the JSON Schema of the package says."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from running import lines, run, save_small_page, small_page

from pagesight.document import SCHEMA, Document
from pagesight.page import Note

Draft202012Validator: Any = import_module("jsonschema").Draft202012Validator
SCHEMA_FILE = json.loads((files("pagesight.output") / "schema.json").read_text("utf-8"))
READ = ("zones", "title", "outline", "article", "records")
HEAD = ["source", "schema", "complete", "notes", "problem"]


def complaints(value: Any, name: str) -> list[str]:
    """What is wrong with an object that a command printed."""
    one = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA_FILE["$defs"]}
    return [error.message for error in Draft202012Validator(one).iter_errors(value)]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_small_page(tmp_path_factory.mktemp("page"))


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA_FILE)
    assert SCHEMA_FILE["$defs"]["page"]["properties"]["schema"] == {"const": SCHEMA}


@pytest.mark.parametrize(
    "command",
    [("read",), ("title",), ("title", "--fast"), ("outline",), ("outline", "--tags", "ignore"),
     ("article",), ("article", "--model", "seed"), ("records",), ("zones",),
     ("zones", "--tree", "xycut"), ("zones", "--tree", "vips"), ("zones", "--granularity", "fine")],
    ids=" ".join,
)  # fmt: skip
def test_what_a_command_prints(command: tuple[str, ...], page_file: Path) -> None:
    first, failed = lines(run(*command, "--json", page_file, "no-such.html").stdout)
    assert complaints(first, command[0]) == []
    assert list(first)[:5] == HEAD
    assert complaints(failed, "failure") == []
    assert Draft202012Validator(SCHEMA_FILE).is_valid(first)
    assert Draft202012Validator(SCHEMA_FILE).is_valid(failed)


def test_what_files_were_written(page_file: Path, tmp_path: Path) -> None:
    (saved,) = lines(run("render", "--json", "-o", tmp_path / "pages", page_file).stdout)
    assert complaints(saved, "render") == []
    options = ("--json", "-o", tmp_path / "a.html", "--png", tmp_path / "a.png")
    (report,) = lines(run("inspect", *options, page_file).stdout)
    assert complaints(report, "inspect") == []
    assert {"file", "png"} <= report.keys()


def test_a_reading_is_the_same_wherever_it_appears(page_file: Path) -> None:
    (together,) = lines(run("read", "--json", page_file).stdout)
    for name in READ:
        (alone,) = lines(run(name, "--json", page_file).stdout)
        found = together["readings"][name]
        assert list(found) == [key for key in alone if key not in HEAD]
        if name != "article":  # at a glance it is none, and is not read
            assert found == {key: alone[key] for key in found}


def test_what_the_library_returns_is_what_the_program_prints(page_file: Path) -> None:
    (printed,) = lines(run("read", "--json", page_file).stdout)
    document = Document(str(page_file), small_page())
    assert json.loads(json.dumps(document.to_json())) == printed


def test_a_degraded_page_says_so_in_every_command(tmp_path: Path) -> None:
    path = tmp_path / "a.pagesight"
    note = Note("blocked", "https://example.com/a.css", 9)
    small_page("404 Not Found", "Not found", note).save(path)
    for name in ("read", *READ):
        (fields,) = lines(run(name, "--json", path).stdout)
        assert (fields["complete"], fields["problem"]) == (False, "not found")
        assert fields["notes"] == [
            {"kind": "blocked", "detail": "https://example.com/a.css", "count": 9}
        ]


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        (("title", "title"), "Tea"),
        (("title", "title", "confidence"), 1.5),
        (("title", "candidates"), None),
        (("zones", "zones", 0, "box"), [1, 2, 3]),
        (("zones", "tree", "id"), "root"),
        (("outline", "headings"), {}),
        (("article", "is_article"), None),
        (("records", "kind"), "shop"),
        (("records", "records"), None),
    ],
)
def test_the_schema_refuses_what_is_wrong(where: tuple[Any, ...], wrong: object) -> None:
    fields = Document("tea", small_page()).to_json()
    assert complaints(fields, "read") == []
    inner: Any = fields["readings"]
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = wrong
    assert complaints(fields, "read") != []


@pytest.mark.parametrize("key", [*HEAD, "readings", "words", "title_tag"])
def test_no_key_may_be_missing(key: str) -> None:
    fields = Document("tea", small_page()).to_json()
    del fields[key]
    assert any(key in complaint for complaint in complaints(fields, "read"))
