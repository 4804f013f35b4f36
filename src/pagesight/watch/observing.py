"""What is seen of a part on a page: its HTML, text, items and picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from pagesight.output.inspector.picture import opened
from pagesight.page import Box, Page
from pagesight.render import Picture
from pagesight.sources import Source, load
from pagesight.sources.source import is_address
from pagesight.watch.fragments import Fragments
from pagesight.watch.items import items_of
from pagesight.watch.store.store import Snapshot
from pagesight.watch.values import Sight, Status

Styled = Callable[[Page, Sequence[int], str], str | None]
"""Makes HTML with its styles of nodes of a page, whose addresses are relative to the last one."""

TALLEST = 4_000  # px of the picture of a part; what is below is left out


@dataclass(frozen=True)
class Shown:
    """A page, what it was made of, and how it looks."""

    page: Page
    source: Source
    picture: Picture | None = None
    styled: Styled | None = field(default=None, repr=False)

    @classmethod
    def of_snapshot(cls, snapshot: Snapshot, address: str, styled: Styled | None = None) -> Shown:
        """A page that was kept, from this address."""
        page = Page.from_bytes(snapshot.page)
        path = None if is_address(address) else Path(address)
        source = replace(load(snapshot.source, url=page.url), path=path)
        picture = Picture.of_png(snapshot.picture) if snapshot.picture else None
        return cls(page, source, picture, styled)

    def snapshot(self) -> Snapshot:
        """The page, to be kept. Its source says itself then how it is encoded."""
        source = self.source
        is_text = source.kind.is_markup
        return Snapshot(
            page=self.page.to_bytes(),
            source=source.text.encode("utf-8-sig", "replace") if is_text else source.data,
            picture=self.picture.data if self.picture else None,
        )

    @cached_property
    def fragments(self) -> Fragments:
        """The parts of the page as HTML."""
        return Fragments(self.page, self.source)

    @cached_property
    def _image(self) -> Any:
        return opened(self.picture) if self.picture else None

    def sight(
        self,
        nodes: Sequence[int],
        status: Status,
        *,
        confidence: float | None = None,
        runner_up: Any = None,
        changes: Sequence[str] = (),
    ) -> Sight:
        """What is seen of the part that consists of these nodes."""
        box = box_of(self.page, nodes)
        first = self.page[nodes[0]] if nodes else None
        return Sight(
            status=status,
            html=self.fragments.html(nodes),
            styled=self.styled(self.page, nodes, self.fragments.base) if self.styled else None,
            text=self.page.text_of(nodes),
            items=items_of(self.page, nodes, self.fragments.base),
            picture=self._cut(box),
            box=box,
            xpath=first.xpath if first else None,
            css=first.css if first else None,
            confidence=confidence,
            runner_up=runner_up,
            changes=tuple(changes),
        )

    def _cut(self, box: Box | None) -> bytes | None:
        """The picture of a part, as a PNG; a page that was not painted has none."""
        image = self._image
        if image is None or box is None:
            return None
        left, top = max(0, round(box.x)), max(0, round(box.y))
        right = min(round(box.right), image.width)
        bottom = min(round(box.bottom), image.height, top + TALLEST)
        if left >= right or top >= bottom:
            return None
        file = BytesIO()
        image.crop((left, top, right, bottom)).save(file, "PNG")
        return file.getvalue()


def box_of(page: Page, nodes: Sequence[int]) -> Box | None:
    """The box around all of these nodes."""
    boxes = [page[node].box for node in nodes]
    if not boxes:
        return None
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)
