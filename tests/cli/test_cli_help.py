from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from reference import commands
from running import run_program, save_small_page, small_page
from typer.testing import CliRunner

import pagesight
from pagesight.cli.app import COMMANDS, app

HEAVY = (
    "numpy", "httpx", "playwright", "charset_normalizer", "rich", "plutoprint", "pypdfium2",
    "selectolax", "pagesight.page", "pagesight.render", "pagesight.sources",
)  # fmt: skip
READING = ["read", "render", "zones", "inspect", "title", "outline", "article", "records"]
SHARED = (
    "--renderer", "--url", "--root", "--from", "-j, --jobs", "--json", "--timeout", "--max-size",
)  # fmt: skip


def test_the_help_lists_all_commands_and_examples() -> None:
    help_text = CliRunner().invoke(app, ["--help"]).output
    assert commands() == [
        "read", "render", "zones", "inspect", "title", "outline", "article", "records",
        "components", "watch", "serve", "mcp", "batch", "evaluate", "train", "crawl", "doctor",
    ]  # fmt: skip
    for command in commands():
        assert f"\n  {command} " in help_text
        assert f"\n    pagesight {command} " in help_text  # the examples
    assert "--version" in help_text
    assert "--install-completion" in help_text


@pytest.mark.parametrize("command", READING)
def test_reading_commands_have_the_shared_options(command: str) -> None:
    help_text = CliRunner().invoke(app, [command, "--help"]).output
    for option in SHARED:
        assert f"\n  {option} " in help_text
    assert "SRC is a file (HTML, PDF, a saved Page)" in help_text
    assert f"pagesight {command} " in help_text.split("Examples:")[1]


def test_without_a_command_there_is_help() -> None:
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 0
    assert "Commands:" in result.output


def test_version() -> None:
    result = run_program("--version")
    assert result.stdout.decode().split() == ["pagesight", pagesight.__version__]
    assert result.returncode == 0


def test_the_overview_says_what_the_help_of_each_command_says() -> None:
    for name, summary in COMMANDS.items():
        command = import_module(f"pagesight.cli.commands.{name}")
        assert getattr(command, name).__doc__.startswith(f"{summary}\n") or (
            getattr(command, name).__doc__ == summary
        )


def test_a_command_that_is_not_there() -> None:
    result = run_program("raed")
    assert result.returncode == 2
    assert b"No such command 'raed'" in result.stderr


def imported_by(*arguments: str | Path) -> set[str]:
    """The modules of the package that a command imports."""
    program = f"""
import atexit, sys
sys.argv = ["pagesight", *{list(map(str, arguments))!r}]
atexit.register(lambda: print(*(n for n in sys.modules if n.startswith("pagesight")), sep="\\n"))
from pagesight.cli import main
main()"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return {line for line in done.stdout.splitlines() if line.startswith("pagesight")}


def test_a_command_imports_no_other() -> None:
    assert {name for name in imported_by("--help") if ".commands" in name} == set()
    assert {name for name in imported_by("read", "--help") if ".commands." in name} == {
        "pagesight.cli.commands.read"
    }


def test_an_article_imports_no_formats_and_no_other_readers(tmp_path: Path) -> None:
    modules = imported_by("article", "--json", save_small_page(tmp_path))
    assert "pagesight.readers.article.reader" in modules
    others = ("pagesight.output", "pagesight.cli.files", "pagesight.readers.outline",
              "pagesight.readers.zones", "pagesight.segment.vips", "pagesight.crawl")  # fmt: skip
    assert not {name for name in modules if name.startswith(others)}


@pytest.mark.parametrize(
    ("command", "most"), [(["article", "--json"], 69), (["inspect", "--json", "-o", "new"], 125)]
)
def test_a_saved_page_is_read_with_few_modules(
    command: list[str], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "long.pagesight"  # of a short one, titles say whether it is only a notice
    small_page(text="tea " * 500).save(page)
    modules = imported_by(*command, page)
    assert "pagesight.readers.article.reader" in modules
    assert len(modules) <= most, "\n".join(sorted(modules))
    training = ("pagesight.models.lbfgs", "pagesight.models.boosting", "pagesight.models.hmm")
    elsewhere = ("pagesight.sources.fetching", "pagesight.sources.manifest")
    for_pdf = ("pagesight.segment.furniture", "pagesight.segment.paragraphs")
    assert not modules.intersection((*training, *elsewhere, *for_pdf))
    assert not {name for name in modules if ".learning" in name or ".seed" in name}


def test_an_outline_imports_no_learning_and_no_seeds(tmp_path: Path) -> None:
    modules = imported_by("outline", "--json", save_small_page(tmp_path))
    assert not {name for name in modules if ".learning" in name or ".seed" in name}


@pytest.mark.parametrize(
    "arguments", [["--help"], *([name, "--help"] for name in COMMANDS), ["--version"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = f"""
import sys
from pagesight.cli import main
sys.argv = ["pagesight", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"
