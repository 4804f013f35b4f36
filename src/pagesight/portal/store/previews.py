"""Pages that somebody picks parts from, kept for a while."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Row, delete, select, update

from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, new_uid
from pagesight.portal.store.queue import add_job
from pagesight.portal.values import Preview, PreviewState
from pagesight.sources import Validators
from pagesight.watch.observing import Shown, Styled
from pagesight.watch.store.rows import inserted, storable
from pagesight.watch.store.store import Content, Snapshot
from pagesight.watch.watching import Visit

KEPT = timedelta(hours=6)
_PREVIEW = ("id", "uid", "address", "created", "error", "problem")


class Previews(Database):
    """Previews, and the pages in them."""

    def add(self, account: int, address: str, host: str) -> Preview:
        """A preview that a worker will make."""
        uid, now = new_uid(), self.now()
        with self.writing() as connection:
            number = inserted(
                connection, tables.previews, uid=uid, account_id=account, address=address,
                created=now, state=PreviewState.WAITING.value,
            )  # fmt: skip
            add_job(connection, "preview", f"preview:{uid}", {"preview": uid}, host=host, now=now)
        return Preview(
            id=number, uid=uid, account=account, address=address, created=now,
            state=PreviewState.WAITING,
        )  # fmt: skip

    def by_uid(self, uid: str) -> Preview | None:
        """A preview, or None."""
        columns = tables.previews.c
        names = (*_PREVIEW, "account_id", "state")
        query = select(*(columns[name] for name in names)).where(columns.uid == uid)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return _preview(row) if row else None

    def ready(self, uid: str, visit: Visit) -> None:
        """The page is there."""
        snapshot, validators = visit.shown.snapshot(), visit.content.validators
        content = {"digest": visit.content.digest, "etag": validators.etag,
                   "last_modified": validators.last_modified}  # fmt: skip
        self._write(
            uid, PreviewState.READY, problem=visit.problem, content=content, page=snapshot.page,
            source=snapshot.source, picture=snapshot.picture,
        )  # fmt: skip

    def failed(self, uid: str, error: dict[str, str]) -> None:
        """It cannot be had."""
        told = {name: storable(value) for name, value in error.items()}
        self._write(uid, PreviewState.FAILED, error=told)

    def _write(self, uid: str, state: PreviewState, **fields: Any) -> None:
        with self.writing() as connection:
            changed = update(tables.previews).where(tables.previews.c.uid == uid)
            connection.execute(changed.values(state=state.value, **fields))

    def visit(self, preview: Preview, styled: Styled | None = None) -> Visit | None:
        """The page of a preview, as it was then; None if it is not ready."""
        columns = tables.previews.c
        query = select(columns.content, columns.page, columns.source, columns.picture).where(
            columns.id == preview.id, columns.state == PreviewState.READY.value
        )
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        known = dict(row.content)
        content = Content(digest=known.pop("digest"), validators=Validators(**known))
        picture = None if row.picture is None else bytes(row.picture)
        snapshot = Snapshot(page=bytes(row.page), source=bytes(row.source), picture=picture)
        shown = Shown.of_snapshot(snapshot, preview.address, styled)
        return Visit(content, shown, preview.problem)

    def picture(self, preview: Preview) -> bytes | None:
        """How the page looks, as a PNG, or None."""
        query = select(tables.previews.c.picture).where(tables.previews.c.id == preview.id)
        with self.reading() as connection:
            data = connection.execute(query).scalar()
        return None if data is None else bytes(data)

    def expire(self) -> None:
        """Forget those that nobody picks from any more."""
        with self.writing() as connection:
            old = tables.previews.c.created <= self.now() - KEPT
            connection.execute(delete(tables.previews).where(old))


def _preview(row: Row[Any]) -> Preview:
    return Preview(
        account=row.account_id, state=PreviewState(row.state),
        **{name: getattr(row, name) for name in _PREVIEW},
    )  # fmt: skip
