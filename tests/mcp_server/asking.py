"""What tests of the MCP server share: pages, clients, and what an answer has to be like."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from pagesight.mcp import Service, Settings, make_server
from pagesight.mcp.marking import NOTICE

T = TypeVar("T")
Draft202012Validator: Any = import_module("jsonschema").Draft202012Validator
NEWS = ("Green tea is here", "Black tea is sold out", "Cups are half price")
MARKED = re.compile(r"[^\n<]*\n<untrusted ([0-9a-f]{16})>\n([^\n<]*)\n</untrusted \1>")


def tea_page(news: Iterable[str] = NEWS, extra: str = "") -> str:
    """A page with a heading, and a list of news."""
    entries = "".join(f'<li><a href="/{abs(hash(one))}">{one}</a></li>' for one in news)
    return (
        "<!doctype html><html lang=en><head><title>The tea house</title></head><body>"
        "<h1>The tea house by the river</h1>"
        f'<div id="news"><h2>News of the house</h2><ul>{entries}</ul></div>'
        '<div id="hours"><h2>Opening hours</h2><p>Every day from nine to five.</p></div>'
        f"{extra}</body></html>"
    )


def save(folder: Path, name: str = "tea.html", **content: Any) -> Path:
    path = folder / name
    path.write_text(tea_page(**content), "utf-8")
    return path


@asynccontextmanager
async def client_of(settings: Settings) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    with Service(settings) as service:
        async with Client(make_server(service)) as client:
            yield client


def with_client(settings: Settings, use: Callable[[Client], Awaitable[T]]) -> T:
    """The result of using a client."""

    async def run() -> T:
        async with client_of(settings) as client:
            return await use(client)

    return anyio.run(run)


def ask(settings: Settings, tool: str, **arguments: Any) -> Any:
    """The content of the answer to one call."""

    async def call(client: Client) -> Any:
        return content(await client.call_tool(tool, arguments))

    return with_client(settings, call)


def refused(settings: Settings, tool: str, **arguments: Any) -> Any:
    """The error that one call is answered with."""

    async def call(client: Client) -> Any:
        return error(await client.call_tool(tool, arguments))

    return with_client(settings, call)


def content(result: CallToolResult) -> Any:
    assert not result.is_error, result.structured_content
    return marked(result)["content"]


def error(result: CallToolResult) -> Any:
    assert result.is_error
    assert "Traceback" not in text(result)
    return marked(result)["error"]


def marked(result: CallToolResult) -> Any:
    """An answer that is marked as it has to be, in its values and in its text."""
    answer = result.structured_content
    assert (answer["trust"], answer["notice"]) == ("untrusted", NOTICE)
    found = MARKED.fullmatch(text(result))
    assert found, text(result)[:200]
    assert json.loads(found[2]) == answer
    return answer


def text(result: CallToolResult) -> str:
    (only,) = result.content
    assert isinstance(only, TextContent)
    return only.text


def program(*arguments: str | Path, **environment: str) -> StdioServerParameters:
    """The server as a program."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "pagesight", "mcp", "--renderer", "embedded", *map(str, arguments)],
        env={**os.environ, **environment},
    )
