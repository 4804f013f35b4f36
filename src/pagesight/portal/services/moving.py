"""From one installation to another: exports and imports."""

from __future__ import annotations

from pagesight.portal.services.base import Service, checked_admin
from pagesight.portal.transfer.exporting import exported
from pagesight.portal.transfer.importing import imported
from pagesight.portal.transfer.opml import as_opml, from_opml
from pagesight.portal.values import Account, ImportReport


class Moving(Service):
    """All that is somebody's, as a file."""

    def export(self, account: Account, *, whole: bool = False) -> bytes:
        """A zip file with somebody's boards and all that was observed; `whole`: of everybody."""
        if whole:
            checked_admin(account)
        return exported(self, account, whole=whole)

    def import_(self, account: Account, data: bytes) -> ImportReport:
        """Add what is in such a file; raises `Invalid` if it is not one."""
        return imported(self, account, data)

    def opml(self, account: Account) -> str:
        """The pages of somebody's boards, as an outline that other programs read."""
        return as_opml(self._boards.of_account(account.id), account.name)

    def import_opml(self, account: Account, text: str) -> ImportReport:
        """Boards with the pages of an outline, of which parts are picked later."""
        return from_opml(self, account, text)
