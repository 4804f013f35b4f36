"""What an export holds, added to a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.portal.values import Account, ImportReport

if TYPE_CHECKING:
    from pagesight.portal.services.base import Service


def imported(service: Service, account: Account, data: bytes) -> ImportReport:
    """Add what is in a file."""
    raise NotImplementedError
