"""`pagesight mcp` as a program, through a client over standard input and output."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from asking import NEWS, content, error, program, save
from mcp import Client

from pagesight.watch import Watch
from serving import silent_site

TOY = """
from pagesight.readers.registry import Reading
from pagesight.readers.value import Value

READING = Reading(name="shouting", question="does the page shout?", read="toy:read")

def read(page):
    return Value(text=page.root.text.upper(), confidence=1.0)
"""
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Wire:
    """The program, and the lines that go to it and come from it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.number = 0

    def send(self, method: str, **params: Any) -> int:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/"):
            self.number += 1
            message["id"] = self.number
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self.number

    def call(self, tool: str, **arguments: Any) -> Any:
        """The content of an answer."""
        number = self.send("tools/call", name=tool, arguments=arguments)
        answer = self.answer()
        assert answer["id"] == number
        return answer["result"]["structuredContent"]["content"]

    def answer(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())


@contextmanager
def started(*arguments: str | Path) -> Iterator[Wire]:
    """The program, after the first words with it."""
    given = program(*arguments)
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [given.command, *given.args], stdin=pipe, stdout=pipe, stderr=pipe, env=given.env
    )
    with process:
        try:
            wire = Wire(process)
            wire.send("initialize", **HELLO)
            assert wire.answer()["result"]["serverInfo"]["name"] == "pagesight"
            yield wire
        finally:
            process.kill()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_reading_and_watching_over_standard_input(mode: str, tmp_path: Path) -> None:
    path = save(tmp_path)
    server = program("--files", tmp_path, "--database", tmp_path / "w.sqlite")

    async def use() -> None:
        async with Client(server, mode=mode) as client:
            assert "check_now" in {tool.name for tool in (await client.list_tools()).tools}
            title = content(await client.call_tool("title", {"source": str(path)}))
            assert title["title"]["text"] == "The tea house by the river"
            watched = {"source": str(path), "select": ["#news"]}
            (part,) = content(await client.call_tool("watch_part", watched))["parts"]
            save(tmp_path, news=[*NEWS, "White tea"])
            checks = content(await client.call_tool("check_now", {}))
            assert checks["checked"][0]["outcome"] == "changed"
            assert error(await client.call_tool("title", {"source": "/etc/passwd"}))
        async with Client(server, mode=mode) as client:
            found = content(await client.call_tool("read_part", {"part": part["id"]}))
            assert "White tea" in found["observation"]["text"]

    anyio.run(use)


def test_a_reading_of_another_package_is_a_tool(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    metadata = tmp_path / "toy-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pagesight.readings]\ntoy = toy:READING\n")
    save(tmp_path)

    async def use() -> None:
        async with Client(program("--files", tmp_path, PYTHONPATH=str(tmp_path))) as client:
            found = content(await client.call_tool("shouting", {"source": "tea.html"}))
            assert "THE TEA HOUSE" in found["text"]

    anyio.run(use)


def test_nothing_but_the_protocol_is_printed(tmp_path: Path) -> None:
    save(tmp_path)
    with started("--files", tmp_path) as wire:
        assert wire.call("title", source="tea.html")["title"]
        assert wire.process.stdin
        assert wire.process.stdout
        assert wire.process.stderr
        wire.process.stdin.write(b"this is not JSON\n")
        wire.process.stdin.close()
        assert wire.process.wait(20) == 0
        for line in wire.process.stdout.read().splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        assert b"Traceback" not in wire.process.stderr.read()


def test_a_call_that_the_client_cancels_is_not_answered(tmp_path: Path) -> None:
    save(tmp_path)
    given = ("--allow-private", "--files", tmp_path, "--jobs", "2")
    with silent_site() as slow, started(*given) as wire:
        number = wire.send("tools/call", name="title", arguments={"source": slow})
        wire.send("notifications/cancelled", requestId=number)
        assert wire.call("title", source="tea.html")["title"]


@pytest.mark.parametrize(("how", "status"), [("end", 0), ("TERM", 143), ("INT", 130)])
def test_it_ends_with_its_client_whatever_it_does(how: str, status: int) -> None:
    with silent_site() as slow, started("--allow-private") as wire:
        wire.send("tools/call", name="title", arguments={"source": slow})
        time.sleep(0.5)
        if how == "end":
            assert wire.process.stdin
            wire.process.stdin.close()
        else:
            wire.process.send_signal(getattr(signal, f"SIG{how}"))
        assert wire.process.wait(10) == status


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    """Killed at a random moment of a check, several times: nothing is lost, nothing is twice."""
    choose = random.Random(7)
    database = tmp_path / "w.sqlite"
    names = [f"{number}.html" for number in range(4)]
    acknowledged: dict[int, int] = {}
    for turn in range(3):
        for name in names:
            save(tmp_path, name, news=[*NEWS, f"Tea of turn {turn}", f"Cup of turn {turn}"])
        with started("--files", tmp_path, "--database", database) as wire:
            if turn == 0:
                for name in names:
                    (part,) = wire.call("watch_part", source=name, select=["#news"])["parts"]
                    acknowledged[part["id"]] = 1
            for number in choose.sample(sorted(acknowledged), choose.randint(1, 3)):
                for page in wire.call("check_now", parts=[number])["checked"]:
                    for seen in page["parts"]:
                        acknowledged[seen["id"]] = seen["observation"]
            wire.send("tools/call", name="check_now", arguments={})
            time.sleep(choose.random() / 2)
            wire.process.kill()
            wire.process.wait()
        with started("--files", tmp_path, "--database", database, "--read-only") as wire:
            kept = {part["id"]: part["observation"] for part in wire.call("list_parts")["parts"]}
        for number, least in acknowledged.items():
            assert kept[number]["number"] >= least
    with Watch.open(str(database)) as watch:
        for part in watch.parts():
            numbers = [seen.number for seen in watch.history(part.id)]
            assert numbers == list(range(1, len(numbers) + 1))
            texts = [seen.text for seen in watch.history(part.id)]
            assert len(set(texts)) == len(texts)


# Without what it needs


def test_other_commands_do_not_wait_for_it() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from pagesight.cli.app import app\n"
        "CliRunner().invoke(app, ['--help']); CliRunner().invoke(app, ['mcp', '--help'])\n"
        "import pagesight.mcp\n"
        "print([name for name in ('mcp', 'anyio', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; from pagesight.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "mcp"], capture_output=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"error: mcp is not installed" in done.stderr
    assert b"pip install 'pagesight[mcp]'" in done.stderr


def test_a_folder_that_is_not_there() -> None:
    given = program("--files", "no-such-folder")
    done = subprocess.run([given.command, *given.args], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"no-such-folder" in done.stderr
