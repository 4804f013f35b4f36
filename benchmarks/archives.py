"""Web archives of our own making: for benchmarks, and for tests that break them."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

DATE = "2026-01-02T03:04:05Z"
PAGE = """<!doctype html><html lang="en"><head><title>Tea house {number}</title></head><body>
<h1>The tea house number {number} by the river</h1><p>What happens in the house, told every morning
by whoever is first to open the shutters, light the stove and fill the kettles.</p><h2>Hours</h2>
<p>We open at eight and close when the last guest leaves.</p></body></html>"""


def record(
    number: int,
    block: bytes,
    *,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    length: int | str | None = None,
    more: str = "",
) -> bytes:
    """A record of a WARC file, with a length of its own if one is given."""
    stated = len(block) if length is None else length
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:012}>\r\n"
        f"WARC-Target-URI: https://tea.example/{number}\r\nWARC-Date: {DATE}\r\n"
        f"WARC-Payload-Digest: sha1:TEA{number}\r\nContent-Type: {content_type}\r\n"
        f"{more}Content-Length: {stated}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(
    body: bytes,
    *,
    status: str = "200 OK",
    content_type: str = "text/html; charset=utf-8",
    more: str = "",
) -> bytes:
    """What a server sent."""
    return f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{more}\r\n".encode() + body


def page(number: int) -> bytes:
    """A small page."""
    return PAGE.format(number=number).encode()


def page_record(number: int) -> bytes:
    """A record with a small page."""
    return record(number, answer(page(number)))


def write_archive(path: Path, records: Iterable[bytes]) -> Path:
    """Write records, each compressed if the name of the file says so."""
    is_gzip = path.name.endswith(".gz")
    with path.open("wb") as file:
        file.writelines(gzip.compress(one, 6, mtime=0) if is_gzip else one for one in records)
    return path
