"""Which addresses are public: against the standard library, and against a slow definition."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.lazy import table
from pagesight.sources.egress import addresses as module
from pagesight.sources.egress.addresses import (
    LOOPBACK,
    Address,
    addresses_in,
    canonical,
    meant,
    why_not_public,
)

NETWORKS = [ip_network(written) for written in table(module.__package__ or "", "networks.tsv")]
EMBEDDINGS = {
    "mapped": "::ffff:{0:x}:{1:x}",
    "translated": "::ffff:0:{0:x}:{1:x}",
    "compatible": "::{0:x}:{1:x}",
    "NAT64": "64:ff9b::{0:x}:{1:x}",
    "local NAT64": "64:ff9b:1::{0:x}:{1:x}",
    "6to4": "2002:{0:x}:{1:x}::1",
    "Teredo server": "2001:0:{0:x}:{1:x}:0:0:1:1",
}


def _edges(version: int) -> list[int]:
    """The first and last address of each network, and their neighbours."""
    first = [int(net.network_address) for net in NETWORKS if net.version == version]
    last = [int(net.broadcast_address) for net in NETWORKS if net.version == version]
    top = 2 ** (32 if version == 4 else 128)
    near = {edge + step for edge in [*first, *last] for step in (-1, 0, 1)}
    return sorted(edge for edge in near if 0 <= edge < top)


ipv4 = (st.integers(0, 2**32 - 1) | st.sampled_from(_edges(4))).map(IPv4Address)
ipv6 = (
    st.integers(0, 2**128 - 1)
    | st.integers(0x2000 << 112, (0x4000 << 112) - 1)  # what has been given out
    | st.sampled_from(_edges(6))
).map(IPv6Address)


def embedded(address: IPv4Address, how: str) -> IPv6Address:
    return IPv6Address(EMBEDDINGS[how].format(int(address) >> 16, int(address) & 0xFFFF))


# The slow definition: byte by byte, as the registries of IANA have it.


def slow_ipv4(a: int, b: int, c: int, _: int) -> bool:
    if a in (0, 10, 127) or a >= 224:
        return False
    if (a == 100 and 64 <= b <= 127) or (a == 172 and 16 <= b <= 31):
        return False
    if (a, b) in ((169, 254), (192, 168), (198, 18), (198, 19)):
        return False
    examples = ((192, 0, 2), (198, 51, 100), (203, 0, 113))
    return (a, b, c) not in (*examples, (192, 0, 0), (192, 88, 99))


def slow_ipv6(data: bytes) -> bool:
    if data[:12] in (bytes(10) + b"\xff\xff", bytes.fromhex("0064ff9b") + bytes(8)):
        return slow_ipv4(*data[12:])
    if not 0x20 <= data[0] <= 0x3F:
        return False
    first, second = data[:2].hex(), int.from_bytes(data[2:4])
    if first == "2001":
        return second >= 0x0200 and second != 0x0DB8
    return first != "2002" and not (first == "3fff" and second <= 0x0FFF)


@given(ipv4)
def test_ipv4_is_as_the_slow_definition_says(address: IPv4Address) -> None:
    assert (why_not_public(address) is None) is slow_ipv4(*address.packed)


@given(ipv6 | st.builds(embedded, ipv4, st.sampled_from(sorted(EMBEDDINGS))))
def test_ipv6_is_as_the_slow_definition_says(address: IPv6Address) -> None:
    assert (why_not_public(address) is None) is slow_ipv6(address.packed)


# The standard library. It differs by version: newer ones know more that is not public.
NOT_KNOWN_THERE = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20"))
)


@given(ipv4 | ipv6)
def test_what_is_public_is_global_in_the_standard_library(address: Address) -> None:
    if why_not_public(address) is None:
        assert meant(address).is_global
        assert not meant(address).is_multicast


@given(ipv4 | ipv6)
def test_what_is_global_in_the_standard_library_is_public(address: Address) -> None:
    special = address.is_multicast or address.is_reserved or meant(address) != address
    if isinstance(address, IPv6Address):
        special |= address.is_site_local or not 0x20 <= address.packed[0] <= 0x3F
    if address.is_global and not special and not any(address in net for net in NOT_KNOWN_THERE):
        assert why_not_public(address) is None


@given(ipv4, st.sampled_from(sorted(EMBEDDINGS)))
def test_no_form_of_ipv6_makes_an_address_public(address: IPv4Address, how: str) -> None:
    if why_not_public(address):
        assert why_not_public(embedded(address, how))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1", "this machine"),
        ("0.0.0.0", "this machine"),
        ("::", "this machine"),
        ("::1", "this machine"),
        ("::ffff:127.0.0.1", "this machine"),
        ("10.1.2.3", "a private network"),
        ("192.168.178.1", "a private network"),
        ("172.31.255.255", "a private network"),
        ("64:ff9b::c0a8:101", "a private network"),
        ("fd12::1", "a private network"),
        ("100.100.100.200", "a provider's network"),
        ("169.254.169.254", "the nearest network"),
        ("fe80::1", "the nearest network"),
        ("224.0.0.251", "many receivers"),
        ("ff02::1", "many receivers"),
        ("255.255.255.255", "reserved"),
        ("fec0::1", "reserved"),
        ("2002:7f00:1::", "tunnel"),
        ("2001:0:53aa:64c::", "tunnel"),
        ("203.0.113.9", "examples"),
    ],
)
def test_what_an_address_is(address: str, words: str) -> None:
    assert words in (why_not_public(ip_address(address)) or "public")


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"]
)
def test_public_addresses(address: str) -> None:
    assert why_not_public(ip_address(address)) is None


# Spellings

WIDE = str.maketrans("0123456789.", "０１２３４５６７８９。")
BASES = ("{}", "0{:o}", "0x{:x}", "0X{:X}", "0x000{:x}")


@st.composite
def spelled(draw: st.DrawFn) -> tuple[IPv4Address, str]:
    """An address, and a way to write it in one to four numbers."""
    address = draw(ipv4)
    leading = draw(st.integers(0, 3))
    rest = int.from_bytes(address.packed[leading:])
    numbers = [*address.packed[:leading], rest]
    return address, ".".join(draw(st.sampled_from(BASES)).format(number) for number in numbers)


@given(spelled())
def test_an_address_is_known_however_it_is_written(written: tuple[IPv4Address, str]) -> None:
    address, spelling = written
    assert socket.inet_aton(spelling) == address.packed
    for form in (spelling, f"{spelling}.", spelling.upper(), spelling.translate(WIDE)):
        assert addresses_in(canonical(form)) == (address,)


@given(ipv6)
def test_an_ipv6_address_is_known_however_it_is_written(address: IPv6Address) -> None:
    for form in (str(address), f"[{address}]", address.exploded.upper()):
        assert addresses_in(canonical(form)) == (address,)


@pytest.mark.parametrize(
    "name",
    ["localhost", "LOCALHOST.", "a.b.localhost", "localhost.localdomain", "ip6-localhost",
     "ｌocalhost"],
)  # fmt: skip
def test_names_of_this_machine(name: str) -> None:
    assert addresses_in(canonical(name)) == LOOPBACK


@pytest.mark.parametrize("name", ["tea.example", "localhost.tea.example", "127.0.0.1.tea.example"])
def test_other_names_state_no_address(name: str) -> None:
    assert addresses_in(canonical(name)) == ()


@pytest.mark.parametrize(
    "host", ["256.1.1.1", "1.2.3.4.5", "09.1.1.1", "1..1", "tea.1", "4294967296", "1:2", "9" * 5000]
)
def test_what_is_neither_a_name_nor_an_address(host: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        addresses_in(host)
