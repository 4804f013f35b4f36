"""What strangers wrote, made harmless: nothing of it runs, reaches out, or leaves its tile.

What a part looked like is written down when it is observed (`styling`). When it is shown, it goes
through an allow-list (`cleaning`), whatever it was and wherever it came from, and into a frame
that it cannot leave (`framing`). Its pictures come through this server (`pictures`).
"""

from pagesight.portal.foreign.framing import WRAPPER_STYLE
from pagesight.portal.foreign.showing import Foreign
from pagesight.portal.foreign.styling import styled

__all__ = ["WRAPPER_STYLE", "Foreign", "styled"]
