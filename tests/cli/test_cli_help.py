from __future__ import annotations

import subprocess
import sys

import pytest
from running import run_program
from typer.testing import CliRunner

import pagesight
from pagesight.cli.app import app
from pagesight.cli.reference import commands

HEAVY = (
    "numpy", "httpx", "playwright", "charset_normalizer", "rich", "plutoprint", "pypdfium2",
    "selectolax", "pagesight.page", "pagesight.render", "pagesight.sources",
)  # fmt: skip
READING = ["read", "render", "zones", "inspect", "title", "outline", "article"]
SHARED = (
    "--renderer", "--url", "--root", "--from", "-j, --jobs", "--json", "--timeout", "--max-size",
)  # fmt: skip


def test_the_help_lists_all_commands_and_examples() -> None:
    help_text = CliRunner().invoke(app, ["--help"]).output
    assert commands() == [
        "read", "render", "zones", "inspect", "title", "outline", "article", "evaluate", "train",
        "crawl", "doctor",
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


@pytest.mark.parametrize("arguments", [["--help"], ["read", "--help"], ["--version"]])
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
