"""What our papers plan and exhibits show, and that what runners declare exists and is used."""

from pathlib import Path

import pytest
import yaml

from claimaudit.configuration import parse
from claimaudit.papers import validation
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import ShownRows
from claimaudit.papers.paper import Paper
from replication.reference import all_runners


@pytest.mark.parametrize("name", all_runners())
def test_axes_take_their_defaults_and_bounds_and_have_a_phrase_for_every_value(name):
    for key, axis in all_runners()[name].axes.items():
        assert key == axis.name
        bounds = [axis.number.low, axis.number.high] if axis.number else []
        assert all(map(axis.phrase, (axis.default, *bounds)))
        phrases = [axis.phrase(value) for value in axis.words]
        assert all(phrases), axis.name
        assert len(set(phrases)) == len(phrases), axis.name


ROOT = Path(__file__).resolve().parents[2]
FOLDER = Folder(ROOT / "papers/jrr")


@pytest.mark.parametrize(
    ("experiment", "strict_factor", "most"),
    [
        ("known_values", 1, 24),
        ("known_values", 4, 24),  # the same points under every reading
        ("fig3", 1, 63),
        ("fig3", 4, 1),  # other points under some reading, whose strict results others reuse
    ],
)
def test_a_part_has_a_point_at_least(experiment, strict_factor, most):
    content = yaml.safe_load(FOLDER.paper.read_text())
    content["experiments"][experiment]["runs_factor"] = [strict_factor, 1]
    assert Paper(parse(content, PaperEntry), FOLDER).most_parts(experiment) == most


def test_all_panels_of_a_figure_are_predicted_and_no_additions_of_ours():
    """What the preprint's Figure 11 shows, and that the defaults of a table are no results."""
    drawn = validation.load(Folder(ROOT / "papers/cpl")).predicted()["fig7"].drawn
    assert "'tcpl', 'frequency_error'" in drawn
    assert "'tcpl', 'zero_one_error'" in drawn
    shown = validation.load(Folder(ROOT / "papers/corr_rr_preprint")).predicted()["fig11"]
    assert "SMP" not in shown.drawn
    assert shown.where == "phase1_fraction >= 0.1"
    jrr = validation.load(FOLDER).predicted()
    shown = "(metric in ['mse_counts']) or (metric in ['are'])"
    assert jrr["fig3"] == ShownRows(shown, None, 1000)
    assert "table4" not in jrr


@pytest.mark.parametrize(
    ("paper", "called"), [("castell", {"table5": "Table V", "table6": "Table VI"}), ("jrr", {}), ("corr_rr", {})]
)
def test_tables_have_the_roman_numbers_of_the_paper(paper, called):
    names = validation.load(Folder(ROOT / "papers" / paper)).outline().names.phrases["exhibit"]
    assert {name: names[name] for name in ("table5", "table6") if name in names} == called
