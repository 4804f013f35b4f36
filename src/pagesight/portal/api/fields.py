"""What programs send: the fields of a query or a body, checked, and described for others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pagesight.portal.errors import Invalid

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
LARGEST = 2**31  # of a whole number, as databases have it
_TRUE = {"true": True, "1": True, "false": False, "0": False}
_READ: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "boolean": lambda written: _TRUE[written.lower()],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One of the things that may be sent."""

    name: str
    type: str = "string"
    about: str = ""
    is_required: bool = False
    may_be_null: bool = False
    values: Sequence[str] = ()
    format: str | None = None
    items: str | None = None
    """The type of what is in an array or an object."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema."""
        schema: dict[str, Any] = {"type": [self.type, "null"] if self.may_be_null else self.type}
        if self.about:
            schema["description"] = self.about
        if self.values:
            schema["enum"] = [*self.values, *([None] if self.may_be_null else [])]
        if self.format:
            schema["format"] = self.format
        if self.items:
            inner = "items" if self.type == "array" else "additionalProperties"
            schema[inner] = {"type": self.items}
        return schema

    def checked(self, value: Any) -> Any:
        """A value as it can be used; raises `Invalid`."""
        if value is None and self.may_be_null:
            return None
        if not self._fits(self.type, value) or (self.values and value not in self.values):
            raise Invalid(f"this is not {self._told()}", field=self.name)
        if self.items and not all(self._fits(self.items, one) for one in _inner(value)):
            raise Invalid(f"what is in it is not {_article(self.items)}", field=self.name)
        return self._time(value) if self.format == "date-time" else value

    def written(self, value: str) -> Any:
        """A value in a query, which is a text."""
        try:
            return self.checked(_READ.get(self.type, str)(value))
        except (ValueError, KeyError) as error:
            raise Invalid(f"this is not {self._told()}", field=self.name) from error

    @staticmethod
    def _fits(name: str, value: Any) -> bool:
        if isinstance(value, bool):
            return name == "boolean"
        if isinstance(value, int) and abs(value) > LARGEST:
            return False
        return isinstance(value, _TYPES[name])

    def _time(self, value: str) -> datetime:
        try:
            time = datetime.fromisoformat(value)
            return time if time.tzinfo else time.replace(tzinfo=UTC)
        except ValueError as error:
            raise Invalid(
                "this is not a time, such as 2026-03-04T05:06:07Z", field=self.name
            ) from error

    def _told(self) -> str:
        return f"one of {', '.join(self.values)}" if self.values else _article(self.type)


def _inner(value: Any) -> Sequence[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aio" else f"a {name}"


def checked(given: Mapping[str, Any], known: Sequence[Field]) -> dict[str, Any]:
    """The fields of a body; raises `Invalid` for what is missing, unknown, or of another type."""
    by_name = {field.name: field for field in known}
    for name in given:
        if name not in by_name:
            raise Invalid("there is no such field", field=str(name)[:100])
    for field in known:
        if field.is_required and field.name not in given:
            raise Invalid("this field is needed", field=field.name)
    return {name: by_name[name].checked(value) for name, value in given.items()}


def read_query(given: Mapping[str, str], known: Sequence[Field]) -> dict[str, Any]:
    """The fields of a query; others are not looked at."""
    return {field.name: field.written(given[field.name]) for field in known if field.name in given}
