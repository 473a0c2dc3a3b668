"""Convert a script to a notebook, execute it, and render it as one page: ``python -m claimaudit.report.notebook``.

In the script ``# %%`` starts a code cell and ``# %% [markdown]`` a text cell, whose lines are comments. Scripts rather
than notebooks are under version control because their diffs are readable.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from claimaudit.results import write_bytes

MARK = re.compile(r"^# %%(?P<text> \[markdown\])?\n", flags=re.MULTILINE)
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SECONDS = 120  # limit for one cell


def from_script(script: str) -> NotebookNode:
    """Return the notebook that a script describes, without anything before the first mark."""
    marks = list(MARK.finditer(script))
    ends = [mark.start() for mark in marks[1:]] + [len(script)]
    cells = []
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True)):
        source = script[mark.end() : end].strip()
        if mark["text"]:
            source = re.sub(r"^# ?", "", source, flags=re.MULTILINE)
        cells.append((new_markdown_cell if mark["text"] else new_code_cell)(source, id=f"cell-{number}"))
    return new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def execute(notebook: NotebookNode) -> None:
    """Run all cells in the working directory and keep their output, including figures."""
    client = NotebookClient(notebook, timeout=SECONDS, record_timing=False)
    client.execute(env={**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"})


def to_html(notebook: NotebookNode) -> str:
    """Render an executed notebook, whose first line is its title, as a page that needs no network."""
    exporter = HTMLExporter(mathjax_url="", require_js_url="", jquery_url="", mermaid_js_url="")
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})
    return re.sub(r'<script src="">\s*</script>', "", page)


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m claimaudit.report.notebook", description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("page", type=Path, help="HTML to write")
    parser.add_argument("notebook", type=Path, help="executed notebook to write")
    options = parser.parse_args(arguments)
    notebook = from_script(options.script.read_text(encoding="utf-8"))
    try:
        execute(notebook)
    except CellExecutionError as error:
        sys.exit(f"notebook: {options.script}: {error.ename}: {error.evalue}")
    write_bytes(options.page, to_html(notebook).encode())
    write_bytes(options.notebook, (nbformat.writes(notebook) + "\n").encode())


if __name__ == "__main__":
    main()
