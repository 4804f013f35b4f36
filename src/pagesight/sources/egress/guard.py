"""The guard: where a request may go, decided once, for the very address that is then dialled."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from pagesight.errors import AddressRefused
from pagesight.sources.egress.addresses import (
    Address,
    Network,
    addresses_in,
    canonical,
    meant,
    why_not_public,
)

Resolver = Callable[[str, int], Awaitable[Iterable[str]]]

HOME_NETWORKS: tuple[Network, ...] = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"))
)
"""What routers at home and in offices give out. This machine is not among them."""

USUAL_PORTS = {"http": 80, "https": 443}
FIRST_PORT = 1024  # below it are mail, shells and other services, apart from the usual two
LAST_PORT = 65535
PUBLIC_ONLY = "with --public-only, or a Guard, only public addresses are reached"


async def system_resolver(host: str, port: int) -> list[str]:
    """All addresses of a host, as the system orders them; raises an `OSError` if it has none."""
    loop = asyncio.get_running_loop()
    entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in entries]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """Lets requests reach public addresses, and those of the networks that it allows."""

    allow: tuple[Network, ...] = ()
    """Networks that may be reached although they are not public, e.g. `HOME_NETWORKS`."""

    resolver: Resolver = system_resolver

    ports: tuple[int, ...] = tuple(USUAL_PORTS.values())
    """Those below 1024 that may be asked for."""

    hint: str = PUBLIC_ONLY
    """What can be done about a refusal, in its error."""

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses of a host, to be dialled as they are: another look-up may differ.

        Raises `AddressRefused` if any of them must not be reached, and an `OSError` if there is
        none.
        """
        name = canonical(host)
        if port not in self.ports and not FIRST_PORT <= port <= LAST_PORT:
            raise AddressRefused(f"port {port} of {name} is not one of web pages", hint=self.hint)
        if stated := addresses_in(name):
            return self._checked(stated)
        found = [ip_address(answer) for answer in await self.resolver(name, port)]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        return self._checked(found, name)

    def _checked(self, addresses: Iterable[Address], name: str | None = None) -> tuple[str, ...]:
        for address in addresses:
            words, end = why_not_public(address), meant(address)
            if words and not any(end in network for network in self.allow):
                message = f"{name} leads to {end}, {words}" if name else f"{end} is {words}"
                raise AddressRefused(message, hint=self.hint)
        return tuple(dict.fromkeys(map(str, addresses)))
