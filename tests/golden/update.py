"""Rewrites the fixtures with what the renderers give today: make golden."""

from __future__ import annotations

import json
import os
from typing import Any

from digest import EXAMPLES, RENDERERS, REPOSITORY, folder_of, output, source_of, system_fonts

import pagesight


def main() -> None:
    os.chdir(REPOSITORY)
    for renderer in RENDERERS:
        with pagesight.open_renderer(renderer) as opened:
            for example in EXAMPLES:
                document = pagesight.read(source_of(example), renderer=opened)
                meta: dict[str, Any] = {"source": source_of(example), "renderer": renderer}
                if renderer == "chromium":  # the embedded renderer has its own fonts
                    meta["fonts"] = system_fonts()
                _write(example, renderer, "meta.json", meta)
                _write(example, renderer, "output.json", output(document))


def _write(example: str, renderer: str, name: str, content: dict[str, Any]) -> None:
    folder = folder_of(example, renderer)
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (folder / name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
