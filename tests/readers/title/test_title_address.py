from __future__ import annotations

import pytest

from pagesight.readers.title.address import PageAddress, registered_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.tea.example", "tea.example"),
        ("a.b.tea.co.uk", "tea.co.uk"),
        ("tea.uk", "tea.uk"),
        ("blog.tea.com.au", "tea.com.au"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_registered_domain(host: str, domain: str) -> None:
    assert registered_domain(host) == domain


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
