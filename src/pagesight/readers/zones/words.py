"""The tables of words by which zones are read; to change them is to train again."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

TABLES: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (files("pagesight") / "data" / "zone-words.toml").read_text(encoding="utf-8")
)
