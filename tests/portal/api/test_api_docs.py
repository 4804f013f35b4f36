"""The documents about the portal for programs and operators say what is so."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from typer.testing import CliRunner

from pagesight.cli.app import app
from pagesight.portal.api.metrics import metrics_of
from pagesight.portal.api.table import TABLE
from pagesight.portal.values import Health

REPOSITORY = Path(__file__).parents[3]
ROW = re.compile(r"^\| `([A-Z]+) (/[^`]*)` \| (\w+) \| (.*) \|$", re.MULTILINE)


def test_every_operation_is_in_the_documents() -> None:
    text = (REPOSITORY / "docs/portal-api.md").read_text("utf-8")
    known = [
        (one.method, one.path.replace(":int", ""), one.scope.value, one.about.partition("\n")[0])
        for one in TABLE
    ]
    assert ROW.findall(text) == known


def test_every_metric_is_in_the_documents() -> None:
    text = (REPOSITORY / "docs/portal-operator.md").read_text("utf-8")
    health = Health(workers=(), waiting=0, lag=timedelta(0), pages=0, failing=(), database="sqlite")
    names = re.findall(r"^(pagesight_\w+) ", metrics_of(health).decode(), re.MULTILINE)
    assert names
    assert set(re.findall(r"`(pagesight_\w+)`", text)) == set(names)


@pytest.mark.parametrize("service", ["portal", "worker"])
def test_the_compose_file_uses_options_that_there_are(service: str) -> None:
    services = yaml.safe_load((REPOSITORY / "docker/compose.yaml").read_text("utf-8"))["services"]
    program, command, *arguments = services[service]["command"]
    assert (program, command) == ("pagesight", "serve")
    shown = CliRunner().invoke(app, ["serve", "--help"]).output
    options = [one for one in arguments if one.startswith("--")]
    assert options
    assert all(option in shown for option in options)
