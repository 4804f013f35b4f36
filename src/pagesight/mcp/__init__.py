"""The MCP server: what Pagesight reads and watches, as tools for programs that use language models.

>>> from pagesight.mcp import Settings, serve
>>> serve(Settings(folders=("pages",)))  # over standard input and output, until its end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered_with

if TYPE_CHECKING:
    from pagesight.mcp.server import make_server, serve
    from pagesight.mcp.service import Service
    from pagesight.mcp.settings import Settings

__all__ = ["Service", "Settings", "make_server", "serve"]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    __getattr__ = offered_with(
        "mcp", "McpNotInstalled", __name__, __all__, "settings", "service", "server"
    )
