from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import EXAMPLES, each_renderer, lines, run, save_small_page, small_page

from pagesight.cli.commands.render import _rewritten
from pagesight.cli.files import Names, slug_of
from pagesight.page import Page


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


@each_renderer
def test_a_page_that_was_saved_reads_as_if_it_had_been_rendered(
    renderer: str, tmp_path: Path
) -> None:
    source = EXAMPLES / "product/index.html"
    url = "https://example.com/drift"
    shared = ("--json", "--renderer", renderer, "--url", url)
    rendered = run("render", *shared, source, "-o", tmp_path / "pages")
    assert (rendered.returncode, rendered.stderr) == (0, b"")
    (line,) = lines(rendered.stdout)
    file = tmp_path / "pages/product.pagesight"
    assert line == {
        "source": str(source),
        "schema": 1,
        "complete": True,
        "notes": [],
        "problem": None,
        "file": str(file),
        "nodes": len(Page.load(file)),
    }
    (direct,) = lines(run("read", *shared, source).stdout)
    (saved,) = lines(run("read", "--json", "--from", tmp_path / "pages/manifest.jsonl").stdout)
    assert saved == {**direct, "source": str(file)}


def test_the_folder(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new/pages"
    result = run("render", page_file, "no-such.html", page_file, "-o", folder)
    assert result.returncode == 1
    assert sorted(path.name for path in folder.iterdir()) == [
        "errors.jsonl",
        "manifest.jsonl",
        "tea-2.pagesight",
        "tea.pagesight",
    ]
    url = "https://example.com/tea"
    assert lines((folder / "manifest.jsonl").read_bytes()) == [
        {"source": "tea.pagesight", "url": url, "from": str(page_file)},
        {"source": "tea-2.pagesight", "url": url, "from": str(page_file)},
    ]
    assert lines((folder / "errors.jsonl").read_bytes()) == [
        {
            "source": "no-such.html",
            "error": {"kind": "source_not_found", "message": "there is no such file"},
        }
    ]
    assert result.stdout.decode().splitlines() == [
        f"{folder / 'tea.pagesight'}: 8 nodes, from {page_file}",
        f"{folder / 'tea-2.pagesight'}: 8 nodes, from {page_file}",
    ]
    assert "error: no-such.html: there is no such file" in result.stderr.decode()


def test_json_with_a_failure(page_file: Path, tmp_path: Path) -> None:
    result = run("render", "--json", "no-such.html", page_file, "-o", tmp_path / "pages")
    assert result.returncode == 1
    failed, saved = lines(result.stdout)
    assert failed["error"]["kind"] == "source_not_found"
    assert list(saved)[-2:] == ["file", "nodes"]


def test_a_second_run_replaces_the_first_if_asked_to(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    assert run("render", page_file, "no-such.html", "-o", folder).returncode == 1
    small_page("Other").save(page_file)
    refused = run("render", page_file, "-o", folder)
    assert refused.returncode == 2
    assert refused.stderr.decode().startswith(
        f"error: {folder / 'manifest.jsonl'} exists; --overwrite replaces it\n"
    )
    assert Page.load(folder / "tea.pagesight").head.title == "Tea"
    assert run("render", page_file, "-o", folder, "--overwrite").returncode == 0
    assert Page.load(folder / "tea.pagesight").head.title == "Other"
    assert not (folder / "errors.jsonl").exists()


def test_a_file_of_somebody_else_is_kept(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "tea.pagesight").write_text("my notes on tea")
    result = run("render", "--json", page_file, page_file, "-o", folder)
    assert result.returncode == 1
    failed, saved = lines(result.stdout)
    path = folder / "tea.pagesight"
    assert failed["error"] == {
        "kind": "save_failed", "message": f"{path} exists", "hint": "--overwrite replaces it",
    }  # fmt: skip
    assert saved["file"].endswith("tea-2.pagesight")
    assert path.read_text() == "my notes on tea"


def test_one_page_may_go_into_a_file(page_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "new/copy.pagesight"
    done = run("render", page_file, "-o", path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{path}: 8 nodes, from {page_file}\n"
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert Page.load(path).head.title == "Tea"
    assert run("render", page_file, "-o", path).returncode == 2
    assert run("render", page_file, "-o", path, "--overwrite").returncode == 0


def test_several_pages_do_not_go_into_a_file(page_file: Path, tmp_path: Path) -> None:
    done = run("render", page_file, page_file, "-o", tmp_path / "all.pagesight")
    assert done.returncode == 2
    assert b"is a file, and there are several sources: name a folder" in done.stderr
    assert list(tmp_path.iterdir()) == [page_file]


@pytest.mark.parametrize("name", ["manifest.jsonl", "errors.jsonl"])
@pytest.mark.parametrize("content", ['{"source": "a.html"}\n', "text", "[1]"])
def test_a_list_of_somebody_else_is_kept(
    page_file: Path, tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    before = sorted(tmp_path.iterdir())
    result = run("render", page_file, "-o", tmp_path)
    assert result.returncode == 2
    assert (tmp_path / name).read_text() == content
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_cannot_be_made(page_file: Path) -> None:
    result = run("render", page_file, "-o", page_file / "pages")
    assert result.returncode == 2
    assert result.stderr.startswith(b"error: ")


@pytest.mark.parametrize(
    ("source", "slug"),
    [
        ("page.html", "page"),
        ("saved/Green Tea.html", "green-tea"),
        ("examples/product/index.html", "product"),
        ("examples/product/INDEX.HTM.gz", "product"),
        ("index.html", "index"),
        ("/index.html", "index"),
        ("file:///home/me/a.html", "a"),
        ("papers/2405.00123v2.pdf", "2405-00123v2"),
        ("v1.2/notes.v1.2.html.gz", "notes-v1-2"),
        ("shop/index.php", "shop"),
        ("data.v2", "data-v2"),
        ("saved/.html", "html"),
        ("https://www.example.com/tea/green?page=2", "www-example-com-tea-green-page-2"),
        ("https://example.com/", "example-com"),
        ("-", "stdin"),
        ("grüner-tee.html", "grüner-tee"),
        ("???", "page"),
        ("../../etc/passwd", "passwd"),
        ("a" * 300 + ".html", "a" * 60),
    ],
)
def test_slugs(source: str, slug: str) -> None:
    assert slug_of(source) == slug


def test_names_are_given_once() -> None:
    names = Names()
    given = [names.new(name) for name in ("a.html", "A.html", "a-2.html", "a.pdf", "a.html")]
    assert given == ["a", "a-2", "a-2-2", "a-3", "a-4"]


def test_the_manifest_holds_what_was_saved_before_an_interrupt(tmp_path: Path) -> None:
    def interrupted() -> None:
        with _rewritten(tmp_path / "manifest.jsonl") as file:
            file.write(json.dumps({"source": "a"}).encode())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.jsonl"]
    assert lines((tmp_path / "manifest.jsonl").read_bytes()) == [{"source": "a"}]
