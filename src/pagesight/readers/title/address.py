"""The address of a page as words: host, path, document name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pagesight.readers.title.text import plain

if TYPE_CHECKING:
    from tldextract import TLDExtract

_ENDING = re.compile(r"\.(?:[a-z]{3,4}\d?|md|js)$", re.IGNORECASE)  # .html, .php5, not .0
_NO_NAME = frozenset({"index", "default", "home", "main", "start", "welcome"})
_NUMBERS = re.compile(r"[\d\W_]*")
_WRAPPING = re.compile(r"^[^?#]*/(?=https?://)", re.IGNORECASE)  # an archive, before what it keeps
LONGEST = 4000  # characters; pages may give themselves any address


def registered_domain(host: str) -> str:
    """The part of a host name that was registered: ``www.shop.co.uk`` is ``shop.co.uk``.

    A name without a public suffix (``www.shop.example``) is cut to its last two labels.
    """
    name = host.lower().strip(".")
    labels = name.split(".")
    if len(labels) < 3 or labels[-1].isdigit():  # nothing to cut, or an IP address
        return name
    return _public_suffixes()(name).top_domain_under_public_suffix or ".".join(labels[-2:])


@cache
def _public_suffixes() -> TLDExtract:
    """The Public Suffix List in the package, never from the network and never written anywhere."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


@dataclass(frozen=True)
class PageAddress:
    """An address taken apart; of a page without one, all parts are empty."""

    url: str | None

    @cached_property
    def _parts(self) -> tuple[str, str]:
        try:
            split = urlsplit(_WRAPPING.sub("", (self.url or "")[:LONGEST].strip()))
            return (split.hostname or "").lower(), unquote(split.path)
        except ValueError:  # e.g. "http://["
            return "", ""

    @cached_property
    def host(self) -> str:
        """The host name without ``www.``."""
        return self._parts[0].removeprefix("www.")

    @cached_property
    def folders(self) -> list[str]:
        """The parts of the path before the document name."""
        return self._steps[:-1]

    @cached_property
    def document(self) -> str:
        """The last part of the path, without its ending."""
        return self._steps[-1] if self._steps else ""

    @cached_property
    def _steps(self) -> list[str]:
        steps = [step for step in self._parts[1].split("/") if step]
        return [*steps[:-1], _ENDING.sub("", steps[-1])] if steps else []

    @cached_property
    def brand(self) -> str:
        """The name in the host: ``shop`` of ``www.shop.co.uk``."""
        return plain(registered_domain(self.host).partition(".")[0]).replace(" ", "")

    @cached_property
    def slug(self) -> str:
        """The words by which the path names the page, the last part that has any."""
        for step in reversed(self._steps):
            words = plain(step)
            if not _NUMBERS.fullmatch(words) and words not in _NO_NAME:
                return words
        return ""

    @property
    def is_root(self) -> bool:
        """Whether it is the address of a whole site."""
        return bool(self.host) and not self.slug
