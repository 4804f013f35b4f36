"""The process that sends one message: what, where, and by which proxy is on its input, as JSON."""

from __future__ import annotations

import json
import smtplib
import socket
from typing import Any
from urllib.parse import urlsplit

from pagesight.errors import NotificationFailed
from pagesight.render.worker.child import die_with_parent, pipes, silence
from pagesight.watch.notifying import deliver

LONGEST_HEAD = 4096  # bytes of the answer of a proxy


def main() -> None:
    """Send it, and say what went wrong, if anything did."""
    given, answer = pipes()
    silence()
    die_with_parent()
    message = json.load(given)
    if message["proxy"]:
        send_mail_through(message["proxy"])
    error = None
    try:
        deliver([message["address"]], title=message["title"], body=message["body"])
    except NotificationFailed as failed:
        error = failed.message
    answer.write(json.dumps({"error": error}).encode())
    answer.flush()


def send_mail_through(proxy: str) -> None:
    """From now on, this process reaches servers of mail through a proxy, by their names."""
    place = urlsplit(proxy)

    def connected(_: Any, host: str, port: int, timeout: Any) -> socket.socket:
        return tunnel((str(place.hostname), int(place.port or 0)), host, port, timeout)

    # The only place in which smtplib connects: what it checks of certificates stays as it is.
    smtplib.SMTP._get_socket = connected  # type: ignore[attr-defined]


def tunnel(proxy: tuple[str, int], host: str, port: int, timeout: float) -> socket.socket:
    """A connection through a proxy; raises an `OSError` if it makes none."""
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError as error:
        raise OSError(f"{host} is not a host") from error
    server = f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
    if not server.isprintable() or " " in server:
        raise OSError(f"{host} is not a host")
    connection = socket.create_connection(proxy, timeout)
    try:
        connection.sendall(f"CONNECT {server} HTTP/1.1\r\n\r\n".encode("ascii"))
        head = b""
        while not head.endswith(b"\r\n\r\n"):  # what follows is of the server
            byte = connection.recv(1)
            if not byte or len(head) >= LONGEST_HEAD:
                raise OSError("the proxy does not answer")
            head += byte
        if head.split(b" ", 2)[1:2] != [b"200"]:
            raise OSError(f"{server} is not reached")
    except BaseException:
        connection.close()
        raise
    return connection


if __name__ == "__main__":
    main()
