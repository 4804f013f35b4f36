"""From a request to an operation, and from its answer to a response."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import IO, Any

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from pagesight.errors import PagesightError
from pagesight.portal.api.fields import checked, read_query
from pagesight.portal.api.openapi import document
from pagesight.portal.api.operations import ANY, JSON, Answer, Call, Operation, tag_of, tags_in
from pagesight.portal.api.problems import Refused, problem_of
from pagesight.portal.api.table import PREFIX, TABLE
from pagesight.portal.portal import Portal
from pagesight.portal.transfer.archive import spooled
from pagesight.portal.values import Account, Scope

PIECE = 1 << 18  # bytes of a file that are sent at a time
logger = logging.getLogger(__name__)
Endpoint = Callable[[Request], Awaitable[Response]]


def api_routes(portal: Portal) -> list[Mount]:
    """All operations, below their prefix."""
    by_path: dict[str, dict[str, Endpoint]] = {"/openapi.json": {"GET": _describe}}
    for one in TABLE:
        by_path.setdefault(one.path, {})[one.method] = _endpoint(portal, one)
    routes = [Route(path, _by_method(those), methods=[*those]) for path, those in by_path.items()]
    return [Mount(PREFIX, Starlette(routes=routes, exception_handlers={HTTPException: _refused}))]


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await endpoints[method](request)

    return endpoint


def _refused(_: Request, error: Exception) -> Response:
    return problem_of(error)


async def _describe(_: Request) -> Response:
    return JSONResponse(document())


def _endpoint(portal: Portal, operation: Operation) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            with spooled() as file:
                if operation.takes_body:
                    await _receive(request, operation.largest, file)
                return await run_in_threadpool(_response, portal, operation, request, file)
        except Exception as error:
            if not isinstance(error, (Refused, PagesightError)):
                logger.exception("%s %s", request.method, operation.path)
            is_versioned = "if-match" in request.headers
            return problem_of(error, is_versioned=is_versioned)

    return endpoint


async def _receive(request: Request, largest: int, file: IO[bytes]) -> None:
    async for chunk in request.stream():
        file.write(chunk)
        if file.tell() > largest:
            raise Refused(413, f"more than {largest} bytes", Connection="close")
    file.seek(0)


def _response(portal: Portal, operation: Operation, request: Request, file: IO[bytes]) -> Response:
    account = account_of(portal, request, operation.scope)
    call = Call(
        portal=portal,
        account=account,
        path=request.path_params,
        query=read_query(request.query_params, operation.fields),
        tags=tags_in(request.headers.get("if-match")),
    )
    if operation.takes_body:
        call = _with_body(call, operation, request, file)
    _check_version(call, operation)
    known = tags_in(request.headers.get("if-none-match")) if operation.method == "GET" else ()
    if known and operation.tag and (tag := operation.tag(call)) in known:
        return _unchanged(tag)
    return sent(operation.handler(call), known)


def _check_version(call: Call, operation: Operation) -> None:
    """Refuse to change what is not as the program knows it."""
    if not operation.current or call.tags in (set(), ANY):
        return
    if operation.current(call).tag not in call.tags:
        raise Refused(412, "it has changed since; look at it again")


def account_of(portal: Portal, request: Request, scope: Scope) -> Account:
    """Who a program acts for. It is no more of an admin than its token."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    token = portal.by_token(secret.strip()) if kind.lower() == "bearer" else None
    if token is None:
        raise Refused(401, "send a token: Authorization: Bearer …", WWW_Authenticate="Bearer")
    if scope not in token.scopes:
        told = f'Bearer error="insufficient_scope", scope="{scope}"'
        detail = f"this token does not have the scope {scope}"
        raise Refused(403, detail, WWW_Authenticate=told)
    is_admin = token.account.is_admin and Scope.ADMIN in token.scopes
    return replace(token.account, is_admin=is_admin)


def _with_body(call: Call, operation: Operation, request: Request, file: IO[bytes]) -> Call:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if JSON in operation.media and not file.read(1):
        return replace(call, body=checked({}, operation.body))
    if media not in operation.media:
        raise Refused(415, f"send {' or '.join(operation.media)}")
    file.seek(0)
    if media != JSON:
        return replace(call, file=file, media=media)
    return replace(call, body=checked(_json(file.read()), operation.body))


def _json(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Refused(400, "this is not JSON") from error
    if not isinstance(value, dict):
        raise Refused(400, "this is not an object")
    return value


def sent(answer: Answer, known: Collection[str]) -> Response:
    """An answer as it goes, or that it is as it is `known`, by its tag."""
    tag = answer.tag or (tag_of(answer.data) if answer.data else None)
    if tag and tag in known:
        return _unchanged(tag)
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    headers |= {"ETag": tag} if tag else {}
    headers |= {"Location": answer.location} if answer.location else {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    if answer.file:
        return streamed(answer.file, headers, answer.media)
    media = answer.media if answer.data else None
    return Response(answer.data, answer.status, headers, media)


def streamed(file: IO[bytes], headers: dict[str, str], media: str) -> Response:
    """A file, piece by piece; it is closed in the end."""
    pieces = iter(lambda: file.read(PIECE), b"")
    return StreamingResponse(pieces, 200, headers, media, background=BackgroundTask(file.close))


def _unchanged(tag: str) -> Response:
    return Response(status_code=304, headers={"ETag": tag, "Cache-Control": "private, no-cache"})
