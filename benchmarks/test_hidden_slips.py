"""Authors of made-up papers make the slips of their list, and one of them is found."""

from dataclasses import replace

import hidden_slips
import numpy as np
import pytest
from made_up_slips import CHANCE

from claimaudit.audit.fitting.likelihood import p_values
from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL

pytestmark = pytest.mark.thorough

CORR_RR, JRR = (replace(text, family=replace(text.family, ours=1000)) for text in hidden_slips.TEXTS)


@pytest.mark.parametrize("text", [CORR_RR, JRR], ids=["corr_rr", "jrr"])
def test_without_a_slip_authors_run_what_the_text_says(text):
    """With another seed the numbers differ with a probability of 0.001."""
    theirs = text.written((), 2000, seed=1)
    both = theirs.merge(text.table, on=[*text.family.panels["figure"].columns, "mechanism", "metric"])
    assert len(both) == len(theirs)
    closed = both["theory_y"].notna()
    ours, se = both["theory_y"].where(closed, both["mean_y"]), both["se_y"].where(~closed, 0.0)
    z = ((both["mean_x"] - ours) / np.hypot(both["se_x"], se)).abs()
    assert p_values((z**2).sum(), z.max(), len(z)) >= LEVEL


@pytest.mark.parametrize("text", [CORR_RR, JRR], ids=["corr_rr", "jrr"])
def test_the_code_has_every_slip_of_the_list(text):
    asked = set(CHANCE)
    for point in text.searched[0].setting.points(text.searched[0].readings["strict"]):
        assert len([*text.code(point, 10, np.random.default_rng(1), lambda slip: bool(asked.add(slip)))]) > 1
    listed = {slip for slips in text.slips.values() for slip in slips.split("; ")}
    assert listed - asked == set()
    assert asked - listed <= set(CHANCE)


def test_a_slip_is_found_and_who_made_none_is_not_accused():
    found = hidden_slips.trial(JRR, ("sum over values",), seed=1)
    assert found["visible"]
    assert found["stands"]
    assert found["first"]
    assert "measure as printed: double" in found["named"]
    assert hidden_slips.trial(JRR, (), seed=1)["named"] == STRICT
