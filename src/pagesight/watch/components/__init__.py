"""Knowing a part of a page again: on another day, and after a redesign.

`learn` makes an index of parts from snapshots of a page, `find` says where they are on another
snapshot, and `confirm` adds what was found to what is known.
"""

from pagesight.watch.components.finding import find
from pagesight.watch.components.index import ComponentIndex, LearnedComponent
from pagesight.watch.components.learn import confirm, learn
from pagesight.watch.components.model import ComponentsModel
from pagesight.watch.components.reading import Component, ComponentsReading, Place

__all__ = [
    "Component",
    "ComponentIndex",
    "ComponentsModel",
    "ComponentsReading",
    "LearnedComponent",
    "Place",
    "confirm",
    "find",
    "learn",
]
