import numpy as np
import pytest
from checking import claim as claim_of

from claimaudit.audit.fitting.exhibits import compare, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.judging.cases import Result, by_the_paper, prepare
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.verdicts import Levels

LEVELS = Levels(0.001, 0.0001)
SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}
BETTER = {
    **{"id": "a", "place": "Figure 3", "states": "JRR is better.", "table": "fig3"},
    **{"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"},
}


@pytest.fixture
def rows(simulate, rng):
    """What we find: JRR has half of RR's error."""
    return simulate(lambda s, m, r: s["n"] * (1 if m == "RR" else 0.5), rng, SETTINGS, runs=1000)


@pytest.fixture
def point(rows):
    """RR's printed error at n = 100 and epsilon = 0.1."""
    return float(rows.query("mechanism == 'RR' and n == 100 and epsilon == 0.1")["mean"].iloc[0])


@pytest.fixture
def paper_says(rows, tmp_path):
    """What the printed points say of a claim; they have `factor` times the error of JRR that we find."""

    def judged(claim, factor, points="n > 0"):
        printed = rows.assign(value=np.where(rows["mechanism"] == "JRR", factor, 1) * rows["mean"], runs=1600)
        published = printed[["n", "epsilon", "mechanism", "metric", "value", "runs"]].assign(unit=0.0).query(points)
        cells = compare(PaperExhibit("fig3", "fig3", "fig3"), rows, published)
        laws = rows.query("mechanism == 'JRR'").assign(metric="value")
        case = prepare(claim_of(claim), {"fig3": Result(rows), "laws": Result(laws)}, tmp_path)
        found = by_the_paper(case, score(cells, RunsRatio()), "strict", tmp_path, LEVELS)
        return "silent" if found is None else found.holds

    return judged


def test_printed_points_refute_a_sentence_about_them(paper_says):
    assert paper_says(BETTER, 4) is False


def test_they_confirm_it_if_they_show_everything(paper_says):
    assert paper_says(BETTER, 1) is True
    assert paper_says(BETTER, 1, "n == 100") == "silent"


def test_some_of_the_points_are_enough_to_refute_a_universal_claim_but_no_other(paper_says):
    assert paper_says(BETTER, 4, "n == 100") is False
    assert paper_says({**BETTER, "share": "some"}, 4, "n == 100") == "silent"
    assert paper_says({**BETTER, "share": "some"}, 4) is False


def test_they_are_silent_where_a_meaning_of_the_sentence_has_another_table(paper_says):
    other = {"as in the law": {"table": "laws", "quantity": "value_jrr", "against": "1"}}
    assert paper_says({**BETTER, "alternatives": other}, 1) == "silent"


def test_their_own_noise_is_taken_into_account(paper_says):
    """The points differ by 4 %, at a standard error of 3.5 % each."""
    assert paper_says(BETTER, 2.08) is None


@pytest.mark.parametrize(("printed", "holds"), [(0.5, True), (0.2, False)])
def test_a_number_in_the_text_is_compared_with_the_points(paper_says, printed, holds):
    claim = {**BETTER, "kind": "value", "where": "n == 100 and epsilon == 0.1", "quantity": "mse_jrr / mse_rr"}
    claim |= {"printed": {"value": printed, "tolerance": 0.2}}
    assert paper_says(claim, 1) is holds


def test_a_point_does_not_confirm_the_number_that_it_is(paper_says, point):
    claim = {**BETTER, "kind": "value", "where": "n == 100 and epsilon == 0.1", "quantity": "mse_rr"}
    assert paper_says({**claim, "printed": {"value": point, "tolerance": 0.1}}, 1) == "silent"
    assert paper_says({**claim, "printed": {"value": 1.02 * point, "tolerance": 0.1}}, 1) is True
    assert paper_says({**claim, "printed": {"value": 2 * point, "tolerance": 0.1}}, 1) is False


def test_points_that_lack_a_variable_cannot_answer(paper_says):
    assert paper_says(BETTER, 4, "mechanism == 'RR'") == "silent"
