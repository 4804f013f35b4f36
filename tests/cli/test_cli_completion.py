"""The shell completes the values of options."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from reference import commands
from typer.testing import CliRunner

from pagesight.cli.app import app


def completed(*words: str) -> list[str]:
    """What bash offers for the last of these words."""
    environment = {
        "_PAGESIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["pagesight", *words]),
        "COMP_CWORD": str(len(words)),
    }
    result = CliRunner().invoke(app, [], env=environment, prog_name="pagesight")
    return result.output.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("article --format", "text json bibtex ris csl tei jats markdown"),
        ("article --metadata", "auto ignore"),
        ("article --model", "ours seed"),
        ("outline --format", "text json markdown html"),
        ("outline --tags", "auto ignore"),
        ("zones --granularity", "coarse medium fine"),
        ("zones --tree", "xycut vips"),
        ("inspect --layer", "blocks xycut vips headings article records"),
        ("records --format", "text json csv markdown jsonld parquet"),
        ("records --metadata", "auto ignore"),
        ("title --method", "ours tta tta-s1 titlefinder title-tag"),
        ("watch", "add list check diff history export remove confirm"),
        ("watch export --format", "atom jsonfeed json"),
        ("watch diff --format", "text html"),
        ("evaluate", "article outline title zones"),
        ("train", "article outline title zones"),
        ("evaluate title --renderer", "auto chromium embedded"),
        ("train title --renderer", "auto chromium embedded"),
    ],
)
def test_values(words: str, offered: str) -> None:
    assert set(offered.split()) <= set(completed(*words.split(), ""))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("zones --granularity f", "fine"),
        ("zones --granularity x", ""),
        ("inspect --layer v", "vips"),
        ("title --method title-", "title-tag"),
        ("evaluate ti", "title"),
        ("train z", "zones"),
        ("zo", "zones"),
        ("render --over", "--overwrite"),
        ("inspect --png a.png --over", "--overwrite"),
    ],
)
def test_what_is_begun_is_completed(words: str, offered: str) -> None:
    assert completed(*words.split()) == offered.split()


@pytest.mark.parametrize(
    "command", ["read", "render", "zones", "inspect", "title", "outline", "article", "records"]
)
def test_renderers_complete_for_every_reading(command: str) -> None:
    assert completed(command, "--renderer", "") == ["auto", "chromium", "embedded"]


def _named(command: str) -> list[Any]:
    """The parameters of a command that take one of several names."""
    program: Any = typer.main.get_command(app)
    parameters = program.get_command(None, command).params
    return [param for param in parameters if param.metavar in ("NAME", "TASK")]


@pytest.mark.parametrize("command", commands())
def test_every_option_that_takes_a_name_completes(command: str) -> None:
    for param in _named(command):
        option = [] if param.param_type_name == "argument" else [param.opts[0]]
        assert len(completed(command, *option, "")) > 1, param.name


def test_commands_complete() -> None:
    assert set(commands()) <= set(completed(""))
