"""Getting a watched page: from a file, or politely from its server, if it is not as it was."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from pagesight.crawl.politeness import FRESH, Clock, Refused, Turns, Visitor
from pagesight.errors import FetchFailed, NotModified, PagesightError, WatchError
from pagesight.sources import Limits, Request, Source, Validators, load
from pagesight.sources.source import is_address, is_file_address, login_of
from pagesight.watch.store.store import Content, Store
from pagesight.watch.values import WatchedPage

_OTHER_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


class Robots:
    """What servers allow robots to do, kept in the database: a `Journal` of the visitor."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        known = store.robots(clock.time() - FRESH)
        self.rows: Sequence[dict[str, Any]] = [row | {"robots": row["server"]} for row in known]

    def add(self, fields: dict[str, Any], /) -> None:
        """Keep one."""
        known = (fields["robots"], fields["time"], fields["text"], fields.get("error"))
        self._store.write_robots(*known)


class Visits:
    """Gets pages, one at a time, in whichever thread they are asked for."""

    def __init__(
        self,
        store: Store,
        *,
        delay: float,
        limits: Limits,
        clock: Clock = time,
        turns: Turns | None = None,
    ) -> None:
        self.limits = limits
        self._one_at_a_time = Lock()
        robots = Robots(store, clock)
        self._visitor = Visitor(robots, delay=delay, limits=limits, clock=clock, turns=turns)

    def close(self) -> None:
        """End, without waiting for an answer."""
        self._visitor.close()

    def get(self, address: str, known: WatchedPage | None = None) -> Source | None:
        """What is at an address; None if the server says that it is what is `known`.

        Raises a `PagesightError` that names the address.
        """
        try:
            return self._source(address, known)
        except NotModified:
            return None
        except Refused as refused:
            raise FetchFailed(refused.error["message"], source=address) from refused
        except PagesightError as error:
            raise error.about(address) from error.__cause__

    def _source(self, address: str, known: WatchedPage | None) -> Source:
        if not is_address(address):
            return load(Request(source=address), limits=self.limits)
        validators = None
        if known is not None:
            validators = Validators(etag=known.etag, last_modified=known.last_modified)
        with self._one_at_a_time:
            return self._visitor.page(address, validators)


def content_of(source: Source) -> Content:
    """What tells whether a page is as it was."""
    digest = hashlib.sha256(source.data).hexdigest()
    return Content(digest=digest, validators=Validators.of(source.headers))


def place_of(given: str | Path) -> str:
    """A page as it is kept: an address of the web, or the absolute path of a file."""
    written = str(given).strip()
    if is_address(written):
        if login_of(written):
            raise WatchError(
                "an address with a password is not kept in a database",
                hint="watch the page without it",
            )
        from pagesight.crawl.addresses import cleaned

        if url := cleaned(written):
            return url
        raise WatchError("this is not an address that can be fetched", source=written)
    if written in ("", "-"):
        raise WatchError("standard input cannot be watched; name a file or an address")
    if is_file_address(written):
        from w3lib.url import file_uri_to_path

        written = file_uri_to_path(written)
    elif _OTHER_ADDRESS.match(written):
        raise WatchError("this is not an http(s) address", source=written)
    return _storable(str(Path(written).resolve()))


def _storable(path: str) -> str:
    """A path that can be kept as text, as not all names of files can."""
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise WatchError(
            "the name of this file is not text in UTF-8", hint="rename it, and watch it then"
        ) from error
    return path
