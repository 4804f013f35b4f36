"""A part as it is shown on our page: plain, as on the site, or as a picture."""

from __future__ import annotations

from functools import lru_cache

from pagesight.portal.foreign.cleaning import Clean, cleaned
from pagesight.portal.foreign.framing import ORIGINAL, PLAIN, framed
from pagesight.portal.foreign.signing import Signer
from pagesight.portal.values import Look
from pagesight.watch import Changes, Observation

MOST_KEPT = 256  # parts that are cleaned already


class Foreign:
    """Shows what strangers wrote. What it gives is harmless, and may go into a page as it is."""

    def __init__(self, secret: bytes) -> None:
        self.signer = Signer(secret)
        self._cleaned = lru_cache(MOST_KEPT)(self._clean)

    def show(self, seen: Observation, *, look: Look = Look.PLAIN, nonce: str = "") -> str:
        """A part as it was seen.

        `nonce` is what the policy of the page allows styles by. A part in the look of a picture
        is shown plain, for who cannot see the picture.
        """
        is_original = look is Look.ORIGINAL and seen.styled is not None
        html = seen.html if seen.styled is None else seen.styled
        clean = self._cleaned(html, is_original)
        sheet = ORIGINAL if is_original else PLAIN
        return framed(clean.html, sheet + clean.rules, nonce=nonce)

    def show_changes(self, changes: Changes, *, nonce: str = "") -> str:
        """A part as it is now, with what is new and what is gone marked."""
        from pagesight.watch.marking import marked

        clean = self._cleaned(marked(changes.before.html, changes.after.html), False)
        return framed(clean.html, PLAIN, nonce=nonce)

    def picture_address(self, url: str) -> str | None:
        """Where the browser gets a stranger's picture from; None: it gets none."""
        return self.signer.address(url)

    def _clean(self, html: str, is_styled: bool) -> Clean:
        return cleaned(html, self.signer.address, is_styled=is_styled)
