"""Attributes of one's own, learned from pages that somebody has marked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import pagesight
from pagesight.errors import CorpusNotFound, ModelError
from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.readers.records.learning.labels import labelled_pages
from pagesight.readers.records.learning.training import train
from pagesight.readers.records.model import load_model
from pagesight.readers.records.reader import read_records

LayOut = Callable[[str], Page]
TITLES = ["Baker", "Harbour pilot", "Weaver", "Gardener", "Smith", "Teacher", "Cook", "Tailor"]
PLACES = ["Osterby", "Norrhaven", "Lund", "Visby", "Sund", "Holm", "Kalmar", "Ystad"]


def jobs(order: int) -> str:
    """A list of jobs; the second page has them the other way round."""
    pairs = list(zip(TITLES, PLACES, strict=True))[:: 1 - 2 * order]
    items = "".join(
        f"<li><h3><a href='/job/{title}'>{title}</a></h3><p class='where'>{place}, Sweden</p>"
        f"<p class='text'>We look for somebody who likes to be a {title.lower()}.</p></li>"
        for title, place in pairs
    )
    return f"<!doctype html><title>Jobs</title><h1>Jobs</h1><main><ul>{items}</ul></main>"


def labels(folder: Path, *, place: str = "p[1]") -> Path:
    """A page, and a file that marks its records."""
    (folder / "jobs.html").write_text(jobs(0))
    item = "/html/body/main/ul/li[{}]"
    records = [
        {"xpath": item.format(at), "title": item.format(at) + "/h3/a",
         "place": f"{item.format(at)}/{place}"}
        for at in range(1, 9)
    ]  # fmt: skip
    path = folder / "labels.jsonl"
    path.write_text(json.dumps({"file": "jobs.html", "records": records}) + "\n")
    return path


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    output = tmp_path / "jobs.json"
    train(Corpora(tmp_path, "embedded"), labels=labels(tmp_path), output=output)
    return output


def test_what_was_marked_is_read_on_other_pages(trained: Path, lay_out: LayOut) -> None:
    reading = read_records(lay_out(jobs(1)), model=load_model(trained))
    read = [{name: value.text for name, value in record.values.items()}
            for record in reading.records]  # fmt: skip
    assert read == [
        {"title": title, "place": f"{place}, Sweden"}
        for title, place in reversed(list(zip(TITLES, PLACES, strict=True)))
    ]


def test_training_writes_the_same_bytes_again(trained: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    train(Corpora(tmp_path, "embedded"), labels=tmp_path / "labels.jsonl", output=again)
    assert again.read_bytes() == trained.read_bytes()


def test_an_xpath_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound, match=r"has no element .*/p\[7\]"):
        labelled_pages(Corpora(tmp_path, "embedded"), labels(tmp_path, place="p[7]"))


def test_a_line_without_records_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"file": "jobs.html"}\n')
    with pytest.raises(CorpusNotFound, match="line 1"):
        labelled_pages(Corpora(tmp_path, "embedded"), path)


def test_what_is_marked_may_be_a_part_of_a_line(tmp_path: Path) -> None:
    examples = Path(__file__).parents[3] / "examples/jobs"
    output = tmp_path / "jobs.json"
    train(Corpora(tmp_path, "embedded"), labels=examples / "labels.jsonl", output=output)
    page = pagesight.read(examples / "index.html", renderer="embedded").page
    records = read_records(page, model=load_model(output)).records
    read = [{name: value.text for name, value in record.values.items()} for record in records]
    assert len(read) == 10
    assert read[1] == {
        "title": "Stonemason", "company": "Caldbeck Quarry", "place": "Caldbeck", "pay": "£33,500"
    }  # fmt: skip


def test_what_is_no_text_cannot_be_learned(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    (tmp_path / "jobs.html").write_text(jobs(0).replace("<h3>", "<img src=a.png width=50><h3>"))
    item = "/html/body/main/ul/li[{}]"
    records = [{"xpath": item.format(at), "logo": item.format(at) + "/img"} for at in range(1, 9)]
    path.write_text(json.dumps({"file": "jobs.html", "records": records}) + "\n")
    with pytest.raises(CorpusNotFound, match="logo"):
        train(Corpora(tmp_path, "embedded"), labels=path, output=tmp_path / "model.json")


def test_a_model_of_ones_own_needs_a_place(tmp_path: Path) -> None:
    with pytest.raises(CorpusNotFound, match="needs a place"):
        train(Corpora(tmp_path, "embedded"), labels=labels(tmp_path))


def test_a_file_that_is_not_a_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("{}")
    with pytest.raises(ModelError, match="damaged"):
        load_model(path)
