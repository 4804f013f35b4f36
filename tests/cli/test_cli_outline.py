from __future__ import annotations

from pathlib import Path

import pytest
from running import lines, run, save_small_page

TEXT = "Green tea is made of leaves that were not left to wither before they are dried. " * 4
PAGE = f"""<!doctype html><title>Tea</title><!-- kept --><h2>All about tea</h2><p>{TEXT}</p>
<h5>Green * tea</h5><p>{TEXT}</p><h5>Black tea</h5><p>{TEXT}</p>
<style>h2 {{ font-size: 32px }} h5 {{ font-size: 24px }}</style>"""


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


@pytest.mark.browser
def test_overwrite_without_an_output_is_wrong_use(tmp_path: Path) -> None:
    done = run("outline", "--overwrite", save_small_page(tmp_path))
    assert done.returncode == 2
    assert b"--overwrite is for what -o writes" in done.stderr


def test_a_tree_for_people(page_file: Path) -> None:
    done = run("outline", page_file)
    assert (done.returncode, done.stderr) == (0, b"")
    title, source, *headings = done.stdout.decode().splitlines()
    assert (title, source) == ("Tea", str(page_file))
    assert headings[0].split() == ["h1", headings[0].split()[1], "All", "about", "tea"]
    assert headings[1].startswith("h2 ")
    assert headings[1].endswith("%    Green * tea")


@pytest.mark.browser
@pytest.mark.parametrize("option", ["--json", "--format=json"])
def test_json(page_file: Path, option: str) -> None:
    done = run("outline", option, page_file, "no-such.html")
    assert done.returncode == 1
    fields, failed = lines(done.stdout)
    assert fields["source"] == str(page_file)
    assert [(heading["level"], heading["text"]) for heading in fields["headings"]] == [
        (1, "All about tea"), (2, "Green * tea"), (2, "Black tea"),
    ]  # fmt: skip
    assert set(fields["headings"][0]) == {"level", "text", "confidence", "xpath", "css", "box"}
    assert failed["error"]["kind"] == "source_not_found"


@pytest.mark.browser
def test_a_table_of_contents(page_file: Path) -> None:
    done = run("outline", "--format", "markdown", page_file)
    contents = "- All about tea\n  - Green \\* tea\n  - Black tea\n"
    assert done.stdout.decode() == contents
    done = run("outline", "--format", "markdown", "page.html", "page.html", cwd=page_file.parent)
    assert done.stdout.decode() == f"# page.html\n\n{contents}\n" * 2


@pytest.mark.browser
def test_the_document_with_its_headings(page_file: Path) -> None:
    done = run("outline", "--format", "html", page_file)
    assert done.returncode == 0
    text = done.stdout.decode()
    assert "<!-- kept -->" in text
    assert text.count(TEXT) == 3
    assert [text.count(f"</h{level}>") for level in (1, 2, 5)] == [1, 2, 0]


@pytest.mark.browser
def test_documents_in_a_folder(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "better"
    arguments = ("outline", "--format", "html", "-o", folder, page_file, page_file)
    assert run(*arguments).returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["page-2.html", "page.html"]
    assert "</h1>" in (folder / "page.html").read_text()
    (folder / "page.html").write_text("mine")
    again = run(*arguments)
    assert again.returncode == 1
    assert b"exists" in again.stderr
    assert (folder / "page.html").read_text() == "mine"


@pytest.mark.browser
def test_a_good_page_comes_back_as_it_is_unless_tags_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "good.html"
    page = f"<!doctype html><title>Tea</title><h1>Tea</h1><p>{TEXT}</p><h2>Green</h2><p>{TEXT}</p>"
    page += (
        f"<h3 style='font: inherit; margin: 0'>Sencha</h3><p>{TEXT}</p><h2>Black</h2><p>{TEXT}</p>"
    )
    path.write_text(page)
    again = run("outline", "--format", "html", path)
    assert again.stdout.decode() == page
    ignored = run("outline", "--format", "html", "--tags", "ignore", path)
    assert "<h1>Tea</h1>" in ignored.stdout.decode()
    assert "Sencha</h3>" not in ignored.stdout.decode()


def test_a_saved_page_has_an_outline_and_no_markup(tmp_path: Path) -> None:
    saved = save_small_page(tmp_path)
    (fields,) = lines(run("outline", "--json", saved).stdout)
    assert isinstance(fields["headings"], list)
    done = run("outline", "--format", "html", saved)
    assert done.returncode == 1
    assert b"there is no markup" in done.stderr


@pytest.mark.browser
def test_a_page_without_headings() -> None:
    done = run("outline", "-", stdin=b"<p>")
    assert done.returncode == 0
    assert "(no headings)" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--json", "--format", "html"), "--json and --format html do not agree"),
        (("-o", "folder"), "-o is for --format html"),
        (("--format", "html", "other.html"), "needs a folder: -o DIR"),
        (("--format", "pdf"), "pdf"),
        (("--tags", "trust"), "trust"),
    ],
)
def test_wrong_use(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run("outline", *arguments, save_small_page(tmp_path))
    assert done.returncode == 2
    assert complaint in done.stderr.decode()


def test_xhtml_stays_xhtml(tmp_path: Path) -> None:
    (tmp_path / "tea.xhtml").write_text(
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tea</title>'
        "</head><body><p><a id='top'/>Green tea</p></body></html>"
    )
    options = ("--format", "html", "--renderer", "embedded", "-o", "out")
    assert run("outline", *options, "tea.xhtml", cwd=tmp_path).returncode == 0
    # As .html, all of the text would be a link: HTML has no empty elements of that kind.
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["tea.xhtml"]
