"""Fetches through a guard: what was checked is what is dialled, and nothing else is reached."""

from __future__ import annotations

import asyncio
import ssl
from ipaddress import ip_network
from pathlib import Path

import pytest

from guarding import PUBLIC, Names, guard_of, public_website
from pagesight.crawl import Crawl, CrawlOptions, Outcome
from pagesight.errors import AddressRefused, FetchFailed
from pagesight.sources import HOME_NETWORKS, Guard, Limits, Source, fetching, load
from serving import Answer, doorkeeper, nobody, website

PAGE = "<!doctype html><title>Tea</title><p>Good morning"


def addresses(guard: Guard, host: str, port: int = 80) -> tuple[str, ...]:
    return asyncio.run(guard.addresses(host, port))


def fetched(url: str, guard: Guard) -> Source:
    return load(url, limits=Limits(guard=guard))


# What is dialled


def test_a_name_is_looked_up_once_and_what_was_checked_is_dialled() -> None:
    guard = guard_of(tea=[[PUBLIC], ["127.0.0.1"]])  # another answer the next time: rebinding
    with public_website({"/a?b=%2F": PAGE}) as server:
        port = server.host.rpartition(":")[2]
        url = f"http://tea.example:{port}/a?b=%2F"
        source = fetched(url, guard)
        assert (source.url, source.text) == (url, PAGE)
        assert server.hosts == {f"tea.example:{port}"}
        with pytest.raises(AddressRefused, match=r"leads to 127\.0\.0\.1, an address of"):
            fetched(url, guard)
    assert server.asked == ["/a?b=%2F"]
    assert isinstance(guard.resolver, Names)
    assert guard.resolver.asked == ["tea.example"] * 2


def test_the_next_address_is_tried_if_one_takes_no_connection() -> None:
    guard = Guard(
        allow=(ip_network("127.0.0.0/8"),), resolver=Names({"tea.example": [["127.0.0.3", PUBLIC]]})
    )
    with public_website({"/": PAGE}) as server:
        assert fetched(server().replace(PUBLIC, "tea.example"), guard).text == PAGE
    with pytest.raises(FetchFailed, match="refused the connection"):
        fetched(nobody().replace("127.0.0.1", "tea.example"), guard)


def test_every_answer_is_checked() -> None:
    guard = guard_of(tea=[["8.8.8.8", "2606:4700::1111", "10.0.0.1"]], cup=[["8.8.8.8"] * 2])
    with pytest.raises(AddressRefused, match=r"tea\.example leads to 10\.0\.0\.1, an address of a"):
        addresses(guard, "tea.example")
    assert addresses(guard, "CUP.example.") == ("8.8.8.8",)


def test_a_name_without_an_address() -> None:
    guard = guard_of(tea=[[]])
    for url in ("http://tea.example/", "http://cup.example/"):
        with pytest.raises(FetchFailed, match="no server of that name"):
            fetched(url, guard)


def test_the_guard_is_known_to_what_was_fetched() -> None:
    guard = guard_of()
    with public_website({"/": PAGE}) as server:
        assert fetched(server(), guard).guard is guard
        assert load(server()).guard is None


# What is refused


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "tea.localhost", "2130706433", "0x7f.1", "0177.1", "127.1",
     "127.0.0.1.", "127。0。0。1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
     "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0.0.0.0", "[::]"],
)  # fmt: skip
def test_no_spelling_of_this_machine_is_reached(host: str) -> None:
    with doorkeeper() as (place, visitors):
        port = place.rpartition(":")[2]
        with pytest.raises(AddressRefused):
            fetched(f"http://{host}:{port}/", Guard())
    assert visitors == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_checked_again(status: int) -> None:
    with doorkeeper() as (place, visitors):
        answer = Answer(status=status, headers={"Location": f"http://{place}/"})
        with public_website({"/": answer}) as server, pytest.raises(AddressRefused) as refusal:
            fetched(server(), guard_of())
    assert visitors == []
    assert refusal.value.kind == "address_refused"
    assert str(refusal.value) == f"{server()}: 127.0.0.1 is an address of this machine"
    assert "--public-only" in (refusal.value.hint or "")


def test_without_a_guard_the_same_redirect_arrives() -> None:
    with website({"/": PAGE}) as inside, public_website() as server:
        server.pages["/"] = Answer(redirect=inside())
        assert load(server()).text == PAGE
    assert inside.asked == ["/"]


@pytest.mark.parametrize(
    ("port", "is_open"),
    [(80, True), (443, True), (8080, True), (22, False), (25, False), (1023, False), (0, False),
     (65536, False)],
)  # fmt: skip
def test_ports_of_web_pages(port: int, is_open: bool) -> None:
    if is_open:
        assert addresses(Guard(), "8.8.8.8", port) == ("8.8.8.8",)
    else:
        with pytest.raises(AddressRefused, match=f"port {port} of 8.8.8.8"):
            addresses(Guard(), "8.8.8.8", port)


def test_home_networks_may_be_opened() -> None:
    guard = Guard(allow=HOME_NETWORKS)
    for host in ("192.168.178.1", "10.0.0.8", "[fd12::1]", "[::ffff:192.168.178.1]"):
        assert addresses(guard, host)
        with pytest.raises(AddressRefused):
            addresses(Guard(), host)
    for host in ("127.0.0.1", "localhost", "169.254.169.254", "100.64.0.1", "[fe80::1]"):
        with pytest.raises(AddressRefused):
            addresses(guard, host)


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_proxies_of_the_environment_are_not_used(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with doorkeeper() as (place, visitors), public_website({"/": PAGE}) as server:
        monkeypatch.setenv(name, f"http://{place}")
        assert fetched(server(), guard_of()).text == PAGE
        assert visitors == []


def test_a_crawl_goes_where_the_guard_lets_it(tmp_path: Path) -> None:
    with doorkeeper() as (place, visitors):
        links = f"<a href='http://{place}/inside'>in</a><a href='/away'>away</a>"
        pages: dict[str, Answer | bytes | str] = {
            "/": f"<!doctype html><html><head><title>t</title></head><body><h1>T</h1>{links}",
            "/away": Answer(redirect=f"http://{place}/away"),
        }
        with public_website(pages) as server:
            options = CrawlOptions(delay=0, limits=Limits(guard=guard_of()))
            with Crawl(tmp_path, options) as crawl:
                visits = {visit.url: visit for visit in crawl.run([server()])}
    assert visitors == []
    refused = {url: visit.error for url, visit in visits.items() if visit.error}
    assert set(refused) == {f"http://{place}/inside", server("/away")}
    assert {error["kind"] for error in refused.values() if error} == {"address_refused"}
    assert visits[server()].outcome is not Outcome.FAILED
    journal = (tmp_path / "outlines/crawl.jsonl").read_text()
    assert f'"robots": "{server.address}"' in journal
    assert f'"robots": "http://{place}"' not in journal  # so that the next crawl asks for it


# Secure connections


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context(cafile=str(certificate[0]))
    monkeypatch.setattr(fetching, "_trusted", lambda: context)


@pytest.mark.usefixtures("trusted")
def test_a_secure_server_sees_its_name_and_has_to_prove_it(
    certificate: tuple[Path, Path],
) -> None:
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    context.sni_callback = lambda _, name, __: names.append(name)
    with public_website({"/": PAGE}, secured=context) as server:
        guard = guard_of(tea=PUBLIC, cup=PUBLIC)
        port = server.host.rpartition(":")[2]
        assert fetched(f"https://tea.example:{port}/", guard).text == PAGE
        with pytest.raises(FetchFailed, match="certificate of the server is not valid"):
            fetched(f"https://cup.example:{port}/", guard)
    assert names == ["tea.example", "cup.example"]
    assert server.hosts == {f"tea.example:{port}"}
