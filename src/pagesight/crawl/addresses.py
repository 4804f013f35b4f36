"""Addresses: which are the same, which site they belong to, and which a page leads to."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from collections.abc import Iterator
from urllib.parse import urldefrag, urlsplit

from selectolax.lexbor import LexborHTMLParser
from w3lib.url import canonicalize_url, safe_url_string

from pagesight.page.head import join

_PAGES = (None, "text/html", "application/xhtml+xml")
_TYPES = mimetypes.MimeTypes()  # the same on every machine
_PORTS = {"http": 80, "https": 443}
_LONGEST = 2000  # characters; longer ones are traps
_LONGEST_SLUG = 40


def cleaned(address: str) -> str | None:
    """An address as it is asked for, without its fragment; None if it is not of the web."""
    try:
        bare = safe_url_string(urldefrag(address.strip())[0])
        parts = urlsplit(bare)
        port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or len(bare) > _LONGEST:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts._replace(netloc=host + port, path=parts.path or "/").geturl()


def key_of(url: str) -> str:
    """What two addresses of one page have in common: a slash at the end makes no difference."""
    scheme, _, rest = canonicalize_url(url).partition("://")
    path, mark, query = rest.partition("?")
    return f"{'http' if scheme == 'https' else scheme}://{path.rstrip('/')}{mark}{query}"


def site_of(url: str) -> str:
    """The base address that pages of one site share: the server, without ``www.``."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def file_of(url: str, suffix: str) -> str:
    """A file name for what is at an address, in a folder for its site."""
    parts = urlsplit(url)
    words = re.findall(r"[a-z0-9]+", parts.path.lower())
    slug = "-".join(words)[-_LONGEST_SLUG:].strip("-") or "index"
    digest = hashlib.sha256(url.encode()).hexdigest()[:8]
    folder = re.sub(r"[^a-z0-9.-]", "_", site_of(url))
    return f"{folder}/{slug}-{digest}{suffix}"


def base_of(parser: LexborHTMLParser, url: str) -> str:
    """What the relative addresses of a page are relative to."""
    base = parser.css_first("base[href]")
    return joined(url, (base.attributes.get("href") if base else None) or "") or url


def joined(base: str, address: str) -> str | None:
    """An address relative to another one, cleaned; None where it is not of the web."""
    url = join(base, address)
    return cleaned(url) if url is not None else None


def links(parser: LexborHTMLParser, url: str, most: int) -> tuple[str, ...]:
    """The first pages that a page leads to, in its order, each once."""
    pages: dict[str, str] = {key_of(url): url}
    for address in _linked(parser, base_of(parser, url)):
        if len(pages) > most:
            break
        pages.setdefault(key_of(address), address)
    return tuple(pages.values())[1:]


def _linked(parser: LexborHTMLParser, base: str) -> Iterator[str]:
    robots = parser.css_first("meta[name=robots i]")
    if robots and "nofollow" in (robots.attributes.get("content") or "").lower():
        return
    for node in parser.css("a[href], area[href]"):
        attributes = node.attributes
        address = joined(base, attributes.get("href") or "")
        welcome = "nofollow" not in (attributes.get("rel") or "").lower()
        if address and welcome and _TYPES.guess_type(urlsplit(address).path)[0] in _PAGES:
            yield address
