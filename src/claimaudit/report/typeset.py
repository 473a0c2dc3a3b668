"""PDF files from facts, by Typst."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any

import matplotlib
import typst

from claimaudit.report.document import Document


def typeset(document: Document, template: str, content: dict[str, Any]) -> bytes:
    """Return a PDF file, tagged as PDF/UA-1 demands, from facts and a template, which may have certificates."""
    folder = resources.files("claimaudit.report").joinpath("templates")
    names = {"main.typ": template, "certificate.typ": "certificate.typ"}
    files = {name: folder.joinpath(source).read_bytes() for name, source in names.items()}
    facts = {"facts": json.dumps(content)}
    compiler = typst.Compiler(files, font_paths=_fonts(), sys_inputs=facts)  # type: ignore[type-var]  # files by name
    day = datetime.fromisoformat(document.setting.get("source", {}).get("date") or "1970-01-01")
    made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=day.replace(tzinfo=UTC))
    assert isinstance(made, bytes)  # other formats are one file for each page
    return made


@cache
def _fonts() -> typst.Fonts:
    """Return the fonts that Typst has and those of the figures, which have the symbols of all verdicts."""
    return typst.Fonts(include_system_fonts=False, font_paths=[f"{matplotlib.get_data_path()}/fonts/ttf"])
