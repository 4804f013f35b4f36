"""People, where they are signed in, who they invite, and how often somebody guesses."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, or_, select, update

from pagesight.portal.errors import Conflict, NotThere, TooOften
from pagesight.portal.secrets import digest, new_secret
from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, alone, insert_new, new_uid
from pagesight.portal.values import Account, Invitation, Scope, Session, Token
from pagesight.watch.store.rows import inserted, storable

SESSION = timedelta(days=30)  # from the last request on
TOUCH = timedelta(minutes=5)  # how exactly it is known when somebody was here
INVITATION = timedelta(days=7)
WINDOW = timedelta(minutes=15)  # in which attempts to sign in are counted
MOST_BY_ACCOUNT = 10  # attempts that failed
MOST_BY_CLIENT = 50  # more, as an office has one address
LONGEST_AGENT = 300  # characters

_ACCOUNT = ("id", "uid", "name", "is_admin", "created", "visited", "seen_until", "settings",
            "digested")  # fmt: skip


class Accounts(Database):
    """People and their secrets."""

    # People

    def has_any(self) -> bool:
        """Whether there is anybody."""
        with self.reading() as connection:
            return _has_any(connection)

    def check_first(self) -> None:
        """Refuse who is not the first one, before a password is hashed: that takes time."""
        with self.reading() as connection:
            _check_first(connection)

    def add_first(self, name: str, password: str) -> Account:
        """The first one, who looks after the others; raises `Conflict` if there is one."""
        with self.writing() as connection:
            alone(connection, "first account")
            _check_first(connection)
            return self._add(connection, name, password, is_admin=True)

    def _add(
        self, connection: Connection, name: str, password: str, *, is_admin: bool = False
    ) -> Account:
        now = self.now()
        fields = {
            "uid": new_uid(), "name": name, "is_admin": is_admin, "created": now, "visited": now,
            "seen_until": now, "settings": {},
        }  # fmt: skip
        if not insert_new(connection, tables.accounts, password=password, **fields):
            raise Conflict("somebody has this name already", hint="take another one")
        query = _accounts().where(tables.accounts.c.uid == fields["uid"])
        return _account(connection.execute(query).one())

    def all(self) -> list[Account]:
        """Everybody, by name."""
        with self.reading() as connection:
            rows = connection.execute(_accounts().order_by(tables.accounts.c.name))
            return [_account(row) for row in rows]

    def by_id(self, number: int) -> Account | None:
        """Somebody, or None."""
        with self.reading() as connection:
            row = connection.execute(_accounts().where(tables.accounts.c.id == number)).first()
        return _account(row) if row else None

    def by_names(self, names: Iterable[str]) -> dict[str, Account]:
        """Those of these names that there are."""
        query = _accounts().where(tables.accounts.c.name.in_(list(names)))
        with self.reading() as connection:
            return {row.name: _account(row) for row in connection.execute(query)}

    def password_of(self, name: str) -> tuple[Account, str] | None:
        """Somebody with the hash of their password, or None."""
        columns = tables.accounts.c
        query = _accounts().add_columns(columns.password).where(columns.name == name)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return (_account(row), row.password) if row else None

    def set_password(self, account: int, password: str) -> None:
        """Another password; all sessions end."""
        with self.writing() as connection:
            changed = update(tables.accounts).where(tables.accounts.c.id == account)
            connection.execute(changed.values(password=password))
            connection.execute(
                delete(tables.sessions).where(tables.sessions.c.account_id == account)
            )

    def change(self, account: int, **fields: Any) -> None:
        """Other settings, or when somebody was here."""
        with self.writing() as connection:
            changed = update(tables.accounts).where(tables.accounts.c.id == account)
            connection.execute(changed.values(**fields))

    def remove(self, account: int) -> None:
        """Forget somebody with all that is theirs."""
        with self.writing() as connection:
            connection.execute(delete(tables.accounts).where(tables.accounts.c.id == account))

    # Sessions

    def begin_session(self, account: int, agent: str) -> str:
        """A new session; its secret."""
        secret, now = new_secret(), self.now()
        with self.writing() as connection:
            connection.execute(delete(tables.sessions).where(tables.sessions.c.expires <= now))
            inserted(
                connection, tables.sessions, token=digest(secret), account_id=account, created=now,
                used=now, expires=now + SESSION, agent=storable(agent[:LONGEST_AGENT]),
            )  # fmt: skip
        return secret

    def session(self, secret: str) -> Session | None:
        """The session of a secret, which is used now; None if it has ended."""
        now = self.now()
        query = _with_account(tables.sessions, "id", "used", "expires", "agent", "created").where(
            tables.sessions.c.token == digest(secret), tables.sessions.c.expires > now
        )
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        if abs(now - row.used) > TOUCH:
            self._touch(row, now)
        return _session(row)

    def _touch(self, row: Row[Any], now: datetime) -> None:
        mine = update(tables.sessions).where(tables.sessions.c.id == row.own_id)
        person = update(tables.accounts).where(tables.accounts.c.id == row.id)
        with self.writing() as connection:
            connection.execute(mine.values(used=now, expires=now + SESSION))
            connection.execute(person.values(visited=now))

    def sessions(self, account: int) -> list[Session]:
        """The sessions of somebody, the last used first."""
        columns = tables.sessions.c
        query = _with_account(tables.sessions, "id", "used", "expires", "agent", "created").where(
            columns.account_id == account, columns.expires > self.now()
        )
        with self.reading() as connection:
            return [
                _session(row) for row in connection.execute(query.order_by(columns.used.desc()))
            ]

    def end_session(self, secret: str) -> None:
        """End one session."""
        with self.writing() as connection:
            ended = delete(tables.sessions).where(tables.sessions.c.token == digest(secret))
            connection.execute(ended)

    def end_sessions(self, account: int, except_secret: str | None = None) -> None:
        """End all sessions of somebody, or all but one."""
        columns = tables.sessions.c
        ended = delete(tables.sessions).where(columns.account_id == account)
        if except_secret:
            ended = ended.where(columns.token != digest(except_secret))
        with self.writing() as connection:
            connection.execute(ended)

    # Attempts to sign in

    def attempt(self, account: str, client: str) -> None:
        """Somebody tries to sign in; raises `TooOften`."""
        now = self.now()
        limits = {f"account:{account}": MOST_BY_ACCOUNT, f"client:{client}": MOST_BY_CLIENT}
        columns = tables.attempts.c
        with self.writing() as connection:
            connection.execute(delete(tables.attempts).where(columns.time <= now - WINDOW))
            for key in sorted(limits):
                alone(connection, key)
            for key, most in limits.items():
                query = select(func.count(), func.min(columns.time)).where(columns.key == key)
                count, first = connection.execute(query).one()
                if count >= most:
                    wait = (first + WINDOW - now).total_seconds()
                    raise TooOften(
                        "too many attempts to sign in", retry_after=wait, hint="try again later"
                    )
            for key in limits:
                inserted(connection, tables.attempts, key=key, time=now)

    def succeeded(self, account: str, client: str) -> None:
        """Somebody has signed in: their attempts do not count, nor does the last from there."""
        columns = tables.attempts.c
        last = select(func.max(columns.id)).where(columns.key == f"client:{client}")
        with self.writing() as connection:
            mine = or_(columns.key == f"account:{account}", columns.id == last.scalar_subquery())
            connection.execute(delete(tables.attempts).where(mine))

    # Invitations

    def invite(self, account: int, note: str) -> tuple[Invitation, str]:
        """An invitation, and its secret."""
        secret, now = new_secret(), self.now()
        fields: dict[str, Any] = {
            "note": storable(note),
            "created": now,
            "expires": now + INVITATION,
        }
        with self.writing() as connection:
            number = inserted(
                connection, tables.invitations, token=digest(secret), account_id=account, **fields
            )
        return Invitation(id=number, used=None, **fields), secret

    def check_invitation(self, secret: str) -> None:
        """Refuse who was not invited, before a password is hashed: that takes time."""
        query = select(tables.invitations.c.id).where(*_invited(secret, self.now()))
        with self.reading() as connection:
            if connection.execute(query).first() is None:
                raise _not_invited()

    def accept(self, secret: str, name: str, password: str) -> Account:
        """The account of who was invited, once; raises `NotThere` or `Conflict`."""
        now = self.now()
        mine = update(tables.invitations).where(*_invited(secret, now))
        with self.writing() as connection:
            if connection.execute(mine.values(used=now)).rowcount != 1:
                raise _not_invited()
            return self._add(connection, name, password)

    def invitations(self) -> list[Invitation]:
        """All invitations, the newest first."""
        columns = tables.invitations.c
        names = ("id", "note", "created", "expires", "used")
        query = select(*(columns[name] for name in names)).order_by(columns.id.desc())
        with self.reading() as connection:
            return [Invitation(**row._asdict()) for row in connection.execute(query)]

    def take_back(self, invitation: int) -> None:
        """Nobody may use it any more."""
        with self.writing() as connection:
            chosen = tables.invitations.c.id == invitation
            connection.execute(delete(tables.invitations).where(chosen))

    # Tokens of programs

    def add_token(
        self, account: Account, name: str, scopes: Iterable[Scope], expires: datetime | None
    ) -> tuple[Token, str]:
        """A token, and its secret."""
        secret, now = new_secret(), self.now()
        fields: dict[str, Any] = {"name": storable(name), "created": now, "expires": expires}
        allowed = frozenset(scopes)
        with self.writing() as connection:
            number = inserted(
                connection, tables.tokens, token=digest(secret), account_id=account.id,
                scopes=sorted(allowed), **fields,
            )  # fmt: skip
        return Token(id=number, account=account, scopes=allowed, used=None, **fields), secret

    def token(self, secret: str) -> Token | None:
        """The token of a secret, which is used now; None if there is none."""
        now = self.now()
        query = _tokens().where(tables.tokens.c.token == digest(secret))
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None or (row.expires and row.expires <= now):
            return None
        if row.used is None or abs(now - row.used) > TOUCH:
            mine = update(tables.tokens).where(tables.tokens.c.id == row.own_id)
            with self.writing() as connection:
                connection.execute(mine.values(used=now))
        return _token(row)

    def tokens(self, account: int) -> list[Token]:
        """The tokens of somebody."""
        columns = tables.tokens.c
        query = _tokens().where(columns.account_id == account).order_by(columns.id)
        with self.reading() as connection:
            return [_token(row) for row in connection.execute(query)]

    def remove_token(self, account: int, token: int) -> None:
        """Nobody may use it any more."""
        columns = tables.tokens.c
        mine = delete(tables.tokens).where(columns.account_id == account, columns.id == token)
        with self.writing() as connection:
            connection.execute(mine)

    # The installation

    def fact(self, key: str) -> Any:
        """What the installation knows of itself, or None."""
        query = select(tables.facts.c.value).where(tables.facts.c.key == key)
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def settled(self, key: str, value: Any) -> Any:
        """What it knows; if nothing, this from now on."""
        with self.writing() as connection:
            insert_new(connection, tables.facts, key=key, value=value)
        return self.fact(key)


def _check_first(connection: Connection) -> None:
    if _has_any(connection):
        raise Conflict("there is an account already", hint="sign in, or ask to be invited")


def _has_any(connection: Connection) -> bool:
    return connection.execute(select(tables.accounts.c.id).limit(1)).first() is not None


def _invited(secret: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
    """What an invitation is that can be used."""
    columns = tables.invitations.c
    return columns.token == digest(secret), columns.used.is_(None), columns.expires > now


def _not_invited() -> NotThere:
    return NotThere("this invitation was used already, or is too old")


def _accounts() -> Select[Any]:
    return select(*(tables.accounts.c[name] for name in _ACCOUNT))


def _with_account(table: Any, *names: str) -> Select[Any]:
    """Rows of a table with their accounts; their own columns that both have are `own_`."""
    own = [table.c[name].label(f"own_{name}" if name in _ACCOUNT else name) for name in names]
    return _accounts().add_columns(*own).join(table, table.c.account_id == tables.accounts.c.id)


def _tokens() -> Select[Any]:
    return _with_account(tables.tokens, "id", "name", "scopes", "created", "used", "expires")


def _account(row: Row[Any]) -> Account:
    return Account(**{name: getattr(row, name) for name in _ACCOUNT})


def _session(row: Row[Any]) -> Session:
    return Session(
        id=row.own_id, account=_account(row), created=row.own_created, used=row.used,
        expires=row.expires, agent=row.agent,
    )  # fmt: skip


def _token(row: Row[Any]) -> Token:
    return Token(
        id=row.own_id, account=_account(row), name=row.own_name,
        scopes=frozenset(map(Scope, row.scopes)), created=row.own_created, used=row.used,
        expires=row.expires,
    )  # fmt: skip
