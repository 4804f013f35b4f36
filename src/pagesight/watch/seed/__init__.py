"""The published method: web components, their content vectors, and the page index."""

from pagesight.watch.seed.correction import update
from pagesight.watch.seed.figures import Figures, figures
from pagesight.watch.seed.page_index import Asked, Component, PageIndex
from pagesight.watch.seed.places import Found, Status
from pagesight.watch.seed.training import learn_index

__all__ = ["Asked", "Component", "Figures", "Found", "PageIndex", "Status", "figures",
           "learn_index", "update"]  # fmt: skip
