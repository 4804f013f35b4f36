"""People and their secrets: who comes in, how often somebody may guess, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from portals import PASSWORD
from sqlalchemy import select

from pagesight.portal.errors import Conflict, Invalid, NotAllowed, NotThere, PortalError, TooOften
from pagesight.portal.portal import Portal
from pagesight.portal.secrets import digest
from pagesight.portal.services import people
from pagesight.portal.settings import Settings
from pagesight.portal.store import tables
from pagesight.portal.store.accounts import MOST_BY_ACCOUNT, MOST_BY_CLIENT, SESSION, WINDOW
from pagesight.portal.values import Account, Scope
from watched import FakeClock

pytest_plugins = ["portal_fixtures"]
pytestmark = pytest.mark.usefixtures("cheap_passwords")

AT_ONCE = 50


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What many get who do the same at the same time; errors of the portal are answers as well."""
    start = Barrier(AT_ONCE)

    def one(number: int) -> Any:
        start.wait()
        try:
            return work(number)
        except PortalError as error:
            return error

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, range(AT_ONCE)))


def signed_in(portal: Portal, name: str = "Ann", password: str = PASSWORD) -> str:
    return portal.sign_in(name, password, client="192.0.2.1", agent="Browser")


# The first account, and invitations


def test_the_first_visitor_looks_after_the_others(portal: Portal) -> None:
    assert not portal.has_accounts()
    ann = portal.first_account(" Ann ", PASSWORD)
    assert ann.is_admin
    assert ann.name == "ann"
    assert portal.has_accounts()
    with pytest.raises(Conflict):
        portal.first_account("Ben", PASSWORD)


def test_of_many_first_visitors_one_makes_the_account(database: str) -> None:
    with Portal.open(Settings(database=database)) as portal:
        made = at_once(lambda number: portal.first_account(f"visitor {number}", PASSWORD))
        assert sum(isinstance(one, Account) for one in made) == 1
        assert len(portal.people(made[0])) == 1


def test_an_invitation_that_is_used_by_many_at_once_makes_one_account(database: str) -> None:
    with Portal.open(Settings(database=database)) as portal:
        ann = portal.first_account("Ann", PASSWORD)
        _, secret = portal.invite(ann, "")
        made = at_once(lambda number: portal.accept(secret, f"guest {number}", PASSWORD))
        assert sum(isinstance(one, Account) for one in made) == 1
        assert len(portal.people(ann)) == 2


def test_who_was_invited_is_not_an_admin(portal: Portal, ben: Account) -> None:
    assert not ben.is_admin
    with pytest.raises(NotAllowed):
        portal.invite(ben)


def test_an_invitation_with_a_name_that_is_taken_can_be_used_again(
    portal: Portal, ann: Account
) -> None:
    _, secret = portal.invite(ann)
    with pytest.raises(Conflict):
        portal.accept(secret, "ANN", PASSWORD)
    assert portal.accept(secret, "Ben", PASSWORD).name == "ben"


def test_an_invitation_ends(portal: Portal, ann: Account, clock: FakeClock) -> None:
    invitation, secret = portal.invite(ann)
    clock.now += (invitation.expires - invitation.created).total_seconds()
    with pytest.raises(NotThere):
        portal.accept(secret, "Ben", PASSWORD)


def test_no_password_of_a_stranger_is_hashed(
    portal: Portal, ann: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hashed(_: str) -> str:
        raise AssertionError("that takes time, which anybody could make the server spend")

    monkeypatch.setattr(people, "hashed", hashed)
    with pytest.raises(Conflict):
        portal.first_account("Ben", PASSWORD)
    with pytest.raises(NotThere):
        portal.accept("guessed", "Ben", PASSWORD)


def test_an_invitation_can_be_taken_back(portal: Portal, ann: Account) -> None:
    invitation, secret = portal.invite(ann)
    portal.take_back(ann, invitation.id)
    with pytest.raises(NotThere):
        portal.accept(secret, "Ben", PASSWORD)
    assert portal.invitations(ann) == []


@pytest.mark.parametrize("name", ["", " \t", "a\0b", "x" * 65, "\ud800"])
def test_names_that_nobody_can_read_are_refused(portal: Portal, name: str) -> None:
    with pytest.raises(Invalid) as refused:
        portal.first_account(name, PASSWORD)
    assert refused.value.field == "name"


@pytest.mark.parametrize("password", ["", "seven c", "x" * 1001])
def test_passwords_that_can_be_guessed_are_refused(portal: Portal, password: str) -> None:
    with pytest.raises(Invalid) as refused:
        portal.first_account("Ann", password)
    assert refused.value.field == "password"


def test_somebody_always_looks_after_the_portal(portal: Portal, ann: Account, ben: Account) -> None:
    with pytest.raises(NotAllowed):
        portal.remove_person(ann, ann.id)
    with pytest.raises(NotAllowed):
        portal.remove_person(ben, ann.id)
    portal.remove_person(ann, ben.id)
    assert portal.people(ann) == [ann]


# Sessions


def test_each_login_begins_a_new_session(portal: Portal, ann: Account) -> None:
    first, second = signed_in(portal), signed_in(portal, " ANN ")
    assert first != second
    session = portal.session(second)
    assert session
    assert session.account.id == ann.id
    assert session.agent == "Browser"
    portal.sign_out(second)
    assert portal.session(second) is None
    assert portal.session(first)


def test_a_new_password_ends_all_sessions(portal: Portal, ann: Account) -> None:
    secrets = [signed_in(portal), signed_in(portal)]
    with pytest.raises(Invalid):
        portal.change_password(ann, "something else", "another cup of tea")
    portal.change_password(ann, PASSWORD, "another cup of tea")
    assert not any(map(portal.session, secrets))
    assert portal.sessions(ann) == []
    with pytest.raises(Invalid):
        signed_in(portal)
    assert signed_in(portal, password="another cup of tea")


def test_others_can_be_signed_out(portal: Portal, ann: Account) -> None:
    other, mine = signed_in(portal), signed_in(portal)
    portal.end_sessions(ann, mine)
    assert portal.session(mine)
    assert portal.session(other) is None


def test_a_session_ends_when_it_is_not_used(portal: Portal, ann: Account, clock: FakeClock) -> None:
    secret = signed_in(portal)
    for _ in range(2):
        clock.now += SESSION.total_seconds() - 1
        assert portal.session(secret)
    clock.now += SESSION.total_seconds()
    assert portal.session(secret) is None


def test_only_digests_of_secrets_are_kept(portal: Portal, ann: Account) -> None:
    session = signed_in(portal)
    _, token = portal.make_token(ann, "Script", ["read"])
    _, invitation = portal.invite(ann)
    with portal.store.reading() as connection:
        for table, secret in ((tables.sessions, session), (tables.tokens, token),
                              (tables.invitations, invitation)):  # fmt: skip
            (row,) = connection.execute(select(table)).all()
            assert row.token == digest(secret)
            assert secret not in repr(row)
        assert PASSWORD not in repr(connection.execute(select(tables.accounts)).all())


# Guessing


def test_guessing_is_limited_by_account(portal: Portal, ann: Account, clock: FakeClock) -> None:
    for number in range(MOST_BY_ACCOUNT):
        with pytest.raises(Invalid):
            portal.sign_in("Ann", "wrong", client=f"192.0.2.{number}")
    with pytest.raises(TooOften) as refused:
        portal.sign_in("Ann", PASSWORD, client="192.0.2.99")
    assert refused.value.retry_after == WINDOW.total_seconds()
    clock.now += refused.value.retry_after
    assert signed_in(portal)


def test_guessing_is_limited_by_address(portal: Portal, ann: Account) -> None:
    for number in range(MOST_BY_CLIENT):
        with pytest.raises(Invalid):
            portal.sign_in(f"somebody {number}", "wrong", client="192.0.2.1")
    with pytest.raises(TooOften):
        portal.sign_in("Ann", PASSWORD, client="192.0.2.1")
    assert portal.sign_in("Ann", PASSWORD, client="192.0.2.2")


def test_signing_in_is_not_guessing(portal: Portal, ann: Account) -> None:
    for _ in range(MOST_BY_CLIENT + 1):
        assert signed_in(portal)


def test_guessing_by_many_at_once_is_limited_as_well(database: str) -> None:
    with Portal.open(Settings(database=database)) as portal:
        portal.first_account("Ann", PASSWORD)
        answers = at_once(lambda number: portal.sign_in("Ann", "wrong", client=f"c{number}"))
        assert sum(isinstance(one, Invalid) for one in answers) == MOST_BY_ACCOUNT
        assert sum(isinstance(one, TooOften) for one in answers) == AT_ONCE - MOST_BY_ACCOUNT


def test_who_signs_in_may_have_mistyped_before(portal: Portal, ann: Account) -> None:
    for _ in range(3 * MOST_BY_ACCOUNT // (MOST_BY_ACCOUNT - 1)):
        for _ in range(MOST_BY_ACCOUNT - 1):
            with pytest.raises(Invalid):
                signed_in(portal, password="wrong")
        assert signed_in(portal)


# Tokens


def test_a_token_acts_for_a_person(portal: Portal, ann: Account, clock: FakeClock) -> None:
    expires = portal.now() + timedelta(days=1)
    made, secret = portal.make_token(ann, "Script", ["read", Scope.WRITE], expires)
    token = portal.by_token(secret)
    assert token
    assert token.account == ann
    assert token.scopes == {Scope.READ, Scope.WRITE}
    assert portal.by_token("another") is None
    clock.now += timedelta(days=1).total_seconds()
    assert portal.by_token(secret) is None
    portal.revoke_token(ann, made.id)
    assert portal.tokens(ann) == []


def test_tokens_may_do_what_their_people_may(portal: Portal, ben: Account) -> None:
    with pytest.raises(NotAllowed):
        portal.make_token(ben, "Script", ["admin"])
    for scopes in ([], ["everything"]):
        with pytest.raises(Invalid):
            portal.make_token(ben, "Script", scopes)


def test_nobody_revokes_tokens_of_others(portal: Portal, ann: Account, ben: Account) -> None:
    made, secret = portal.make_token(ann, "Script", ["read"])
    portal.revoke_token(ben, made.id)
    assert portal.by_token(secret)


# Settings


def test_settings_are_kept(portal: Portal, ann: Account) -> None:
    ann = portal.settings(ann, theme="dark", time_zone="Europe/Rome", digest_hour=8)
    assert ann.settings == {"theme": "dark", "time_zone": "Europe/Rome", "digest_hour": 8}
    assert portal.settings(ann, theme=None).settings.keys() == {"time_zone", "digest_hour"}


@pytest.mark.parametrize(
    "setting",
    [{"theme": "loud"}, {"time_zone": "Atlantis"}, {"time_zone": "../etc/passwd"},
     {"digest_hour": 24}, {"digest_channel": 7}, {"name": "x"}],
)  # fmt: skip
def test_settings_that_cannot_be_used_are_refused(
    portal: Portal, ann: Account, setting: dict[str, Any]
) -> None:
    with pytest.raises(Invalid) as refused:
        portal.settings(ann, **setting)
    assert refused.value.field in setting
