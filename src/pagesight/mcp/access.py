"""What may be read: files below some folders, and addresses of the public web."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
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
        self.private = settings.private

    def checked(self, source: str) -> str:
        """The source as it is to be loaded; raises `NotAllowed` if it must not be."""
        written = source.strip()
        if written in ("", "-"):
            raise WrongArguments("a source is an http(s) address, or the path of a file")
        return self._address(written) if is_address(written) else self._file(written)

    def check_arrival(self, address: str | None) -> None:
        """Raise `NotAllowed` if an address has led to one that must not be read."""
        if address and is_address(address):
            self._address(address)

    def _address(self, address: str) -> str:
        if not self.addresses:
            raise NotAllowed("this server reads no addresses", source=address)
        if _DOUBTFUL.search(address):
            raise WrongArguments("this is not an address as it has to be written")
        if login_of(address):
            raise NotAllowed("an address with a password is not read", source="an address")
        if not self.private and any(not _is_public(ip) for ip in _numbers(address)):
            raise NotAllowed(
                "this address is not of the public web",
                source=address,
                hint="start the server with --allow-private to read it",
            )
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


def _numbers(address: str) -> Iterable[IPv4Address | IPv6Address]:
    """All that the name of a server stands for; nothing if nobody knows it, nor will the fetch."""
    try:
        parts = urlsplit(address)
        found = socket.getaddrinfo(parts.hostname or "", parts.port, type=socket.SOCK_STREAM)
    except ValueError as error:
        raise WrongArguments("this is not an address that can be fetched") from error
    except OSError:
        return []
    return {ip_address(str(place[0]).partition("%")[0]) for *_, place in found}


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner:
            return _is_public(inner)
    return ip.is_global and not ip.is_multicast
