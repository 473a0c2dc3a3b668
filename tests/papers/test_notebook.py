"""Notebooks: scripts become cells, are executed with their figures, and refer only to names that exist."""

import ast
import importlib
import re
from pathlib import Path

import nbformat
import pytest
import yaml

from claimaudit.audit.claims import load
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from claimaudit.report.notebook import notebook_files

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(ROOT.glob("papers/*/notebook.py"))
SCRIPT = '''"""What it shows."""

# %% [markdown]
# # Title
#
# Text with ε.

# %%
import matplotlib.pyplot as plt

# %%
print(6 * 7)
plt.plot([1, 2])
plt.show()
'''


def test_notebook_is_executed_and_shown_with_its_figure_and_no_foreign_script(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")  # as the workflow does for figures
    (tmp_path / "script.py").write_text(SCRIPT)
    made = notebook_files([tmp_path / "script.py"])
    text, _, code = nbformat.reads(made["notebook"].decode(), 4).cells
    assert (text.cell_type, text.source) == ("markdown", "# Title\n\nText with ε.")
    assert code.outputs[0].text == "42\n"
    assert any("image/png" in output.get("data", {}) for output in code.outputs)
    page = made["page"].decode()
    assert "data:image/png;base64" in page
    assert "<title>Title</title>" in page
    assert page.count("<details><summary>Imports</summary>") == 1
    assert re.findall(r"<(?:script|link)[^>]+(?:src|href)=", page) == []


def test_failing_cell_is_an_error(tmp_path):
    (tmp_path / "script.py").write_text("# %%\n1 / 0\n")
    with pytest.raises(ValueError, match=r"script.py: ZeroDivisionError: division by zero"):
        notebook_files([tmp_path / "script.py"])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_notebook_names_modules_results_and_claims_that_exist(script):
    text, paper = script.read_text(encoding="utf-8"), script.parent.name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("corrldp"):
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names), node.module
    experiments = yaml.safe_load((ROOT / f"papers/{paper}/paper.yaml").read_text())["experiments"]
    folder = Folder(ROOT / "papers" / paper)
    claims = {claim.id for claim in load(folder.claims, validation.load(folder).context())}
    shown, judged = (
        re.findall(rf"results/{paper}/(\w+)\.csv", text),
        re.findall(rf'answer\("{paper}", "([a-z0-9-]+)"\)', text),
    )
    assert shown
    assert judged
    assert f"(../{paper}.html)" in text
    assert set(shown) <= set(experiments)
    assert set(judged) <= claims
