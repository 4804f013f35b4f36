from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from pagesight.page import Page
from pagesight.readers.zones.candidates import candidates
from pagesight.readers.zones.features import PARTS, features, landmarks
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.nodes import named

See = Callable[[str], Page]
TEXT = "<p>Some words of a text that is long enough.</p>"

pytestmark = pytest.mark.browser


def is_plain(page: Page) -> bool:
    """Whether the whole page is plain text."""
    return bool(features(candidates(leaf_zones(page))).columns["plain"][0])


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Title</h1>{TEXT}{TEXT}",
        f"<center><h1>Title</h1></center>{TEXT}<p align=right>Signed",
        f"{TEXT}<p>With <a href=/>a link</a> in the middle.</p>{TEXT}",
        f"{TEXT}<pre style='background:#eee'>code</pre>{TEXT}",
        f"{TEXT}<ul><li>one<li>two</ul>{TEXT}",
        f"{TEXT}<table border=1><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>{TEXT}",
    ],
)
def test_plain_text(see: See, html: str) -> None:
    assert is_plain(see(html))


@pytest.mark.parametrize(
    "html",
    [
        f"<p><a href=/>Home</a></p>{TEXT}",
        f"<h1>Title</h1><p><a href=/>Home</a> <a href=/b>News</a></p>{TEXT}",
        f"{TEXT}<input>",
        f"{TEXT}<footer>The end of it</footer>",
        f"<div class=menu>Home</div>{TEXT}",
        f"<div style='background:#246'>Title</div>{TEXT}",
        f"<div><div style='border:1px solid'>Title</div>{TEXT}</div>{TEXT}",
        f"{TEXT}<svg width=9 height=9><rect width=9 height=9 /></svg>",
        f"{TEXT}<div style='height:200px'></div>{TEXT}",
        f"<div style='display:flex;gap:60px'><div>{TEXT}</div><div>{TEXT}</div></div>",
    ],
)
def test_other_things_are_not_plain_text(see: See, html: str) -> None:
    assert not is_plain(see(f"<body>{html}"))


def test_landmarks_of_the_page(see: See) -> None:
    page = see(
        "<header>a</header><div role=navigation>b</div><main><article><header>c</header>d"
        "<footer>e</footer></article></main><aside>f</aside><footer>g</footer>"
    )
    found = landmarks(page)
    texts = [page.text_of([node]) for node in np.flatnonzero(found).tolist()]
    assert [text[0] for text in texts] == ["a", "b", "c", "f", "g"]  # c: main
    assert [PARTS[bits.bit_length() - 1] for bits in found[found > 0].tolist()] == list(PARTS)
    assert not found[named(page, {"article"})].any()
