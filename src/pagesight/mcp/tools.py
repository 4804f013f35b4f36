"""What a tool is: what it takes, what it does, and what its answers are like."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pagesight.errors import WrongArguments
from pagesight.mcp.calls import Call
from pagesight.mcp.cutting import window
from pagesight.mcp.marking import NOTICE, UNTRUSTED, marked
from pagesight.mcp.service import Service


class Arguments(BaseModel):
    """What a tool takes."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Pieces(Arguments):
    """What every tool takes that only reads: which piece of an answer that was too long for one.

    One that writes does not: it must not do so again for the rest of its answer.
    """

    path: Annotated[
        str,
        Field(
            description="Only what is there in the content, as a JSON Pointer such as /headings: "
            "one of the paths in `cut` of a former answer."
        ),
    ] = ""
    offset: Annotated[
        int,
        Field(ge=0, description="The first entry of the list, or character of the text, at path."),
    ] = 0
    limit: Annotated[
        int | None, Field(ge=1, description="How many of them; as many as fit if not given.")
    ] = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool has found, as plain values, and when that was so."""

    content: dict[str, Any]
    time: datetime | None = None
    """Now, if not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Service, Any, Call], Found]
    shape: str = ""
    """What its content is like: a definition in ``output/schema.json``; empty if none is."""

    writes: bool = False
    asks_the_web: bool = True

    def answer(self, service: Service, given: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Do what it is for; raises a `PagesightError`."""
        arguments = self.parsed(given)
        call.go_on()
        found = self.run(service, arguments, call)
        piece = arguments if isinstance(arguments, Pieces) else Pieces()
        room = service.settings.answer_size
        shown, cuts = window(found.content, piece.path, piece.offset, piece.limit, room)
        return marked(
            {
                "time": (found.time or datetime.now(UTC)).isoformat(timespec="seconds"),
                "piece" if piece.path else "content": shown,
                "cut": [cut.to_json() for cut in cuts],
            }
        )

    def parsed(self, given: Mapping[str, Any]) -> Arguments:
        """The arguments; raises `WrongArguments` that says what is wrong with which."""
        try:
            return self.arguments.model_validate_json(json.dumps(given))
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            told = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems]
            raise WrongArguments("; ".join(told)) from None

    def input_schema(self) -> dict[str, Any]:
        """What it takes, as a JSON Schema."""
        schema = self.arguments.model_json_schema()
        schema.pop("description", None)  # which is for whoever reads the code
        return schema

    def output_schema(self) -> dict[str, Any]:
        """What its answers are like."""
        definitions = _definitions(self.shape)
        content = {"$ref": f"#/$defs/{self.shape}"} if definitions else {"type": "object"}
        rest = "read_part and diff_part show the rest" if self.writes else _CALL_AGAIN
        return {
            "type": "object",
            "properties": {
                "trust": {"const": UNTRUSTED},
                "notice": {"const": NOTICE},
                "time": {"type": "string", "description": "when the content was so"},
                "content": content,
                "piece": {"description": "instead of the content: what is at `path`, if given"},
                "cut": {
                    "description": f"lists and texts that are not shown to their end: {rest}",
                    "type": "array",
                    "items": {"$ref": "#/$defs/cut"},
                },
            },
            "required": ["trust", "notice", "time", "cut"],
            "oneOf": [{"required": ["content"]}, {"required": ["piece"]}],
            "$defs": {"cut": _CUT, **definitions},
        }


_CALL_AGAIN = "call again with this path, and with next_offset as offset"
_CUT = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "total": {"type": "integer"},
        "next_offset": {"type": "integer"},
    },
    "required": ["path", "total", "next_offset"],
}


@cache
def _schema() -> dict[str, Any]:
    """The JSON of Pagesight."""
    text = (files("pagesight.output") / "schema.json").read_text("utf-8")
    definitions: dict[str, Any] = json.loads(text)["$defs"]
    return definitions


def _definitions(shape: str) -> dict[str, Any]:
    """A definition with all that it refers to; none if there is no such one."""
    needed: dict[str, Any] = {}
    waiting = [shape] if shape in _schema() else []
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = _schema()[name]
            waiting += _references(needed[name])
    return needed


def _references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for inner in schema for name in _references(inner)]
    if not isinstance(schema, dict):
        return []
    named = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    return named + [name for inner in schema.values() for name in _references(inner)]
