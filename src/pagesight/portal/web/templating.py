"""Pages from templates, in which everything is escaped that is not known to be safe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pagesight.errors import PagesightError, StoreError
from pagesight.portal.errors import (
    Conflict,
    Invalid,
    NotAllowed,
    NotThere,
    TooOften,
)
from pagesight.portal.web import words
from pagesight.portal.web.files import Files

if TYPE_CHECKING:
    from pagesight.portal.web.visits import Visit

STATUSES: dict[type[PagesightError], int] = {
    NotAllowed: 403,
    NotThere: 404,
    Conflict: 409,
    Invalid: 422,
    TooOften: 429,
    StoreError: 503,
    PagesightError: 502,  # of what was asked elsewhere
}


class Templates:
    """The templates, and what all of them know."""

    def __init__(self, files: Files) -> None:
        self._environment = Environment(
            loader=PackageLoader("pagesight.portal.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals |= {"files": files, "words": words}
        self._environment.filters |= words.FILTERS

    def page(self, visit: Visit, template: str, status: int = 200, **values: Any) -> Response:
        """A page for somebody who may have signed in."""
        return self._page(
            template,
            status,
            request=visit.request,
            me=visit.session.account if visit.session else None,
            problem=visit.problem,
            done=visit.request.query_params.get("done", ""),
            now=visit.portal.now(),
            **values,
        )

    def problem(self, visit: Visit, error: PagesightError) -> Response:
        """A page that says why there is nothing else to see."""
        return self.page(visit, "problem.html", self.status_of(error), error=error)

    def bare(self, request: Request, template: str, status: int) -> Response:
        """A page that needs nothing from the database."""
        return self._page(template, status, request=request, me=None, problem=None, done="")

    @staticmethod
    def status_of(error: PagesightError) -> int:
        """The status of HTTP that says the same."""
        kinds = (status for kind, status in STATUSES.items() if isinstance(error, kind))
        return next(kinds)

    def _page(self, template: str, status: int, **values: Any) -> Response:
        html = self._environment.get_template(template).render(values)
        return HTMLResponse(html, status)
