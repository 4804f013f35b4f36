"""What an operation for programs is. One table of them makes the routes and their description."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any, TypeVar

from pagesight.portal.api.fields import Field
from pagesight.portal.api.plain import plain
from pagesight.portal.errors import Invalid
from pagesight.portal.portal import Portal
from pagesight.portal.values import Account, Scope

T = TypeVar("T")
MOST_LISTED, USUALLY_LISTED = 200, 50
JSON = "application/json"
CURSOR = (
    Field(name="cursor", about="where the page before ended: its `next`"),
    Field(name="limit", type="integer", about=f"how many, up to {MOST_LISTED}"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a program asks for."""

    portal: Portal
    account: Account
    path: dict[str, Any]
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    file: IO[bytes] | None = None
    """What was sent, if it is not JSON."""

    media: str = ""
    tags: frozenset[str] = frozenset()
    """Those of what it has changed, if it says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What it gets."""

    data: bytes = b""
    media: str = JSON
    status: int = 200
    tag: str | None = None
    location: str | None = None
    file: IO[bytes] | None = None
    """What is sent instead of data, as it may be large."""

    name: str | None = None
    """Of the file."""


def answer(
    value: Any, *, status: int = 200, tag: str | None = None, location: str | None = None
) -> Answer:
    """A value, with a tag that changes with it."""
    data = json.dumps(plain(value), ensure_ascii=False).encode("utf-8", "replace")
    return Answer(data=data, status=status, tag=tag or tag_of(data), location=location)


NOTHING = Answer(status=204)


ANY = frozenset("*")
"""What stands for any tag."""


def tags_in(header: str | None) -> frozenset[str]:
    """The tags that a header names. Proxies that compress call them weak."""
    given = (tag.strip().removeprefix("W/") for tag in (header or "").split(","))
    return frozenset(tag for tag in given if tag)


def tag_of(data: bytes) -> str:
    """What changes whenever some content does."""
    return f'"{sha256(data).hexdigest()[:32]}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that a program can do."""

    method: str
    path: str
    handler: Callable[[Call], Answer]
    scope: Scope = Scope.READ
    """What its token has to allow."""

    query: Sequence[Field] = ()
    body: Sequence[Field] = ()
    media: Sequence[str] = (JSON,)
    """What a body may be."""

    largest: int = 1 << 20
    """Bytes of a body."""

    gives: Any = None
    """The type of the answer, a media type in quotes, or None for an empty one."""

    is_listed: bool = False
    """Whether it gives a page of many."""

    is_versioned: bool = False
    """Whether it looks at `If-Match` itself."""

    current: Callable[[Call], Answer] | None = None
    """Gives what is changed as it is, whose tag `If-Match` is compared with."""

    status: int = 200
    tag: Callable[[Call], str] | None = None
    """The tag of the answer, where that is cheaper than the answer."""

    @property
    def takes_body(self) -> bool:
        """Whether something may be sent with it."""
        return bool(self.body) or JSON not in self.media

    @property
    def looks_at_version(self) -> bool:
        """Whether `If-Match` means something."""
        return self.is_versioned or self.current is not None

    @property
    def name(self) -> str:
        """How programs call it."""
        return self.handler.__name__

    @property
    def about(self) -> str:
        """What it does."""
        return (self.handler.__doc__ or "").strip()

    @property
    def fields(self) -> Sequence[Field]:
        """Those of the query."""
        return (*self.query, *(CURSOR if self.is_listed else ()))


def listed(call: Call, items: Sequence[T], key: Callable[[T], Any]) -> Answer:
    """A page of many: those after a cursor, and the cursor of the next page."""
    keys = [key(item) for item in items]

    def read(after: Any, most: int) -> Sequence[T]:
        if after is None:
            return items[:most]
        if after not in keys:
            raise astray()
        return items[(first := keys.index(after) + 1) : first + most]

    return paged(call, read, key)


def paged(call: Call, read: Callable[[Any, int], Sequence[T]], key: Callable[[T], Any]) -> Answer:
    """The same, of what is `read` page by page: after a key, and at most so many."""
    limit = max(1, min(call.query.get("limit", USUALLY_LISTED), MOST_LISTED))
    found = read(_key_in(call.query.get("cursor")), limit + 1)
    page = found[:limit]
    following = _cursor(key(page[-1])) if len(found) > limit else None
    return answer({"items": page, "next": following})


def _cursor(key: Any) -> str:
    return urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def _key_in(cursor: str | None) -> Any:
    """The key that a cursor is of; None if there is no cursor."""
    if cursor is None:
        return None
    try:
        return json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError as error:
        raise astray() from error


def astray() -> Invalid:
    """The error to raise for a cursor of no use."""
    return Invalid("this cursor leads nowhere any more; begin anew", field="cursor")
