"""`pagesight serve`, as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from pagesight.cli.app import app
from serving import doorkeeper

COMMAND = (sys.executable, "-m", "pagesight", "serve", "--renderer", "embedded")


@contextmanager
def started(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and its address."""
    process = subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_works_and_ends_by_a_signal(tmp_path: Path, kind: signal.Signals) -> None:
    with started("--port", "0", "--database", str(tmp_path / "p.sqlite")) as (process, address):
        assert httpx.get(address, follow_redirects=True).url.path == "/welcome"
        for _ in range(200):  # until the worker is there
            if httpx.get(f"{address}/health").status_code == 200:
                break
            time.sleep(0.1)
        else:
            pytest.fail("no worker")
        process.send_signal(kind)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "")


def test_a_port_that_somebody_has_is_told(tmp_path: Path) -> None:
    with doorkeeper() as (place, _):
        options = ["--port", place.rpartition(":")[2], "--database", str(tmp_path / "p.sqlite")]
        result = CliRunner().invoke(app, ["serve", *options])
    assert result.exit_code == 1
    assert "cannot listen" in result.stderr
    assert "--port" in result.stderr


def test_a_public_address_is_one_of_the_web() -> None:
    result = CliRunner().invoke(app, ["serve", "--public-address", "parts.example.com"])
    assert result.exit_code == 2
    assert "is not an address" in result.stderr
