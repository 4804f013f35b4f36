"""What rows of an import must be like; the database itself takes more."""

from __future__ import annotations

import re
import struct
from typing import Any

from pagesight.errors import NotificationFailed
from pagesight.page import Box
from pagesight.portal.conditions import Condition
from pagesight.portal.errors import Invalid
from pagesight.portal.picks import checked_paths
from pagesight.portal.services.composing import checked_every, checked_look, checked_place
from pagesight.portal.services.people import account_name
from pagesight.portal.services.picking import web_address
from pagesight.portal.values import Place
from pagesight.render import Picture
from pagesight.watch.notifying import check_services
from pagesight.watch.values import Item, Status

Fields = dict[str, Any]

_UID = re.compile(r"[0-9a-f]{32}")


def named(uid: str) -> str:
    """A uid that is one."""
    if not _UID.fullmatch(uid):
        raise _refused("the name of a thing")
    return uid


def account_fields(fields: Fields) -> Fields:
    """An account whose password is hashed."""
    if not fields["password"].startswith("$argon2") or not isinstance(fields["settings"], dict):
        raise _refused("an account")
    return fields | {"name": account_name(fields["name"])}


def channel_fields(fields: Fields) -> Fields | None:
    """A channel that may be used; None if it may not."""
    try:
        check_services([fields["address"]])
    except NotificationFailed:
        return None
    return fields


def page_fields(fields: Fields) -> Fields:
    """A page that is on the web: not a file of this machine."""
    address = web_address(fields["address"])
    if address != fields["address"]:
        raise _refused("the address of a page")
    return fields


def observation_fields(fields: Fields) -> Fields:
    """An observation that can be shown."""
    try:
        Status(fields["status"])
        Box(*map(float, fields["box"] or (0, 0, 0, 0)))
        items = [Item(**item) for item in fields["items"]]
        texts = [*fields["changes"], *(text for item in items for text in (item.title, item.text))]
        if fields["picture"] is not None:
            Picture.of_png(fields["picture"])
    except (ValueError, TypeError, struct.error) as error:
        raise _refused("an observation") from error
    if not all(isinstance(text, str) for text in texts):
        raise _refused("an observation")
    return fields


def tile_fields(fields: Fields) -> Fields:
    """A tile that could have been made here."""
    place = Place(**{name: fields[name] for name in ("x", "y", "width", "height")})
    checked_place(place)
    checked_look(fields["look"])
    checked_every(fields["every"])
    Condition.from_json(fields["condition"])
    web_address(fields["address"])
    checked_paths(fields["excluded"])
    return fields


def _refused(what: str) -> Invalid:
    return Invalid(f"{what} in this file cannot be used", field="file")
