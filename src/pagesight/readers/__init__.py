"""One package per reading; `registry` knows them all."""

from __future__ import annotations

MOST_EXPLAINED = 400  # words of a page that only says what is wrong; what is longer has content
