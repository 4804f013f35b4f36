"""The daily digest: what changed since the last one, in one message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pagesight.portal.errors import Invalid
from pagesight.portal.messages import Message
from pagesight.portal.services.people import zone_of
from pagesight.portal.values import Account, News

USUAL_HOUR = 7
MOST_LINES = 100


def digest_due(account: Account, now: datetime) -> datetime | None:
    """The last time at which a digest was due to somebody; None if they want none."""
    if account.settings.get("digest_channel") is None:
        return None
    try:
        local = now.astimezone(zone_of(account.settings))
    except Invalid:  # a time zone that this machine does not know
        local = now
    hour = int(account.settings.get("digest_hour", USUAL_HOUR))
    due = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (due if due <= local else due - timedelta(days=1)).astimezone(UTC)


def digest_of(news: Sequence[News], address: str) -> Message:
    """What changed, for a person."""
    lines = [f"{one.board.name} · {one.tile.name}: {one.summary}" for one in news[:MOST_LINES]]
    if len(news) > MOST_LINES:
        lines.append(f"and {len(news) - MOST_LINES} more")
    count = f"{len(news)} part" + ("" if len(news) == 1 else "s")
    return Message(f"{count} changed", "\n".join([*lines, "", f"{address}/news"]))
