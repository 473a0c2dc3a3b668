"""What runners of local differential privacy say of their mechanisms, and that the audit says nothing of them."""

import re
from pathlib import Path

import pytest
import yaml

import claimaudit
from claimaudit.plots.style import looks
from claimaudit.styles import Conventions
from claimaudit.yaml_files import load
from corrldp.runners import CONVENTIONS

LOOKS = load(CONVENTIONS, Conventions).looks


def test_mechanisms_have_distinct_looks():
    assert len(set(LOOKS.values())) == len(LOOKS) > 50


@pytest.mark.parametrize(
    "together",
    [
        ("RR", "JRR", "GRR", "k-JRR"),
        ("SPL", "RS+FD", "RS+RFD", "Corr-RR", "Cond-RR", "SMP"),
        ("SPL", "Corr-RR", "Corr-RR joint", "Corr-RR iterative", "Corr-RR two pivots", "Cond-RR"),
        ("SPL-ANL", "GRF 0.2", "GRF 0.4", "ITS", "CBP", "GRR-ANL", "EXP-ANL"),
        ("RR-Ind-Joint", "RR-Independent", "RR-Joint", "RR-Clusters", "LoPub", "hybrid", "truncated"),
    ],
)
def test_mechanisms_of_one_paper_differ_in_colour_and_in_marker(together):
    chosen = looks(together, LOOKS)
    assert len({look.color for look in chosen.values()}) == len(together)
    assert len({look.marker for look in chosen.values()}) == len(together)


def test_the_audit_names_no_mechanism_and_no_data_set():
    """`words/names.py` still has the names of parts of exhibits; words that are English, too, are left out."""
    english = {"hybrid", "truncated", "projected", "calibrated", "naive", "reduced", "synthetic", "EXP", "EM", "ITS"}
    names = {*LOOKS, *yaml.safe_load(Path("config/datasets.yaml").read_text(encoding="utf-8"))["datasets"]}
    for path in Path("papers").glob("*/paper.yaml"):
        names |= set(yaml.safe_load(path.read_text(encoding="utf-8")).get("data", {}))
    home = Path(claimaudit.__file__).parent
    texts = {str(path.relative_to(home)): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
    texts.pop("words/names.py")
    for name in names - english:
        named = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        assert [path for path, text in texts.items() if name in text and named.search(text)] == [], name
