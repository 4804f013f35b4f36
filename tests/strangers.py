"""What tests of strangers' pages share."""

from __future__ import annotations

from datetime import UTC, datetime

from pagesight.watch import Observation, Status

TIME = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


def observation(html: str, *, styled: str | None = None, text: str = "tea") -> Observation:
    """What may have been seen of a part."""
    return Observation(
        part=1, number=1, time=TIME, last=TIME, status=Status.FOUND, html=html, styled=styled,
        text=text, items=(), box=None, xpath="/html/body/div", css="div", confidence=1.0,
        runner_up=None, changes=(), has_picture=False,
    )  # fmt: skip
