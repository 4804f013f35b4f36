"""What went wrong, as programs read it: RFC 9457."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from pagesight.errors import NotificationFailed, PagesightError
from pagesight.portal.errors import Conflict, Invalid, NotAllowed, NotThere, TooOften

MEDIA = "application/problem+json"
_STATUS: dict[type[PagesightError], int] = {
    NotAllowed: 403,
    NotThere: 404,
    Conflict: 409,
    Invalid: 422,
    TooOften: 429,
    NotificationFailed: 502,
}
TITLES = {
    400: "This cannot be read",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not there",
    405: "Not done here",
    409: "Something is in the way",
    412: "Changed meanwhile",
    413: "Too large",
    415: "Another kind of content is needed",
    422: "A field cannot be used",
    429: "Too often",
    500: "Something is broken here",
    502: "A message could not be sent",
}


class Refused(Exception):
    """A request that is not answered as it was meant."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def problem(
    status: int, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """An answer that says what went wrong."""
    fields = {
        "type": "about:blank",
        "title": TITLES.get(status, "Not done"),
        "status": status,
        "detail": detail,
    }
    content = json.dumps(fields | more, ensure_ascii=False).encode("utf-8", "replace")
    return Response(content, status, {"Cache-Control": "no-store", **(headers or {})}, MEDIA)


def problem_of(error: Exception, *, is_versioned: bool = False) -> Response:
    """What an error is for programs; `is_versioned`: they said which version they changed."""
    match error:
        case Refused():
            return problem(error.status, error.detail, error.headers)
        case HTTPException():
            return problem(error.status_code, str(error.detail), dict(error.headers or {}))
        case PagesightError():
            return _of_ours(error, is_versioned=is_versioned)
    return problem(500, "this is a defect, which was written down")


def _of_ours(error: PagesightError, *, is_versioned: bool) -> Response:
    status = _STATUS.get(type(error), 500)
    if status == 409 and is_versioned:
        status = 412
    headers = {}
    if isinstance(error, TooOften):
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    more = {"kind": error.kind}
    more |= {"hint": error.hint} if error.hint else {}
    more |= {"field": error.field} if isinstance(error, Invalid) else {}
    return problem(status, error.message, headers, **more)
