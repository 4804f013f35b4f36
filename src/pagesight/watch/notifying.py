"""Messages about what changed, by any service that Apprise knows and that only sends messages."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pagesight.errors import NotificationFailed
from pagesight.watch.changes import Changes
from pagesight.watch.extras import not_installed
from pagesight.watch.values import Checked, Seen

if TYPE_CHECKING:
    from apprise import Apprise, NotifyBase

SCHEMES = frozenset(
    "discord gchat gotify gotifys json jsons mailto mailtos matrix matrixs mmost mmosts ntfy ntfys "
    "pover rocket rockets signal signals slack tgram threema twilio webex whatsapp workflows xml "
    "xmls zulip".split()
)
"""What may be used. Others of Apprise run programs or write files on this machine."""

# Apprise would take these apart, and ask nobody about the second one.
_SEVERAL = re.compile(r"[\s,;][^\s,;/?]*://")
MOST_LINES = 12  # of a message about one part
LONGEST = 300  # characters of a line


def check_services(urls: Sequence[str]) -> None:
    """Refuse what cannot be used, before anything is checked; raises `NotificationFailed`."""
    if urls:
        _services(urls)


def notify(urls: Sequence[str], checked: Checked) -> None:
    """Tell all services what a check found, if that is anything; raises `NotificationFailed`."""
    changed = [seen for seen in checked.parts if seen.is_new]
    if not (urls and changed):
        return
    title = f"{', '.join(seen.part.name for seen in changed)}: {checked.page.address}"
    body = "\n\n".join(map(message_of, changed))
    try:
        deliver(urls, title=title, body=body)
    except NotificationFailed as error:
        raise error.about(checked.page.address) from error.__cause__


def deliver(urls: Sequence[str], *, title: str, body: str) -> None:
    """Send a message to all services; raises `NotificationFailed`."""
    if not _services(urls).notify(title=title, body=body):
        raise NotificationFailed("a message could not be sent")


def message_of(seen: Seen) -> str:
    """What changed in a part, for a person."""
    changes = seen.changes
    assert changes
    return "\n".join([f"{seen.part.name}: {changes.summary}", *lines_of(changes)])


def lines_of(changes: Changes) -> list[str]:
    """The new items, or the lines that differ; not too many."""
    lines = [f"+ {item.title}{f' {item.url}' if item.url else ''}" for item in changes.new_items]
    if not lines:
        lines = [line for line in changes.text.splitlines()[2:] if line[:1] in "+-"]
    left = len(lines) - MOST_LINES
    shown = [line[:LONGEST] for line in lines[:MOST_LINES]]
    more = [f"and {left} more"] if left > 0 else []
    return [*shown, *more]


def is_mail(url: str) -> bool:
    """Whether a service is mail, which goes to its server by no proxy."""
    return url.strip().lower().startswith("mailto")


def _services(urls: Sequence[str]) -> Apprise:
    try:
        import apprise
    except ImportError as error:
        raise not_installed(error) from error
    logging.getLogger("apprise").setLevel(logging.CRITICAL)  # it would print addresses with tokens
    services = apprise.Apprise()
    for url in urls:
        services.add(_service(url))
    return services


def _service(url: str) -> NotifyBase:
    """The one service that an address names, if it may be used."""
    from apprise import Apprise

    scheme = url.partition(":")[0].strip().lower()
    if scheme not in SCHEMES:
        raise _refused(scheme)
    if _SEVERAL.search(url.strip()):
        raise NotificationFailed("these are several addresses; name one at a time")
    with warnings.catch_warnings():  # of what its plugins import
        warnings.simplefilter("ignore", DeprecationWarning)
        service = Apprise.instantiate(url.strip())
    if service is None:
        raise NotificationFailed(f"this address of {scheme}: is not complete")
    if scheme not in _protocols(service):
        raise _refused(scheme)
    return service


def _refused(scheme: str) -> NotificationFailed:
    allowed = ", ".join(sorted(SCHEMES))
    return NotificationFailed(f"messages are not sent by {scheme}:", hint=f"by {allowed}")


def _protocols(service: NotifyBase) -> set[str]:
    """All schemes of what was made."""
    names = set[str]()
    for given in (service.protocol, service.secure_protocol):
        names |= {given} if isinstance(given, str) else set(given or ())
    return names
