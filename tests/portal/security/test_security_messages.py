"""Messages go where people want them, and not to this machine."""

from __future__ import annotations

import pytest

from guarding import PUBLIC, guard_of, public_website
from pagesight.errors import NotificationFailed
from pagesight.portal.messages import Message, send
from serving import Answer, doorkeeper

TEA = Message("Tea", "White tea is new")


def test_a_message_arrives_at_a_public_address() -> None:
    with public_website({"/hook": Answer()}) as site:
        port = site.host.partition(":")[2]
        send(f"json://tea.example:{port}/hook", TEA, guard_of(tea=PUBLIC))
        assert site.asked == ["/hook"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "inner.example", "2130706433"])
def test_no_message_is_sent_to_this_machine(host: str) -> None:
    with doorkeeper() as (place, visitors):
        port = place.rpartition(":")[2]
        for scheme in ("json", "jsons", "xml", "ntfy", "gotify", "matrix"):
            address = f"{scheme}://{host}:{port}/hook"
            with pytest.raises(NotificationFailed):
                send(address, TEA, guard_of(inner="127.0.0.1"))
    assert visitors == []


def test_no_message_is_led_to_this_machine() -> None:
    with doorkeeper() as (place, visitors), public_website() as site:
        port = site.host.partition(":")[2]
        for status in (302, 307, 308):
            site.pages["/hook"] = Answer(status=status, headers={"Location": f"http://{place}/"})
            with pytest.raises(NotificationFailed):
                send(f"json://tea.example:{port}/hook", TEA, guard_of(tea=PUBLIC))
        assert "/hook" in site.asked
    assert visitors == []
