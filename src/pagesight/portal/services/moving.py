"""From one installation to another: exports and imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from io import BytesIO
from typing import IO

from pagesight.portal.errors import Invalid
from pagesight.portal.services.base import Service, checked_admin, checked_name
from pagesight.portal.services.picking import USUAL, spots, web_address
from pagesight.portal.store.boards import NewTile
from pagesight.portal.transfer.exporting import exported
from pagesight.portal.transfer.importing import imported
from pagesight.portal.transfer.opml import Outlined, as_opml, read_opml
from pagesight.portal.values import Account, ImportReport, Look, Tab

USUAL_FOLDERS = ("Imported", "Pages")


class Moving(Service):
    """All that is somebody's, as a file."""

    def export(self, account: Account, *, whole: bool = False) -> IO[bytes]:
        """A zip file with somebody's boards and all that was observed; `whole`: of everybody."""
        if whole:
            checked_admin(account)
        return exported(self._boards, account, whole=whole)

    def import_(self, account: Account, file: bytes | IO[bytes]) -> ImportReport:
        """Add what is in such a file; raises `Invalid` if it is not one."""
        opened = BytesIO(file) if isinstance(file, bytes) else file
        return imported(self._boards, account, opened)

    def opml(self, account: Account) -> str:
        """The pages of somebody's boards, as an outline that other programs read."""
        return as_opml(self._boards.of_account(account.id), account.name)

    def import_opml(self, account: Account, text: str | bytes) -> ImportReport:
        """Boards with the pages of an outline, each with its main part, once it was looked at."""
        pages = read_opml(text, usual=USUAL_FOLDERS)
        tabs: dict[tuple[str, str], Tab] = {}
        boards: dict[str, str] = {}
        skipped, waiting = list[str](), defaultdict[str, list[tuple[str, str]]](list)
        for page in pages:
            try:
                address, name = web_address(page.address), checked_name(page.name[:200])
                tab = self._outlined_tab(account, page, tabs, boards)
            except Invalid as error:
                skipped.append(f"{page.name}: {error.message}")
                continue
            waiting[tab.uid].append((name, address))
        for uid, named in waiting.items():
            self._waiting_tiles(account, uid, named)
        count = sum(map(len, waiting.values()))
        return ImportReport(boards=len(boards), tiles=count, skipped=tuple(skipped))

    def _outlined_tab(
        self,
        account: Account,
        page: Outlined,
        tabs: dict[tuple[str, str], Tab],
        boards: dict[str, str],
    ) -> Tab:
        """The tab for a page of an outline, which is made with the first one."""
        key = (page.board, page.tab)
        if key not in tabs:
            tab, name = checked_name(page.tab), checked_name(page.board)
            if page.board not in boards:
                boards[page.board] = self._boards.add(account.id, name, tab)
                tabs[key] = self._board(account, boards[page.board]).tabs[0]
            else:
                board = self._board(account, boards[page.board])
                tabs[key] = self._tab(account, self._boards.add_tab(board.id, tab))[1]
        return tabs[key]

    def _waiting_tiles(
        self, account: Account, tab_uid: str, named: Sequence[tuple[str, str]]
    ) -> None:
        """Tiles for the main parts of pages that nobody has looked at yet: names and addresses."""
        board, tab = self._tab(account, tab_uid)
        tiles = [
            NewTile(part=None, address=address, name=name, look=Look.PLAIN, place=place)
            for (name, address), place in zip(named, spots(tab, USUAL, len(named)), strict=True)
        ]
        self._boards.add_tiles(board.id, tab.id, tiles)
