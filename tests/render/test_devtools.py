"""Messages from the browser, whatever pieces they come in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pagesight.errors import NoBrowser
from pagesight.render.chromium.browser import RunningBrowser
from pagesight.render.chromium.devtools import CRASHED, Connection, DevToolsError
from pagesight.render.chromium.discovery import Browser
from pagesight.render.chromium.sealed import SealedBrowser


class Sink(asyncio.WriteTransport):
    """Where commands go that nobody answers."""

    def write(self, data: Any) -> None:
        pass


def connection() -> Connection:
    made = Connection(0, Path("nowhere"))
    made._write = Sink()
    return made


def piece(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\0" for message in messages)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_messages_come_in_pieces_of_any_size(size: int) -> None:
    async def answers() -> list[Any]:
        browser = connection()
        asked = [browser.send("One"), browser.send("Two")]
        data = piece({"id": 2, "result": {"two": "\u00e9"}}, {"id": 1, "result": {"one": 1}})
        for start in range(0, len(data), size):
            browser.data_received(data[start : start + size])
        return await asyncio.gather(*asked)

    assert asyncio.run(answers()) == [{"one": 1}, {"two": "\u00e9"}]


def test_a_listener_that_fails_costs_its_own_tab() -> None:
    told: list[str] = []

    def listener(event: str, _: dict[str, Any]) -> None:
        told.append(event)
        if event != CRASHED:
            raise ValueError(event)

    async def answer() -> Any:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        browser = connection()
        browser.listen("tab", listener)
        asked = browser.send("One")
        event = {"sessionId": "tab", "method": "Odd.event", "params": {}}
        browser.data_received(piece(event, {"id": 1, "result": {}}))
        return await asked

    assert asyncio.run(answer()) == {}
    assert told == ["Odd.event", CRASHED]


def test_a_refused_command_is_an_error() -> None:
    async def ask() -> None:
        browser = connection()
        asked = browser.send("Odd")
        browser.data_received(piece({"id": 1, "error": {"message": "no such thing"}}))
        await asked

    with pytest.raises(DevToolsError, match="no such thing"):
        asyncio.run(ask())


def test_a_browser_that_is_gone_answers_nothing() -> None:
    async def ask(*, before: bool) -> None:
        browser = connection()
        asked = browser.send("One") if before else None
        browser.connection_lost(None)
        assert not browser.alive
        await (asked or browser.send("One"))

    for before in (True, False):
        with pytest.raises(DevToolsError, match="gone"):
            asyncio.run(ask(before=before))


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/browser"])
def test_a_program_that_is_no_browser(program: str) -> None:
    async def launch() -> RunningBrowser:
        return await SealedBrowser.launch(Browser(Path(program), "test"), (1280, 800))

    with pytest.raises(NoBrowser, match=f"{program} does not start"):
        asyncio.run(launch())
