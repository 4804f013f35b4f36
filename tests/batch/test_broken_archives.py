"""Broken web archives: at most the broken records are lost, and they are named."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import zstandard

from archives import answer, page, page_record, record
from pagesight.batch.inputs import specs_of
from pagesight.batch.items import InputOptions
from pagesight.errors import SourceError

Errors = list[tuple[int | None, str]]  # numbers of records, and kinds of errors
COUNT = 6
BAD = 2  # the record that something is wrong with
OPTIONS = InputOptions(max_size=1 << 20)


@dataclass(frozen=True)
class Seen:
    """What an archive gives: addresses of pages that can be loaded, and errors by address."""

    sound: list[int]
    errors: Errors


def seen(path: Path) -> Seen:
    sound, errors = [], []
    (spec,) = specs_of(path)
    for item in spec.open(OPTIONS, Path()).items():
        target = item.identity.target
        number = int(target.rpartition("/")[2]) if target else None
        try:
            content = item.request().source
        except SourceError as error:
            errors.append((number, error.kind))
            continue
        assert number is not None
        assert content == page(number)
        sound.append(number)
    return Seen(sound, errors)


def records(**replaced: bytes) -> list[bytes]:
    return [replaced.get(f"r{number}", page_record(number)) for number in range(COUNT)]


def zipped(pieces: list[bytes]) -> list[bytes]:
    return [gzip.compress(piece, mtime=0) for piece in pieces]


def damaged(data: bytes, at: float = 0.5) -> bytes:
    """With wrong bytes in the middle."""
    place = int(len(data) * at)
    return data[:place] + bytes(255 - byte for byte in data[place : place + 8]) + data[place + 8 :]


def block(number: int = BAD) -> bytes:
    return answer(page(number))


def wrong_length(length: int | str) -> bytes:
    return record(BAD, block(), length=length)


def encoded(body: bytes, header: str) -> bytes:
    """All records, of which one is encoded as it says, or not."""
    return joined(records(r2=record(BAD, answer(body, more=f"{header}\r\n"))))


def joined(pieces: list[bytes]) -> bytes:
    return b"".join(pieces)


def with_bad(pieces: list[bytes], bad: bytes) -> bytes:
    return joined([*pieces[:BAD], bad, *pieces[BAD + 1 :]])


ALL = list(range(COUNT))
OTHERS = [number for number in range(COUNT) if number != BAD]
BROKEN: Errors = [(BAD, "broken_record")]
UNNAMED: Errors = [(None, "broken_record")]
LAST = COUNT - 1
BUT_LAST = list(range(LAST))

GZIP = zipped(records())
ZSTD = [zstandard.compress(piece) for piece in records()]

# What is written, the pages that are left, and what is told.
CASES: dict[str, tuple[str, Callable[[], bytes], list[int], Errors]] = {
    "plain, cut in the last record": (
        "a.warc", lambda: joined(records())[:-100], BUT_LAST, [(LAST, "broken_record")],
    ),
    "plain, cut in the headers of the last record": (
        "a.warc", lambda: joined(records()[:-1]) + page_record(LAST)[:60], BUT_LAST, UNNAMED,
    ),
    "plain, a length that is too small": (
        "a.warc", lambda: joined(records(r2=wrong_length(50))), OTHERS, BROKEN,
    ),
    "plain, a length that reaches into the next record": (
        "a.warc", lambda: joined(records(r2=wrong_length(len(block()) + 300))), OTHERS, BROKEN,
    ),
    "plain, a length beyond the end": (
        "a.warc", lambda: joined(records(r2=wrong_length(10**9))), OTHERS, BROKEN,
    ),
    "plain, a length that is not a number": (
        "a.warc", lambda: joined(records(r2=wrong_length("many"))), OTHERS, BROKEN,
    ),
    "plain, garbage between records": (
        "a.warc", lambda: joined(records(r2=b"neither tea nor cake " * 40)), OTHERS, UNNAMED,
    ),
    "plain, a record without its end": (
        "a.warc", lambda: joined(records(r2=page_record(BAD)[:400])), OTHERS, BROKEN,
    ),
    "gzip, broken in the middle": (
        "a.warc.gz", lambda: with_bad(GZIP, damaged(GZIP[BAD])), OTHERS, BROKEN,
    ),
    "gzip, a member without its end": (
        "a.warc.gz", lambda: with_bad(GZIP, GZIP[BAD][:-60]), OTHERS, BROKEN,
    ),
    "gzip, cut in the last member": (
        "a.warc.gz", lambda: joined(GZIP)[:-60], BUT_LAST, [(LAST, "broken_record")],
    ),
    "gzip, a wrong checksum": (
        "a.warc.gz",
        lambda: with_bad(GZIP, GZIP[BAD][:-8] + b"\0\0\0\1" + GZIP[BAD][-4:]), OTHERS, BROKEN,
    ),
    "gzip, garbage in the place of the first member": (
        "a.warc.gz", lambda: joined([b"neither tea nor cake", *GZIP[1:]]), ALL[1:], UNNAMED,
    ),
    "zstd, garbage in the place of the first frame": (
        "a.warc.zst", lambda: joined([b"neither tea nor cake", *ZSTD[1:]]), ALL[1:], UNNAMED,
    ),
    "gzip, garbage between members": (
        "a.warc.gz", lambda: with_bad(GZIP, b"neither tea nor cake " * 40), OTHERS, UNNAMED,
    ),
    "gzip, a length that is too large": (
        "a.warc.gz",
        lambda: with_bad(GZIP, gzip.compress(wrong_length(5000))), OTHERS, BROKEN,
    ),
    "gzip, a length that is too small": (
        "a.warc.gz", lambda: with_bad(GZIP, gzip.compress(wrong_length(10))), OTHERS, BROKEN,
    ),
    "gzip of the whole file, cut": (
        "a.warc.gz",
        lambda: gzip.compress(joined(records()), 0)[:-200], BUT_LAST, [(LAST, "broken_record")],
    ),
    "zstd, a frame without its end": (
        "a.warc.zst", lambda: with_bad(ZSTD, ZSTD[BAD][:-40]), OTHERS, UNNAMED,
    ),
    "says gzip, is not": (
        "a.warc", lambda: encoded(page(BAD), "Content-Encoding: gzip"), ALL, [],
    ),
    "says brotli, is damaged": (
        "a.warc", lambda: encoded(b"\x0b\x02tea" * 9, "Content-Encoding: br"), OTHERS, BROKEN,
    ),
    "says chunked, is not": (
        "a.warc", lambda: encoded(page(BAD), "Transfer-Encoding: chunked"), ALL, [],
    ),
    "chunks whose sizes are wrong": (
        "a.warc",
        lambda: encoded(b"10\r\nnot sixteen\r\nzz\r\n" + page(BAD), "Transfer-Encoding: chunked"),
        OTHERS, BROKEN,
    ),
    "deflate that is damaged": (
        "a.warc",
        lambda: encoded(zlib.compress(page(BAD))[:2] + b"\xff" * 40, "Content-Encoding: deflate"),
        OTHERS, BROKEN,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_at_most_the_broken_record_is_lost_and_it_is_named(name: str, tmp_path: Path) -> None:
    file, make, sound, errors = CASES[name]
    path = tmp_path / file
    path.write_bytes(make())
    assert seen(path) == Seen(sound, errors)


def test_there_are_enough_broken_archives() -> None:
    assert len(CASES) >= 19


@pytest.mark.parametrize("content", [b"", b"\r\n\r\n", b"\x1f\x8b", b"tea", b"\0" * 1000])
@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_what_is_not_an_archive_has_no_pages(content: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert seen(path).sound == []
