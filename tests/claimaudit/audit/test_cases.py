import pytest
from checking import LEVELS
from checking import claim as claim_of
from picked import printed_in

from claimaudit.audit.arrays import Result
from claimaudit.audit.judging.cases import prepare

pytestmark = pytest.mark.thorough

READINGS = ["strict", "step=0.1", "step=0.01"]
ORDERING = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "0.8 * mse_rr"}
CELLS = {"kind": "cells", "published": "fig3", "metric": "mse"}


@pytest.fixture
def table(better_as_run):
    return better_as_run(READINGS)


def answers(rows, tmp_path, claim):
    case = prepare(claim_of(claim), {"fig3": Result(rows)}, printed_in(tmp_path))
    return {name: test(LEVELS).holds for name, test in case.run.items()}


def test_a_claim_is_judged_under_every_reading_the_strict_one_first(table, tmp_path):
    assert answers(table, tmp_path, ORDERING) == {"strict": False, "step=0.01": True, "step=0.1": True}
    assert next(iter(answers(table, tmp_path, ORDERING))) == "strict"


@pytest.mark.parametrize(
    ("ends", "holds"),
    [((0.5, 0.6), False), ((0.9, 1.1), None), ((1.2, 1.5), True)],
)
def test_a_vague_word_has_two_ends(table, tmp_path, ends, holds):
    """Under the strict reading the error of JRR equals that of RR."""
    against = {end: f"{factor} * mse_rr" for end, factor in zip(("strict", "generous"), ends, strict=True)}
    assert answers(table, tmp_path, {**ORDERING, "against": against})["strict"] is holds


def test_a_sentence_that_holds_in_another_meaning_only_is_vague(table, tmp_path):
    meanings = {"of 1.2 times RR": {"against": "1.2 * mse_rr"}}
    case = prepare(claim_of({**ORDERING, "alternatives": meanings}), {"fig3": Result(table)}, printed_in(tmp_path))
    found = case.stated(LEVELS)
    assert (found.holds, found.why, found.meaning) == (None, "word", "of 1.2 times RR")
    assert case.run["step=0.1"](LEVELS).holds is True
    failing = {"of half of RR": {"against": "0.5 * mse_rr"}}
    assert answers(table, tmp_path, {**ORDERING, "alternatives": failing})["strict"] is False


def published(table, tmp_path, reading, runs=1000):
    cells = table[table["reading"] == reading].rename(columns={"mean": "value"}).assign(runs=runs)
    cells[["n", "epsilon", "mechanism", "metric", "value", "runs"]].to_csv(tmp_path / "fig3.csv", index=False)


def test_recovery_of_a_planted_reading_is_reliable(better_as_run, tmp_path):
    """Among 30 audits at level 0.001, more than one wrong answer has probability 4e-4."""
    right = 0
    for planted in ("strict", *["step=0.1"] * 29):
        table = better_as_run(READINGS, runs=2000)
        published(better_as_run(READINGS, runs=1000), tmp_path, planted)
        expected = {name: (name == "strict") == (planted == "strict") for name in READINGS}
        right += answers(table, tmp_path, CELLS) == expected
    assert right >= 29


def test_the_number_of_runs_behind_an_exhibit_counts_as_run_and_not_as_stated(better_as_run, tmp_path):
    table = better_as_run(["strict"])
    published(better_as_run(["strict"], runs=20), tmp_path, "strict", runs=10_000)
    case = prepare(claim_of(CELLS), {"fig3": Result(table)}, printed_in(tmp_path), runs_factor=0.002)
    assert case.stated(LEVELS).holds is False
    assert case.run["strict"](LEVELS).holds is not False


def test_stand_in_data_leave_a_gap(table, tmp_path):
    touched = {"fig3": Result(table.assign(standin=(table["n"] == 100)), ("kosarak",))}
    case = prepare(claim_of(ORDERING), touched, printed_in(tmp_path))
    assert (case.standins, case.stated) == (("kosarak",), None)
    assert prepare(claim_of({**ORDERING, "where": "n == 400"}), touched, printed_in(tmp_path)).standins == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"where": "n == 101"}, "where 'n == 101' selects nothing from fig3"),
        ({"where": "users == 100"}, "unknown users in 'users == 100'; there are: .*epsilon"),
        ({"quantity": "mse_jrrr"}, "unknown mse_jrrr in .* there are: epsilon, mse_jrr, mse_rr, n"),
        ({"table": "fig33"}, "there is no result table fig33; there are: fig3"),
        ({"alternatives": {"x": {"where": "n == 7"}}}, "where 'n == 7' selects nothing"),
    ],
)
def test_typo_is_an_error(table, tmp_path, change, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        answers(table, tmp_path, {**ORDERING, **change})


def test_what_a_reading_lacks_is_an_error(table, tmp_path):
    lacking = table[(table["reading"] == "strict") | (table["mechanism"] == "RR")]
    words = r"^no selected setting has all of mse_jrr, mse_rr .*reading step=0.1\)"
    with pytest.raises(ValueError, match=words):
        answers(lacking, tmp_path, ORDERING)


def test_claim_on_data_that_only_a_user_can_supply_waits_for_them(table, tmp_path):
    waiting = {**ORDERING, "where": "n == 900", "lacking": "the survey of 2016"}
    assert prepare(claim_of(waiting), {"fig3": Result(table)}, printed_in(tmp_path)).stated is None
    assert answers(table.replace({"n": {400: 900}}), tmp_path, waiting)["step=0.1"] is True
    with pytest.raises(ValueError, match="selects nothing"):
        answers(table, tmp_path, {**ORDERING, "where": "n == 900"})
