"""What inputs give: archives, tables, lists and folders, from the beginning or from any place."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard

from archives import DATE, answer, page, page_record, record, write_archive
from pagesight.batch.inputs import InputSpec, specs_of
from pagesight.batch.inputs.http import decoded
from pagesight.batch.items import Input, InputOptions, Item
from pagesight.errors import (
    BatchError,
    BrokenRecord,
    RevisitRecord,
    SourceNotFound,
    SourceTooLarge,
)
from pagesight.sources import Kind, load

OPTIONS = InputOptions(max_size=1 << 20)
COUNT = 7


def opened(path: Path, options: InputOptions = OPTIONS) -> Input:
    (spec,) = specs_of(path)
    return spec.open(options, Path())


def items(path: Path) -> list[Item]:
    return [*opened(path).items()]


def wacz(path: Path, compression: int) -> None:
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/tea.warc.gz", zipped())


def zipped() -> bytes:
    return b"".join(gzip.compress(page_record(number)) for number in range(COUNT))


def with_dictionary() -> bytes:
    """A WARC file with the dictionary that its frames need, as some archives have it."""
    pages = [page_record(number) for number in range(COUNT)]
    known = zstandard.ZstdCompressionDict(b"".join(pages)[:2000])
    content = known.as_bytes()
    head = (0x184D2A5D).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    compressor = zstandard.ZstdCompressor(dict_data=known)
    return head + content + b"".join(compressor.compress(one) for one in pages)


def parquet(path: Path) -> None:
    pyarrow: Any = import_module("pyarrow")
    table = pyarrow.table({
        "html": [page(number) for number in range(COUNT)],
        "url": [f"https://tea.example/{number}" for number in range(COUNT)],
        "id": list(range(COUNT)),
    })  # fmt: skip
    import_module("pyarrow.parquet").write_table(table, path, row_group_size=3)


def lines() -> bytes:
    rows = [
        {"html": page(number).decode(), "url": f"https://tea.example/{number}"}
        for number in range(COUNT)
    ]
    return b"\n".join(json.dumps(row).encode() for row in rows)


def folder(path: Path) -> None:
    path.mkdir()
    for number in range(COUNT):
        (path / f"{number}.html").write_bytes(page(number))
    (path / "notes.txt").write_bytes(b"not a page")


MAKERS: dict[str, Callable[[Path], object]] = {
    "a.warc": lambda path: write_archive(path, map(page_record, range(COUNT))),
    "a.warc.gz": lambda path: path.write_bytes(zipped()),
    "whole.warc.gz": lambda path: path.write_bytes(
        gzip.compress(b"".join(map(page_record, range(COUNT))))
    ),
    "a.warc.zst": lambda path: path.write_bytes(
        b"".join(zstandard.compress(page_record(number)) for number in range(COUNT))
    ),
    "dictionary.warc.zst": lambda path: path.write_bytes(with_dictionary()),
    "a.wacz": lambda path: wacz(path, zipfile.ZIP_STORED),
    "deflated.wacz": lambda path: wacz(path, zipfile.ZIP_DEFLATED),
    "a.parquet": parquet,
    "a.jsonl": lambda path: path.write_bytes(lines()),
    "a.jsonl.gz": lambda path: path.write_bytes(gzip.compress(lines())),
    "a.jsonl.zst": lambda path: path.write_bytes(zstandard.compress(lines())),
    "folder": folder,
}


@pytest.mark.parametrize("name", MAKERS)
def test_all_pages_of_an_input_are_found(name: str, tmp_path: Path) -> None:
    MAKERS[name](tmp_path / name)
    found = items(tmp_path / name)
    assert [load(item.request()).data for item in found] == [page(n) for n in range(COUNT)]
    if name != "folder":
        assert [item.identity.target for item in found] == [
            f"https://tea.example/{n}" for n in range(COUNT)
        ]


@pytest.mark.parametrize("name", MAKERS)
def test_an_input_can_be_read_from_any_of_its_places(name: str, tmp_path: Path) -> None:
    MAKERS[name](tmp_path / name)
    identities = [item.identity for item in items(tmp_path / name)]
    for number, item in enumerate(items(tmp_path / name)):
        from_there = opened(tmp_path / name).items(item.place)
        assert [one.identity for one in from_there] == identities[number:]


def test_a_record_of_an_archive_has_its_identity(tmp_path: Path) -> None:
    (item,) = items(write_archive(tmp_path / "a.warc", [page_record(3)]))
    identity = item.identity
    assert identity.record_id == "<urn:uuid:000000000003>"
    assert (identity.target, identity.date) == ("https://tea.example/3", DATE)
    assert (identity.digest, identity.offset) == ("sha1:TEA3", 0)


def test_a_page_has_the_charset_and_the_type_of_its_header(tmp_path: Path) -> None:
    body = "<p>Grüner Tee mit Öl".encode("iso-8859-2")
    sent = answer(body, content_type="text/html; charset=ISO-8859-2")
    (item,) = items(write_archive(tmp_path / "a.warc", [record(1, sent)]))
    source = load(item.request())
    assert "Grüner Tee mit Öl" in source.text
    assert source.url == "https://tea.example/1"
    markup = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>tea</p></body></html>'
    xhtml = answer(markup, content_type="application/xhtml+xml")
    (item,) = items(write_archive(tmp_path / "b.warc", [record(1, xhtml)]))
    assert load(item.request()).kind is Kind.XHTML


def test_what_is_not_a_page_is_passed_over_and_counted(tmp_path: Path) -> None:
    records = [
        record(0, b"software: tea", kind="warcinfo", content_type="application/warc-fields"),
        record(1, b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        page_record(2),
        record(3, answer(b"GIF89a", content_type="image/gif")),
        record(4, answer(b"", status="301 Moved")),
        record(5, page(5), kind="resource", content_type="text/html"),
    ]
    archive = opened(write_archive(tmp_path / "a.warc.gz", records))
    found = [item.identity.target for item in archive.items()]
    assert found == ["https://tea.example/2", "https://tea.example/5"]
    assert archive.passed == {"warcinfo": 1, "request": 1, "image/gif": 1, "redirect": 1}


def test_a_revisit_is_named(tmp_path: Path) -> None:
    more = f"WARC-Refers-To-Target-URI: https://tea.example/1\r\nWARC-Refers-To-Date: {DATE}\r\n"
    again = record(2, b"HTTP/1.1 200 OK\r\n\r\n", kind="revisit", more=more)
    _, item = items(write_archive(tmp_path / "a.warc.gz", [page_record(1), again]))
    with pytest.raises(RevisitRecord, match=r"https://tea\.example/1 of 2026"):
        item.request()


def test_a_page_that_is_too_large_is_an_error_and_the_next_one_is_read(tmp_path: Path) -> None:
    large = record(0, answer(b"<p>" + b"tea " * (1 << 19)))
    first, second = items(write_archive(tmp_path / "a.warc.gz", [large, page_record(1)]))
    with pytest.raises(SourceTooLarge):
        first.request()
    assert second.request().source == page(1)


def chunked(data: bytes) -> bytes:
    pieces = [data[start : start + 100] for start in range(0, len(data), 100)]
    return b"".join(b"%x;note\r\n%s\r\n" % (len(one), one) for one in pieces) + b"0\r\n\r\n"


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress,
    "Deflate": raw_deflate, "br": brotli.compress, "zstd": zstandard.compress,
    "identity": bytes, "": bytes,
}  # fmt: skip


@pytest.mark.parametrize("transfer", ["", "chunked", "Chunked"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_answer_is_decoded(encoding: str, transfer: str, tmp_path: Path) -> None:
    body = ENCODINGS[encoding](page(1))
    body = chunked(body) if transfer else body
    headers = f"Content-Encoding: {encoding}\r\nTransfer-Encoding: {transfer}\r\n"
    records = [record(1, answer(body, more=headers)), page_record(2)]
    first, second = items(write_archive(tmp_path / "a.warc.gz", records))
    assert first.request().source == page(1)
    assert second.request().source == page(2)


def test_encodings_one_in_the_other_are_decoded() -> None:
    assert decoded(brotli.compress(gzip.compress(b"tea")), "", "gzip, br", 100) == b"tea"
    assert decoded(chunked(b"tea" * 99)[:-40], "chunked", "", 9999).startswith(b"tea" * 50)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_not_expanded(encoding: str) -> None:
    bomb = ENCODINGS[encoding](b"<p>" + bytes(1 << 24))
    with pytest.raises(SourceTooLarge):
        decoded(bomb, "", encoding, 1 << 16)


def test_an_encoding_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(BrokenRecord, match="not known: 'tea'"):
        decoded(b"x", "", "tea", 100)


def test_rows_of_a_table_that_are_wrong_are_errors_in_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"html": "<p>tea"}, {"html": 7}, {"tea": 1}, {"url": "https://tea.example/"}, [1]]
    path.write_bytes(b"\n\n".join(json.dumps(row).encode() for row in rows) + b"\n{\n")
    found = items(path)
    assert len(found) == 6
    assert found[0].request().source == b"<p>tea"
    assert found[3].request().source == "https://tea.example/"
    for item in (found[1], found[2], found[4], found[5]):
        with pytest.raises(BrokenRecord):
            item.request()


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"body": "<p>tea", "where": "https://tea.example/", "nr": 5}')
    options = InputOptions(html="body", address="where", identifier="nr")
    (item,) = opened(path, options).items()
    assert item.request().source == b"<p>tea"
    assert (item.identity.target, item.identity.record_id) == ("https://tea.example/", "5")


def test_a_table_without_a_column_of_pages_is_refused(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet")
    options = InputOptions(html="body", address="where")
    with pytest.raises(BrokenRecord, match="neither a column 'body' nor 'where'"):
        next(opened(tmp_path / "a.parquet", options).items())


def test_a_list_names_pages_as_for_other_commands(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text('{"source": "a.html", "url": "https://tea.example/a"}\nb.html\n{"tea": 1}\n')
    first, second, third = InputSpec(path=str(path), kind="manifest").open(OPTIONS, Path()).items()
    assert first.identity.target == "https://tea.example/a"
    assert second.identity.path == str(tmp_path / "b.html")
    with pytest.raises(Exception, match='no "source"'):
        third.request()


def test_a_folder_has_its_archives_and_its_pages(tmp_path: Path) -> None:
    folder(tmp_path / "all")
    write_archive(tmp_path / "all/tea.warc.gz", [page_record(1)])
    assert [spec.kind for spec in specs_of(tmp_path / "all")] == ["warc", "folder"]


def test_what_is_not_an_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        [*specs_of(tmp_path / "none.warc")]
    (tmp_path / "tea.txt").write_text("tea")
    with pytest.raises(BatchError, match="not an input"):
        [*specs_of(tmp_path / "tea.txt")]
    (tmp_path / "tea.wacz").write_text("tea")
    with pytest.raises(BrokenRecord, match="not a WACZ"):
        [*specs_of(tmp_path / "tea.wacz")]


def test_an_archive_may_be_gzip_in_one_piece_and_large(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as file:
        for number in range(300):
            file.write(page_record(number))
    (tmp_path / "a.warc.gz").write_bytes(buffer.getvalue())
    assert len(items(tmp_path / "a.warc.gz")) == 300
