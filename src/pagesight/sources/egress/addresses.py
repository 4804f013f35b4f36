"""Whether an address is part of the public internet, however it is written."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from pagesight.lazy import table

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LOOPBACK: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
_GLOBAL_UNICAST = ip_network("2000::/3")  # what of IPv6 has been given out at all
_NAT64 = ip_network("64:ff9b::/96")  # by which networks without IPv4 reach it
_RESERVED = "a reserved address"
_LOCALHOST = re.compile(r"(?:.+\.)?localhost|localhost\.localdomain|ip6-(?:localhost|loopback)")
_DOTS = str.maketrans("。．｡", "...")  # which separate labels, too
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")


def why_not_public(address: Address) -> str | None:
    """What an address is that is not public, in words; None if it is public."""
    address = meant(address)
    for network, words in _networks():
        if address in network:
            return words
    return None if address.version == 4 or address in _GLOBAL_UNICAST else _RESERVED


def meant(address: Address) -> Address:
    """The IPv4 address that an IPv6 address leads to, if it is only another form of that."""
    if isinstance(address, IPv6Address) and (address.ipv4_mapped or address in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


@cache
def _networks() -> tuple[tuple[Network, str], ...]:
    rows = table(__package__, "networks.tsv").items()
    return tuple((ip_network(network), words) for network, words in rows)


def canonical(host: str) -> str:
    """A host in the one form in which it is judged: ``１２７。1.`` is ``127.1``."""
    folded = unicodedata.normalize("NFKC", host.translate(_DOTS)).lower()
    return folded.removeprefix("[").removesuffix("]").removesuffix(".")


def addresses_in(host: str) -> tuple[Address, ...]:
    """The addresses that a canonical host states itself, without being looked up.

    Raises a `ValueError` if it is neither a name nor an address, such as ``256.256.256.256``.
    """
    if _LOCALHOST.fullmatch(host):
        return LOOPBACK
    if ":" in host:
        return (ip_address(host),)
    last = host.rpartition(".")[2]
    return (_ipv4(host),) if _NUMBER.fullmatch(last) else ()


def _ipv4(host: str) -> IPv4Address:
    """An address of one to four numbers, as browsers read it: ``0x7f.1`` is 127.0.0.1.

    The last number fills all bytes that are left.
    """
    numbers = [_number(part) for part in host.split(".")]
    *leading, last = numbers
    if len(leading) > 3 or any(number > 255 for number in leading):
        raise ValueError(f"{host} is not an address")
    if last >= 256 ** (4 - len(leading)):
        raise ValueError(f"{host} is not an address")
    high = sum(number << 8 * (3 - place) for place, number in enumerate(leading))
    return IPv4Address(high + last)


def _number(written: str) -> int:
    """Decimal, octal with a leading 0, or hexadecimal with a leading 0x."""
    if not _NUMBER.fullmatch(written):
        raise ValueError(f"{written!r} is not a number of an address")
    if written.startswith("0x"):
        return int(written[2:] or "0", 16)
    return int(written, 8 if written.startswith("0") else 10)
