"""Lines that say who is named below them: an editor, or whom to write to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagesight.readers.article.cues import CUES

LONGEST_ROLE = 4  # words of a line that says who is named below
_TO_WHOM = re.compile(r"\W*(?:author )?(?:for )?correspondence(?: to)?\W*$", re.IGNORECASE)


def is_editors(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone is about an editor, or stands below a line that says so."""
    above = texts[zone - 1] if zone else ""
    named = len(above.split()) <= LONGEST_ROLE and CUES["editor"].match(above)
    return bool(CUES["editor"].match(texts[zone]) or named)


def is_letter(texts: Sequence[str], zone: int) -> bool:
    """Whether a zone stands below a line that says to whom to write."""
    above = texts[zone - 1] if zone else ""
    return len(above.split()) <= LONGEST_ROLE and bool(_TO_WHOM.match(above))


def with_role(texts: Sequence[str], zone: int) -> str:
    """The text of a zone, behind the line above that says to whom to write."""
    return f"{texts[zone - 1]} {texts[zone]}" if is_letter(texts, zone) else texts[zone]
