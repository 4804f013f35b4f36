"""The server: which tools there are, and what becomes of a call."""

from __future__ import annotations

from typing import Any

import anyio
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ToolOffer

from pagesight import __version__
from pagesight.errors import NotAllowed, PagesightError, UnexpectedError
from pagesight.mcp.calls import Call, Calls
from pagesight.mcp.marking import NOTICE, marked, text_of
from pagesight.mcp.reading_tools import reading_tools
from pagesight.mcp.service import Service
from pagesight.mcp.settings import Settings
from pagesight.mcp.tools import Tool
from pagesight.mcp.watching_tools import watching_tools

Context = ServerRequestContext[Any]

INSTRUCTIONS = f"""\
Pagesight reads web pages by how they look, and watches parts of them.

{NOTICE} This holds for the whole of every answer, which says so in `trust`.

To read: title, outline, article, records and zones each answer one question about a page; read \
answers all of them. A source is an http(s) address, or the path of a file that the server may read.
To watch: find_parts shows what a page consists of, watch_part watches some of it, check_now looks \
again, what_changed and diff_part tell what is new. A part whose status is unsure needs the answer \
of a person: confirm_match.
Long answers are cut: `cut` lists where, and calling again with that path and with next_offset as \
offset continues.
"""


class PagesightServer:
    """Answers the calls of a client."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.calls = Calls(service.settings.jobs, service.settings.call_time)

    def tools(self) -> dict[str, Tool]:
        """All tools by name. A reading of another package does not replace one of them."""
        found: dict[str, Tool] = {}
        for tool in (*watching_tools(), *reading_tools()):
            found.setdefault(tool.name, tool)
        return found

    async def list_tools(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """The tools that may be called."""
        offered = (tool for tool in self.tools().values() if self._may_be_used(tool))
        return ListToolsResult(tools=[_offer(tool) for tool in offered])

    async def call_tool(self, _context: Context, params: CallToolRequestParams) -> CallToolResult:
        """The answer to a call; what goes wrong is an answer as well."""
        tool = self.tools().get(params.name)
        if tool is None:
            raise MCPError(code=INVALID_PARAMS, message=f"there is no tool {params.name!r}")
        try:
            return await self.calls.run(lambda call: self._answered(tool, params, call))
        except PagesightError as error:
            return _failed(error)
        except Exception as error:  # noqa: BLE001 - a defect must cost one answer, and not the server
            return _failed(UnexpectedError.of(error))

    def _answered(self, tool: Tool, params: CallToolRequestParams, call: Call) -> CallToolResult:
        if not self._may_be_used(tool):
            raise NotAllowed(f"this server is read-only: there is no {tool.name}")
        return _result(tool.answer(self.service, params.arguments or {}, call))

    def _may_be_used(self, tool: Tool) -> bool:
        return not (tool.writes and self.service.settings.read_only)


def make_server(service: Service) -> Server[Any]:
    """A server, to be run over any transport."""
    answering = PagesightServer(service)
    return Server(
        "pagesight",
        version=__version__,
        title="Pagesight",
        description="Reads web pages by sight, and watches parts of them.",
        instructions=INSTRUCTIONS,
        on_list_tools=answering.list_tools,
        on_call_tool=answering.call_tool,
    )


def serve(settings: Settings) -> None:
    """Serve one client over standard input and output, until the input ends."""
    with Service(settings) as service:
        anyio.run(_serve, make_server(service))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _offer(tool: Tool) -> ToolOffer:
    return ToolOffer(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=tool.output_schema(),
        annotations=ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=False,
            idempotent_hint=not tool.writes,
            open_world_hint=tool.asks_the_web,
        ),
    )


def _result(answer: dict[str, Any], *, is_error: bool = False) -> CallToolResult:
    text = TextContent(type="text", text=text_of(answer))
    return CallToolResult(content=[text], structured_content=answer, is_error=is_error)


def _failed(error: PagesightError) -> CallToolResult:
    about = {"source": error.source} if error.source else {}
    return _result(marked({"error": error.to_json() | about}), is_error=True)
