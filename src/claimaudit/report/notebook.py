"""Convert a script to a notebook, execute it, and render it as one page.

The script has the percent format: ``# %%`` starts a code cell and ``# %% [markdown]`` a text cell, whose lines are
comments. Scripts rather than notebooks are under version control because their diffs are readable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from nbformat import NotebookNode

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SECONDS = 120  # limit for one cell
FOLDED = """\
{% extends "lab/index.html.j2" %}
{% block input_group %}
{% if cell.source.startswith(("import ", "from ")) and not cell.outputs %}
<details><summary>Imports</summary>{{ super() }}</details>
{% else %}{{ super() }}{% endif %}
{% endblock %}
"""
"""The page of a notebook, whose imports are folded."""


def from_script(script: str) -> NotebookNode:
    """Return the notebook that a script describes, without anything before the first mark."""
    notebook = jupytext.reads(script[script.index("# %%") :], fmt="py:percent")
    notebook.metadata = NotebookNode(kernelspec=NotebookNode(KERNEL))
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    return notebook


def execute(notebook: NotebookNode) -> None:
    """Run all cells in the working directory and keep their output, including figures."""
    client = NotebookClient(notebook, timeout=SECONDS, record_timing=False)
    client.execute(env={**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"})


def to_html(notebook: NotebookNode) -> str:
    """Render an executed notebook, whose first line is its title, as a page that needs no network."""
    exporter = HTMLExporter(raw_template=FOLDED, mathjax_url="", require_js_url="", jquery_url="", mermaid_js_url="")
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    page, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})
    return re.sub(r'<script src="">\s*</script>', "", page)


def notebook_files(script: Sequence[Path], **read: Sequence[Path]) -> dict[str, bytes]:
    """Execute a script, which itself reads the other files: the executed ``notebook``, and its ``page``.

    Raises
    ------
    ValueError
        A cell raises an error.
    """
    (path,) = script
    notebook = from_script(path.read_text(encoding="utf-8"))
    try:
        execute(notebook)
    except CellExecutionError as error:
        raise ValueError(f"{path}: {error.ename}: {error.evalue}") from None
    return {"page": to_html(notebook).encode(), "notebook": (nbformat.writes(notebook) + "\n").encode()}
