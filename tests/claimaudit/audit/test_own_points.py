import numpy as np
import pytest
from checking import LEVELS
from checking import claim as claim_of

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.exhibits import compare, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.judging.cases import by_the_paper, prepare
from claimaudit.papers.jobs import PaperExhibit

SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}
BETTER = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}


@pytest.fixture
def rows(simulate, rng):
    """What we find: JRR has half of RR's error."""
    return simulate(lambda s, m, r: s["n"] * (1 if m == "RR" else 0.5), rng, SETTINGS, runs=1000)


def paper_says(rows, claim, factor, points="n > 0"):
    """What the printed points say of a claim; they have `factor` times the error of JRR that we find."""
    printed = rows.assign(value=np.where(rows["mechanism"] == "JRR", factor, 1) * rows["mean"], runs=1600)
    published = printed[["n", "epsilon", "mechanism", "metric", "value", "runs"]].assign(unit=0.0).query(points)
    cells = compare(PaperExhibit("fig3", "fig3", "fig3"), rows, published)
    laws = rows.query("mechanism == 'JRR'").assign(metric="value")
    case = prepare(claim_of(claim), {"fig3": Result(rows), "laws": Result(laws)}, {})
    found = by_the_paper(case, score(cells, RunsRatio()), "strict", LEVELS)
    return "silent" if found is None else found.holds


SOME = {"share": "some"}
OTHER = {"alternatives": {"as in the law": {"table": "laws", "quantity": "value_jrr", "against": "1"}}}
AT = {"kind": "value", "where": "n == 100 and epsilon == 0.1"}
RATIO = {**AT, "quantity": "mse_jrr / mse_rr"}


@pytest.mark.parametrize(
    ("claim", "factor", "points", "holds"),
    [
        ({}, 4, "n > 0", False),
        ({}, 1, "n > 0", True),
        ({}, 1, "n == 100", "silent"),  # the points confirm a sentence only if they show everything
        ({}, 4, "n == 100", False),  # some of them refute a universal claim, but no other
        (SOME, 4, "n == 100", "silent"),
        (SOME, 4, "n > 0", False),
        (OTHER, 1, "n > 0", "silent"),  # a meaning of the sentence has another table
        ({}, 2.08, "n > 0", None),  # the points differ by 4 %, at a standard error of 3.5 % each
        ({}, 4, "mechanism == 'RR'", "silent"),
        ({**RATIO, "printed": {"value": 0.5, "tolerance": 0.2}}, 1, "n > 0", True),
        ({**RATIO, "printed": {"value": 0.2, "tolerance": 0.2}}, 1, "n > 0", False),
    ],
)
def test_what_printed_points_say_of_a_sentence(rows, claim, factor, points, holds):
    assert paper_says(rows, {**BETTER, **claim}, factor, points) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, "silent"), (1.02, True), (2, False)])
def test_a_point_does_not_confirm_the_number_that_it_is(rows, factor, holds):
    point = float(rows.query("mechanism == 'RR' and n == 100 and epsilon == 0.1")["mean"].iloc[0])
    claim = {**BETTER, **AT, "quantity": "mse_rr", "printed": {"value": factor * point, "tolerance": 0.1}}
    assert paper_says(rows, claim, 1) is holds
