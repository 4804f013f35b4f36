"""What content that is no page looks like, to be told to the user in plain words."""

from __future__ import annotations

import re

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xff\xd8\xff", "a JPEG picture"),
    (0, b"GIF87a", "a GIF picture"),
    (0, b"GIF89a", "a GIF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"\0\0\1\0", "an icon"),
    (0, b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
    (0, b"8BPS\0", "a Photoshop picture"),
    (4, b"ftypavif", "an AVIF picture"),
    (4, b"ftypheic", "a HEIC picture"),
    (4, b"ftyp", "an MP4 video"),
    (0, b"\x1aE\xdf\xa3", "a WebM or Matroska video"),
    (8, b"AVI LIST", "an AVI video"),
    (0, b"FLV\1", "a Flash video"),
    (0, b"OggS\0", "an Ogg recording"),
    (0, b"fLaC\0", "a FLAC recording"),
    (8, b"WAVEfmt ", "a WAV recording"),
    (0, b"ID3\2", "an MP3 recording"),
    (0, b"ID3\3", "an MP3 recording"),
    (0, b"ID3\4", "an MP3 recording"),
    (0, b"\xff\xfb", "an MP3 recording"),
    (0, b"\xff\xf3", "an MP3 recording"),
    (0, b"wOFF\0", "a WOFF font"),
    (0, b"wOF2\0", "a WOFF2 font"),
    (0, b"OTTO\0", "an OpenType font"),
    (0, b"\0\1\0\0\0", "a TrueType font"),
    (0, b"PK\5\6", "an empty zip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\7", "a RAR archive"),
    (0, b"\xfd7zXZ\0", "an xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"\xcf\xfa\xed\xfe", "a program (Mach-O)"),
    (0, b"\xca\xfe\xba\xbe", "a program (Java class or Mach-O)"),
    (0, b"\0asm", "a WebAssembly module"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"bplist00", "a binary property list, perhaps a Safari web archive"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"%!PS", "a PostScript document"),
    (0, b"WARC/", "a WARC archive"),
)

# Two letters that a text may begin with as well: looked at only where there are control bytes.
_WEAK_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"BM", "a BMP picture"),
    (b"MZ", "a program (Windows)"),
)

_ZIP_CONTENTS: tuple[tuple[bytes, str], ...] = (
    (b"application/epub+zip", "an EPUB book"),
    (b"application/vnd.oasis", "an OpenDocument file"),
    (b"word/", "a Word document"),
    (b"xl/", "an Excel workbook"),
    (b"ppt/", "a PowerPoint presentation"),
    (b"META-INF/MANIFEST", "a Java archive"),
)

_BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")
_MAIL_HEADER = re.compile(rb"[A-Za-z-]+:[^\n]*\n")
_MULTIPART = re.compile(rb"\ncontent-type:\s*multipart/related", re.IGNORECASE)
_CONTROL = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def has_binary_bytes(head: bytes) -> bool:
    """Whether there are bytes that the MIME Sniffing Standard allows in no text."""
    return _CONTROL.search(head, 0, 1445) is not None


def known_format(head: bytes) -> str | None:
    """The name of the format that `head` begins, if it is a well-known one."""
    for offset, signature, name in _SIGNATURES:
        if head.startswith(signature, offset):
            return name
    return _zip(head) or _composite(head) or _weak(head)


def _zip(head: bytes) -> str | None:
    if not head.startswith(b"PK\3\4"):
        return None
    return next((name for part, name in _ZIP_CONTENTS if part in head[:8192]), "a zip archive")


def _composite(head: bytes) -> str | None:
    if _BZIP2.match(head):
        return "a bzip2 archive"
    if _MAIL_HEADER.match(head) and _MULTIPART.search(head, 0, 4096):
        return "a web archive (MHTML)"
    return None


def _weak(head: bytes) -> str | None:
    if not has_binary_bytes(head):
        return None
    return next((name for start, name in _WEAK_SIGNATURES if head.startswith(start)), None)
