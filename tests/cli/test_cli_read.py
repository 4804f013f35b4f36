from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from running import EXAMPLES, each_renderer, lines, needs_worker, run, save_small_page, small_page

from pagesight.cli.options import ReadingOptions
from pagesight.cli.sources import NO_CHROMIUM, read_sources, work_through
from pagesight.document import Document, Failure
from pagesight.page import Note, Page
from pagesight.render import AnyRenderer

KEYS = [
    "source", "schema", "complete", "notes", "problem", "url", "title_tag", "language", "renderer",
    "viewport", "size", "nodes", "visible_nodes", "words", "media", "readings",
]  # fmt: skip


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


def test_the_json_of_a_page(page_file: Path) -> None:
    result = run("read", "--json", page_file)
    assert (result.returncode, result.stderr) == (0, b"")
    (fields,) = lines(result.stdout)
    readings = fields.pop("readings")
    assert list(readings) == ["zones", "title", "outline", "article", "records"]
    assert readings["title"]["title"]["text"] in ("Tea", "Green tea")
    assert [zone["xpath"] for zone in readings["zones"]["zones"]] == ["/html/body/h1"]
    assert readings["article"]["is_article"] is False
    assert readings["article"]["title"] is None
    assert isinstance(readings["outline"]["headings"], list)
    assert [fields] == [
        {
            "source": str(page_file),
            "schema": 1,
            "complete": True,
            "notes": [],
            "problem": None,
            "url": "https://example.com/tea",
            "title_tag": "Tea",
            "language": None,
            "renderer": {"name": "chromium", "version": "1.2.3"},
            "viewport": [1280, 800],
            "size": [1280, 800.5],
            "nodes": 8,
            "visible_nodes": 5,
            "words": 2,
            "media": "html",
        }
    ]


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.pagesight"
    small_page("Tea", "Green", Note("blocked", "https://example.com/a.css", 9)).save(path)
    (fields,) = lines(run("read", "--json", path).stdout)
    assert fields["complete"] is False
    assert fields["notes"] == [
        {"kind": "blocked", "detail": "https://example.com/a.css", "count": 9}
    ]
    screen = run("read", path).stdout.decode()
    assert "not complete:" in screen
    assert "9 × blocked: https://example.com/a.css" in screen


def test_a_source_that_fails_in_the_middle(page_file: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    empty.touch()
    missing = tmp_path / "www.example.com"
    result = run("read", "--json", "--jobs", "3", page_file, missing, empty, page_file)
    assert result.returncode == 1
    first, second, third, fourth = lines(result.stdout)
    assert first == fourth
    assert list(first) == KEYS
    assert second == {
        "source": str(missing),
        "error": {"kind": "source_not_found", "message": "there is no such file"},
    }
    assert third["source"] == str(empty)
    assert third["error"]["kind"] == "not_a_page"
    assert f"error: {missing}: there is no such file\n" in result.stderr.decode()


def test_hints(tmp_path: Path) -> None:
    result = run("read", "--json", "www.example.com/tea", cwd=tmp_path)
    (fields,) = lines(result.stdout)
    assert fields["error"]["hint"] == "To fetch it, write https://www.example.com/tea"
    assert result.stderr.decode().splitlines() == [
        "error: www.example.com/tea: there is no such file",
        "  hint: To fetch it, write https://www.example.com/tea",
    ]


def test_errors_of_the_screen_go_to_standard_error(page_file: Path) -> None:
    result = run("read", "no-such.html", page_file)
    assert result.returncode == 1
    assert b"no-such" not in result.stdout
    assert result.stderr == b"error: no-such.html: there is no such file\n"


def test_standard_input(page_file: Path) -> None:
    result = run("read", "--json", "-", stdin=page_file.read_bytes())
    (fields,) = lines(result.stdout)
    assert (fields["source"], fields["title_tag"]) == ("-", "Tea")


def test_a_manifest_from_a_file(page_file: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "list.jsonl"
    manifest.write_text('{"source": "tea.pagesight"}\n\n{"source": "no.html"}\n')
    result = run("read", "--json", page_file, "--from", manifest)
    assert result.returncode == 1
    assert [fields["source"] for fields in lines(result.stdout)] == [
        str(page_file),
        str(tmp_path / "tea.pagesight"),
        str(tmp_path / "no.html"),
    ]


def test_a_manifest_from_standard_input(page_file: Path, tmp_path: Path) -> None:
    line = json.dumps({"source": page_file.name}).encode()
    result = run("read", "--json", "--from", "-", stdin=line * 1 + b"\n" + line, cwd=tmp_path)
    assert result.returncode == 0
    assert [fields["title_tag"] for fields in lines(result.stdout)] == ["Tea", "Tea"]


def test_a_bad_line_in_a_manifest_loses_nothing_before_it(page_file: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "list.jsonl"
    manifest.write_text('{"source": "tea.pagesight"}\n{"source": "tea.pagesight"}\n{tea\n')
    result = run("read", "--json", "--from", manifest)
    assert result.returncode == 1
    first, second, third = lines(result.stdout)
    assert first["title_tag"] == second["title_tag"] == "Tea"
    assert third["source"] == f"{manifest}:3"
    assert third["error"]["kind"] == "bad_manifest"


@pytest.mark.parametrize("command", [("read",), ("title", "--fast")])
def test_a_manifest_of_nothing_is_no_error_but_told(command: tuple[str, ...]) -> None:
    result = run(*command, "--from", "-", stdin=b"\n")
    assert (result.returncode, result.stdout) == (0, b"")
    assert result.stderr == b"- lists no sources\n"


def test_a_manifest_that_is_not_there() -> None:
    result = run("read", "--json", "--from", "no-such.jsonl")
    assert result.returncode == 1
    (fields,) = lines(result.stdout)
    assert (fields["source"], fields["error"]["kind"]) == ("no-such.jsonl", "source_not_found")


def test_max_size(page_file: Path) -> None:
    result = run("read", "--json", "--max-size", "10B", page_file)
    assert result.returncode == 1
    assert lines(result.stdout)[0]["error"]["kind"] == "source_too_large"


def test_json_is_utf8_and_can_be_written_whatever_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.pagesight"
    small_page("Grüner Tee \ud83d").save(path)
    plain = tmp_path / "b.pagesight"
    small_page("Grüner Tee \N{TEACUP WITHOUT HANDLE}").save(plain)
    result = run("read", "--json", path, plain, PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    half, whole = lines(result.stdout)
    assert half["title_tag"] == "Grüner Tee \ud83d"
    assert whole["title_tag"] == "Grüner Tee \N{TEACUP WITHOUT HANDLE}"
    assert "Grüner Tee \N{TEACUP WITHOUT HANDLE}".encode() in result.stdout


def test_the_screen_is_plain_when_piped(page_file: Path) -> None:
    result = run("read", page_file, TERM="xterm-256color")
    assert result.returncode == 0
    shown = result.stdout.decode().splitlines()
    shown = [line for line in shown if not line.startswith("outline ")]  # there may be a heading
    called = shown.pop(7)
    assert re.fullmatch(r"called      (Tea|Green tea)  \(\d+%.*\)", called)
    assert shown[:-3] == [
        "Tea",
        str(page_file),
        "https://example.com/tea",
        "",
        "page        HTML, 1280 × 800 px",
        "content     2 words in sight; 8 nodes, 5 visible",
        "rendered by chromium 1.2.3, complete",
        "",
        "Largest text on the first screen",
        "30 px bold  Green tea",
        "            /html/body/h1",
        "",
    ]
    assert shown[-3] == "Parts"
    assert shown[-2].split(maxsplit=1)[1] == "Green tea"
    assert shown[-1] == ""


def test_a_page_cannot_control_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.pagesight"
    small_page("\x1b]0;owned\x07Tea", "\x1b[2JGreen\u202e").save(path)
    output = run("read", path).stdout.decode()
    assert "owned" in output
    assert not set(output) & {"\x1b", "\x07", "\u202e"}


def test_what_joins_letters_is_kept_for_people(tmp_path: Path) -> None:
    path = tmp_path / "a.pagesight"
    persian, family = "می\u200cخوانیم", "👨\u200d👩\u200d👧"
    newer = "\U0001fad9\U0001fadf"  # the second is of a Unicode that Python may not know
    small_page("Tea", f"{persian} {family} {newer} Donau\u00addampf\u2066er\u2069 \ue000").save(
        path
    )
    output = run("zones", path).stdout.decode()
    assert output.splitlines()[-2].endswith(f"{persian} {family} {newer} Donaudampfer \ufffd")


def test_an_unexpected_error_is_one_of_its_source(
    page_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def render(self: AnyRenderer, source: object) -> Page:
        raise ZeroDivisionError("by zero")

    options = ReadingOptions(sources=[str(page_file), str(page_file)], as_json=True)
    with monkeypatch.context() as patch:
        patch.setattr(AnyRenderer, "render", render)
        one, other = read_sources(options)
    assert isinstance(one, Failure)
    assert isinstance(other, Failure)
    assert one.error.kind == "unexpected_error"
    assert str(one.error) == f"{page_file}: unexpected ZeroDivisionError: by zero"


def test_an_unexpected_error_of_a_reading_is_one_of_its_source(
    page_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = []

    def use(document: Document) -> None:
        seen.append(document)
        if len(seen) == 1:
            raise ZeroDivisionError

    options = ReadingOptions(sources=[str(page_file), str(page_file)], as_json=True)
    assert work_through(options, use) == 1
    assert len(seen) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["kind"] == "unexpected_error"
    assert "ZeroDivisionError" in err


@each_renderer
def test_html(renderer: str) -> None:
    source = EXAMPLES / "product/index.html"
    result = run("read", "--json", "--renderer", renderer, source, "no-such.html", source)
    assert result.returncode == 1
    first, failed, again = lines(result.stdout)
    assert list(first) == KEYS
    assert first == again
    assert failed["error"]["kind"] == "source_not_found"
    assert first["title_tag"] == "Drift 28 daypack, lake blue | Alderpeak"
    assert first["language"] == "en-GB"
    assert first["renderer"]["name"] == renderer
    assert first["media"] == "html"
    assert first["words"] > 300
    assert 0 < first["visible_nodes"] < first["nodes"]


@each_renderer
def test_html_from_standard_input_with_an_address(renderer: str) -> None:
    html = b"<title>Tea</title><p>Green tea"
    url = "https://example.com/tea"
    result = run("read", "--json", "--renderer", renderer, "--url", url, "-", stdin=html)
    (fields,) = lines(result.stdout)
    assert (fields["url"], fields["title_tag"], fields["words"]) == (url, "Tea", 2)
    assert result.stderr == b""


@each_renderer
def test_the_screen_of_an_example(renderer: str) -> None:
    result = run("read", "--renderer", renderer, EXAMPLES / "product/index.html")
    screen = result.stdout.decode().splitlines()
    assert screen[0] == "Drift 28 daypack, lake blue | Alderpeak"
    assert "34 px bold  Drift 28 daypack" in screen
    assert len(screen) <= 27


@each_renderer
def test_the_screen_of_an_article(renderer: str) -> None:
    source = EXAMPLES / "journal-article/index.html"
    screen = run("read", "--renderer", renderer, source).stdout.decode().splitlines()
    (line,) = (line for line in screen if line.startswith("article "))
    assert re.fullmatch(
        r"article     by Lindqvar, Okonjo-Vale, Sarrazine …  \(\d+%, 5 authors, 13 references\)",
        line,
    )
    assert any(line.startswith("outline ") and "Abstract" in line for line in screen)


@each_renderer
def test_the_json_of_an_article(renderer: str) -> None:
    source = EXAMPLES / "journal-article/index.html"
    (fields,) = lines(run("read", "--json", "--renderer", renderer, source).stdout)
    article = fields["readings"]["article"]
    assert article["is_article"]
    assert len(article["references"]) == 13
    assert {zone["label"] for zone in article["zones"]} >= {"title", "author", "abstract"}
    assert fields["readings"]["outline"]["headings"]


@needs_worker
def test_auto_says_once_that_there_is_no_chromium(tmp_path: Path) -> None:
    source = EXAMPLES / "product/index.html"
    result = run("read", "--json", source, source, PAGESIGHT_BROWSER="no-such-browser")
    assert result.returncode == 0
    assert result.stderr.decode().splitlines() == [NO_CHROMIUM]
    assert {fields["renderer"]["name"] for fields in lines(result.stdout)} == {"embedded"}


def test_saved_pages_need_no_renderer(page_file: Path) -> None:
    result = run("read", "--json", page_file, PAGESIGHT_BROWSER="no-such-browser")
    assert (result.returncode, result.stderr) == (0, b"")


def test_chromium_that_is_not_there() -> None:
    result = run(
        "read", "--json", "--renderer", "chromium", EXAMPLES / "product/index.html",
        PAGESIGHT_BROWSER="no-such-browser",
    )  # fmt: skip
    assert result.returncode == 1
    (fields,) = lines(result.stdout)
    assert fields["error"]["kind"] == "no_browser"
    assert (
        fields["error"]["message"] == "PAGESIGHT_BROWSER does not name a program: no-such-browser"
    )
    assert "PAGESIGHT_BROWSER" in fields["error"]["hint"]
