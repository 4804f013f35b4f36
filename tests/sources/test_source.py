"""Requests, limits and logins: what is known before anything is loaded."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.errors import SourceError
from pagesight.sources import DEFAULT_LIMITS, PAGE_MAGIC, Kind, Limits, Request, Source, load
from pagesight.sources.source import (
    is_address,
    is_file_address,
    login_of,
    too_large,
    without_login,
)

SCHEMES = st.sampled_from(["http://", "https://", "HTTP://", "hTTpS://"])
WORDS = st.text("abcXYZ019._~-ü%", min_size=1, max_size=8)
BEGINNINGS = [
    b"", b" \n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"<", b"<html>", b"<!doctype html>",
    b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", b"%PDF-1.7\n", PAGE_MAGIC,
    PAGE_MAGIC + b"1.0\nz\n", b"\x1f\x8b\x08", b"\x1f\x8b\x08\0\0\0\0\0\0\3", b"PK\3\4", b"{\"a\":",
    b"<svg>", b"<meta charset=utf-16>", b"<meta charset='x-user-defined'>", b"\0<\0p\0>", b"GIF89a",
]  # fmt: skip
CONTENTS = st.builds(lambda start, rest: start + rest, st.sampled_from(BEGINNINGS), st.binary())


def outcome(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Source | SourceError:
    try:
        return load(data, limits=limits)
    except SourceError as error:
        return error


# Logins


@given(SCHEMES, WORDS, WORDS, WORDS)
def test_a_login_is_taken_out_and_understood(
    scheme: str, name: str, password: str, path: str
) -> None:
    address = f"{scheme}{quote(name)}:{quote(password)}@tea.example/{path}"
    assert without_login(address) == f"{scheme}tea.example/{path}"
    assert login_of(address) == (name, password)
    assert Request(source=address).name == without_login(address)


@given(SCHEMES, st.text("ab:?#/\\[]@ ", min_size=1, max_size=8))
def test_no_part_of_a_password_is_shown(scheme: str, password: str) -> None:
    """Even one that is not escaped, so that the address is not one."""
    shown = without_login(f"{scheme}me:SECRET{password}@tea.example/")
    assert "SECRET" not in shown


@pytest.mark.parametrize(
    "address",
    [
        "http://tea.example/a@b",
        "http://tea.example/?to=me@tea.example",
        "http://tea.example:81/@",
        "http://[::1]:81/a@b",
        "tea@tea.example",
        "me:secret@tea.html",
        "",
    ],
)
def test_an_at_sign_elsewhere_is_not_a_login(address: str) -> None:
    assert without_login(address) == address
    assert login_of(address) is None


def test_a_name_alone_is_a_login_with_an_empty_password() -> None:
    assert login_of("https://me@tea.example/") == ("me", "")


# Requests


@pytest.mark.parametrize(
    ("source", "address", "file"),
    [
        ("http://tea.example", True, False),
        ("HTTPS://tea.example", True, False),
        ("file:///tea.html", False, True),
        ("FILE:tea.html", False, True),
        ("ftp://tea.example", False, False),
        ("tea.html", False, False),
        ("https:tea.html", False, False),
        ("", False, False),
    ],
)
def test_what_is_an_address(source: str, address: bool, file: bool) -> None:
    assert is_address(source) is address
    assert is_file_address(source) is file


def test_how_a_request_is_named() -> None:
    assert Request(source=b"<p>").name == "<bytes>"
    assert Request(source="-").name == "-"
    assert Request(source=Path("a/tea.html")).name == str(Path("a/tea.html"))


# Limits


@pytest.mark.parametrize(
    ("size", "written"),
    [(20 << 20, "20 MiB"), (1536, "1.5 KiB"), (1 << 30, "1024 MiB"), (1023, "1023 bytes"),
     (5_000_000, "4.768 MiB"), (1, "1 bytes")],
)  # fmt: skip
def test_a_limit_is_named_in_a_unit_that_is_read_easily(size: int, written: str) -> None:
    error = too_large(size)
    assert error.message == f"more than the limit of {written}"
    assert error.hint is not None
    assert "--max-size" in error.hint


@given(CONTENTS, st.integers(0, 200))
def test_no_content_is_larger_than_the_limit(data: bytes, limit: int) -> None:
    source = outcome(data, Limits(max_size=limit))
    if isinstance(source, Source):
        assert len(source.data) <= limit


# Any content


@given(CONTENTS)
def test_any_content_is_a_source_or_a_typed_error(data: bytes) -> None:
    source = outcome(data)
    if isinstance(source, SourceError):
        assert source.message
        assert source.source == "<bytes>"
    elif source.kind.is_markup:
        source.text.encode("utf-8", "surrogatepass")
        assert "\0" not in source.text


@given(CONTENTS)
def test_loading_is_repeatable(data: bytes) -> None:
    one, other = outcome(data), outcome(data)
    assert repr(one) == repr(other)
    assert one == other or isinstance(one, SourceError)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff")))
def test_declared_utf_8_is_read_back(text: str) -> None:
    markup = f"<!doctype html><meta charset=utf-8><p>{text}"
    assert load(markup.encode()).text == markup


def test_a_saved_page_is_known_by_its_first_bytes_alone() -> None:
    source = load(PAGE_MAGIC + b"rubbish")
    assert source.kind is Kind.PAGE
    with pytest.raises(TypeError, match="a source of kind 'page' has no text"):
        _ = source.text


def test_the_encoding_is_decided_once() -> None:
    source = load(b"<meta charset=koi8-r><p>\xfe")
    assert source.encoding == source.encoding == "koi8-r"
    assert source.text is source.text


def test_the_header_counts_for_a_source() -> None:
    data = b"<meta charset=koi8-r><p>\xe4"
    source = Source(name="x", data=data, kind=Kind.HTML, declared_encoding="iso-8859-1")
    assert source.encoding == "cp1252"
    assert source.text.endswith("ä")
