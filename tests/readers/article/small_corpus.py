"""A corpus of a few articles, one of them a PDF, and of pages of other kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from small_article import ABSTRACT, HTML, REFERENCES, TITLE
from small_pdf import pdf, text

WORDS = ("green", "black", "white", "yellow", "dark")
META = {
    "citation_title": [TITLE],
    "citation_author": ["King, Ada B.", "Lindqvist, Bo", "Okafor, Chinua", "Xu, Li-Hua"],
    "citation_abstract": [ABSTRACT],
}
JATS = """<article><front>{publisher}<article-meta><title-group>
<article-title>On blue tea and what it is good for</article-title></title-group><contrib-group>
<contrib><name><surname>King</surname><given-names>Ada</given-names></name></contrib>
</contrib-group></article-meta></front></article>"""


def write_corpus(folder: Path) -> Path:
    """Five publishers with an article each, and pages of other kinds."""
    articles, titles = folder / "articles", folder / "titles"
    (articles / "pdf").mkdir(parents=True)
    titles.mkdir()
    rows = []
    for number, word in enumerate(WORDS):
        (articles / f"{word}.html").write_text(HTML.replace("green", word))
        meta = {name: [value.replace("green", word) for value in META[name]] for name in META}
        split = "dev" if number == 0 else "train"
        rows.append({"file": f"{word}.html", "publisher": word, "split": split, "meta": meta})
    _write(articles / "articles.jsonl", rows)
    (titles / "shop.html").write_text("<h1>Teapots</h1><p>12 €<p>Buy now")
    _write(
        titles / "dev.jsonl",
        [{"file": "shop.html", "url": f"https://tea{number}.example/"} for number in range(24)],
    )
    return folder


def add_pdf(folder: Path, name: str, publisher: str = "") -> None:
    """Add a PDF with its JATS file to a corpus."""
    content = text(72, 800, "On blue tea and what it is good for", 20, "B")
    content += text(72, 770, "Ada King", 12) + text(72, 700, "References", 12, "B")
    for rank, cited in enumerate(REFERENCES):
        content += text(72, 680 - 24 * rank, f"{rank + 1}. {cited}".replace("–", "-"))
    (folder / "articles" / "pdf" / f"{name}.pdf").write_bytes(pdf(content))
    named = f"<publisher-name>{publisher}</publisher-name>" if publisher else ""
    (folder / "articles" / "pdf" / f"{name}.xml").write_text(JATS.format(publisher=named))


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
