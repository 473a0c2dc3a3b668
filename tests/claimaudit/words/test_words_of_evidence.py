# ruff: noqa: RUF001 (characters of the report)
"""What every kind of check says, from checks of small tables; sentences are tested here and nowhere else."""

import pandas as pd
import pytest
from picked import claim_with, printed_in

from claimaudit.audit.arrays import Result
from claimaudit.audit.judging.cases import prepare
from claimaudit.audit.judging.decide import Known, judge
from claimaudit.results import MEASURES
from claimaudit.verdicts import Chance, Choice, Departures, Levels, Names
from claimaudit.words import evidence as words
from claimaudit.words.names import expression
from claimaudit.words.verdicts import decides, effect, reason, reason_as_stated, sides, thresholds

LEVELS = Levels(0.01, 0.001)
NAMES = Names()
NAN = float("nan")


def table(rr, jrr, se=0.0, theory=NAN, metric="mse"):
    """A row of RR and one of JRR for each n."""
    rows = [
        (n, "strict", mechanism, metric, mean, se * mean, 1000 if se else 0, theory, False)
        for n, means in enumerate(zip(rr, jrr, strict=True), start=1)
        for mechanism, mean in zip(("RR", "JRR"), means, strict=True)
    ]
    return pd.DataFrame(rows, columns=["n", "reading", *MEASURES])


def verdict_of(claim, rows=None, known=None, printed=()):
    content = {"id": "a", "place": "Section 5", "states": "So it is.", "table": "fig3", **claim}
    if content["kind"] == "contradiction":
        del content["table"]
    case = prepare(claim_with(content), {} if rows is None else {"fig3": Result(rows)}, dict(printed))
    return judge(case, "jrr", LEVELS, known or Known(("strict",), "none"))


ONE, THREE = table([2.0], [1.5]), table([4.0, 4.0, 4.0], [1.0, 2.0, 3.0])
ORDERING = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}
ABOVE = {"kind": "ordering", "quantity": "mse_jrr", "relation": ">", "against": 2.5}
TREND = {"kind": "monotone", "quantity": "mse_jrr", "along": "n", "direction": "increasing"}
FLAT = {"kind": "flat", "quantity": "mse_jrr", "along": "n"}
VALUE = {"kind": "value", "quantity": "mse_jrr / mse_rr", "printed": {"value": "0.75"}}
SUM = {
    "kind": "contradiction",
    "relation": "1 - reduction == share",
    "printed": {"reduction": "0.909", "share": "0.100"},
}
GAIN = {**ORDERING, "quantity": "1 - mse_jrr / mse_rr", "measure": "gain", "unit": "percent", "against": 0.7}
NEAR = {**VALUE, "printed": {"value": 0.7, "tolerance": 0.05}}
AGREEMENT = {"kind": "agreement"}
NOISY = "the Monte-Carlo error is too large to detect"
DECIDED = [
    (ORDERING, ONE, "JRR 1.5, RR 2"),
    (GAIN, ONE, "gain 25 %, needed: below 70 %"),
    ({**ORDERING, "quantity": "mse_jrr * 1e8"}, ONE, "150,000,000, RR 2"),
    (ABOVE, THREE, "1 of 3 satisfied; fails most clearly: JRR 1, needed: above 2.5 at n = 1"),
    ({**ABOVE, "share": "some"}, THREE, "1 of 3 satisfied; holds most clearly: JRR 3, needed: above 2.5 at n = 3"),
    (TREND, THREE, "3 of 3 satisfied; nearest to failing: from 2 to 3 at n = 2 → 3"),
    ({**TREND, "measure": "error"}, THREE[:4], "error from 1 to 2"),
    (TREND, table([4.0] * 2, [1.0, 1.0]), "stays at 1"),
    (TREND, table([4.0] * 2, [1.1234501, 1.1234502]), "from 1.1234501 to 1.1234502"),
    (FLAT, THREE, "from 1 to 3, a factor of 3; farthest from the mean at n = 1"),
    (
        AGREEMENT,
        ONE.assign(theory=[2.0, 1.0]),
        "largest deviation: enumeration 1.5, formula 1 (+50 %) at mechanism = JRR",
    ),
    (VALUE, ONE, "ours 0.75, printed 0.75"),
    ({**VALUE, "unit": "percent", "measure": "ratio"}, ONE, "ratio 75 %, printed 75 %"),
    ({**VALUE, "printed": {"interval": [0.1, 0.2]}}, ONE, "ours 0.75, needed: between 0.1 and 0.2"),
    (NEAR, ONE, "ours 0.75, needed: 0.7 within 5 %"),
    ({**NEAR, "claimed": 0.7}, ONE, "ours 0.75, claimed 0.7 within 5 %"),
    (SUM, None, "1 - reduction = 0.091, not 0.1"),
    ({**SUM, "measure": "share"}, None, "share: 0.091, not 0.1"),
    ({**SUM, "relation": "1 - reduction > share", "measure": "share"}, None, "share: 0.091, not above 0.1"),
    ({**SUM, "relation": "1 - reduction <= share", "measure": "share"}, None, "share: 0.091, at most 0.1"),
    ({**SUM, "relation": "1 - share == reduction"}, None, "1 - share = 0.9, not 0.909"),
    ({**SUM, "printed": {"reduction": "0.90", "share": "0.1"}}, None, "1 - reduction = 0.1, agrees with 0.1"),
    ({**SUM, "relation": "0 < share and share < reduction"}, None, "printed: reduction = 0.909, share = 0.100"),
]
WITH_REASONS = [
    (ABOVE, table([4.0], [2.51], 0.1), "JRR 2.51 ± 0.25, needed: above 2.5", "1 undecided"),
    (
        {**FLAT, "measure": "error", "tolerance": 0.6},
        THREE,
        "error from 1 to 3, a factor of 3; farthest from the mean at n = 1",
        "no deviation beyond 60 %",
    ),
    (
        FLAT,
        table([4.0] * 2, [1.0, 1.1], 0.5),
        "from 1 to 1.1, a factor of 1.1; farthest from the mean at n = 2",
        f"{NOISY} numbers wrong by 50 %",
    ),
    (
        AGREEMENT,
        table([4.0] * 2, [2.0, 3.0], 0.01, theory=4.0),
        "largest deviation: simulation 2, formula 4 (−50 %, z < −37) at n = 1, mechanism = JRR",
        "chi-square = 11,111 (4 dof), p < 0.001 over 2 tests",
    ),
    (
        {**VALUE, "runs": 1},
        table([2.0], [1.5], 0.001),
        "ours 0.75 ± 0.0011, printed 0.75 (± 0.034 in 1 run)",
        "z = 0.00, p > 0.5",
    ),
    (VALUE, table([2.0], [1.5], 0.4), "ours 0.75 ± 0.42, printed 0.75", f"{NOISY} a wrong number in 1 of 1 row"),
]


@pytest.mark.parametrize(
    ("claim", "rows", "effect", "because"), [*((*decided, "") for decided in DECIDED), *WITH_REASONS]
)
def test_what_is_found_and_why(claim, rows, effect, because):
    verdict = verdict_of(claim, rows)
    assert words.effect(verdict, verdict.stated) == effect
    assert words.reason(verdict, verdict.stated) == because


def test_cells_of_a_published_table(tmp_path):
    (tmp_path / "fig3.csv").write_text("n,mechanism,metric,value,runs\n1,RR,mse,2.000,1000\n1,JRR,mse,1.720,1000\n")
    cells = {"kind": "cells", "published": "fig3", "metric": "mse"}
    verdict = verdict_of(cells, table([2.0], [1.5], 0.03), printed=printed_in(tmp_path))
    found = "1 of 2 cells inside their 95 % interval; farthest: printed 1.72, ours 1.5 (z = 3."
    assert words.effect(verdict, verdict.stated).startswith(found)
    because = words.reason(verdict, verdict.stated)
    assert because.startswith("chi-square = ")
    assert because.endswith("; below 0.01 (cannot hold) but not 0.001 (cannot fail)")
    agreeing = "The numbers agree if p is at least 1 %, and disagree if it is below 0.1 %; "
    assert thresholds(verdict).startswith(agreeing)


@pytest.mark.parametrize(
    ("name", "others", "why", "told", "deciding"),
    [
        ("of RR", {}, "word", "holds if it means: of RR", "what the paper means by the sentence"),
        (
            "with other data",
            {"on_other_data": ["with other data"]},
            "readings",
            "holds with other data",
            "the settings that were run",
        ),
    ],
)
def test_a_meaning_that_decides_is_told_without_readings_and_other_data_are_none(name, others, why, told, deciding):
    verdict = verdict_of(
        {**ABOVE, "alternatives": {name: {"quantity": "mse_rr"}}, **others}, ONE.assign(mean=[3.0, 1.5])
    )
    assert (verdict.verdict, verdict.why) == ("undecided", why)
    assert words.reason(verdict, verdict.stated) == told
    assert sides(verdict, NAMES) == [told]
    assert decides(verdict) == deciding


TO = {"strict": 0.05, "generous": 0.25}


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ({**FLAT, "tolerance": TO}, "within 5 % (strict) to 25 % (generous) of the mean, weighted by precision"),
        (
            {**ABOVE, "share": {"at_least": {"strict": 0.9, "generous": 0.5}}},
            "at least 90 % (strict) to 50 % (generous) of",
        ),
        (
            {**ABOVE, "unit": "nats", "against": {"strict": 3, "generous": 0.1}},
            "3 nats (strict) to 0.1 nats (generous).",
        ),
        (
            {**ABOVE, "against": {"strict": "2 * mse_rr", "generous": "mse_rr"}},
            "2 * mse_rr (strict) to mse_rr (generous).",
        ),
        (
            {**VALUE, "printed": {"value": 0.6, "tolerance": TO}},
            "within 5 % (strict) or 25 % (generous) of the number.",
        ),
    ],
)
def test_thresholds_of_a_vague_word(claim, told):
    assert thresholds(verdict_of({**claim, "word": "close"}, THREE)).startswith(f'We took "close" as {told}')
    assert thresholds(verdict_of(ORDERING, THREE)) == ""


def test_how_many_more_runs_would_decide():
    verdict = verdict_of(ABOVE, table([4.0], [3.0], 0.1))
    assert verdict.chance.runs == pytest.approx(1.94, abs=0.01)
    told = "more Monte-Carlo runs, ours or the paper's (about 1.9 times as many; it is at 1.67, and 2.33 decides)"
    assert decides(verdict) == told
    assert words.chance(Chance(0.001, 3.0, None)) == "the numbers are equal within their error"


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ([3.0, 1.5], "no setting tried explains it"),
        ([2.0, 1.5], "explained only with other, which other printed numbers reject"),
    ],
)
def test_reasons_do_not_deny_a_reading_that_explains_the_number(other, told):
    rows = pd.concat([table([2.0], [1.8]), ONE.assign(reading="other", mean=other)])
    verdict = verdict_of(VALUE, rows, Known(("strict", "other"), "rejected", open=True))
    assert reason(verdict, NAMES).startswith(f"{told}: ours 0.9, printed 0.75; it cannot be recomputed from the text")


@pytest.mark.parametrize(("standing", "run"), [("other", "; as run: JRR 2.1, RR 2"), ("strict", "")])
def test_what_fails_with_other_numbers_as_run_shows_both(standing, run):
    rows = pd.concat([table([2.0], [2.5]), table([2.0], [2.1]).assign(reading="other")])
    verdict = verdict_of(ORDERING, rows, Known((standing,), "own", texts=("strict", "other")))
    assert verdict.verdict == "not reproduced"
    assert effect(verdict) == reason(verdict, NAMES) == f"{'as stated: ' * bool(run)}JRR 2.5, RR 2{run}"


def test_reasons_name_what_was_not_stated():
    rows = pd.concat([ONE, ONE.assign(reading="other", mean=[1.0, 1.5])])
    verdict = verdict_of(ORDERING, rows, Known(("strict", "other"), "none", texts=("strict", "other")))
    told = "the text does not state what decides: with the values that we took it holds; with other it fails"
    assert reason(verdict, NAMES) == told
    assert decides(verdict) == "the settings that were run"


@pytest.mark.parametrize(
    ("texts", "told"),
    [(("other",), "with other it fails"), (("none",), "what they leave was not run")],
)
def test_reasons_name_values_of_ours_that_printed_numbers_reject(texts, told):
    rows = pd.concat([ONE, ONE.assign(reading="other", mean=[1.0, 1.5])])
    verdict = verdict_of(ORDERING, rows, Known(("other",), "own", texts=texts))
    found = "the text does not state what decides: with {} it holds, but the printed numbers rule that out; {}"
    assert reason(verdict, NAMES) == reason_as_stated(verdict, NAMES) == found.format("the values that we took", told)
    taken = Departures((Choice("share", "0.1"), Choice("step", "1")))
    readings = {"strict": taken, "other": Departures((Choice("share", "0.2"),))}
    names = Names({"fig3": readings}, {"share": {"0.1": "10 %", "0.2": "20 %"}, "step": {"1": "a step of 1"}})
    named = "10 %" if texts == ("other",) else "10 %, a step of 1"
    assert reason(verdict, names) == found.format(named, told.replace("other", "20 %"))


@pytest.mark.parametrize(
    ("claimed", "origin", "told"),
    [
        (0.7, "paper", "claimed below 70 %"),
        (0.7, "ours", "asked: below 70 %"),
        (0.5, "paper", "needed: below 70 %"),
        (None, "paper", "needed: below 70 %"),
    ],
)
def test_a_threshold_is_said_to_be_of_who_states_it(claimed, origin, told):
    """Whatever numbers the sentence has: that of an algorithm is no threshold."""
    states = "By Algorithm 70, the gain is below 70 %."
    verdict = verdict_of({**GAIN, "states": states, "claimed": claimed, "origin": origin}, ONE)
    assert words.effect(verdict, verdict.stated) == f"gain 25 %, {told}"


def test_the_extreme_of_several_is_named():
    assert expression("minimum(minimum(SPL, RS+FD), RS+RFD)") == "the lowest of SPL, RS+FD and RS+RFD"
    assert expression("maximum(A, B)") == "the highest of A and B"
