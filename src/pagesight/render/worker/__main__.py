"""The worker process: renders one page after another until its input ends."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pagesight import errors
from pagesight.page import Page
from pagesight.render.worker.child import collect_seldom, die_with_parent, pipes, silence
from pagesight.render.worker.protocol import receive, send

GRACE = 5.0  # seconds after the time limit until a worker ends itself


def main() -> None:
    """Answer requests on stdin until it is closed."""
    requests, answers = pipes()
    silence()
    die_with_parent()
    collect_seldom()
    _limit_memory(int(sys.argv[1]))
    from pagesight.render.embedded.layout import use_own_fonts

    use_own_fonts()
    while True:
        try:
            request, payload = receive(requests)
        except EOFError:
            return
        _set_alarms(request["timeout"] + GRACE, request.get("cpu_time"))
        send(answers, *_answer(request, payload))
        _set_alarms(0, 0)


def _answer(request: dict[str, Any], payload: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        rendered, picture = _render(request, payload)
        page = rendered.to_bytes(compress=False)
        return {"ok": True, "page": len(page)}, page + (picture() if request["picture"] else b"")
    except errors.PagesightError as error:
        kind, message, hint = type(error).__name__, error.message, error.hint
    except (MemoryError, RecursionError) as error:
        kind, message, hint = "RenderCrash", f"out of memory ({type(error).__name__})", None
    except Exception as error:  # noqa: BLE001 – whatever happens on a page costs that page only
        kind, message, hint = "RenderCrash", f"{type(error).__name__}: {error}", None
    return {"ok": False, "kind": kind, "message": message, "hint": hint}, b""


def _render(request: dict[str, Any], payload: bytes) -> tuple[Page, Callable[[], bytes]]:
    """The Page, and what draws a picture of it."""
    url, max_nodes = request["url"], request["max_nodes"]
    if request["renderer"] == "pdf":
        from pagesight.render.pdf.document import page_from_pdf, picture_of_pdf

        page = page_from_pdf(payload, url=url, max_nodes=max_nodes)
        return page, partial(picture_of_pdf, payload)
    from pagesight.render.embedded.assembly import page_from_html, picture_of_html

    text = payload.decode("utf-8", "surrogatepass")
    place: dict[str, Any] = {
        name: Path(request[name]) if request[name] else None for name in ("path", "root")
    }
    place |= {"viewport": tuple(request["viewport"]), "max_nodes": max_nodes}
    page = page_from_html(text, url=url, simple=request["simple"], **place)
    return page, partial(picture_of_html, text, **place)


def _limit_memory(megabytes: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        limit = megabytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _set_alarms(seconds: float, cpu_time: float | None) -> None:
    """End this process in time, even if it hangs in a library: the signals have no handlers."""
    with contextlib.suppress(AttributeError):  # Windows has none
        signal.setitimer(signal.ITIMER_REAL, seconds)
        if cpu_time is not None:
            signal.setitimer(signal.ITIMER_PROF, cpu_time)


if __name__ == "__main__":
    main()
