"""Personal pages made of parts of other pages: the web application on top of `pagesight.watch`.

>>> from pagesight.portal import Settings, serve
>>> serve(Settings(port=8181), print)  # until Ctrl-C
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered_with

if TYPE_CHECKING:
    from pagesight.portal.portal import Portal
    from pagesight.portal.serving import serve
    from pagesight.portal.settings import Settings
    from pagesight.portal.work.running import run_worker

__all__ = ["Portal", "Settings", "run_worker", "serve"]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    __getattr__ = offered_with(
        "portal",
        "PortalNotInstalled",
        __name__,
        __all__,
        "settings",
        "portal",
        "serving",
        "work.running",
    )
