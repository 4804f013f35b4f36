"""All operations, in one table."""

from __future__ import annotations

from pagesight.portal.api import boards, pages, people, tiles
from pagesight.portal.api.operations import Operation

PREFIX = "/api/v1"
TABLE: tuple[Operation, ...] = (
    *people.OPERATIONS,
    *boards.OPERATIONS,
    *tiles.OPERATIONS,
    *pages.OPERATIONS,
)
