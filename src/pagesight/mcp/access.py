"""What may be read: files below some folders, and addresses.

Where addresses lead is decided when they are fetched, by a `pagesight.sources.Guard`.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from pagesight.errors import NotAllowed, WrongArguments
from pagesight.mcp.settings import Settings
from pagesight.sources.source import is_address, is_file_address, login_of

_DOUBTFUL = re.compile(r"[\\\s\x00-\x1f\x7f]")  # which programs read in different ways


class Access:
    """Decides about sources."""

    def __init__(self, settings: Settings) -> None:
        self.folders = tuple(Path(folder).resolve() for folder in settings.folders)
        self.addresses = settings.addresses

    def checked(self, source: str) -> str:
        """The source as it is to be loaded; raises `NotAllowed` if it must not be."""
        written = source.strip()
        if written in ("", "-"):
            raise WrongArguments("a source is an http(s) address, or the path of a file")
        return self._address(written) if is_address(written) else self._file(written)

    def _address(self, address: str) -> str:
        if not self.addresses:
            raise NotAllowed("this server reads no addresses", source=address)
        if _DOUBTFUL.search(address):
            raise WrongArguments("this is not an address as it has to be written")
        if login_of(address):
            raise NotAllowed("an address with a password is not read", source="an address")
        try:
            parts = urlsplit(address)
            _ = parts.port, (parts.hostname or "").encode("idna")
        except ValueError as error:
            raise WrongArguments("this is not an address that can be fetched") from error
        return address

    def _file(self, written: str) -> str:
        path = _path_of(written)
        try:
            places = [(folder / path).resolve() for folder in self.folders]  # absolute ones stay
            allowed = [place for place in places if any(map(place.is_relative_to, self.folders))]
            found = [place for place in allowed if place.exists()]
        except (OSError, ValueError, RuntimeError) as error:  # a NUL, or links in a circle
            raise WrongArguments("this is not the path of a file") from error
        if not allowed:
            raise NotAllowed(
                "this file is not below a folder that may be read",
                source=written,
                hint="start the server with --files FOLDER to read what is below it",
            )
        return str((found or allowed)[0])


def _path_of(written: str) -> str:
    if not is_file_address(written):
        return written
    from w3lib.url import file_uri_to_path

    return file_uri_to_path(written)
