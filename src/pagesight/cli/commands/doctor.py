"""`pagesight doctor`: what is installed, what is used, and what works."""

from __future__ import annotations

from typing import Annotated

import typer

from pagesight.cli.options import FAILED

EXAMPLES = """\b
Examples:
  pagesight doctor
  PAGESIGHT_BROWSER=google-chrome pagesight doctor
"""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say which renderers there are, which one is used, and try each."""
    from pagesight.cli.checkup import print_json, print_screen
    from pagesight.cli.diagnosis import diagnose

    diagnosis = diagnose()
    (print_json if as_json else print_screen)(diagnosis)
    if not diagnosis.ok:
        raise typer.Exit(FAILED)
