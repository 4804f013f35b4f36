from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pagesight.cli.app import app
from pagesight.cli.options import (
    ReadingOptions,
    RendererName,
    parse_count,
    parse_delay,
    parse_seconds,
    parse_size,
)
from pagesight.render import RENDERERS
from pagesight.sources import Limits


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("read", "no source given"),
        ("render -o pages", "no source given"),
        ("render a.html", "'--output'"),
        ("read --renderer lynx a.html", "'lynx' is not one of 'auto', 'chromium', 'embedded'"),
        ("read --jobs 0 a.html", "'0' is not a whole number of at least 1"),
        ("read -j many a.html", "'many' is not a whole number of at least 1"),
        ("read --timeout 0 a.html", "'0' is not a number of seconds above 0"),
        ("read --timeout nan a.html", "'nan' is not a number of seconds above 0"),
        ("read --max-size big a.html", "'big' is not a size"),
        ("read --max-size 0 a.html", "'0' is not a size"),
        ("read --url https://example.com/ a.html b.html", "--url is the address of one page"),
        ("read --url https://example.com/ --from a.jsonl", "--url is the address of one page"),
        ("read --url www.example.com/tea a.html", "'www.example.com/tea' is not an address such"),
        ("read --url http:// a.html", "'http://' is not an address such"),
        ("render a.html -o -", "-o names a file or a folder, not standard output"),
        ("read - -", "standard input can be read once only"),
        ("read - --from -", "standard input can be read once only"),
        ("read --root no-such-folder a.html", "'no-such-folder' does not exist"),
        ("read --colour a.html", "No such option: --colour"),
        ("draw a.html", "No such command 'draw'"),
    ],
)
def test_wrong_use(
    arguments: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, arguments.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    error, hint = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert complaint in error
    assert hint.startswith("  hint: see pagesight")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("65536", 65536),
        ("500kB", 500_000),
        ("20MB", 20_000_000),
        ("20mb", 20_000_000),
        ("1.5 GB", 1_500_000_000),
        ("20MiB", 20 << 20),
        ("4K", 4000),
        ("4KiB", 4096),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1", "1e6", "0.1", "20 TB", "20M iB", "1_000"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_size(text)


@pytest.mark.parametrize("text", ["-1", "0", "inf", "soon", ""])
def test_no_seconds(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_seconds(text)


def test_a_delay_may_be_nothing() -> None:
    assert parse_delay("0") == 0
    for text in ("-1", "inf", "nan", "soon"):
        with pytest.raises(typer.BadParameter):
            parse_delay(text)


def test_numbers() -> None:
    assert parse_count("04") == 4
    assert parse_count("20000") == 20_000
    with pytest.raises(typer.BadParameter):
        parse_count("1.5")


def test_the_renderers_are_those_that_can_be_opened() -> None:
    assert tuple(RendererName) == RENDERERS


def test_the_defaults_are_those_of_the_library() -> None:
    options = ReadingOptions(sources=["a.html"])
    assert options.limits().max_size == Limits().max_size
    assert options.limits().total_timeout == Limits().total_timeout
    assert options.render_options().timeout == 30


def test_the_time_limit_is_that_of_fetching_too() -> None:
    limits = ReadingOptions(sources=["a.html"], timeout=90.0).limits()
    assert (limits.total_timeout, limits.read_timeout) == (90, 90)
    assert ReadingOptions(sources=["a.html"], timeout=0.5).limits().connect_timeout == 0.5


def test_jobs_follow_the_number_of_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 16)
    assert ReadingOptions(sources=["a"]).render_options().jobs == 1
    assert ReadingOptions(sources=["a", "b"]).render_options().jobs == 4
    assert ReadingOptions(manifest="list.jsonl").render_options().jobs == 4
    assert ReadingOptions(sources=["a"], jobs=9).render_options().jobs == 9
