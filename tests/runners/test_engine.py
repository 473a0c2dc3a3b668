"""The engine: strict runs, parts, streams, flags and columns, with test runners and with real ones."""

import json
import math
from dataclasses import asdict, replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from shared.runners import datasets, errors

from claimaudit.experiments.axes import Axis, Number, by_name
from claimaudit.experiments.engine import Cell, Part, join, run
from claimaudit.experiments.memo import Memo
from claimaudit.experiments.runner import BaseSetting, Measure, Runner, Swept, ViewName
from claimaudit.results import MEASURES, axes_of, with_record
from corrldp.data.table import Table
from corrldp.runners import Count

pytestmark = pytest.mark.thorough


class Setting(BaseSetting):
    """Numbers, and views by the number of the point that reads them."""

    n: Swept[Count] = (1,)
    m: Swept[Count] = ()
    views: dict[int, ViewName] = Field(default={})


def runner(measure, *axes):
    mechanisms, metrics = ("plain", "ruled", "it", "data", "RR"), ("error", "n", "users", "sum", "are")
    axes = by_name(*axes, Axis("rule", {"a": "rule a", "b": "rule b", "c": "rule c"}))
    return Runner(measure, Setting, mechanisms, metrics, ("level",), axes, simulates=True)


def drawn(cell, name):
    return cell.rng(name=name, n=cell["n"]).normal(size=cell.runs)


def two_mechanisms(cell):
    """Yield two mechanisms, of which the first does not depend on the rule."""
    yield Measure.of_runs("plain", "error", cell.once(drawn, "plain"))
    yield Measure.of_runs("ruled", "error", cell.once(drawn, "ruled") + "abc".index(cell["rule"]))


def test_strict_runs_serve_the_readings_that_agree_in_what_is_read(table):
    rows = table(runner(two_mechanisms), {}, {"rule": ["a", "b"]}, runs=4, strict_factor=3)
    rows = rows.set_index(["mechanism", "reading"])
    assert (rows["runs"] == 12).all()
    assert len(rows) == 4
    assert rows.loc[("ruled", "rule=b"), "mean"] == pytest.approx(rows.loc[("ruled", "strict"), "mean"] + 1)


def ruled_draw(cell):
    return cell.rng(n=cell["n"]).normal(size=cell.runs) + "abc".index(cell["rule"])


def test_other_readings_have_the_plain_number_of_runs(table):
    """Their runs begin like the strict ones: one stream for all readings; the latest result serves no other number."""
    measured = runner(lambda cell: [Measure.of_runs("ruled", "error", cell.once(ruled_draw))])
    rows = table(measured, {}, {"rule": ["a", "b", "c"]}, runs=4, strict_factor=3).set_index("reading")
    assert rows["runs"].to_dict() == {"strict": 12, "rule=b": 4, "rule=c": 4}
    latest = runner(lambda cell: [Measure.of_runs("plain", "error", cell.latest(drawn, "x") + len(cell["rule"]))])
    found = table(latest, {}, {"rule": ["a", "b"]}, runs=4, strict_factor=3).set_index("reading")["runs"]
    assert found.to_dict() == {"strict": 12, "rule=b": 4}
    assert rows.loc["rule=c", "mean"] == pytest.approx(rows.loc["rule=b", "mean"] + 1)


def view(standin=False):
    return Table(np.array([[0, 1], [1, 0], [1, 1]]), ("a", "b"), (("no", "yes"),) * 2, standin)


SYNTHETIC = {"n": [300], "d": [2, 3], "k": [2], "epsilon": [1, 2]}
# What another order of cells does to each runner, test_declared.py tries.
SMALL = {
    errors.mse: (
        {**SYNTHETIC, "dataset": ["syn_a", "syn_b"], "rho": [0.2, 0.9], "mechanisms": ["SPL", "RS+RFD", "Corr-RR"]},
        {"py_rule": ["body", "exact"], "non_copy": ["different", "any"], "data_per_run": ["new", "fixed"]},
    ),
    datasets.facts: ({"views": {"one": "real", "two": "made"}}, {"encoding": ["recipe", "alphabetical"]}),
}


@pytest.mark.parametrize("parts", [2, 40])
@pytest.mark.parametrize("kind", SMALL, ids=lambda kind: kind.name)
def test_parts_joined_are_the_table_of_one_piece_byte_for_byte(experiment, kind, parts):
    setting, axes = SMALL[kind]
    views = {"real": view(), "made": view(standin=True)}
    chosen = experiment(kind, setting, axes, runs=3, strict_factor=2, views=views)
    kept = [json.dumps(asdict(run(chosen, part, parts)), default=np.generic.item) for part in range(parts)]
    joined = join(chosen, [Part(**json.loads(text)) for text in kept])
    assert with_record(joined, {}) == with_record(join(chosen, [run(chosen)]), {})


@given(st.integers(1, 12), st.integers(1, 15))
def test_parts_are_contiguous_even_and_complete(experiment, points, parts):
    chosen = experiment(runner(lambda cell: [Measure("it", "n", cell["n"])]), {"n": list(range(points))})
    shares = [[row["n"] for row in run(chosen, part, parts).rows[0]] for part in range(parts)]
    assert [*chain.from_iterable(shares)] == list(range(points))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_more_parts_than_points_divide_readings_that_do_not_share_draws(experiment):
    distance = Axis("distance", {"sup": "the largest", "mean": "the mean"}, kind="measure")
    measured = runner(lambda cell: [Measure("it", "n", cell["n"])], distance)
    rules = {"rule": ["a", "b", "c"], "distance": ["sup", "mean"]}
    chosen = experiment(measured, {"n": [4, 5]}, rules)
    shares = [[[row["n"] for row in rows] for rows in run(chosen, part, 3).rows] for part in range(3)]
    assert [*chosen.readings] == ["strict", "rule=b", "rule=c", "distance=mean"]
    assert shares == [[[4, 5], [], [], [4, 5]], [[], [4, 5], [], []], [[], [], [4, 5], []]]
    thorough = experiment(measured, {"n": [4, 5]}, rules, strict_factor=2)
    assert [len(rows) for rows in run(thorough, 1, 3).rows] == [1, 1, 1, 1]
    assert [len(rows) for rows in run(thorough, 0, 3).rows] == [0, 0, 0, 0]


class Ruled(Setting):
    """Numbers; the rule decides how many there are."""

    def points(self, choices):
        return ({"n": n} for n in range(1 + "abc".index(choices["rule"])))


def test_points_that_depend_on_the_reading_are_not_split_if_the_strict_one_runs_more_often(experiment):
    made = replace(runner(two_mechanisms), setting=Ruled)
    run(experiment(made, {}, {"rule": ["a", "b"]}, runs=4), 1, 2)
    run(experiment(made, {}, {"rule": ["a", "b"]}, runs=4, strict_factor=3), 0, 1)
    with pytest.raises(ValueError, match="strict_factor is above 1: run it in one part"):
        run(experiment(made, {}, {"rule": ["a", "b"]}, runs=4, strict_factor=3), 0, 2)


def test_an_axis_that_no_cell_reads_is_an_error(experiment, table):
    setting = {**SMALL[errors.mse][0], "mechanisms": ["SPL"]}
    with pytest.raises(ValueError, match=r"^no cell reads the axis py_rule: take it out of the experiment's axes$"):
        table(errors.mse, setting, {"py_rule": ["body", "exact"]})
    chosen = experiment(errors.mse, {**setting, "mechanisms": ["SPL", "Corr-RR"]}, {"py_rule": ["body", "exact"]})
    assert "py_rule" in run(chosen).read


def test_an_axis_that_some_part_reads_is_none(experiment):
    def measure(cell):
        yield Measure("it", "n", len(cell["rule"]) if cell["n"] else 0)

    chosen = experiment(runner(measure), {"n": [0, 1]}, {"rule": ["a", "b"]})
    first, second = (run(chosen, part, 2) for part in range(2))
    assert (first.read, second.read) == ([], ["rule"])
    assert len(join(chosen, [first, second])["mean"]) == 4


def test_rows_of_a_stand_in_say_so_and_no_others(table):
    def measure(cell):
        yield Measure("data", "users", cell.once(count_users, cell["n"]))

    def count_users(cell, number):
        return cell.views[cell.setting.views[number]].n if number in cell.setting.views else 0

    setting = {"n": [0, 1, 2], "views": {1: "real", 2: "made"}}
    rows = table(runner(measure), setting, views={"real": view(), "made": view(standin=True)})
    assert rows.set_index("n")["standin"].to_dict() == {0: False, 1: False, 2: True}
    assert rows["mean"].tolist() == [0, 3, 3]


def test_stream_depends_on_seed_names_and_key_alone(experiment):
    def draw(chosen, job=None, **key):
        chosen = replace(chosen, job=replace(chosen.job, **job or {}))
        return Cell(chosen, Memo(), {}, "strict", {}).rng(**key).random(3).tolist()

    base = experiment(runner(two_mechanisms), {"n": [1]})
    same = experiment(runner(two_mechanisms), {"n": [1, 2]}, {"rule": ["a", "b"]}, runs=9)
    assert draw(base, n=4) != draw(base, {"experiment": "other"}, n=4)
    assert draw(base, n=4) != draw(base, {"paper": "other"}, n=4)
    assert draw(base, mechanism="RR", n=4) == draw(same, n=4, mechanism="RR")
    assert draw(base, mechanism="RR", n=4) != draw(base, mechanism="RR", n=5)
    assert draw(base, n=4) != draw(base, {"seed": 2}, n=4)


def test_the_cell_of_another_point_shares_results_and_hides_what_its_maker_set(experiment):
    computed = []

    def square(cell):
        computed.append(cell["n"])
        return cell["n"] ** 2

    def measure(cell):
        here, there = cell.once(square), cell.of({"n": 5}).once(square)
        yield Measure("it", "sum", here + there)

    chosen = experiment(runner(measure), {"n": [2, 5, 3]})
    assert join(chosen, [run(chosen)])["mean"] == [29, 50, 34]
    assert computed == [2, 5, 3]
    log = {}
    Cell(chosen, Memo(), {"n": 2, "m": 7}, "strict", log).of({"n": 5}).once(square)
    assert ("point", "n") not in log


def test_columns_are_setting_then_reading_then_measures(table):
    def measure(cell):
        yield Measure("RR", "are", 2, se=0.5, runs=9, theory=3, place={"level": len(cell["rule"])})

    rows = table(runner(measure), {"n": [10], "m": [3]}, {"rule": ["a", "b"]})
    assert list(rows.columns) == ["n", "m", "level", "reading", "rule", *MEASURES]
    assert rows.iloc[1].to_dict() == {
        **{"n": 10, "m": 3, "level": 1, "reading": "rule=b", "rule": "b", "mechanism": "RR", "metric": "are"},
        **{"mean": 2.0, "se": 0.5, "runs": 9, "theory": 3.0, "standin": False},
    }


def test_a_setting_that_a_reading_decides_stands_behind_it(table):
    """Under every reading the setting columns are the same, so that the audit can compare readings."""
    measured = runner(
        lambda cell: [Measure("RR", "are", cell["m"])], Axis("m", number=Number(0, 99, "m = {}"), default=1)
    )
    rows = table(measured, {"n": [1]}, {"m": [10, 20]})
    assert axes_of(rows) == (["n"], ["m"])
    assert rows["m"].tolist() == rows["mean"].tolist() == [10, 20]


def test_a_measure_of_runs_has_their_mean_and_its_error_and_another_is_exact():
    exact = Measure("JRR", "p", 1.0)
    assert (exact.se, exact.runs, math.isnan(exact.theory)) == (0.0, 0, True)
    made = Measure.of_runs("JRR", "p", [1.0, 2.0, 6.0], theory=3.5, place={"n": 1})
    assert (made.mean, made.runs, made.theory, made.place) == (3.0, 3, 3.5, {"n": 1})
    assert made.se == pytest.approx(np.std([1, 2, 6], ddof=1) / math.sqrt(3))
    assert (Measure.of_runs("JRR", "p", [4.0]).mean, Measure.of_runs("JRR", "p", 4.0).runs) == (4.0, 0)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Measure("OLH", "error", 1.0), "mechanism 'OLH'"),
        (Measure("RR", "bias", 1.0), "metric 'bias'"),
        (Measure("RR", "error", 1.0, place={"k": 2}), "column 'k'"),
    ],
)
def test_a_measure_that_is_not_declared_is_refused(table, made, words):
    with pytest.raises(ValueError, match=f"yields the {words}, which it does not declare"):
        table(runner(lambda cell: [made]), {})


def test_who_reads_the_runs_must_say_that_it_simulates(table):
    exact = replace(runner(two_mechanisms), simulates=False)
    with pytest.raises(ValueError, match="two_mechanisms reads the number of runs; declare simulates=True"):
        table(exact, {})
