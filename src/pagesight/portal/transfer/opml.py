"""Outlines of pages, as feed readers exchange them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pagesight.portal.values import Account, Board, ImportReport

if TYPE_CHECKING:
    from pagesight.portal.services.base import Service


def as_opml(boards: Sequence[Board], owner: str) -> str:
    """Boards, tabs and the pages of their tiles."""
    raise NotImplementedError


def from_opml(service: Service, account: Account, text: str) -> ImportReport:
    """Boards with the pages of an outline."""
    raise NotImplementedError
