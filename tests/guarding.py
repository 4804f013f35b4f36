"""Guards for tests: made-up names of the web lead to servers of the test, on this machine."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_network

from pagesight.sources.egress.guard import Guard
from serving import Pages, Website, website

PUBLIC = "127.0.0.2"  # of this machine, too, but the guards here take it for a public address
ANYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))


class Names:
    """A resolver that knows few names, and how often it was asked for each.

    A name with several lists of addresses gives out the next one at each look-up, then the last.
    """

    def __init__(self, known: Mapping[str, list[list[str]]]) -> None:
        self.known = known
        self.asked: list[str] = []

    async def __call__(self, host: str, _: int) -> list[str]:
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        self.asked.append(host)
        answers = self.known[host]
        return answers[min(self.asked.count(host), len(answers)) - 1]


def guard_of(**names: str | list[list[str]]) -> Guard:
    """A guard that knows names below ``.example``."""
    known = {
        f"{name}.example": [[place]] if isinstance(place, str) else place
        for name, place in names.items()
    }
    return Guard(allow=(ip_network(f"{PUBLIC}/32"),), resolver=Names(known))


@contextmanager
def public_website(
    pages: Pages | None = None, port: int = 0, secured: ssl.SSLContext | None = None
) -> Iterator[Website]:
    """A website at what the guards here take for a public address."""
    with website(pages, (PUBLIC, port), secured) as server:
        yield server
