"""Messages go where people want them, and not to this machine."""

from __future__ import annotations

import asyncio
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from guarding import PUBLIC, guard_of, public_website
from pagesight.errors import AddressRefused, NotificationFailed
from pagesight.portal import messages
from pagesight.portal.messages import Message, environment, send
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


def test_a_message_that_takes_too_long_sends_nothing_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(messages, "PATIENCE", 4.0)
    with public_website({"/one": Answer(delay=60)}) as site:
        port = site.host.partition(":")[2]
        with pytest.raises(NotificationFailed, match="in time"):
            send(f"ntfy://tea.example:{port}/one/two/?rto=50", TEA, guard_of(tea=PUBLIC))
        time.sleep(1.0)
        assert len(site.asked) == 1  # not for the next topic, past a proxy that is gone


def test_the_process_of_a_message_gets_no_other_proxy_and_no_database() -> None:
    ours = {"HTTP_PROXY": "http://other", "all_proxy": "x", "PAGESIGHT_DATABASE": "x", "PATH": "/"}
    assert environment(ours, "http://127.0.0.1:9") == {
        "PATH": "/",
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "no_proxy": "nobody.invalid",
    }
    assert environment(ours, None)["HTTP_PROXY"] == "http://other"


# Mail


class _Mail(socketserver.StreamRequestHandler):
    """Takes every mail."""

    timeout = 10

    def handle(self) -> None:
        self.wfile.write(b"220 tea.example\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    self.server.lines.append(line.decode())  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")


@contextmanager
def mail_server(host: str = PUBLIC) -> Iterator[tuple[int, list[str]]]:
    """The port of a server of mail, and the lines that arrived there."""
    lines: list[str] = []
    with socketserver.ThreadingTCPServer((host, 0), _Mail) as server:
        server.lines = lines  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1], lines
        finally:
            server.shutdown()
            thread.join()


def test_mail_is_dialled_at_the_address_that_was_checked() -> None:
    guard = guard_of(tea=[[PUBLIC], ["127.0.0.1"]])  # who asks a second time is led here
    with mail_server() as (port, lines):
        send(f"mailto://tea.example:{port}?from=a@tea.example&to=b@tea.example", TEA, guard)
        assert any("White tea is new" in line for line in lines)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "inner.example", "2130706433"])
@pytest.mark.parametrize("scheme", ["mailto", "mailtos"])
def test_no_mail_is_sent_to_this_machine(scheme: str, host: str) -> None:
    with doorkeeper() as (place, visitors):
        port = place.rpartition(":")[2]
        for settings in ("", f"&smtp={host}"):
            name = "tea.example" if settings else host
            address = (
                f"{scheme}://me:secret@{name}:{port}?from=a@x.example&to=b@x.example{settings}"
            )
            with pytest.raises(NotificationFailed):
                send(address, TEA, guard_of(inner="127.0.0.1", tea=PUBLIC))
    assert visitors == []


def test_ports_of_mail_are_for_mail_only() -> None:
    guard = guard_of(tea=PUBLIC)
    with pytest.raises(AddressRefused, match="port 25"):
        asyncio.run(guard.addresses("tea.example", 25))
    for_mail = replace(guard, ports=(*guard.ports, *messages.MAIL_PORTS))
    assert asyncio.run(for_mail.addresses("tea.example", 25)) == (PUBLIC,)
    with pytest.raises(AddressRefused, match="port 22"):
        asyncio.run(for_mail.addresses("tea.example", 22))
