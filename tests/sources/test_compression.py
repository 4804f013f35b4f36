from __future__ import annotations

import gzip
import tracemalloc

import pytest

from pagesight.errors import NotAPage, SourceTooLarge
from pagesight.sources import Limits, load
from pagesight.sources.loading import decompress

PAGE = b"<!doctype html><title>Tea</title>" + b"<p>Good morning" * 1000
ENOUGH = 10**6


def test_other_data_stays_as_it_is() -> None:
    assert decompress(PAGE, ENOUGH) == PAGE


def test_gzip() -> None:
    assert decompress(gzip.compress(PAGE), ENOUGH) == PAGE


def test_several_members() -> None:
    assert decompress(gzip.compress(b"<p>") + gzip.compress(b"tea"), ENOUGH) == b"<p>tea"


def test_gzip_in_gzip() -> None:
    assert decompress(gzip.compress(gzip.compress(PAGE)), ENOUGH) == PAGE


def test_gzip_in_gzip_in_gzip_is_an_archive() -> None:
    nested = gzip.compress(gzip.compress(gzip.compress(PAGE)))
    with pytest.raises(NotAPage, match="a gzip archive"):
        load(nested)


def test_a_bomb_goes_off_within_the_limit() -> None:
    a_gigabyte = gzip.compress(bytes(64 << 20)) * 16
    tracemalloc.start()
    try:
        with pytest.raises(SourceTooLarge, match="2 MiB"):
            load(a_gigabyte, limits=Limits(max_size=2 << 20))
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_a_truncated_page_is_read_as_far_as_it_goes() -> None:
    data = gzip.compress(bytes(range(32, 127)).join([PAGE[:40]] * 50), compresslevel=0)
    page = load(data[:-500])
    assert page.text.startswith("<!doctype html>")
    assert 0 < len(page.data) < 50 * 135


def test_trailing_rubbish_is_ignored() -> None:
    assert decompress(gzip.compress(PAGE) + b"rubbish", ENOUGH) == PAGE


def test_a_wrong_checksum_is_ignored() -> None:
    data = bytearray(gzip.compress(PAGE))
    data[-8] ^= 0xFF
    assert decompress(bytes(data), ENOUGH) == PAGE


@pytest.mark.parametrize("size", [3, 10, 15])
def test_nothing_but_a_header(size: int) -> None:
    with pytest.raises(NotAPage, match="damaged gzip"):
        load(gzip.compress(PAGE)[:size])


def test_damaged_data() -> None:
    with pytest.raises(NotAPage, match="damaged gzip"):
        load(gzip.compress(PAGE)[:10] + b"\xff" * 100)


def test_a_picture_within() -> None:
    with pytest.raises(NotAPage, match="a PNG picture"):
        load(gzip.compress(b"\x89PNG\r\n\x1a\n\0\0"))
