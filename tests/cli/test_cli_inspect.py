from __future__ import annotations

from pathlib import Path

import pytest
from running import EXAMPLES, each_renderer, lines, run, save_small_page

PNG = b"\x89PNG"


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return save_small_page(tmp_path)


@each_renderer
def test_a_report(renderer: str, tmp_path: Path) -> None:
    source = EXAMPLES / "product/index.html"
    report, drawing = tmp_path / "new/report.html", tmp_path / "zones.png"
    shared = ("--renderer", renderer, "--layer", "vips")
    result = run("inspect", "--json", *shared, source, "-o", report, "--png", drawing)
    assert (result.returncode, result.stderr) == (0, b"")
    (line,) = lines(result.stdout)
    assert line["source"] == str(source)
    assert (line["file"], line["png"]) == (str(report), str(drawing))
    assert next(iter(line["layers"])) == "vips"
    assert line["layers"]["vips"] > 10 < line["layers"]["xycut"]
    assert 3 <= line["layers"]["blocks"] <= 20
    assert line["layers"]["headings"] >= 1
    assert line["layers"]["article"] == 0  # a product is none
    assert b"Drift 28" in report.read_bytes()
    assert drawing.read_bytes().startswith(PNG)


@each_renderer
def test_the_labels_of_an_article(renderer: str, tmp_path: Path) -> None:
    source, report = EXAMPLES / "journal-article/index.html", tmp_path / "report.html"
    shared = ("--renderer", renderer, "--layer", "article")
    (line,) = lines(run("inspect", "--json", *shared, source, "-o", report).stdout)
    assert next(iter(line["layers"])) == "article"
    assert line["layers"]["article"] > 20
    assert '"label": "affiliation"' in report.read_text("utf-8").replace('":"', '": "')


def test_without_an_output_the_report_stands_beside_the_source(page_file: Path) -> None:
    result = run("inspect", page_file)
    report = page_file.with_name("tea.inspect.html")
    assert result.returncode == 0
    assert result.stdout.decode().startswith(f"{report}: ")
    assert "Green tea" in report.read_text("utf-8")


def test_a_second_run_leaves_the_reports_of_the_first_out(tmp_path: Path) -> None:
    for name in ("tea.html", "tea.green.html"):
        (tmp_path / name).write_text(f"<title>{name}</title><p>{name}")
    made = ["tea.green.inspect.html", "tea.inspect.html"]
    for sources in (["tea.html", "tea.green.html"], [*made, "tea.green.html", "tea.html"]):
        result = run("inspect", "--renderer", "embedded", "--overwrite", *sources, cwd=tmp_path)
        assert result.returncode == 0
        assert sorted(path.name for path in tmp_path.glob("*.inspect.html")) == made
    assert result.stderr.decode().splitlines() == [f"{name}: a report, left out" for name in made]
    assert "tea.green.html" in (tmp_path / made[0]).read_text("utf-8")
    assert "tea.green.html" not in (tmp_path / made[1]).read_text("utf-8")


def test_every_source_has_a_line_of_json_also_one_that_is_a_report(page_file: Path) -> None:
    report = page_file.with_name("report.html")
    assert run("inspect", page_file, "-o", report).returncode == 0
    result = run("inspect", "--json", "--renderer", "embedded", report, page_file)
    left_out, made = lines(result.stdout)
    assert (left_out["source"], left_out["layers"]) == (str(report), {})
    assert "file" not in left_out
    assert made["file"].endswith(".inspect.html")


def test_a_name_as_long_as_names_may_be(page_file: Path, tmp_path: Path) -> None:
    report = tmp_path / f"{'x' * 250}.html"
    assert run("inspect", page_file, "-o", report).returncode == 0
    assert report.exists()


def test_what_is_no_file_gets_a_report_here(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    assert run("inspect", "-", stdin=page_file.read_bytes(), cwd=folder).returncode == 0
    assert [path.name for path in folder.iterdir()] == ["stdin.inspect.html"]


def test_only_a_drawing(page_file: Path, tmp_path: Path) -> None:
    assert run("inspect", page_file, "--png", tmp_path / "a.png").returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "tea.pagesight"]


def test_several_sources(page_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    result = run(
        "inspect",
        page_file,
        "no-such.html",
        page_file,
        "-o",
        folder,
        "--png",
        tmp_path / "drawings",
    )
    assert result.returncode == 1
    assert b"error: no-such.html: there is no such file" in result.stderr
    names = ["tea-2.inspect", "tea.inspect"]
    assert sorted(path.stem for path in folder.iterdir()) == names
    assert sorted(path.stem for path in (tmp_path / "drawings").iterdir()) == names


def test_a_second_run_replaces_the_first_if_asked_to(page_file: Path, tmp_path: Path) -> None:
    targets = ("-o", tmp_path / "a.html", "--png", tmp_path / "a.png")
    for options, status in (((), 0), ((), 2), (("--overwrite",), 0)):
        assert run("inspect", page_file, *targets, *options).returncode == status


def test_a_file_of_somebody_else_is_kept(page_file: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("<p>my notes on pagesight inspect")
    assert run("inspect", "--json", page_file, "-o", mine).returncode == 2
    assert mine.read_text() == "<p>my notes on pagesight inspect"


def test_a_manifest_with_a_bad_line(page_file: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "list.jsonl"
    manifest.write_text(f'{{"source": "{page_file.name}"}}\n{{nonsense\n')
    result = run("inspect", "--json", "--from", manifest, "-o", tmp_path / "reports")
    assert result.returncode == 1
    done, failed = lines(result.stdout)
    assert done["file"] == str(tmp_path / "reports/tea.inspect.html")
    assert failed["error"]["kind"] == "bad_manifest"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["tea.pagesight", "--layer", "nonsense"], "there is no layer 'nonsense'"),
        (["tea.pagesight", "tea.pagesight", "-o", "a.html"], "there are several sources"),
        (["tea.pagesight", "tea.pagesight", "--png", "a.png"], "there are several sources"),
        (["tea.pagesight", "tea.pagesight", "-o", "tea.pagesight"], "there are several sources"),
        (["tea.pagesight", "-o", "a.b", "--png", "a.b"], "name the same file"),
        (["tea.pagesight", "-o", "-"], "not standard output"),
        ([], "no source given"),
    ],
)
def test_wrong_use(page_file: Path, tmp_path: Path, arguments: list[str], complaint: str) -> None:
    result = run("inspect", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert complaint in result.stderr.decode()
    assert [path.name for path in tmp_path.iterdir()] == [page_file.name]
