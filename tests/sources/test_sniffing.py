from __future__ import annotations

import io
import json
import tarfile
import time
import zipfile
from contextlib import suppress

import pytest

from pagesight.errors import NotAPage
from pagesight.sources import PAGE_MAGIC, Kind
from pagesight.sources.sniffing import sniff

XHTML = (
    b'<?xml version="1.0" encoding="utf-8"?>\n'
    b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">\n'
    b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tea</title></head></html>'
)


def _zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "application/epub+zip" if name == "mimetype" else "x")
    return file.getvalue()


def _tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("page.html"))
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html><p>Tea",
        b"<html><body>",
        b"\n\n  <HTML>",
        b"<!-- saved --><html>",
        b"\xef\xbb\xbf<html>",
        b"\xef\xbb\xbf \n<p>tea",
        b" " * 100_000 + b"<p>tea",
        b"Good morning, <b>tea</b>?",
        b"A list:<ul><li>tea",
        b"</p>tea",
        b"<my-page>tea</my-page>",
        b"<?php echo 1 ?><div>",
        b"<!DOCTYPEhtml><html>",
        b'<?xml version="1.0"?><html><p>no namespace',
        b'<?xml version="1.0"><html xmlns="http://www.w3.org/1999/xhtml">',
        b'<svg xmlns="http://www.w3.org/2000/svg"></svg><p>tea',
        b"<html>\0\1\2 stray bytes",
        b"<title>All about %PDF- headers</title>",
        b"{{ template }}<p>",
        b"[1] <p>a footnote</p>",
        b"[[Wiki]] <p>",
        b"BMW <b>cars</b>",
        b"caf\xe9 <b>cr\xe8me</b>",
    ],
)
def test_html(data: bytes) -> None:
    assert sniff(data) is Kind.HTML


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_html_in_wide_characters(encoding: str) -> None:
    assert sniff("<!doctype html><title>お茶</title>".encode(encoding)) is Kind.HTML


def test_xhtml() -> None:
    assert sniff(XHTML) is Kind.XHTML
    assert sniff(b"\xef\xbb\xbf" + XHTML) is Kind.XHTML
    assert sniff(XHTML.decode().replace("utf-8", "utf-16").encode("utf-16")) is Kind.XHTML


@pytest.mark.parametrize(
    ("content_type", "kind"),
    [
        ("text/html", Kind.HTML),
        ("Text/HTML; charset=utf-8", Kind.HTML),
        ("application/xhtml+xml", Kind.XHTML),
        ("application/xml", Kind.XHTML),
        (None, Kind.XHTML),
    ],
)
def test_the_header_tells_html_from_xhtml(content_type: str | None, kind: Kind) -> None:
    assert sniff(XHTML, content_type) is kind


@pytest.mark.parametrize(
    "spoiled",
    [
        XHTML.replace(b"</title>", b""),
        XHTML.replace(b"Tea", b"Tea & cake"),
        XHTML.replace(b"Tea", b"Tea\xff"),
        XHTML.replace(b"utf-8", b"shift_jis"),
        XHTML.replace(b"utf-8", b"no-such-charset"),
        XHTML[:-5],
    ],
)
def test_xhtml_that_is_not_well_formed_is_html(spoiled: bytes) -> None:
    assert sniff(spoiled) is Kind.HTML
    assert sniff(spoiled, "application/xhtml+xml") is Kind.XHTML


def test_xhtml_knows_the_names_of_characters() -> None:
    assert sniff(XHTML.replace(b"Tea", b"Tea&nbsp;&eacute;")) is Kind.XHTML


def test_xhtml_needs_no_declaration_if_the_header_says_so() -> None:
    assert sniff(b"<html xmlns='http://www.w3.org/1999/xhtml'>") is Kind.HTML
    assert sniff(b"<html>", "application/xhtml+xml; charset=utf-8") is Kind.XHTML
    assert sniff(b"<p>tea", "application/xhtml+xml") is Kind.HTML


@pytest.mark.parametrize(
    "data",
    [b"%PDF-1.7\n", b"\xef\xbb\xbf%PDF-1.4", b"\r\nrubbish\0\n%PDF-1.4", b"\0" * 1019 + b"%PDF-"],
)
def test_pdf(data: bytes) -> None:
    assert sniff(data) is Kind.PDF


def test_pdf_must_begin_early() -> None:
    with pytest.raises(NotAPage, match="binary"):
        sniff(b"\x01" * 1024 + b"%PDF-1.4")


def test_a_saved_page() -> None:
    assert sniff(PAGE_MAGIC + b"\0\1\2") is Kind.PAGE


@pytest.mark.parametrize(
    "data",
    [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", "\ufeff \n".encode("utf-16-le")],
)
def test_empty(data: bytes) -> None:
    with pytest.raises(NotAPage, match="empty"):
        sniff(data)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
        (b"GIF89a\1\0", "a GIF picture"),
        (b"RIFF\1\2\3\4WEBPVP8 ", "a WebP picture"),
        (b"BM\x36\0\0\0", "a BMP picture"),
        (b"\0\0\1\0\1\0", "an icon"),
        (b"II*\0\x08", "a TIFF picture"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>\n<a/></svg>\n', "an SVG picture"),
        (b'<?xml version="1.0"?><svg>', "an SVG picture"),
        (b"<!DOCTYPE svg PUBLIC '' ''><svg>", "an SVG picture"),
        (b"\0\0\0 ftypavif", "an AVIF picture"),
        (b"\0\0\0 ftypisom", "an MP4 video"),
        (b"ID3\3\0", "an MP3 recording"),
        (b"\xff\xfb\x90\x44", "an MP3 recording"),
        (b"OggS\0\2", "an Ogg recording"),
        (b"RIFF\1\2\3\4WAVEfmt ", "a WAV recording"),
        (b"wOF2\0\1", "a WOFF2 font"),
        (b"\0\1\0\0\0\x10", "a TrueType font"),
        (_zip("page.html"), "a zip archive"),
        (_zip("[Content_Types].xml", "word/document.xml"), "a Word document"),
        (_zip("mimetype", "page.html"), "an EPUB book"),
        (_zip("META-INF/MANIFEST.MF"), "a Java archive"),
        (_zip(), "an empty zip archive"),
        (_zip("%PDF-1.4"), "a zip archive"),
        (_tar(), "a tar archive"),
        (b"7z\xbc\xaf\x27\x1c\0", "a 7z archive"),
        (b"Rar!\x1a\7\0", "a RAR archive"),
        (b"\xfd7zXZ\0", "an xz archive"),
        (b"\x28\xb5\x2f\xfd\0", "a zstd archive"),
        (b"BZh91AY&SY\0", "a bzip2 archive"),
        (b"\x7fELF\2\1", r"a program \(ELF\)"),
        (b"MZ\x90\0\3", r"a program \(Windows\)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
        (b"{\\rtf1 <b>", "an RTF document"),
        (b"bplist00\xd1", "a binary property list"),
        (b"WARC/1.0\r\n<html>", "a WARC archive"),
        (
            b"From: <Saved by a browser>\r\nContent-Type: multipart/related;\r\n\r\n<html>",
            "a web archive",
        ),
        (b'{"html": "<p>tea</p>"}', "JSON data"),
        (b'{"line": 1}\n{"line": 2}\n', "JSON data"),
        (b'[{"html": "<p>tea</p>"}]', "JSON data"),
        (b"[1, 2, 3]", "JSON data"),
        (b"{}", "JSON data"),
        (b"[" * 100_000, "JSON data|plain text"),
        (b'<?xml version="1.0"?><rss version="2.0">', "XML that is not XHTML"),
        (b'<rss version="2.0"><channel></channel></rss>\n', "XML that is not XHTML"),
        (b'<?xml version="1.0"?>\n<!-- a --><feed xmlns="x">', "XML that is not XHTML"),
        (b"Just words, 1 < 2.", "plain text"),
        (b"Mail from <jane@example.com>", "plain text"),
        (b"#include <stdio.h>\n", "plain text"),
        ("Tee für 3 €".encode(), "plain text"),
        ("Tee für 3 Pfund".encode("cp1252"), "plain text"),
        (("茶" * 30_000).encode(), "plain text"),
        (b"\xff" * 1000, "binary data"),
        (b"\x00" * 1000, "binary data"),
        (b"\x07\x01\x02<p>", "binary data"),
        (bytes(range(128, 256)) * 10, "binary data"),
    ],
)
def test_no_page(data: bytes, name: str) -> None:
    with pytest.raises(NotAPage, match=f"looks like {name}") as caught:
        sniff(data)
    assert "PDF" in str(caught.value.hint)


def test_json_beats_tags_only_where_it_is_json() -> None:
    with pytest.raises(NotAPage, match="JSON"):
        sniff(json.dumps([["<p>tea"], 1]).encode())


@pytest.mark.parametrize(
    "piece", [b"<!--", b"<?", b"<!doctype [", b"<a ", b"< ", b'{"', b"<!doctype x", b"[ "]
)
def test_hostile_beginnings_take_no_time(piece: bytes) -> None:
    started = time.process_time()
    with suppress(NotAPage):
        sniff(piece * 200_000)
    assert time.process_time() - started < 1
