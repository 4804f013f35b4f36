from __future__ import annotations

import subprocess
import sys

import pytest

from pagesight.readers.title import address
from pagesight.readers.title.address import PageAddress, registered_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.tea.example", "tea.example"),
        ("a.b.tea.co.uk", "tea.co.uk"),
        ("tea.uk", "tea.uk"),
        ("blog.tea.com.au", "tea.com.au"),
        ("www.tea.gv.at", "tea.gv.at"),
        ("tea.on.ca", "tea.on.ca"),
        ("shop.tea.co", "tea.co"),
        ("tea.github.io", "github.io"),
        ("a.co.uk", "a.co.uk"),
        ("www.gov.uk", "www.gov.uk"),
        ("co.uk", "co.uk"),
        ("WWW.Tea.CO.UK", "tea.co.uk"),
        ("wiki.intern", "wiki.intern"),
        ("a.wiki.intern", "wiki.intern"),
        ("::1", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_registered_domain(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


def test_the_public_suffixes_come_from_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("asked for")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    monkeypatch.setattr("os.makedirs", refuse)
    address._public_suffixes.cache_clear()
    assert registered_domain("www.tea.org.uk") == "tea.org.uk"


def test_a_name_of_two_labels_needs_no_list_of_suffixes() -> None:
    program = (
        f"import sys; from {registered_domain.__module__} import PageAddress\n"
        "assert PageAddress('https://www.tea.example/').brand == 'tea'\n"
        "print('tldextract' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert result.stdout.strip() == b"False"


def test_an_address_taken_apart() -> None:
    address = PageAddress("https://www.leaf-tea.co.uk/shop/green-tea/index.html?page=2#top")
    assert address.host == "leaf-tea.co.uk"
    assert address.folders == ["shop", "green-tea"]
    assert address.document == "index"
    assert address.slug == "green tea"
    assert address.brand == "leaftea"
    assert not address.is_root


@pytest.mark.parametrize("url", [None, "", "http://[", "no address"])
def test_what_is_no_address_has_no_host(url: str | None) -> None:
    assert PageAddress(url).host == ""
    assert not PageAddress(url).is_root


def test_the_front_page() -> None:
    assert PageAddress("https://leaf.example/").is_root
    assert PageAddress("https://leaf.example/index.html").is_root
    assert PageAddress("https://leaf.example/%E8%8C%B6").slug == "茶"
