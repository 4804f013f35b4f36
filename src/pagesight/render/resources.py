"""What a page from a file may load: its own files next to it, and nothing from the network.

A file's relative addresses lead to the files around it, as they do in a browser. An address that
begins with a slash needs a root folder, which the user names. Stylesheets, pictures and fonts may
be anywhere that a relative address leads to. A document in a frame becomes part of the page's text,
so it must be in the page's own folder (or below the root), or a page could show any file.
"""

from __future__ import annotations

import mimetypes
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pagesight.markup.nesting import limited, limited_styles
from pagesight.page import Note

# A made-up site that represents the page's folder. Its path is deep, so that addresses which climb
# with "../" differ from those that begin with a slash. It may begin with a number, so that the
# pages of one tab have different addresses, and none gets from memory what another one loaded.
DEPTH = 24
HOST = "page.invalid"  # RFC 2606: never resolves
_FOLDER = "/" + "-/" * DEPTH
_NUMBER = re.compile(r"^/?\d+/(?=-/)")
SITE = f"http://{HOST}/"
BASE = f"http://{HOST}{_FOLDER}page.html"


def numbered_base(number: int) -> str:
    """`BASE` for the page of that number."""
    return f"http://{HOST}/{number}{_FOLDER}page.html"


LARGEST = 20 * 1024 * 1024  # bytes of one file
_LIMITS = {"text/css": limited, "text/html": limited_styles}


@dataclass(frozen=True, slots=True)
class Resource:
    """The bytes of a stylesheet, picture, font or frame."""

    data: bytes
    media_type: str


@dataclass(slots=True)
class Loads:
    """What a page requested but did not get as it is; becomes notes of the Page."""

    blocked: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)  # stylesheets without their deepest rules

    def notes(self) -> tuple[Note, ...]:
        kinds = (("blocked", self.blocked), ("missing", self.missing), ("nested", self.nested))
        return tuple(Note(kind, min(urls), len(urls)) for kind, urls in kinds if urls)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The files that a page from `path` may load: none if there is neither path nor root."""

    path: Path | None
    root: Path | None

    def load(self, url: str, *, document: bool, loads: Loads) -> Resource | None:
        """The resource at an address, or None, which is recorded in `loads`."""
        path = self.find(url, document=document)
        try:
            if path is None or not _is_loadable(path.stat()):
                loads.blocked.add(readable(url))
                return None
            data = path.read_bytes()
        except (OSError, ValueError):
            loads.missing.add(readable(url))
            return None
        media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        if limit := _LIMITS.get(media_type):
            shallow = limit(data.decode("latin-1")).encode("latin-1")  # only ASCII is looked at
            if shallow != data:
                loads.nested.add(readable(url))
            data = shallow
        return Resource(data, media_type)

    def find(self, url: str, *, document: bool = False) -> Path | None:
        """The file that an address refers to, if the page may load it."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        if parts.hostname != HOST:
            return None
        climbed, rest = _climbed(unquote(parts.path))
        if "\0" in rest:
            return None
        if climbed is None:
            return self._below(self.root, rest)
        if self.path is None:
            return None
        folder = self.path.resolve().parent
        if document:
            return self._below(folder, rest) if climbed == 0 else None
        for _ in range(climbed):
            folder = folder.parent
        return folder / rest

    @staticmethod
    def _below(folder: Path | None, rest: str) -> Path | None:
        if folder is None:
            return None
        try:
            path = (folder / rest).resolve()
        except (OSError, RuntimeError):  # a loop of symbolic links
            return None
        return path if path.is_relative_to(folder.resolve()) else None


def _is_loadable(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST


def _climbed(path: str) -> tuple[int | None, str]:
    """How many folders an address climbs from the page's (None: from the root), and the rest."""
    depth = 0
    rest = _NUMBER.sub("", path).lstrip("/")
    while depth < DEPTH and rest.startswith("-/"):
        rest = rest[2:]
        depth += 1
    return (DEPTH - depth if depth else None), rest.lstrip("/")


def relative(url: str) -> str:
    """An address of the made-up site, relative to the page; any other address unchanged."""
    if not url.startswith(SITE):
        return url
    climbed, rest = _climbed(url.removeprefix(SITE))
    return f"/{rest}" if climbed is None else "../" * climbed + rest


def readable(url: str) -> str:
    """An address as it appears in a note."""
    return relative(url)[:500]
