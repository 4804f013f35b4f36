from __future__ import annotations

from pathlib import Path

import pytest
from running import EXAMPLES, lines, run, small_page

from pagesight.cli.commands.title import Method
from pagesight.readers.title import METHODS

PAGE = b"<title>Green tea | Leaf</title><h1>Green tea</h1><p>From Japan."


def test_fast_titles_as_json(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_bytes(PAGE)
    (tmp_path / "gone.html").write_bytes(b"<title>404 Not Found</title><h1>Not Found</h1>")
    result = run("title", "--fast", "--json", "tea.html", "no.html", "gone.html", cwd=tmp_path)
    tea, missing, gone = lines(result.stdout)
    assert result.returncode == 1
    assert (tea["source"], tea["title"]["text"], tea["problem"]) == ("tea.html", "Green tea", None)
    assert tea["candidates"][0] == tea["title"]
    assert (tea["title"]["from"], tea["title"]["xpath"], tea["title"]["box"]) == ("h1", None, None)
    assert missing == {
        "source": "no.html",
        "error": {"kind": "source_not_found", "message": "there is no such file"},
    }
    assert gone["problem"] == "not found"


def test_fast_titles_for_people() -> None:
    result = run("title", "--fast", "-", "--url", "https://leaf.example/green-tea", stdin=PAGE)
    assert result.returncode == 0
    printed = result.stdout.decode().splitlines()
    assert printed[:2] == ["Green tea", "-"]
    assert any(line.startswith("confidence  0.") for line in printed)
    assert "from        h1" in printed


def test_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_bytes(PAGE)
    (tmp_path / "list.jsonl").write_text('{"source": "tea.html", "url": "https://a.example/"}\n')
    result = run("title", "--fast", "--json", "--from", "list.jsonl", cwd=tmp_path)
    assert [fields["title"]["text"] for fields in lines(result.stdout)] == ["Green tea"]


@pytest.mark.parametrize("method", [Method.TTA, Method.TITLEFINDER, Method.TITLE_TAG])
def test_methods(method: Method) -> None:
    result = run("title", "--json", "--method", method.value, "-", stdin=PAGE)
    expected = "Green tea | Leaf" if method is Method.TITLE_TAG else "Green tea"
    (fields,) = lines(result.stdout)
    assert fields["title"]["text"] == expected
    assert (fields["title"]["confidence"], fields["confidence"]) == (None, 0.0)


def test_all_methods_can_be_chosen() -> None:
    assert {method.value for method in Method} == {"ours", *METHODS}


def test_a_saved_page_needs_no_renderer(tmp_path: Path) -> None:
    path = tmp_path / "tea.pagesight"
    small_page("Green tea | Leaf", "Green tea").save(path)
    for options in ([], ["--fast"]):
        (fields,) = lines(run("title", "--json", *options, path).stdout)
        assert fields["title"]["text"] == "Green tea"
        assert fields["title"]["xpath"] == "/html/body/h1"


def test_a_pdf_has_no_markup(tmp_path: Path) -> None:
    (tmp_path / "tea.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
    small_page().save(tmp_path / "tea.pagesight")
    options, hint = ("title", "--json", tmp_path / "tea.pdf"), "leave out --method tta"
    (fast,) = lines(run(*options, "--fast").stdout)
    assert (fast["error"]["kind"], fast["error"]["hint"]) == ("not_a_page", "leave out --fast")
    found = lines(run(*options, tmp_path / "tea.pagesight", "--method", "tta").stdout)
    assert [fields["error"]["hint"] for fields in found] == [hint, hint]
    assert found[1]["error"]["message"] == "a saved Page has no markup to parse"


@pytest.mark.browser
def test_the_examples_are_called_what_they_are() -> None:
    names = ["product", "journal-article", "documentation"]
    result = run("title", "--json", *(EXAMPLES / name / "index.html" for name in names))
    assert [fields["title"]["text"] for fields in lines(result.stdout)] == [
        "Drift 28 daypack",
        "Hedgerow distance and soil moisture in spring barley: a three-year field study",
        "Configuring watchers",
    ]


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_tasks_that_do_not_exist(command: str) -> None:
    result = run(command, "tea")
    assert result.returncode == 2
    assert b"no task 'tea'" in result.stderr


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_without_corpora_there_is_nothing_to_learn_from(command: str, tmp_path: Path) -> None:
    result = run(command, "title", "--corpora", tmp_path)
    assert result.returncode == 1
    assert b"no corpus 'titles'" in result.stderr
