"""Conclusions rest on verdicts: one with another verdict says so, and faults in the file are named."""

from pathlib import Path

import pytest

from corrldp import configuration
from corrldp.audit.claims.files import load
from corrldp.report.conclusions import hold
from corrldp.verdicts import ANSWERS, VERDICTS

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def verdicts(record, verdicts_of):
    """The verdicts of one paper: one claim reproduced, one only as run."""
    return {"jrr": verdicts_of([record("reproduced"), record("reproduced as run")])}


def conclusion(**rests_on):
    names = {name.replace("__", "/").replace("_", "-"): expected for name, expected in rests_on.items()}
    return {"states": " JRR has the lower error.\n", "rests_on": names}


def test_a_conclusion_whose_claims_have_the_expected_verdicts_stands(verdicts):
    entry = conclusion(jrr__reproduced="reproduced", jrr__reproduced_as_run="fails")
    (found,) = hold([entry], verdicts)
    assert found.stands
    assert found.states == "JRR has the lower error."
    assert found.numbers == "Ours 0.05812 ± 0.00023, printed 0.058 at n = 10,000."
    assert [(item.link, item.found) for item in found.evidence] == [
        ("jrr.html#claim-jrr-reproduced", "reproduced"),
        ("jrr.html#claim-jrr-reproduced-as-run", "fails"),
    ]


@pytest.mark.parametrize(
    ("expected", "found"),
    [(word, "reproduced as run") for word in VERDICTS] + [(word, "fails") for word in ("holds", "fails")],
)
def test_any_other_verdict_overturns_it(verdicts, expected, found):
    (conclusion_found,) = hold([conclusion(jrr__reproduced="holds", jrr__reproduced_as_run=expected)], verdicts)
    assert conclusion_found.stands == (expected == found)
    assert conclusion_found.evidence[1].found == found


@pytest.mark.parametrize("expected", ["reproduced", "holds"])
@pytest.mark.parametrize(("other", "beware"), [("reproduced", "has no data for it"), ("fails", "does not show it")])
def test_one_on_a_claim_without_data_says_so(record, verdicts_of, expected, other, beware):
    verdicts = {"jrr": verdicts_of([record("reproduced"), record("no data")])}
    (found,) = hold([conclusion(jrr__reproduced=other, jrr__no_data=expected)], verdicts)
    assert not found.stands
    assert found.beware == f"This run {beware}"
    assert found.evidence[1].found == "no data"


def test_conclusions_on_other_papers_are_left_out(verdicts, record, verdicts_of):
    entry = conclusion(jrr__reproduced="reproduced", cpl__leaks="reproduced")
    assert hold([entry], verdicts) == []
    assert len(hold([entry], {**verdicts, "cpl": verdicts_of([record("reproduced", id="leaks")])})) == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"states": "a"}, "an entry has states; it needs states and rests_on"),
        ({**conclusion(jrr__reproduced="holds"), "why": "b"}, "an entry has states, rests_on, why"),
        (conclusion(), "'JRR has the lower error.' rests on nothing"),
        (conclusion(jrr__reproducd="holds"), "jrr has no claim 'reproducd'; did you mean reproduced"),
        (conclusion(jrr__reproduced="true"), "jrr/reproduced expects 'true'; it must be one of reproduced, "),
    ],
)
def test_a_fault_is_named(verdicts, entry, message):
    with pytest.raises(ValueError, match=message):
        hold([entry], verdicts)


def test_the_conclusions_of_the_project_name_claims_that_exist():
    """A paper that is misspelt would silently remove the conclusion from the page."""
    known = {f"{path.stem}/{claim.id}" for path in CONFIG.glob("claims/*.yaml") for claim in load(path)}
    entries = configuration.read(CONFIG / "conclusions.yaml")
    assert entries
    for entry in entries:
        assert set(entry["rests_on"]) <= known
        assert set(entry["rests_on"].values()) <= {*VERDICTS, *ANSWERS.values()}
