"""One request, as a screen sees it, and how a screen becomes an endpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import IO, Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pagesight.errors import PagesightError
from pagesight.portal.errors import Invalid, NotAllowed, NotThere
from pagesight.portal.portal import Portal
from pagesight.portal.values import Account, Session
from pagesight.portal.web.templating import Templates

MOST_UPLOADED = 1 << 20  # bytes of a form, except for a file in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What somebody asks for."""

    request: Request
    portal: Portal
    templates: Templates
    session: Session | None
    form: FormData = field(default_factory=FormData)
    uploaded: IO[bytes] | None = None
    body: Any = None
    problem: PagesightError | None = None
    """Why what was asked for was not done, on the screen that is shown again."""

    @property
    def account(self) -> Account:
        """Who asks."""
        if self.session is None:
            raise NotAllowed("sign in first")
        return self.session.account

    @property
    def path(self) -> dict[str, Any]:
        """What is in the address."""
        return self.request.path_params

    def text(self, name: str) -> str:
        """A field of the form, or of the query."""
        value = self.form.get(name, self.request.query_params.get(name, ""))
        return value.strip() if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        """All values of a field of the form, or of the query."""
        values = self.form.getlist(name) or self.request.query_params.getlist(name)
        return [value for value in values if isinstance(value, str)]

    def secret(self, name: str) -> str:
        """A password: spaces around it are part of it."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        """A whole number; None if the field is empty."""
        value = self.text(name)
        try:
            return int(value) if value else None
        except ValueError:
            raise Invalid(f"{value[:40]!r} is not a whole number", field=name) from None

    def show(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page."""
        return self.templates.page(self, template, status, **values)


Screen = Callable[[Visit], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


def get(path: str, screen: Screen) -> Route:
    """A page at a path."""
    return Route(path, _endpoint(screen, None), methods=["GET"])


def post(path: str, screen: Screen, *, back: Screen | None = None) -> Route:
    """Something to do; `back` is the page that is shown again, and says why it was not done."""
    return Route(path, _endpoint(screen, back), methods=["POST"])


def go(address: str, done: str = "") -> Response:
    """On to another page, which tells what was `done`."""
    if done:
        address += f"{'&' if '?' in address else '?'}done={done}"
    return RedirectResponse(address, 303)


def _endpoint(screen: Screen, back: Screen | None) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        visit = await _visit(request)
        try:
            return await run_in_threadpool(_answer, screen, back, visit)
        finally:
            await visit.form.close()  # a file in it may be on the disk

    return endpoint


async def _visit(request: Request) -> Visit:
    state = request.app.state
    visit = Visit(
        request=request,
        portal=state.portal,
        templates=state.templates,
        session=request.state.session,
    )
    if request.method != "POST":
        return visit
    if request.headers.get("content-type", "").startswith("application/json"):
        return replace(visit, body=await _json(request))
    form = await request.form(max_files=1, max_fields=2000, max_part_size=MOST_UPLOADED)
    file = form.get("file")
    return replace(visit, form=form, uploaded=file.file if isinstance(file, UploadFile) else None)


def _done(screen: Screen, visit: Visit) -> Response:
    try:
        return screen(visit)
    except OverflowError:
        raise Invalid("a number is too large", field="number") from None


async def _json(request: Request) -> Any:
    """What a script sends; None if it is not JSON, which is not what any screen expects."""
    try:
        return await request.json()
    except ValueError:
        return None


def _answer(screen: Screen, back: Screen | None, visit: Visit) -> Response:
    try:
        return _done(screen, visit)
    except (NotAllowed, NotThere) as error:
        return visit.templates.problem(visit, error)
    except PagesightError as error:
        return _again(back, visit, error) if back else visit.templates.problem(visit, error)


def _again(back: Screen, visit: Visit, error: PagesightError) -> Response:
    """The page that something was asked from, with why it was not done."""
    try:
        response = back(replace(visit, problem=error))
    except PagesightError:  # it is not there any more
        return visit.templates.problem(visit, error)
    response.status_code = visit.templates.status_of(error)
    return response
