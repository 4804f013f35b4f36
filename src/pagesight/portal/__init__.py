"""Personal pages made of parts of other pages: the web application on top of `pagesight.watch`.

>>> from pagesight.portal import Settings, serve
>>> serve(Settings(port=8181), print)  # until Ctrl-C
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.portal.portal import Portal
    from pagesight.portal.serving import serve
    from pagesight.portal.settings import Settings
    from pagesight.portal.work.running import run_worker

__all__ = ["Portal", "Settings", "run_worker", "serve"]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    _offered = offered(__name__, __all__, "settings", "portal", "serving", "work.running")

    def __getattr__(name: str) -> Any:
        """What is used is imported then; it needs an extra."""
        try:
            return _offered(name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("pagesight"):
                raise
            from pagesight.errors import PortalNotInstalled

            package = (error.name or "a package").partition(".")[0]
            hint = "pip install 'pagesight[portal]'"
            raise PortalNotInstalled(f"{package} is not installed", hint=hint) from error
