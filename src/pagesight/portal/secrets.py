"""Secrets that people and programs present, and passwords. Only digests of them are kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_SIGNATURE = 32  # characters of a signature, which are 128 bits


def new_secret() -> str:
    """A secret that nobody can guess, as it appears in cookies and addresses."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is kept of a secret. It is too long to be guessed from that."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def signature(key: bytes, text: str) -> str:
    """What only who has the key can write below a text."""
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:_SIGNATURE]


def is_signed(key: bytes, text: str, given: str) -> bool:
    """Whether a signature is that of a text."""
    return hmac.compare_digest(signature(key, text).encode(), given.encode(errors="replace"))


def hashed(password: str) -> str:
    """A password as it is kept."""
    return _hasher().hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Whether a password is the one that is kept. It takes as long if there is none."""
    try:
        return _hasher().verify(kept or _nobody(), password) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    """The hash of a password that nobody has."""
    return hashed(new_secret())
