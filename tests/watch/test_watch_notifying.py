"""Messages: to whom, about what, and what is not allowed."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from apprise import Apprise
from test_watch_feeds import PAGE, PART, seen

from pagesight.errors import NotificationFailed, WatchNotInstalled
from pagesight.watch.notifying import MOST_LINES, SCHEMES, check_services, message_of, notify
from pagesight.watch.values import Checked, Outcome, Seen


def changed(*titles: str) -> Checked:
    now = Seen(part=PART, now=seen(2, "A", *titles), before=seen(1, "A"))
    return Checked(page=PAGE, outcome=Outcome.CHANGED, parts=(now,))


@contextmanager
def service(status: int = 200) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An address that takes messages, and those that came."""
    messages: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"json://127.0.0.1:{server.server_port}/", messages
        finally:
            server.shutdown()
            thread.join()


def test_a_message() -> None:
    with service() as (url, messages):
        notify([url], changed("B", "C"))
    assert [message["title"] for message in messages] == ["News: https://tea.example/"]
    assert messages[0]["message"].splitlines() == [
        "News: 2 new items",
        "+ B https://tea.example/B",
        "+ C https://tea.example/C",
    ]


def test_nothing_is_said_of_nothing() -> None:
    with service() as (url, messages):
        notify([url], replace(changed(), parts=(Seen(part=PART, now=seen(1), before=None),)))
        notify([], changed("B"))
    assert messages == []


def test_a_long_list_is_cut() -> None:
    lines = message_of(changed(*map(str, range(50))).parts[0]).splitlines()
    assert len(lines) == MOST_LINES + 2
    assert lines[-1] == f"and {50 - MOST_LINES} more"


def test_a_part_without_items_says_what_differs() -> None:
    now = Seen(part=PART, now=seen(2, text="14 €"), before=seen(1, text="12 €"))
    assert message_of(now).splitlines() == ["News: 1 word added, 1 word removed", "-12 €", "+14 €"]


def test_a_service_that_does_not_take_it() -> None:
    with service(500) as (url, _), pytest.raises(NotificationFailed, match="could not be sent"):
        notify([url], changed("B"))


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("syslog://", "messages are not sent by syslog:"),
        ("rsyslog://host/", "not sent by rsyslog:"),
        ("file:///etc/passwd", "not sent by file:"),
        ("dbus://", "not sent by dbus:"),
        ("nonsense", "not sent by nonsense:"),
        ("json://localhost/,syslog://", "these are several addresses"),
        ("json://localhost/;syslog://", "these are several addresses"),
        ("json://localhost/ syslog://", "these are several addresses"),
        ("json://localhost/\nsyslog://", "these are several addresses"),
        ("slack://", "this address of slack: is not complete"),
    ],
)
def test_services_that_are_refused(url: str, complaint: str) -> None:
    with pytest.raises(NotificationFailed, match=complaint):
        check_services([url])


def test_what_was_made_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Apprise.instantiate("xml://localhost/")
    monkeypatch.setattr(Apprise, "instantiate", lambda _: other)
    with pytest.raises(NotificationFailed, match="not sent by json:"):
        check_services(["json://localhost/"])


def test_one_address_may_name_several_people() -> None:
    check_services(["mailto://me:secret@tea.example?to=a@tea.example,b@tea.example"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of plugins
def test_every_service_that_is_allowed_exists() -> None:
    known = set[str]()
    for plugin in Apprise().details()["schemas"]:
        known |= {*(plugin["protocols"] or ()), *(plugin["secure_protocols"] or ())}
    assert known >= SCHEMES


def test_without_apprise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    check_services([])
    with pytest.raises(WatchNotInstalled) as missing:
        check_services(["json://127.0.0.1/"])
    assert missing.value.hint == "pip install 'pagesight[watch]'"
