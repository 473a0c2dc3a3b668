"""What runners of local differential privacy say of their mechanisms, and that the audit itself says nothing of them."""

import pytest

from claimaudit.configuration import load
from claimaudit.plots.style import looks
from claimaudit.styles import Conventions
from corrldp.runners import CONVENTIONS

LOOKS = load(CONVENTIONS, Conventions).looks


def test_mechanisms_have_distinct_looks():
    assert len(set(LOOKS.values())) == len(LOOKS) > 50


@pytest.mark.parametrize(
    "together",
    [
        ("RR", "JRR", "GRR", "k-JRR"),
        ("OUE", "JRR-OUE", "OLH", "JRR-OLH"),
        ("SPL", "RS+FD", "RS+RFD", "Corr-RR", "Cond-RR", "SMP"),
        ("SPL", "Corr-RR", "Corr-RR joint", "Corr-RR iterative", "Corr-RR two pivots", "Cond-RR"),
        ("SPL", "RS+FD", "RS+RFD", "SMP", "Uniform", "Corr-RR aligned", "Corr-RR grouped"),
        ("SPL-ANL", "GRF 0.2", "GRF 0.4", "ITS", "CBP", "GRR-ANL", "EXP-ANL"),
        ("RR-Ind-Joint", "RR-Independent", "RR-Joint", "RR-Clusters", "LoPub", "hybrid", "truncated"),
        ("naive", "reduced", "castell"),
    ],
)
def test_mechanisms_of_one_paper_differ_in_colour_and_in_marker(together):
    chosen = looks(together, LOOKS)
    assert len({look.color for look in chosen.values()}) == len(together)
    assert len({look.marker for look in chosen.values()}) == len(together)
