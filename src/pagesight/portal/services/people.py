"""Accounts, sessions, invitations, tokens of programs, and settings of a person."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pagesight.portal.errors import Invalid, NotAllowed
from pagesight.portal.secrets import hashed, is_password
from pagesight.portal.services.base import Service, checked_admin, checked_name
from pagesight.portal.values import Account, Invitation, Scope, Session, Token

LONGEST_ACCOUNT = 64  # characters
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 1000
THEMES = ("auto", "light", "dark")
LAST_HOUR = 23


class People(Service):
    """People, and how they come in."""

    def has_accounts(self) -> bool:
        """Whether there is anybody yet."""
        return self._accounts.has_any()

    def first_account(self, name: str, password: str) -> Account:
        """The account of the first visitor, who looks after the others; raises `Conflict`."""
        self._accounts.check_first()
        return self._accounts.add_first(account_name(name), _hashed(password))

    def sign_in(self, name: str, password: str, *, client: str, agent: str = "") -> str:
        """A new session; its secret. Raises `Invalid` or `TooOften`."""
        folded = _folded(name)
        self._accounts.attempt(folded, client)
        known = self._accounts.password_of(folded)
        if not is_password(known[1] if known else None, password) or known is None:
            raise Invalid("the name or the password is not right", field="password")
        self._accounts.succeeded(folded, client)
        return self._accounts.begin_session(known[0].id, agent)

    def sign_out(self, token: str) -> None:
        """End a session."""
        self._accounts.end_session(token)

    def session(self, token: str) -> Session | None:
        """The session of a secret; None if it has ended."""
        return self._accounts.session(token)

    def sessions(self, account: Account) -> list[Session]:
        """Where somebody is signed in."""
        return self._accounts.sessions(account.id)

    def end_sessions(self, account: Account, except_token: str | None = None) -> None:
        """Sign somebody out everywhere, or everywhere else."""
        self._accounts.end_sessions(account.id, except_token)

    def change_password(self, account: Account, old: str, new: str) -> None:
        """Another password; all sessions end, this one as well."""
        client = f"account {account.id}"
        self._accounts.attempt(account.name, client)
        known = self._accounts.password_of(account.name)
        if not known or not is_password(known[1], old):
            raise Invalid("this is not your password", field="old")
        self._accounts.set_password(account.id, _hashed(new, field="new"))
        self._accounts.succeeded(account.name, client)

    def people(self, account: Account) -> list[Account]:  # noqa: ARG002 - everybody may know
        """Everybody who has an account."""
        return self._accounts.all()

    def remove_person(self, account: Account, number: int) -> None:
        """Forget somebody with all their boards; admins may, and anybody for themselves."""
        if number != account.id:
            checked_admin(account)
        others = [one for one in self._accounts.all() if one.id != number]
        if others and not any(one.is_admin for one in others):
            raise NotAllowed("somebody has to look after this portal")
        self._accounts.remove(number)

    # Invitations

    def invite(self, account: Account, note: str = "") -> tuple[Invitation, str]:
        """An invitation for one person, and its secret."""
        checked_admin(account)
        return self._accounts.invite(account.id, note.strip()[:LONGEST_ACCOUNT])

    def accept(self, secret: str, name: str, password: str) -> Account:
        """The account of who was invited; an invitation serves once."""
        self._accounts.check_invitation(secret)
        return self._accounts.accept(secret, account_name(name), _hashed(password))

    def invitations(self, account: Account) -> list[Invitation]:
        """All invitations, the newest first."""
        checked_admin(account)
        return self._accounts.invitations()

    def take_back(self, account: Account, invitation: int) -> None:
        """Nobody may use an invitation any more."""
        checked_admin(account)
        self._accounts.take_back(invitation)

    # Tokens

    def make_token(
        self,
        account: Account,
        name: str,
        scopes: Iterable[Scope | str],
        expires: datetime | None = None,
    ) -> tuple[Token, str]:
        """A token for a program, and its secret."""
        try:
            allowed = frozenset(map(Scope, scopes))
        except ValueError as error:
            raise Invalid("there is no such scope", field="scopes") from error
        if not allowed:
            raise Invalid("a token is for something: read, write or admin", field="scopes")
        if Scope.ADMIN in allowed:
            checked_admin(account)
        if expires and expires <= self.now():
            raise Invalid("this time is over", field="expires")
        return self._accounts.add_token(account, checked_name(name), allowed, expires)

    def tokens(self, account: Account) -> list[Token]:
        """The tokens of somebody's programs."""
        return self._accounts.tokens(account.id)

    def revoke_token(self, account: Account, number: int) -> None:
        """Nobody may use a token any more."""
        self._accounts.remove_token(account.id, number)

    def by_token(self, secret: str) -> Token | None:
        """The token of a secret; None if there is none, or its time is over."""
        return self._accounts.token(secret)

    # Settings

    def settings(self, account: Account, **changes: Any) -> Account:
        """The account with other settings: theme, keys, time_zone, digest_hour, digest_channel.

        What is None is as usual again.
        """
        for name, value in changes.items():
            if value is not None:
                self._check_setting(account, name, value)
        kept = {**account.settings, **changes}
        kept = {name: value for name, value in kept.items() if value is not None}
        begins = "digest_channel" in changes and "digest_channel" not in account.settings
        now = {"digested": self.now()} if begins else {}  # the first one tells of what comes
        self._accounts.change(account.id, settings=kept, **now)
        known = self._accounts.by_id(account.id)
        assert known
        return known

    def _check_setting(self, account: Account, name: str, value: Any) -> None:
        good: Mapping[str, Any] = {
            "theme": lambda: value in THEMES,
            "keys": lambda: isinstance(value, bool),
            "time_zone": lambda: bool(zone_of({"time_zone": value})),
            "digest_hour": lambda: isinstance(value, int) and 0 <= value <= LAST_HOUR,
            "digest_channel": lambda: value in {one.id for one in self._channels_of(account)},
        }
        if name not in good or not good[name]():
            raise Invalid("this setting cannot be used", field=name)

    def _channels_of(self, account: Account) -> list[Any]:
        return list(self._sharing.channels(account.id))

    def mark_seen(self, account: Account) -> Account:
        """Somebody has seen all that is new."""
        now = self.now()
        self._accounts.change(account.id, seen_until=now, visited=now)
        known = self._accounts.by_id(account.id)
        assert known
        return known


def zone_of(settings: Mapping[str, Any]) -> ZoneInfo:
    """The time zone of a person."""
    name = settings.get("time_zone") or "UTC"
    try:
        return ZoneInfo(str(name))
    except (ValueError, OSError, KeyError) as error:
        raise Invalid("there is no such time zone", field="time_zone") from error


def account_name(name: str) -> str:
    """A name to sign in with."""
    return _folded(checked_name(name, longest=LONGEST_ACCOUNT))


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _hashed(password: str, *, field: str = "password") -> str:
    if len(password) < SHORTEST_PASSWORD:
        told = f"a password has at least {SHORTEST_PASSWORD} characters"
        raise Invalid(told, field=field)
    if len(password) > LONGEST_PASSWORD:
        raise Invalid("this password is too long", field=field)
    return hashed(password)
