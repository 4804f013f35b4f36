"""What the pages of a batch were like, as one HTML file to look at: bars, and nothing to load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files

from pagesight import __version__
from pagesight.batch.plan import Plan
from pagesight.batch.status import Status
from pagesight.batch.summary import BINS, TIMES

MOST_BARS = 12  # of a picture; the rest is one bar
_CONFIDENCE = [f"{10 * bin_} to {10 * bin_ + 10} %" for bin_ in range(BINS)]


def report_html(plan: Plan, status: Status) -> str:
    """The report of a batch, as far as it is done."""
    summary = status.summary
    errors = sum(summary.errors.values())
    body = [
        _facts(plan, status),
        _picture("Kinds of pages", _largest(summary.kinds), "of the pages that were read"),
        _picture("Errors", _largest(summary.errors), "of all pages", of=summary.rows)
        if errors
        else "<section><h2>Errors</h2><p>None.</p></section>",
        _picture("Time of a page", _times(summary.times), "with its rendering, in a worker"),
        *(
            _picture(
                f"Confidence: {name}", _bins(name, summary.confidence), "of pages with such values"
            )
            for name in plan.options.readings
            if any(key.startswith(f"{name} ") for key in summary.confidence)
        ),
        _picture("Passed over", _largest(plan.passed), "in web archives, not pages")
        if plan.passed
        else "",
    ]
    style = (files(__package__) / "report.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Pagesight batch</title>'
        f"<style>{style}</style></head><body><h1>Pagesight batch</h1>{''.join(body)}"
        "</body></html>\n"
    )


def _facts(plan: Plan, status: Status) -> str:
    summary, options = status.summary, plan.options
    mean = f"{summary.seconds / summary.rows:.2f} s" if summary.rows else "–"
    rows = {
        "pages": f"{status.pages:,}; inputs: {len(plan.inputs):,}, shards: {status.shards:,}",
        "rows": f"{summary.rows:,}, of which {sum(summary.errors.values()):,} with an error",
        "time of a page": f"{mean} on average",
        "readings": ", ".join(options.readings),
        "renderer": options.renderer,
        "inputs": ", ".join(spec.name for spec in plan.inputs[:MOST_BARS])
        + (" …" if len(plan.inputs) > MOST_BARS else ""),
        "made by": f"Pagesight {__version__}, plan {plan.key[:12]}",
    }
    cells = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows.items()
    )
    return f"<dl>{cells}</dl>"


def _picture(title: str, bars: Mapping[str, int], note: str, of: int | None = None) -> str:
    """A picture with a bar for each count, as long as its share of the largest."""
    whole, longest = of or sum(bars.values()) or 1, max(bars.values(), default=1) or 1
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td class=bar>"
        f'<span style="width:{100 * count / longest:.1f}%"></span></td>'
        f"<td>{count:,}</td><td>{100 * count / whole:.1f} %</td></tr>"
        for name, count in bars.items()
    )
    return f"<section><h2>{escape(title)}</h2><p>{escape(note)}</p><table>{rows}</table></section>"


def _largest(counts: Mapping[str, int]) -> dict[str, int]:
    """The largest counts first, and the others as one."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    bars = dict(ordered[:MOST_BARS])
    rest = sum(count for _, count in ordered[MOST_BARS:])
    return bars | ({"others": rest} if rest else {})


def _times(counts: Mapping[str, int]) -> dict[str, int]:
    """By bins of seconds, without those at both ends that are empty."""
    names = [f"up to {end:g} s" for end in TIMES] + [f"more than {TIMES[-1]:g} s"]
    return _without_empty_ends((name, counts.get(str(at), 0)) for at, name in enumerate(names))


def _bins(reading: str, counts: Mapping[str, int]) -> dict[str, int]:
    bars = ((name, counts.get(f"{reading} {at}", 0)) for at, name in enumerate(_CONFIDENCE))
    return _without_empty_ends(bars)


def _without_empty_ends(bars: Iterable[tuple[str, int]]) -> dict[str, int]:
    listed = [*bars]
    filled = [at for at, (_, count) in enumerate(listed) if count]
    return dict(listed[filled[0] : filled[-1] + 1]) if filled else {}
