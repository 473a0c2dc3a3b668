import pytest
from checking import LEVELS, case_of

pytestmark = pytest.mark.thorough

READINGS = ["strict", "step=0.1", "step=0.01"]
ORDERING = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "0.8 * mse_rr"}
CELLS = {"kind": "cells", "published": "fig3", "metric": "mse"}


@pytest.fixture
def table(better_as_run):
    return better_as_run(READINGS)


def answers(rows, claim, published=None):
    return {name: test(LEVELS).holds for name, test in case_of(claim, rows, published).run.items()}


def test_a_claim_is_judged_under_every_reading_the_strict_one_first(table):
    assert answers(table, ORDERING) == {"strict": False, "step=0.01": True, "step=0.1": True}
    assert next(iter(answers(table, ORDERING))) == "strict"


@pytest.mark.parametrize(
    ("ends", "holds"),
    [((0.5, 0.6), False), ((0.9, 1.1), None), ((1.2, 1.5), True)],
)
def test_a_vague_word_has_two_ends(table, ends, holds):
    """Under the strict reading the error of JRR equals that of RR."""
    against = {end: f"{factor} * mse_rr" for end, factor in zip(("strict", "generous"), ends, strict=True)}
    assert answers(table, {**ORDERING, "against": against})["strict"] is holds


def test_a_sentence_that_holds_in_another_meaning_only_is_vague(table):
    meanings = {"of 1.2 times RR": {"against": "1.2 * mse_rr"}}
    case = case_of({**ORDERING, "alternatives": meanings}, table)
    found = case.stated(LEVELS)
    assert (found.holds, found.why, found.meaning) == (None, "word", "of 1.2 times RR")
    assert case.run["step=0.1"](LEVELS).holds is True
    failing = {"of half of RR": {"against": "0.5 * mse_rr"}}
    assert answers(table, {**ORDERING, "alternatives": failing})["strict"] is False


def published(table, reading, runs=1000):
    cells = table[table["reading"] == reading].rename(columns={"mean": "value"}).assign(runs=runs, unit=0.0)
    return {"fig3": cells[["n", "epsilon", "mechanism", "metric", "value", "runs", "unit"]]}


def test_recovery_of_a_planted_reading_is_reliable(better_as_run):
    """Among 30 audits at level 0.001, more than one wrong answer has probability 4e-4."""
    right = 0
    for planted in ("strict", *["step=0.1"] * 29):
        table = better_as_run(READINGS, runs=2000)
        printed = published(better_as_run(READINGS, runs=1000), planted)
        expected = {name: (name == "strict") == (planted == "strict") for name in READINGS}
        right += answers(table, CELLS, printed) == expected
    assert right >= 29


def test_the_number_of_runs_behind_an_exhibit_counts_as_run_and_not_as_stated(better_as_run):
    table = better_as_run(["strict"])
    printed = published(better_as_run(["strict"], runs=20), "strict", runs=10_000)
    case = case_of(CELLS, table, printed, runs_factor=0.002)
    assert case.stated(LEVELS).holds is False
    assert case.run["strict"](LEVELS).holds is not False


def test_stand_in_data_leave_a_gap(table):
    touched = table.assign(standin=(table["n"] == 100))
    case = case_of(ORDERING, touched, standins=("kosarak",))
    assert (case.standins, case.stated) == (("kosarak",), None)
    assert case_of({**ORDERING, "where": "n == 400"}, touched, standins=("kosarak",)).standins == ()


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
def test_typo_is_an_error(table, change, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        answers(table, {**ORDERING, **change})


def test_what_a_reading_lacks_is_an_error(table):
    lacking = table[(table["reading"] == "strict") | (table["mechanism"] == "RR")]
    words = r"^no selected setting has all of mse_jrr, mse_rr .*reading step=0.1\)"
    with pytest.raises(ValueError, match=words):
        answers(lacking, ORDERING)


def test_claim_on_data_that_only_a_user_can_supply_waits_for_them(table):
    waiting = {**ORDERING, "where": "n == 900", "lacking": "the survey of 2016"}
    assert case_of(waiting, table).stated is None
    assert answers(table.replace({"n": {400: 900}}), waiting)["step=0.1"] is True
    with pytest.raises(ValueError, match="selects nothing"):
        answers(table, {**ORDERING, "where": "n == 900"})
