"""What changed since somebody was here, what matters to them, and how they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from portals import NEWS, PASSWORD, WEATHER, Harbour
from starlette.testclient import TestClient

from pagesight.errors import NotificationFailed
from pagesight.portal import messages
from pagesight.portal.conditions import Condition, number_in
from pagesight.portal.digests import digest_due
from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.messages import Message
from pagesight.portal.portal import Portal
from pagesight.portal.values import Account, TileState
from pagesight.portal.web import make_app
from pagesight.portal.work import tasks
from pagesight.sources import Guard
from pagesight.watch import PartState, Status, looking
from serving import doorkeeper

pytest_plugins = ["portal_fixtures"]

HOOK = "json://127.0.0.1:1/hook"
DAY = 24 * 3600.0
HOME = "http://localhost"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Message]]:
    """Messages that would have been sent, and where."""
    sent: list[tuple[str, Message]] = []

    def send(address: str, message: Message, _: Guard | None) -> None:
        sent.append((address, message))

    monkeypatch.setattr(tasks, "send", send)
    return sent


def told(harbour: Harbour, condition: dict[str, Any] | None = None, part: str = NEWS) -> None:
    """A tile whose changes somebody is told of."""
    (tile,) = harbour.place(part)
    channel = harbour.portal.add_channel(harbour.account, "Hook", HOOK)
    harbour.portal.change_tile(harbour.account, tile.uid, channel=channel.id, condition=condition)


# News


def test_news_are_what_changed_since_the_last_visit(harbour: Harbour) -> None:
    portal, ann = harbour.portal, harbour.account
    harbour.place(NEWS, WEATHER)
    assert portal.news(ann) == []
    harbour.publish(news=["Red tea is new", "Green tea is here"])
    (news,) = portal.news(ann)
    assert news.state is TileState.CHANGED
    assert news.board.name == "Tea"
    assert [item.title for item in news.changes.new_items] == ["Red tea is new"]
    seen = portal.mark_seen(ann)
    assert portal.news(seen) == []
    assert harbour.views()[0].state is TileState.CHANGED
    assert portal.tile_views(seen, harbour.board.uid)[0].state is TileState.UNCHANGED
    assert len(portal.news(seen, since=ann.seen_until)) == 1


def test_what_is_cut_out_is_no_news(harbour: Harbour) -> None:
    harbour.place(NEWS, excluded=[f"{NEWS}/h2"])
    (tile,) = (view.tile for view in harbour.views())
    harbour.portal.change_tile(harbour.account, tile.uid, excluded=["/ul"])
    harbour.publish(news=["Red tea is new"])
    assert harbour.portal.news(harbour.account) == []


def test_conditions_decide_what_is_news(harbour: Harbour) -> None:
    (tile,) = harbour.place(
        NEWS,
    )
    harbour.portal.change_tile(
        harbour.account, tile.uid, condition={"kind": "present", "words": "oolong"}
    )
    harbour.publish(news=["Red tea is new"])
    assert harbour.portal.news(harbour.account) == []
    harbour.publish(news=["Oolong is new"])
    assert len(harbour.portal.news(harbour.account)) == 1


@pytest.mark.parametrize(
    ("condition", "weather", "is_told"),
    [
        ({"kind": "above", "number": 25}, "30 degrees", True),
        ({"kind": "above", "number": 20}, "30 degrees", False),  # it was before
        ({"kind": "above", "number": 25}, "no number", False),
        ({"kind": "below", "number": 10}, "−5 degrees", True),
        ({"kind": "present", "words": "Rain  SHOWERS"}, "Cold, rain\nshowers", True),
        ({"kind": "absent", "words": "sunny"}, "Cold", True),
        ({"kind": "absent", "words": "cold"}, "Warm", False),
    ],
)
def test_who_is_told_of_which_change(
    harbour: Harbour,
    sent: list[tuple[str, Message]],
    condition: dict[str, Any],
    weather: str,
    is_told: bool,
) -> None:
    told(harbour, condition, WEATHER)
    harbour.publish(weather=weather)
    assert bool(sent) is is_told


def test_new_items_only(harbour: Harbour, sent: list[tuple[str, Message]]) -> None:
    told(harbour, {"kind": "new items"})
    harbour.publish(news=["Green tea is here", "Black tea is sold out", "Oolong is new"])
    sent.clear()
    harbour.publish(news=["Green tea is here", "Black tea is sold out"])
    assert sent == []
    harbour.publish(news=["Green tea is here", "Black tea is sold out", "Oolong is new"])
    ((address, message),) = sent
    assert address == HOOK
    assert "1 new item" in message.title
    assert "Oolong is new" in message.body
    assert harbour.site("/") in message.body


@pytest.mark.parametrize(
    ("text", "number"),
    [("Gold: 1.234,50 EUR", 1234.5), ("21 °C", 21), ("none", None), ("", None), ("−5", -5)],
)
def test_the_number_of_a_part(text: str, number: float | None) -> None:
    assert number_in(text) == number


def test_conditions_are_plain_values() -> None:
    for fields in ({"kind": "new items"}, {"kind": "above", "number": 3.0},
                   {"kind": "absent", "words": "sold out"}):  # fmt: skip
        condition = Condition.from_json(fields)
        assert condition
        assert condition.to_json() == fields
    assert Condition.from_json(None) is None


# Messages


def test_a_message_is_sent_once(harbour: Harbour, sent: list[tuple[str, Message]]) -> None:
    told(harbour)
    harbour.publish(news=["Red tea is new"])
    for _ in range(3):
        (page,) = harbour.portal.store.pages()
        harbour.worker.tasks.tell(page.id)
        harbour.work()
    assert len(sent) == 1
    harbour.publish(news=["White tea is new"])
    assert len(sent) == 2


def test_who_asks_later_is_told_of_later_changes(
    harbour: Harbour, sent: list[tuple[str, Message]]
) -> None:
    harbour.place(NEWS)
    harbour.publish(news=["Red tea is new"])
    channel = harbour.portal.add_channel(harbour.account, "Hook", HOOK)
    tile = harbour.view().tile
    harbour.portal.change_tile(harbour.account, tile.uid, channel=channel.id)
    harbour.work()
    assert sent == []
    harbour.publish(news=["White tea is new"])
    assert len(sent) == 1


def test_a_message_that_fails_is_tried_again(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[float] = []

    def send(*_: object) -> None:
        attempts.append(harbour.clock.now)
        raise NotificationFailed("a message could not be sent")

    monkeypatch.setattr(tasks, "send", send)
    told(harbour)
    harbour.publish(news=["Red tea is new"])
    for _ in range(20):
        harbour.clock.now += 60
        harbour.work()
    assert len(attempts) == 3
    assert attempts[2] - attempts[1] > attempts[1] - attempts[0] >= 60


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "exec://rm", "dbus://", "syslog://", "json", "", "mailto://"]
)
def test_messages_go_by_services_that_only_send(portal: Portal, ann: Account, address: str) -> None:
    with pytest.raises(Invalid) as refused:
        portal.add_channel(ann, "Odd", address)
    assert refused.value.field == "address"
    assert portal.channels(ann) == []


def test_channels_are_of_one_person(portal: Portal, ann: Account, ben: Account) -> None:
    channel = portal.add_channel(ann, "Hook", HOOK)
    assert HOOK not in repr(channel)
    attempts: list[Callable[[Account, int], None]] = [portal.remove_channel, portal.try_channel]
    for attempt in attempts:
        with pytest.raises(NotThere):
            attempt(ben, channel.id)
    portal.remove_channel(ann, channel.id)
    assert portal.channels(ann) == []


@pytest.mark.parametrize("guard", [None, Guard()])
def test_messages_reach_private_addresses_only_if_they_may(guard: Guard | None) -> None:
    with doorkeeper() as (address, visitors):
        with pytest.raises(NotificationFailed):  # nobody answers, or nobody is asked
            messages.send(f"json://{address}/hook", Message("Tea", "is ready"), guard)
        assert bool(visitors) is (guard is None)


@pytest.mark.parametrize("guard", [None, Guard()])
def test_mail_goes_to_private_servers_only_if_it_may(guard: Guard | None) -> None:
    with doorkeeper() as (address, visitors):
        mail = f"mailto://me:secret@{address}?from=a@example.com&to=b@example.com"
        with pytest.raises(NotificationFailed):
            messages.send(mail, Message("Tea", "is ready"), guard)
        assert bool(visitors) is (guard is None)


# Digests


@pytest.mark.parametrize(
    ("settings", "due"),
    [
        ({}, None),
        ({"digest_channel": 1}, datetime(2027, 1, 15, 7, tzinfo=UTC)),
        ({"digest_channel": 1, "digest_hour": 12}, datetime(2027, 1, 14, 12, tzinfo=UTC)),
        (
            {"digest_channel": 1, "digest_hour": 9, "time_zone": "Asia/Tokyo"},
            datetime(2027, 1, 15, 0, tzinfo=UTC),
        ),
        ({"digest_channel": 1, "time_zone": "gone"}, datetime(2027, 1, 15, 7, tzinfo=UTC)),
    ],
)
def test_when_a_digest_is_due(ann: Account, settings: dict[str, Any], due: datetime | None) -> None:
    now = datetime(2027, 1, 15, 8, tzinfo=UTC)
    assert digest_due(replace(ann, settings=settings), now) == due


def test_a_digest_is_sent_once_a_day(harbour: Harbour, sent: list[tuple[str, Message]]) -> None:
    portal, ann = harbour.portal, harbour.account
    channel = portal.add_channel(ann, "Hook", HOOK)
    portal.settings(ann, digest_channel=channel.id)
    harbour.place(NEWS)
    harbour.publish(news=["Red tea is new"])
    harbour.clock.now += DAY
    for _ in range(3):
        harbour.work()
    ((_, message),) = sent
    assert message.title == "1 part changed"
    assert "Tea · News of the house" in message.body
    harbour.clock.now += DAY
    harbour.work()
    assert len(sent) == 1  # nothing is new


def test_who_may_not_see_a_board_any_more_is_not_told_of_it(
    harbour: Harbour, ben: Account, sent: list[tuple[str, Message]]
) -> None:
    portal, ann = harbour.portal, harbour.account
    (tile,) = harbour.place(NEWS)
    portal.set_people(ann, harbour.board.uid, {"Ben": True})
    channel = portal.add_channel(ben, "Ben's", HOOK)
    portal.change_tile(ben, tile.uid, channel=channel.id)
    portal.set_people(ann, harbour.board.uid, {"Ben": False})
    assert portal.tile(ann, tile.uid).tile.channel == channel.id
    portal.set_people(ann, harbour.board.uid, {})
    harbour.publish(news=["Red tea is new"])
    assert sent == []


def test_who_saves_a_tile_leaves_the_channel_of_another_one(harbour: Harbour, ben: Account) -> None:
    told(harbour)
    portal, tile = harbour.portal, harbour.view().tile
    portal.set_people(harbour.account, harbour.board.uid, {"Ben": True})
    with TestClient(make_app(portal), base_url=HOME, headers={"Origin": HOME}) as client:
        client.post("/sign-in", data={"name": "Ben", "password": PASSWORD})
        form = {"name": "Renamed", "look": "plain", "channel": ""}
        assert client.post(f"/tiles/{tile.uid}", data=form).status_code == 200
    saved = portal.tile(ben, tile.uid).tile
    assert (saved.name, saved.channel) == ("Renamed", tile.channel)


def test_a_digest_goes_to_nobody_else(
    harbour: Harbour, ben: Account, sent: list[tuple[str, Message]]
) -> None:
    portal, ann = harbour.portal, harbour.account
    channel = portal.add_channel(ann, "Hook", HOOK)
    portal.settings(ann, digest_channel=channel.id)
    portal.remove_channel(ann, channel.id)
    portal.add_channel(ben, "Ben's", HOOK)  # which may have the number of the one that is gone
    harbour.place(NEWS)
    harbour.publish(news=["Red tea is new"])
    harbour.clock.now += DAY
    harbour.work()
    assert sent == []


def test_a_digest_that_cannot_be_sent_is_tried_again(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    portal, ann = harbour.portal, harbour.account
    tried: list[str] = []

    def send(_: str, message: Message, __: Guard | None) -> None:
        tried.append(message.title)
        if len(tried) == 1:
            raise NotificationFailed("a message could not be sent")

    monkeypatch.setattr(tasks, "send", send)
    portal.settings(ann, digest_channel=portal.add_channel(ann, "Hook", HOOK).id)
    harbour.place(NEWS)
    harbour.publish(news=["Red tea is new"])
    harbour.clock.now += DAY
    for _ in range(3):
        harbour.work()
        harbour.clock.now += 120
    assert tried == ["1 part changed", "1 part changed"]


# Is this it?


def test_a_question_has_the_old_picture_and_candidates(harbour: Harbour) -> None:
    harbour.place(NEWS)
    harbour.site.pages["/"] = REDESIGNED
    harbour.clock.now += DAY
    harbour.work()
    view = harbour.view()
    if view.state is not TileState.UNSURE:  # the model may come to be sure of it
        pytest.skip(f"the part is {view.state}")
    question = harbour.portal.question(harbour.account, view.tile.uid)
    assert question.known
    assert question.known_picture
    assert question.users == 1
    assert question.candidates
    assert question.candidates[0].picture
    assert view.observation
    assert "Green tea" in view.observation.text


REDESIGNED = """<!doctype html><title>Tea</title><body><main><section><h3>Latest</h3>
<p><a href="/green-tea-is-here">Green tea arrived</a></p><p><a href="/x">White tea</a></p></section>
<section><h3>Weather</h3><p>Rain</p></section></main></body>"""


def unsure(harbour: Harbour, ben: Account) -> tuple[str, str]:
    """A part that two people show, and of which nobody is sure."""
    (tile,) = harbour.place(NEWS)
    preview = harbour.preview(account=ben)
    board = harbour.portal.make_board(ben, "Mine")
    (other,) = harbour.portal.place(ben, board.tabs[0].uid, preview.uid, xpaths=[NEWS])
    return tile.uid, other.uid


def test_one_answer_serves_everybody(
    harbour: Harbour, ben: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = unsure(harbour, ben)
    _make_unsure(monkeypatch)
    harbour.publish(news=["Red tea is new"])
    portal, ann = harbour.portal, harbour.account
    assert portal.tile(ann, mine).state is portal.tile(ben, other).state is TileState.UNSURE
    shown = portal.tile(ann, mine).observation
    assert shown
    assert "Green tea" in shown.text
    assert portal.answer(ann, mine, xpath=NEWS).state is not TileState.UNSURE
    assert portal.tile(ben, other).state is not TileState.UNSURE
    with pytest.raises(Invalid):
        portal.answer(ann, mine, xpath=NEWS)


def test_a_part_may_be_gone_or_wait(
    harbour: Harbour, ben: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = unsure(harbour, ben)
    _make_unsure(monkeypatch)
    harbour.publish(news=["Red tea is new"])
    portal, ann = harbour.portal, harbour.account
    assert portal.answer(ben, other, pause=True).tile.is_paused
    for wrong in ("/html/body/div[7]", "odd", ""):
        with pytest.raises(Invalid):
            portal.answer(ann, mine, xpath=wrong)
    gone = portal.answer(ann, mine, gone=True)
    assert gone.state is TileState.GONE
    assert gone.part
    assert gone.part.state is PartState.GONE
    assert gone.observation
    assert "Green tea" in gone.observation.text


def test_there_is_no_question_about_what_is_certain(harbour: Harbour) -> None:
    (tile,) = harbour.place()
    with pytest.raises(NotThere):
        harbour.portal.question(harbour.account, tile.uid)


def _make_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is sure of any part from now on."""
    real = looking._sight

    def sight(shown: Any, component: Any) -> Any:
        return replace(real(shown, component), status=Status.UNSURE)

    monkeypatch.setattr(looking, "_sight", sight)
