"""From places on a page to watched parts, which all who show the same one share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pagesight.errors import NoSuchPart
from pagesight.portal.errors import Conflict, Invalid
from pagesight.watch.values import Part
from pagesight.watch.watching import Visit, Watch


def learned_parts(
    watch: Watch, address: str, visit: Visit, xpaths: Sequence[str], seen: datetime
) -> dict[str, Part]:
    """The parts at these paths of a page as it was seen, by path: known ones, and new ones."""
    known = _known(watch, address, visit, seen)
    missing = [xpath for xpath in xpaths if xpath not in known]
    try:
        new = watch.add_from(address, visit, select=missing) if missing else ()
    except NoSuchPart as error:
        raise Invalid(error.message, field="xpaths") from error
    parts = known | {part.selector or "": part for part in new}
    if not parts.keys() >= set(xpaths):
        raise Invalid("something that was picked is not a part of the page", field="xpaths")
    return {xpath: parts[xpath] for xpath in xpaths}


def _known(watch: Watch, address: str, visit: Visit, seen: datetime) -> dict[str, Part]:
    """The parts of the page that are watched already, by their paths at that visit."""
    page = watch.store.page_at(address)
    if page is None:
        return {}
    if page.checked > seen and page.digest not in ("", visit.content.digest):  # "": imported
        raise Conflict("the page has changed since", hint="look at it again")
    present = watch.present_on(visit.shown, page.id)
    parts = watch.store.parts_of(present)
    return {xpath: parts[number] for number, xpath in reversed(present.items())}
