"""All that is somebody's, as a zip file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.portal.values import Account

if TYPE_CHECKING:
    from pagesight.portal.services.base import Service


def exported(service: Service, account: Account, *, whole: bool) -> bytes:
    """A zip file with boards, tabs, tiles, parts and observations."""
    raise NotImplementedError
