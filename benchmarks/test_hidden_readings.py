"""The audit finds hidden readings; docs/benchmarks.md has the rates of a longer run.

The numbers of an exhibit reject the true reading with a probability of about 0.001, for themselves and for up to two
others. With new seeds, one of the 24 exhibits here would lose the truth with a probability below 0.1.
"""

from functools import cache, partial

import hidden_readings
import made_up_claims
import made_up_papers
import made_up_runners
import numpy as np
import pandas as pd
import pytest
from shared.runners import errors

from claimaudit.audit.arrays import Result
from claimaudit.audit.claims import Claim
from claimaudit.audit.judging.cases import prepare
from claimaudit.experiments.engine import Cell, Experiment, ExperimentJob
from claimaudit.experiments.memo import Memo
from claimaudit.results import STRICT
from claimaudit.verdicts import Levels

pytestmark = pytest.mark.thorough

PANELS = ("over_epsilon", "over_n", "over_colluders")


@pytest.fixture(scope="module")
def world():
    return made_up_papers.build("jrr", seed=1, panels=PANELS)


@pytest.fixture(scope="module")
def drawn(world):
    """Function of a seed that draws a paper with a hidden reading; tests only read it."""
    return cache(partial(made_up_papers.draw, world, "hidden"))


def trials(world, kind, papers):
    found = [hidden_readings.trial(world, kind, seed, count=4) for seed in range(papers)]
    return tuple(pd.concat(part, ignore_index=True) for part in zip(*found, strict=True))


@pytest.fixture(scope="module")
def hidden(world):
    return trials(world, "hidden", 8)


def test_the_truth_stands_among_few(hidden):
    _, exhibits, _ = hidden
    assert exhibits["contained"].all()
    spoken = exhibits[exhibits["source"] != "none"]
    assert len(spoken) > 12
    assert spoken["standing"].sum() < 0.7 * spoken["competed"].sum()


def test_the_setting_named_first_is_the_truth_or_about_as_likely(hidden):
    """In the benchmark it is in 98.6 % of pools; one of those here may be neither."""
    *_, pools = hidden
    assert len(pools) > 8
    assert pools["stands"].all()
    assert (~(pools["truth"] | pools["about_as_likely"])).sum() <= 1


def test_passages_print_few_numbers(world, drawn, tmp_path):
    quoted = 0
    for seed in range(12):
        paper = drawn(seed)
        made_up_papers.evidence(world, paper, tmp_path)
        for panel, places in paper.quoted.items():
            quoted += 1
            assert len(pd.read_csv(tmp_path / f"{panel}.csv")) == len(places) <= made_up_papers.MOST_QUOTED
    assert quoted > 3


def test_answers_as_run_never_contradict_the_truth(hidden):
    claims, *_ = hidden
    assert not (claims.loc[claims["truth"] == "fails", "as_run"] == "holds").any()
    decided = claims[(claims["as_run"] != "undecided") & (claims["truth"] != "undecided")]
    assert len(decided) > 12
    assert (decided["as_run"] == decided["truth"]).all()


def test_hardly_anything_is_rescued_if_the_truth_was_not_tried(world):
    """Another reading may fit the printed numbers by chance: in two benchmarks it rescued 1 of 52 and 0 of 59."""
    claims, exhibits, _ = trials(world, "missing", 6)
    assert not exhibits["contained"].all()
    false = claims[(claims["truth"] == "fails") & (claims["stated"] == "fails")]
    rescued = false[false["verdict"] == "reproduced as run"]
    assert len(rescued) <= 1
    assert (rescued["made_by"] == "adversary").all()


def test_authors_run_a_reading_that_the_text_does_not_state(world, drawn):
    for seed in range(10):
        paper = drawn(seed)
        assert any(world.name(panel, values) != "strict" for panel, values in paper.truth.items())


def test_a_removed_value_is_not_tried(world):
    paper = made_up_papers.draw(world, "missing", 3)
    axis, value = paper.removed
    for panel, truth in paper.truth.items():
        rows = made_up_papers.tried(world, paper, panel)
        if axis in truth:
            assert value not in set(rows[axis])
        assert "strict" in set(rows["reading"])


def test_what_authors_write_holds_in_their_own_numbers_and_planted_errors_do_not(world, drawn, tmp_path):
    """Judged as if there were no noise."""
    answers = {made_up_claims.AUTHORS: [], made_up_claims.PLANTED: []}
    for seed in range(12):
        paper = drawn(seed)
        results = {
            panel: Result(table.assign(reading=STRICT, se=0.0, theory=np.nan)) for panel, table in paper.numbers.items()
        }
        for claim in made_up_claims.authors_claims(world, paper, np.random.default_rng(seed), 10):
            test = prepare(Claim.of({**claim, "runs": 10**12} if "runs" in claim else claim), results, {}).run[STRICT]
            answers[made_up_claims.source_of(claim["id"])].append(test(Levels(0.001, 0.001)).holds)
    assert len(answers[made_up_claims.PLANTED]) > 4
    assert all(answers[made_up_claims.AUTHORS])
    assert not any(answers[made_up_claims.PLANTED])


def test_an_answer_is_unknowable_only_where_it_differs_from_the_truth(hidden):
    claims, *_ = hidden
    unknowable = claims[claims["unknowable"]]
    assert (unknowable["as_run"] != unknowable["truth"]).all()


def test_made_up_data_may_have_another_rho_than_the_stated_one():
    setting = {"epsilon": [1], "mechanisms": ["SPL", "Corr-RR"]}
    point = {"dataset": "syn_a", "n": 500, "d": 2, "k": 4, "rho": 0.1, "epsilon": 1}

    def measured(runner, rho=0.1, **choices):
        job = ExperimentJob("jrr", "small", "", setting, strict=choices, seed=1, runs=2)
        experiment = Experiment.load(job, {}, runner)
        cell = Cell(experiment, Memo(), {**point, "rho": rho}, "strict", {})
        return [(each.mechanism, each.mean) for each in runner(cell)]

    stated, other = measured(errors.mse), measured(errors.mse, rho=0.9)
    assert measured(made_up_runners.mse) == stated != other
    assert measured(made_up_runners.mse, data_rho=0.9) == other
