"""The reading `zones`: the blocks of a page that a person would draw, and what each is."""

from __future__ import annotations

from pagesight.readers.zones.kinds import KINDS
from pagesight.readers.zones.model import COARSE, FINE, MEDIUM
from pagesight.readers.zones.reader import read_zones
from pagesight.readers.zones.reading import Block, ZonesReading

__all__ = ["COARSE", "FINE", "KINDS", "MEDIUM", "Block", "ZonesReading", "read_zones"]
