"""What an export holds, added to a database: all of it, or nothing.

What is in the file is somebody's word. Rows get new numbers; uids that are taken already become
others, so that nothing of anybody is overwritten; pages are looked at again at once; and what was
observed of a part that is known already stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

from sqlalchemy import Connection, Table, func, select

from pagesight.errors import PagesightError
from pagesight.page import Page
from pagesight.portal.errors import Conflict, Invalid
from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, new_uid
from pagesight.portal.transfer.archive import Unpacking
from pagesight.portal.transfer.checking import (
    account_fields,
    channel_fields,
    named,
    observation_fields,
    page_fields,
    tile_fields,
)
from pagesight.portal.transfer.rows import ORDER, row_from_json
from pagesight.portal.values import Account, ImportReport
from pagesight.watch.components import ComponentIndex
from pagesight.watch.store import tables as watched
from pagesight.watch.store.rows import inserted
from pagesight.watch.values import PartState

Fields = dict[str, Any]


def imported(database: Database, account: Account, file: IO[bytes]) -> ImportReport:
    """Add what is in a file to somebody's boards, or to everybody's; raises `Invalid`."""
    unpacking = Unpacking(file)
    is_whole = unpacking.about.get("whole") is True and account.is_admin
    try:
        with database.writing() as connection:
            adding = Adding(connection, unpacking, account, database.now(), is_whole=is_whole)
            for table in ORDER:
                adding.add(table)
            adding.check_parts()
            return adding.report()
    except (RecursionError, Conflict) as error:  # too deep, or rows that are there twice
        raise Invalid("this file is damaged", field="file") from error


@dataclass
class Adding:
    """An import that is going on, in one transaction."""

    connection: Connection
    unpacking: Unpacking
    account: Account
    now: datetime
    is_whole: bool
    numbers: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    """By table, what the numbers in the file are here."""

    new: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """By table, the rows that were not there before."""

    seen: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By part, the numbers of its observations."""

    skipped: list[str] = field(default_factory=list)

    def add(self, table: Table) -> None:
        """Add the rows of a table."""
        make: Callable[[Fields], Fields | int | None] = getattr(self, f"_{table.name}")
        for given in self.unpacking.rows(table.name):
            fields = row_from_json(given, table, self.unpacking)
            number = fields.pop("id", None)
            made = make(fields)
            if made is None:
                continue
            here = made if isinstance(made, int) else self._inserted(table, made)
            if number is not None:
                self.numbers[table.name][number] = here

    def _inserted(self, table: Table, fields: Fields) -> int:
        number = inserted(self.connection, table, **fields)
        self.new[table.name].add(number)
        return number

    def report(self) -> ImportReport:
        """What has come."""
        return ImportReport(
            boards=len(self.new["boards"]),
            tiles=len(self.new["tiles"]),
            parts=len(self.new["parts"]),
            observations=sum(map(len, self.seen.values())),
            skipped=tuple(self.skipped),
        )

    def check_parts(self) -> None:
        """Refuse parts whose observations are not all there, from the first on."""
        for part in self.new["parts"]:
            if self.seen[part] != list(range(1, len(self.seen[part]) + 1)) or not self.seen[part]:
                raise Invalid("observations of a part are missing in it", field="file")

    def _there(self, table: Table, column: str, value: Any) -> int | None:
        """The row with a value in a column, if there is one already."""
        query = select(table.c.id).where(table.c[column] == value)
        return self.connection.execute(query).scalar()

    def _with_uid(self, table: Table, fields: Fields) -> Fields:
        """The same fields, with another uid if that is taken."""
        known = self._there(table, "uid", named(fields["uid"]))
        return fields if known is None else fields | {"uid": new_uid()}

    def _at(self, table: str, number: int | None) -> int:
        """What a number in the file is here."""
        here = self.numbers[table].get(number) if number is not None else None
        if here is None:
            raise Invalid(f"a row of {table} is missing in it", field="file")
        return here

    def _owner(self, fields: Fields) -> int:
        """Whose something is: of those in the file, or of who imports it."""
        return self._at("accounts", fields["account_id"]) if self.is_whole else self.account.id

    # People

    def _accounts(self, fields: Fields) -> Fields | int | None:
        if not self.is_whole:
            return None
        fields = account_fields(fields)
        known = self._there(tables.accounts, "name", fields["name"])
        return known if known is not None else self._with_uid(tables.accounts, fields)

    def _tokens(self, fields: Fields) -> Fields | int | None:
        if not self.is_whole or self._there(tables.tokens, "token", fields["token"]):
            return None
        return fields | {"account_id": self._owner(fields)}

    def _channels(self, fields: Fields) -> Fields | int | None:
        owner, columns = self._owner(fields), tables.channels.c
        query = select(columns.id).where(
            columns.account_id == owner, columns.address == fields["address"]
        )
        known = self.connection.execute(query).scalar()
        if known is not None:
            return int(known)
        checked = channel_fields(fields)
        if checked is None:
            self.skipped.append(f"the channel {fields['name']}: it cannot be used here")
            return None
        return checked | {"account_id": owner}

    # Parts

    def _pages(self, fields: Fields) -> Fields | int:
        known = self._there(watched.pages, "address", fields["address"])
        if known is not None:
            return known
        fresh = {"version": 1, "digest": "", "etag": None, "last_modified": None, "failures": 0,
                 "failing_since": None, "error": None, "next_check": self.now}  # fmt: skip
        return page_fields(fields) | fresh

    def _learned(self, fields: Fields) -> Fields:
        try:
            ComponentIndex.from_json(fields["components"])
        except (PagesightError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise Invalid("what was learned cannot be used", field="file") from error
        return fields | {"page_id": self._at("pages", fields["page_id"])}

    def _parts(self, fields: Fields) -> Fields | int:
        known = self._there(watched.parts, "uid", named(fields["uid"]))
        if known is not None:
            return known
        if fields["state"] not in {*PartState}:
            raise Invalid("a part in this file cannot be used", field="file")
        page = self._at("pages", fields["page_id"])
        learned = self._at("learned", fields["learned_id"])
        return fields | {"page_id": page, "learned_id": learned}

    def _checks(self, fields: Fields) -> Fields:
        return fields | {"page_id": self._at("pages", fields["page_id"])}

    def _observations(self, fields: Fields) -> Fields | None:
        part = self._at("parts", fields["part_id"])
        if part not in self.new["parts"]:
            return None
        self.seen[part].append(fields["number"])
        check = self._at("checks", fields["check_id"])
        return observation_fields(fields) | {"part_id": part, "check_id": check}

    def _snapshots(self, fields: Fields) -> Fields | None:
        page = self._at("pages", fields["page_id"])
        if page not in self.new["pages"]:
            return None
        try:
            Page.from_bytes(fields["page"])
        except PagesightError as error:
            raise Invalid("a page in it cannot be used", field="file") from error
        return fields | {"page_id": page}

    # Boards

    def _boards(self, fields: Fields) -> Fields:
        owner, columns = self._owner(fields), tables.boards.c
        last = select(func.max(columns.position)).where(columns.account_id == owner)
        position = (self.connection.execute(last).scalar() or 0) + 1
        place = {"account_id": owner, "position": position, "version": 1}
        return self._with_uid(tables.boards, fields) | place

    def _board_people(self, fields: Fields) -> Fields | None:
        if not self.is_whole:
            return None
        board = self._at("boards", fields["board_id"])
        return fields | {"board_id": board, "account_id": self._owner(fields)}

    def _tabs(self, fields: Fields) -> Fields:
        board = self._at("boards", fields["board_id"])
        return self._with_uid(tables.tabs, fields) | {"board_id": board}

    def _tiles(self, fields: Fields) -> Fields:
        fields = tile_fields(self._with_uid(tables.tiles, fields))
        part, channel = fields["part_id"], fields["channel_id"]
        return fields | {
            "tab_id": self._at("tabs", fields["tab_id"]),
            "part_id": None if part is None else self._at("parts", part),
            "channel_id": self.numbers["channels"].get(channel),
        }

    def _shares(self, fields: Fields) -> Fields | None:
        if not self.is_whole or self._there(tables.shares, "uid", named(fields["uid"])):
            return None
        board, tile = fields["board_id"], fields["tile_id"]
        return fields | {
            "board_id": None if board is None else self._at("boards", board),
            "tile_id": None if tile is None else self._at("tiles", tile),
        }
