"""The MCP server: what Pagesight reads and watches, as tools for programs that use language models.

>>> from pagesight.mcp import Settings, serve
>>> serve(Settings(folders=("pages",)))  # over standard input and output, until its end
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.mcp.server import make_server, serve
    from pagesight.mcp.service import Service
    from pagesight.mcp.settings import Settings

__all__ = ["Service", "Settings", "make_server", "serve"]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    _offered = offered(__name__, __all__, "settings", "service", "server")

    def __getattr__(name: str) -> Any:
        """What is used is imported then; the protocol needs an extra."""
        try:
            return _offered(name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("pagesight"):
                raise
            from pagesight.errors import McpNotInstalled

            package = (error.name or "a package").partition(".")[0]
            hint = "pip install 'pagesight[mcp]'"
            raise McpNotInstalled(f"{package} is not installed", hint=hint) from error
