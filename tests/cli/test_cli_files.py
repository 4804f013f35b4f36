"""Files that commands write: one rule for -o, and nothing is overwritten unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import lines, run, save_small_page
from typer.testing import CliRunner

from pagesight.cli.app import app
from pagesight.cli.files import Names, Target, folder_for, make_folder, part_of, write_file
from pagesight.cli.options import OUTPUT_RULE, WrongUse
from pagesight.errors import SaveFailed

WRITING = ["render", "inspect", "outline", "article"]
HTML = "<title>Tea</title><h1>Tea</h1><p>Green tea is made of leaves in hot water."
# A command that writes one file per source, and the name of that of `tea.html`.
EACH = [
    (("render",), "tea.pagesight"),
    (("inspect",), "tea.inspect.html"),
    (("inspect", "--png"), "tea.inspect.png"),
    (("outline", "--format", "html"), "tea.html"),
    (("article", "--all", "--format", "bibtex"), "tea.bib"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source/tea.html"
    path.parent.mkdir()
    path.write_text(HTML)
    return path


def _write(command: tuple[str, ...], target: Path | str, *more: str | Path) -> tuple[int, str]:
    *first, last = command
    into = (*first, last, target) if last == "--png" else (*command, "-o", target)
    done = run(*into, "--renderer", "embedded", *more)
    return done.returncode, done.stderr.decode()


# The rule.


@pytest.mark.parametrize(
    ("given", "is_folder"),
    [
        ("list.bib", False),
        ("new/list.bib", False),
        (".hidden", True),
        ("list", True),
        ("list.bib/", True),
        ("old", True),
        ("old.d", True),
        ("old.d/", True),
        ("file", False),
        ("file.txt", False),
        ("file/", True),
        (".", True),
        ("..", True),
    ],
)
def test_the_rule(
    given: str, is_folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("old", "old.d"):
        Path(name).mkdir()
    for name in ("file", "file.txt"):
        Path(name).touch()
    target = Target.of(given)
    assert target.is_folder == is_folder
    assert target.path == Path(given)


@pytest.mark.parametrize("command", WRITING)
def test_the_help_states_the_rule(command: str) -> None:
    text = " ".join(CliRunner().invoke(app, [command, "--help"]).output.split())
    assert OUTPUT_RULE in text
    assert "-o, --output PATH" in text
    assert "--overwrite" in text


@pytest.mark.parametrize(("command", "name"), EACH)
def test_a_folder_gets_one_file_per_source(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    assert _write(command, f"{tmp_path}/new.d/", source, source)[0] == 0
    stem, suffix = name.split(".", 1)
    written = {path.name for path in (tmp_path / "new.d").iterdir()} - {"manifest.jsonl"}
    assert written == {name, f"{stem}-2.{suffix}"}


@pytest.mark.parametrize(("command", "name"), EACH)
def test_a_file_gets_one_source(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new" / f"file.{name.split('.', 1)[1]}"
    assert _write(command, file, source)[0] == 0
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(("command", "name"), EACH[:-1])  # articles of many sources may share one
def test_a_file_is_not_for_several_sources(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    status, message = _write(command, tmp_path / name, source, source)
    assert status == 2
    assert f"{tmp_path / name} is a file, and there are several sources: name a folder" in message
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize(("command", "name"), EACH)
def test_standard_output_is_not_a_target(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    status, message = _write(command, "-", source)
    assert status == 2
    assert "-o names a file or a folder, not standard output" in message
    assert not Path("-").exists()


# Overwriting.


@pytest.mark.parametrize(("command", "name"), EACH)
def test_a_file_that_exists_is_replaced_only_if_asked_to(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text("mine")
    status, message = _write(command, file, source)
    assert status == 2
    assert message.startswith(f"error: {file} exists; --overwrite replaces it\n")
    assert file.read_text() == "mine"
    assert _write(command, file, "--overwrite", source)[0] == 0
    assert file.read_bytes() != b"mine"


@pytest.mark.parametrize(("command", "name"), EACH)
def test_a_file_in_a_folder_costs_its_source_only(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_text("mine")
    status, message = _write(command, folder, source, source)
    assert status == 1
    assert f"error: {source}: {folder / name} exists\n  hint: --overwrite replaces it\n" in message
    assert (folder / name).read_text() == "mine"
    stem, suffix = name.split(".", 1)
    assert (folder / f"{stem}-2.{suffix}").exists()


@pytest.mark.parametrize(("command", "name"), EACH)
def test_a_folder_is_written_again_if_asked_to(
    command: tuple[str, ...], name: str, source: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    for _ in range(2):
        assert _write(command, folder, "--overwrite", source)[0] == 0
    assert (folder / name).exists()
    assert not list(folder.glob("*-2*"))


def test_a_report_beside_its_source_is_replaced_only_if_asked_to(source: Path) -> None:
    report = source.with_name("tea.inspect.html")
    shared = ("inspect", "--json", "--renderer", "embedded", source)
    assert run(*shared).returncode == 0
    report.write_text("mine")
    refused = run(*shared)
    assert refused.returncode == 1
    (line,) = lines(refused.stdout)
    assert line["error"] == {
        "kind": "save_failed", "message": f"{report} exists", "hint": "--overwrite replaces it",
    }  # fmt: skip
    assert report.read_text() == "mine"
    assert run(*shared, "--overwrite").returncode == 0
    assert report.read_text() != "mine"


def test_reports_of_two_sources_of_one_name(tmp_path: Path) -> None:
    save_small_page(tmp_path)
    (tmp_path / "tea.html").write_text(HTML)
    done = run("inspect", "--renderer", "embedded", "tea.pagesight", "tea.html", cwd=tmp_path)
    assert done.returncode == 0
    names = {"tea.inspect.html", "tea-2.inspect.html"}
    assert {path.name for path in tmp_path.glob("*inspect*")} == names


def test_reports_and_drawings_may_share_a_folder(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "both"
    done = run("inspect", "--renderer", "embedded", source, "-o", folder, "--png", folder)
    assert done.returncode == 0
    assert {path.name for path in folder.iterdir()} == {"tea.inspect.html", "tea.inspect.png"}


# The pieces.


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "folder/inside").mkdir(parents=True)
    with pytest.raises(SaveFailed, match="cannot be written"):
        write_file(tmp_path / "folder", b"tea", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    write_file(tmp_path / "a/b/c.txt", b"tea")
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"tea"


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no symbolic links")
def test_a_link_that_leads_nowhere_is_something(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(SaveFailed, match="exists"):
        write_file(link, b"tea")
    with pytest.raises(WrongUse, match="exists"):
        Target.of(str(link)).check(link)
    write_file(link, b"tea", overwrite=True)
    assert link.read_bytes() == b"tea"


def test_the_part_of_a_long_name_has_a_name_that_fits(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    assert len(part_of(path).name) < 100
    write_file(path, b"tea")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_folder_inside_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WrongUse, match="cannot be used"):
        make_folder(tmp_path / "file/folder")
    with pytest.raises(WrongUse, match="cannot be used"):
        Target.of(str(tmp_path / "file/list.bib")).prepare()


def test_a_folder_for_a_file_stays_only_with_the_file(tmp_path: Path) -> None:
    with folder_for(tmp_path / "a/b/c.txt"):
        assert (tmp_path / "a/b").is_dir()
    assert not (tmp_path / "a").exists()
    with folder_for(tmp_path / "a/b/c.txt"):
        (tmp_path / "a/b/c.txt").touch()
    assert (tmp_path / "a/b/c.txt").exists()


def test_no_folder_for_no_file() -> None:
    with folder_for(None):
        pass


def test_names_of_files_beside_each_other() -> None:
    names = Names()
    assert [names.unique("a/tea") for _ in range(3)] == ["a/tea", "a/tea-2", "a/tea-3"]
    assert names.unique("b/tea") == "b/tea"


def test_targets_give_names_once_for_each_source(tmp_path: Path) -> None:
    folder = Target(tmp_path, is_folder=True)
    given = [folder.path_for(name, ".txt").name for name in ("a.html", "b.html", "a.pdf")]
    assert given == ["a.txt", "b.txt", "a-2.txt"]
    file = Target(tmp_path / "all.txt", is_folder=False)
    assert {file.path_for(name, ".md").name for name in ("a.html", "b.html")} == {"all.txt"}
