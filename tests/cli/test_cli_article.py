from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from running import EXAMPLES, each_renderer, lines, needs_worker, run, save_small_page

from pagesight.cli.commands.article import (
    BIBLIOGRAPHIES,
    SUFFIXES,
    ArticleFormat,
    MetadataUse,
    ModelName,
)
from pagesight.cli.writing import format_of
from pagesight.readers.article.reader import METADATA, MODELS

ARTICLE = EXAMPLES / "journal-article/index.html"
SHOP = EXAMPLES / "shop-results/index.html"
TITLE = "Hedgerow distance and soil moisture in spring barley: a three-year field study"
FAMILIES = ["Lindqvar", "Okonjo-Vale", "Sarrazine", "Petrovanu", "Hasegami"]
PLACED = {"confidence", "xpath", "css", "box"}


@pytest.fixture(scope="module")
def article(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, rendered once for all tests."""
    return _saved(ARTICLE, tmp_path_factory.mktemp("article"))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _saved(SHOP, tmp_path_factory.mktemp("shop"))


def _saved(source: Path, folder: Path) -> Path:
    assert run("render", "--renderer", "embedded", source, "-o", folder).returncode == 0
    return next(folder.glob("*.pagesight"))


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as it would be printed; laid out elsewhere, since that writes warnings."""
    path = tmp_path_factory.mktemp("pdf") / "article.pdf"
    code = (
        "import sys, plutoprint; book = plutoprint.Book(plutoprint.PAGE_SIZE_A4);"
        "book.load_url(sys.argv[1]); book.write_to_pdf(sys.argv[2])"
    )
    command = [sys.executable, "-c", code, str(ARTICLE), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return path


@each_renderer
def test_the_screen_of_an_article(renderer: str) -> None:
    done = run("article", "--renderer", renderer, ARTICLE)
    assert (done.returncode, done.stderr) == (0, b"")
    screen = done.stdout.decode().splitlines()
    assert screen[:2] == [TITLE, str(ARTICLE)]
    assert "this is     an article  (100% that it is one)" in screen
    assert "in          Annals of Field Ecology 18 (3), 211–228, 2024" in screen
    assert any(
        line.endswith("  Maren T. Lindqvar  [1]  ORCID 0000-0000-7314-2086") for line in screen
    )
    assert "Authors (5)" in screen
    assert "References (13)" in screen
    assert "      and 10 more" in screen
    assert len(screen) <= 40


def test_a_page_that_is_no_article(shop: Path) -> None:
    done = run("article", shop)
    assert done.returncode == 0
    assert "probably not an article" in done.stdout.decode()
    assert "Authors" not in done.stdout.decode()


@pytest.mark.parametrize("option", ["--json", "--format=json"])
def test_json(article: Path, shop: Path, option: str) -> None:
    done = run("article", option, article, "no-such.html", shop)
    assert done.returncode == 1
    found, failed, other = lines(done.stdout)
    assert found["source"] == str(article)
    assert (found["is_article"], other["is_article"]) == (True, False)
    assert found["title"]["text"] == TITLE
    assert [author["family"] for author in found["authors"]] == FAMILIES
    assert found["authors"][0]["name"] == found["authors"][0]["text"] == "Maren T. Lindqvar"
    assert other.keys() == found.keys()
    places = {place["id"]: place["text"] for place in found["affiliations"]}
    linked = [
        [places[one].split(",")[0] for one in each["affiliations"]] for each in found["authors"]
    ]
    assert linked[0] == ["Department of Agroecology"]
    assert linked[3] == ["Centre for Applied Statistics"]
    assert len(found["references"]) == 13
    assert failed["error"]["kind"] == "source_not_found"


def test_every_value_says_where_it_stands_and_how_sure_it_is(article: Path) -> None:
    (found,) = lines(run("article", "--json", article).stdout)
    single = [found[name] for name in ("title", "abstract", "doi", "year", "journal", "volume")]
    several = [one for name in ("authors", "affiliations", "references", "zones", "keywords")
               for one in found[name]]  # fmt: skip
    for value in [*single, *several]:
        assert value.keys() >= PLACED
        assert 0 <= value["confidence"] <= 1
        assert value["xpath"].startswith("/html")
        assert value["box"] is not None or not value["seen"]


def test_what_a_tag_says_as_well_is_marked(article: Path) -> None:
    (found,) = lines(run("article", "--json", article).stdout)
    assert (found["title"]["tag"], found["title"]["seen"]) == ("citation_title", True)
    volume = found["volume"]
    assert (volume["text"], volume["tag"], volume["seen"]) == ("18", "citation_volume", True)


def test_tags_can_be_ignored(article: Path) -> None:
    (found,) = lines(run("article", "--json", "--metadata", "ignore", article).stdout)
    assert found["title"]["text"] == TITLE
    assert (found["journal"]["text"], found["journal"]["tag"]) == ("Annals of Field Ecology", None)
    assert (found["title"]["tag"], found["title"]["seen"]) == (None, True)


def test_the_model_of_the_paper(article: Path) -> None:
    ours, seed = (
        lines(run("article", "--json", "--metadata", "ignore", "--model", model, article).stdout)[0]
        for model in ("ours", "seed")
    )
    assert seed["zones"] != ours["zones"]
    assert len(seed["references"]) == 13


@needs_worker
def test_a_pdf(pdf: Path) -> None:
    (found,) = lines(run("article", "--json", pdf).stdout)
    assert found["is_article"]
    assert found["title"]["text"] == TITLE
    assert [author["family"] for author in found["authors"]] == FAMILIES
    assert len(found["references"]) == 13


def test_bibtex_of_several_sources(article: Path, shop: Path) -> None:
    done = run("article", "--format", "bibtex", article, shop, article)
    assert done.returncode == 0
    text = done.stdout.decode()
    assert text.count("@article{") == 2
    assert "@article{lindqvar2024hedgerow,\n" in text
    assert "@article{lindqvar2024hedgerowa,\n" in text
    assert "not an article (0%), left out; see --all" in done.stderr.decode()


def test_all_pages_can_be_written(shop: Path) -> None:
    assert run("article", "--format", "bibtex", "--all", shop).stdout.startswith(b"@misc{")
    screen = run("article", "--all", shop).stdout.decode()
    assert "probably not an article" in screen
    assert "No abstract" in screen


def test_cited_works_are_written_instead(article: Path) -> None:
    done = run("article", "--cited", "--format", "bibtex", article)
    entries = done.stdout.decode().split("\n\n")
    assert len(entries) == 13
    assert "title = {Loss and return of field boundaries" in entries[0]
    wrong = run("article", "--cited", "--format", "tei", article)
    assert wrong.returncode == 2
    assert "--cited writes bibtex, ris, csl" in wrong.stderr.decode()


def test_csl_is_one_list(article: Path, shop: Path) -> None:
    items = json.loads(run("article", "--format", "csl", article, article).stdout)
    assert [item["title"] for item in items] == [TITLE, TITLE]
    assert json.loads(run("article", "--format", "csl", shop).stdout) == []


def test_ris_and_markdown_of_several_sources(article: Path) -> None:
    ris: Any = import_module("rispy")
    records = ris.loads(run("article", "--format", "ris", article, article).stdout.decode())
    assert [record["title"] for record in records] == [TITLE, TITLE]
    text = run("article", "--format", "markdown", article, article).stdout.decode()
    assert text.count(f"# {TITLE}\n") == 2
    assert text.count("\n---\n") == 1


@pytest.mark.parametrize("name", ["tei", "jats"])
def test_xml(article: Path, tmp_path: Path, name: str) -> None:
    etree: Any = import_module("lxml.etree")
    root = etree.fromstring(run("article", "--format", name, article).stdout)
    assert TITLE in "".join(root.itertext())
    folder = tmp_path / "new"
    done = run("article", "--format", name, "-o", folder, article, article)
    assert done.returncode == 0
    files = sorted(path.name for path in folder.iterdir())
    assert files == [f"journal-article-2.{name}.xml", f"journal-article.{name}.xml"]


@pytest.mark.parametrize("name", [one.value for one in ArticleFormat])
def test_a_file_or_a_folder(article: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file, new = tmp_path / "file.out", tmp_path / "new"
    for target in (file, folder, new):
        assert run("article", "--format", name, "-o", target, article).returncode == 0
    inside = f"journal-article{SUFFIXES[name]}"
    assert (folder / inside).read_bytes() == (new / inside).read_bytes() == file.read_bytes()
    assert TITLE[:30].encode() in file.read_bytes()


@pytest.mark.parametrize(
    ("name", "format_"),
    [*((f"list{suffix}", name) for name, suffix in SUFFIXES.items() if name != "csl"),
     ("list.json", "json"), ("LIST.BIB", "bibtex"), ("list.v2.ris", "ris")],
)  # fmt: skip
def test_the_suffix_of_a_file_names_the_format(name: str, format_: str) -> None:
    assert format_of(name, SUFFIXES) == format_


@pytest.mark.parametrize("name", ["list.xml", "list.docx", "list.bib.gz"])
def test_a_suffix_of_no_format_is_an_error_that_lists_those_that_are(
    article: Path, tmp_path: Path, name: str
) -> None:
    done = run("article", "-o", tmp_path / name, article)
    assert done.returncode == 2
    complaint = f"the suffix of {name} is not one of .txt, .jsonl, .bib"
    assert complaint in done.stderr.decode()
    assert not (tmp_path / name).exists()
    assert run("article", "--format", "tei", "-o", tmp_path / name, article).returncode == 0


def test_the_suffix_of_a_folder_names_no_format(article: Path, tmp_path: Path) -> None:
    (tmp_path / "old.bib").mkdir()
    assert run("article", "-o", tmp_path / "old.bib", article).returncode == 0
    assert [path.suffix for path in (tmp_path / "old.bib").iterdir()] == [".txt"]


@pytest.mark.parametrize(
    ("options", "name", "same"),
    [
        ((), "a.bib", "bibtex"),
        ((), "a.json", "json"),
        ((), "a.tei.xml", "tei"),
        (("--format", "csl"), "a.json", "csl"),
        (("--format", "ris"), "a.bib", "ris"),
        (("--json",), "a.bib", "json"),
    ],
)
def test_the_suffix_decides_where_no_format_is_given(
    article: Path, tmp_path: Path, options: tuple[str, ...], name: str, same: str
) -> None:
    assert run("article", *options, "-o", tmp_path / name, article).returncode == 0
    printed = run("article", "--format", same, article).stdout
    assert (tmp_path / name).read_bytes() == printed


def test_a_slash_at_the_end_means_a_folder(article: Path, tmp_path: Path) -> None:
    done = run("article", "--format", "ris", "-o", f"{tmp_path}/new.d/", article)
    assert done.returncode == 0
    assert (tmp_path / "new.d/journal-article.ris").is_file()
    (tmp_path / "file.bib").touch()
    done = run("article", "-o", f"{tmp_path}/file.bib/", article)
    assert done.returncode == 2
    assert b"cannot be used" in done.stderr


def test_where_nothing_was_read_there_is_no_file(shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.bib"
    for source, status in ((shop, 0), ("no-such.html", 1)):
        done = run("article", "--format", "bibtex", "-o", file, source)
        assert done.returncode == status
        assert f"nothing to write: there is no {file}" in done.stderr.decode().replace("\n", " ")
        assert not file.exists()


def test_a_file_of_json_has_the_failures(article: Path, tmp_path: Path) -> None:
    done = run("article", "--json", "-o", tmp_path / "all.jsonl", "no-such.html", article)
    assert done.returncode == 1
    assert done.stdout.decode() == f"{tmp_path / 'all.jsonl'}: 1 written\n"
    failed, found = lines((tmp_path / "all.jsonl").read_bytes())
    assert failed["error"]["kind"] == "source_not_found"
    assert found["title"]["text"] == TITLE


def test_what_is_there_already_is_kept(article: Path, tmp_path: Path) -> None:
    mine = tmp_path / "journal-article.bib"
    mine.write_text("my references")
    done = run("article", "--format", "bibtex", "-o", mine, article)
    assert (done.returncode, mine.read_text()) == (2, "my references")
    assert b"exists" in done.stderr
    done = run("article", "--format", "bibtex", "-o", tmp_path, article)
    assert (done.returncode, mine.read_text()) == (1, "my references")
    assert b"exists" in done.stderr


def test_a_folder_can_be_written_again(article: Path, tmp_path: Path) -> None:
    file = tmp_path / "journal-article.bib"
    again = ("article", "--format", "bibtex", "-o", tmp_path)
    assert run(*again, article).returncode == 0
    first = file.read_bytes()
    file.write_bytes(b"tea")
    done = run(*again, article)
    assert (done.returncode, file.read_bytes()) == (1, b"tea")
    assert b"hint: --overwrite replaces it" in done.stderr
    assert run(*again, "--overwrite", article).returncode == 0
    assert file.read_bytes() == first


def test_a_file_that_cannot_be_written_is_an_error(article: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("article", "--format", "bibtex", "-o", tmp_path / "file/a.bib", article)
    assert done.returncode == 2
    assert b"cannot be used" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--json", "--format", "ris"), "--json and --format ris do not agree"),
        (("--format", "tei", "other.html"), "needs a folder: -o DIR"),
        (("--format", "jats", "-o", "new.xml", "other.html"), "needs a folder: -o DIR"),
        (("-o", "-"), "not standard output"),
        (("--overwrite",), "--overwrite is for what -o writes"),
        (("--format", "word"), "word"),
        (("--model", "theirs"), "theirs"),
        (("--metadata", "only"), "only"),
    ],
)
def test_wrong_use(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run("article", *arguments, save_small_page(tmp_path))
    assert done.returncode == 2
    assert complaint in done.stderr.decode()


def test_the_names_are_those_of_the_reader() -> None:
    assert tuple(model.value for model in ModelName) == MODELS
    assert tuple(one.value for one in MetadataUse) == METADATA
    assert (
        {one.value for one in ArticleFormat} == SUFFIXES.keys() == {"text", "json", *BIBLIOGRAPHIES}
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("options", [["--json"], [], ["--format", "bibtex"]])
def test_output_that_cannot_be_written_is_an_error_of_one_line(options: list[str]) -> None:
    command = [sys.executable, "-m", "pagesight", "article", "--renderer", "embedded", *options]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*command, ARTICLE], stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr.decode().startswith("error: the output cannot be written: No space left")
    assert done.stderr.count(b"\n") == 1


def test_scans_say_that_they_are_pictures(tmp_path: Path) -> None:
    from PIL import Image

    scan = tmp_path / "scan.pdf"
    Image.new("L", (600, 800), 255).save(scan)
    done = run("article", "--json", scan)
    (found,) = lines(done.stdout)
    assert (found["is_article"], found["title"]) == (False, None)
    (note,) = (note for note in found["notes"] if note["kind"] == "no text")
    assert "pictures" in note["detail"]
    assert found["complete"] is False
    assert b"OCR" in done.stderr
