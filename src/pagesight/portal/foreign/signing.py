"""Addresses that only this installation can make, since they are signed with its secret."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field

from pagesight.portal.secrets import is_signed, signature
from pagesight.sources.source import is_address, login_of

PATH = "/pictures/"
LONGEST = 4_000  # characters of an address


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the addresses of pictures."""

    secret: bytes = field(repr=False)

    def address(self, url: str) -> str | None:
        """Where the browser gets the picture of an address from; None: it gets none."""
        if not is_address(url) or len(url) > LONGEST or login_of(url):
            return None
        encoded = urlsafe_b64encode(url.encode("utf-8", "replace")).decode().rstrip("=")
        return f"{PATH}{signature(self.secret, encoded)}/{encoded}"

    def url(self, signature: str, encoded: str) -> str | None:
        """The address that was signed; None if it was not."""
        if not is_signed(self.secret, encoded, signature):
            return None
        return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
