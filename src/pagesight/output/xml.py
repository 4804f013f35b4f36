"""Building XML from texts that may contain anything."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    """Append a new child with a text."""
    child = ET.SubElement(parent, tag, {name: clean(value) for name, value in attributes.items()})
    child.text = clean(text) if text is not None else None
    return child


def add_text(parent: ET.Element, tag: str, text: str | None, **attributes: str) -> None:
    """Append a new child if there is a text for it."""
    if text:
        add(parent, tag, text, **attributes)


def clean(text: str) -> str:
    """Text without the characters that XML does not allow, or discourages."""
    return _FORBIDDEN.sub("", text)


def document(root: ET.Element) -> str:
    """The whole tree with an XML declaration, indented where there is no text."""
    _indent(root, "\n")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _indent(element: ET.Element, line: str) -> None:
    if not len(element) or element.text or any(child.tail for child in element):
        return
    element.text = line + "  "
    for child in element:
        _indent(child, line + "  ")
        child.tail = line + "  "
    element[-1].tail = line
