"""Addresses that only this installation can make, since they are signed with its secret."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256

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
        try:
            encoded = _encoded(url.encode())
        except UnicodeEncodeError:
            return None
        return f"{PATH}{self._signature(encoded)}/{encoded}"

    def url(self, signature: str, encoded: str) -> str | None:
        """The address that was signed; None if it was not."""
        if not hmac.compare_digest(
            self._signature(encoded).encode(), signature.encode("utf-8", "replace")
        ):
            return None
        return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()

    def _signature(self, encoded: str) -> str:
        message = b"picture:" + encoded.encode("utf-8", "replace")
        return _encoded(hmac.digest(self.secret, message, sha256)[:16])


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
