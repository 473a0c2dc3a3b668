"""What the exhibits of our papers show, which is what is predicted."""

from pathlib import Path

from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import ShownRows

ROOT = Path(__file__).resolve().parents[2]


def test_additions_of_ours_are_not_predicted():
    """What the preprint's Figure 11 shows, and that the defaults of a table are no results."""
    shown = validation.load(Folder(ROOT / "papers/corr_rr_preprint")).predicted()["fig11"]
    assert "SMP" not in shown.drawn
    assert shown.where == "phase1_fraction >= 0.1"
    jrr = validation.load(Folder(ROOT / "papers/jrr")).predicted()
    shown = "(metric in ['mse_counts']) or (metric in ['are'])"
    assert jrr["fig3"] == ShownRows(shown, None, 1000)
    assert "table4" not in jrr


def test_all_panels_of_a_figure_are_predicted():
    drawn = validation.load(Folder(ROOT / "papers/cpl")).predicted()["fig7"].drawn
    assert "'tcpl', 'frequency_error'" in drawn
    assert "'tcpl', 'zero_one_error'" in drawn
