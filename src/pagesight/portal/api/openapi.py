"""The description of all operations that other programs read: OpenAPI 3.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import Any

from pagesight.portal.api.operations import JSON, Operation
from pagesight.portal.api.plain import inside, object_schema, schema_of
from pagesight.portal.api.problems import MEDIA, TITLES
from pagesight.portal.api.table import PREFIX, TABLE

_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_PROBLEM = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "kind": {"type": "string"},
        "field": {"type": "string"},
        "hint": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail"],
}


@cache
def document() -> dict[str, Any]:
    """The whole description."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in TABLE:
        path = _PARAMETER.sub(r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _operation(operation)
    kinds = {kind.__name__: kind for one in TABLE for kind in inside(one.gives)}
    schemas = {name: object_schema(kind) for name, kind in sorted(kinds.items())}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pagesight portal", "version": version("pagesight")},
        "servers": [{"url": PREFIX}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas | {"Problem": _PROBLEM},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described = {
        "operationId": operation.name,
        "summary": operation.about.partition("\n")[0],
        "description": f"The token has to have the scope `{operation.scope}`.",
        "security": [{"token": []}],
        "parameters": [*_parameters(operation)],
        "responses": _responses(operation),
    }
    return described | ({"requestBody": _body(operation)} if operation.takes_body else {})


def _parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name, kind in _PARAMETER.findall(operation.path):
        schema = {"type": "integer" if kind == "int" else "string"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for field in operation.fields:
        yield {"name": field.name, "in": "query", "required": False, "schema": field.schema}
    if operation.looks_at_version:
        about = "The tag of what is changed. If it has changed meanwhile, nothing is done (412)."
        yield _header("If-Match", about)
    elif operation.method == "GET":
        yield _header("If-None-Match", "The tag of what is known. If it still holds: 304.")


def _header(name: str, about: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": about, "schema": {"type": "string"}}


def _body(operation: Operation) -> dict[str, Any]:
    if JSON not in operation.media:
        content: dict[str, Any] = {media: {} for media in operation.media}
        return {"required": True, "content": content}
    required = [field.name for field in operation.body if field.is_required]
    schema = {
        "type": "object",
        "properties": {field.name: field.schema for field in operation.body},
        "required": required,
        "additionalProperties": False,
    }
    return {"required": bool(required), "content": {JSON: {"schema": schema}}}


def _responses(operation: Operation) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done"}
    if isinstance(operation.gives, str):
        done["content"] = {operation.gives: {}}
    elif operation.gives is not None:
        done["content"] = {JSON: {"schema": _schema(operation)}}
    responses = {str(operation.status): done}
    if operation.method == "GET":
        responses["304"] = {"description": "As it was"}
    schema = {"$ref": "#/components/schemas/Problem"}
    return responses | {
        str(status): {"description": TITLES[status], "content": {MEDIA: {"schema": schema}}}
        for status in _refusals(operation)
    }


def _refusals(operation: Operation) -> Iterator[int]:
    yield from (401, 403)
    if "{" in operation.path:
        yield 404
    if operation.method not in ("GET", "DELETE"):
        yield from (409, 413, 415)
    if operation.looks_at_version:
        yield 412
    yield 422


def _schema(operation: Operation) -> dict[str, Any]:
    schema = schema_of(operation.gives)
    if not operation.is_listed:
        return schema
    properties = {
        "items": {"type": "array", "items": schema},
        "next": {"type": ["string", "null"], "description": "The cursor of the next page."},
    }
    return {"type": "object", "properties": properties, "required": ["items", "next"]}
