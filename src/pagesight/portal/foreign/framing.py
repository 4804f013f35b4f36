"""The frame of a part on our page: it has styles of its own, and nothing in it gets out.

A declarative shadow root keeps the styles of the page and of the part apart. It does not keep the
part inside: in it, something with ``position: fixed`` covers the whole page, and ``contain`` on its
host can be undone from within. So the host is inside an element of the page, which contains it.
"""

from __future__ import annotations

from html import escape

WRAPPER = "foreign"
"""The class of the outer element. The stylesheet of the page has `WRAPPER_STYLE`."""

WRAPPER_STYLE = ".foreign{contain:layout paint;isolation:isolate;overflow:auto;position:relative}"

_HOST = ":host{display:block;contain:layout paint;overflow-wrap:break-word}"
_FOCUS = "a{cursor:pointer}a:focus-visible{outline:2px solid;outline-offset:2px}"
ORIGINAL = (
    ":host{all:initial}" + _HOST + ".part{line-height:1.4}:where(.part :not(br,wbr)){all:unset}"
    "img{max-width:100%;height:auto;object-fit:cover}"
    "pre{white-space:pre-wrap}sub{vertical-align:sub}sup{vertical-align:super}"
    "table{border-spacing:0}td,th{vertical-align:top}" + _FOCUS
)
"""Nothing is as the browser has it; the rest of the styles are rules of the part."""

PLAIN = (
    _HOST + ".part{font:15px/1.55 var(--sans,sans-serif);color:var(--ink,CanvasText)}"
    "h3,h4,h5,h6{font-size:1.05em;line-height:1.3;margin:.9em 0 .3em}"
    "p,ul,ol,dl,figure,blockquote,pre,table{margin:.5em 0}ul,ol{padding-left:1.2em}"
    "li{margin:.25em 0}blockquote{margin-left:1em}"
    "img{max-width:100%;height:auto;border-radius:4px}pre{white-space:pre-wrap}"
    "table{border-collapse:collapse}td,th{padding:.2em .6em .2em 0;text-align:left}"
    "a{color:var(--link,LinkText);text-underline-offset:.18em;"
    "text-decoration:underline 1px color-mix(in srgb,currentColor 38%,transparent)}"
    "a:hover{color:var(--accent,LinkText);text-decoration-color:currentColor}"
    "ins{background:var(--mark-new,#d5f5d9);text-decoration:none}"
    "del{background:var(--mark-gone,#fadcdc)}"
    ":is(h3,h4,h5,h6):first-child{margin-top:0}"
    ".part>:first-child{margin-top:0}.part>:last-child{margin-bottom:0}" + _FOCUS
)
"""The typography of the portal, whose stylesheet has these variables."""


def framed(html: str, sheet: str, *, nonce: str) -> str:
    """Clean HTML in its frame; `nonce` is what the policy of the page allows styles by."""
    return (
        f'<div class="{WRAPPER}"><div><template shadowrootmode="open">'
        f'<style nonce="{escape(nonce)}">{sheet}</style><div class="part">{html}</div>'
        "</template></div></div>"
    )
