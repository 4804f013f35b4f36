"""What a sealed page asks for in vain, as its document says.

The browser would tell, request by request; reading the snapshot costs a tenth of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pagesight.render.resources import Neighbourhood, join, readable

_POINTERS = {
    "IMG": "src",
    "LINK": "href",
    "IFRAME": "src",
    "FRAME": "src",
    "INPUT": "src",
    "VIDEO": "src",
    "AUDIO": "src",
    "SOURCE": "src",
    "EMBED": "src",
    "OBJECT": "data",
}


def blocked_in_snapshot(snapshot: Mapping[str, Any], files: Neighbourhood) -> set[str]:
    """The addresses of pictures, stylesheets and frames that a page from a file may not load."""
    strings = snapshot["strings"]
    found = set()
    for document in snapshot["documents"]:
        base = strings[document["baseURL"]]
        for address in _addresses(document["nodes"], strings):
            url = join(base, address.strip())
            if url and url.startswith(("http:", "https:")) and files.find(url) is None:
                found.add(readable(url))
    return found


def _addresses(nodes: Mapping[str, Any], strings: list[str]) -> Iterator[str]:
    tags = {index: name for index, name in enumerate(strings) if name in _POINTERS}
    for node, name in enumerate(nodes["nodeName"]):
        if name not in tags:
            continue
        given = [strings[index] if index >= 0 else "" for index in nodes["attributes"][node]]
        attributes = dict(zip(given[::2], given[1::2], strict=True))
        if tags[name] == "LINK" and "stylesheet" not in attributes.get("rel", "").lower():
            continue
        if address := attributes.get(_POINTERS[tags[name]]):
            yield address
