"""A memo never changes a result, and it computes nothing twice."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimaudit.experiments.axes import Axis, by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.memo import Memo, Reads
from claimaudit.experiments.runner import BaseSetting, Runner

VALUES = (0, 1, 2)
POINT, CHOICES = ("n", "d"), ("rule", "prior")
AXES = by_name(*(Axis(name, {value: f"{name} {value}" for value in VALUES}) for name in CHOICES))
runner = Runner(lambda cell: [], BaseSetting, (), (), axes=AXES)

# A program is a number, or reads a name and continues by its value, or takes the result of another one: remembered,
# or in the cell of another point.
programs = st.recursive(
    st.integers(0, 99),
    lambda inner: st.one_of(
        st.tuples(st.just("read"), st.sampled_from(POINT + CHOICES), st.tuples(inner, inner, inner)),
        st.tuples(st.just("once"), inner, st.integers(0, 9)),
        st.tuples(st.just("of"), st.sampled_from(POINT), st.sampled_from(VALUES), inner),
    ),
    max_leaves=20,
)
assignments = st.tuples(*(st.sampled_from(VALUES) for _ in POINT + CHOICES))


def interpret(cell, program, remembered=True):
    """Run a program in a cell, and the remembered parts of it directly unless `remembered`."""
    match program:
        case ("read", name, branches):
            return interpret(cell, branches[cell[name]], remembered)
        case ("once", inner, more):
            found = cell.once(interpret, inner) if remembered else interpret(cell, inner, remembered=False)
            return found + more
        case ("of", name, value, inner):
            others = {other: cell.point[other] for other in cell.point if other != name}
            return interpret(cell.of({**others, name: value}), inner, remembered)
    return program


def cells(experiment):
    """Return a function (values of `POINT` and `CHOICES`, log of reads) -> cell; all its cells share a memo."""
    chosen, memo = experiment(runner, {}), Memo()

    def cell(values, log=None):
        named = dict(zip(POINT + CHOICES, values, strict=True))
        read = replace(chosen, readings={"strict": {name: named[name] for name in CHOICES}})
        return Cell(read, memo, {name: named[name] for name in POINT}, "strict", {} if log is None else log)

    return cell


@pytest.mark.thorough
@given(st.lists(programs, min_size=1, max_size=3), st.lists(assignments, min_size=1, max_size=12))
def test_once_gives_what_a_direct_call_gives(experiment, functions, sequence):
    cell_of = cells(experiment)
    for values in sequence:
        for program in functions:
            direct = interpret(cell_of(values), program, remembered=False)
            assert cell_of(values).once(interpret, program) == direct


@given(programs)
def test_a_result_is_computed_once_for_all_cells_that_agree_in_what_it_reads(experiment, program):
    computed = []

    def count(cell):
        found = interpret(cell, program, remembered=False)
        computed.append(found)
        return found

    cell_of, logs = cells(experiment), set()
    for values in product(VALUES, repeat=4):
        log = {}
        cell_of(values, log).once(count)
        logs.add(tuple(log.items()))
    assert len(computed) == len(logs)


@given(programs, assignments)
def test_a_remembered_result_passes_on_what_it_read(experiment, program, values):
    """Whether computed now or earlier: whoever uses it depends on the same values."""
    cell_of, direct = cells(experiment), {}
    interpret(cell_of(values, direct), program, remembered=False)
    for log in ({}, {}):
        cell_of(values, log).once(interpret, program)
        assert log == direct


def test_latest_keeps_the_last_result_alone(experiment):
    cell_of, computed = cells(experiment), {"once": [], "latest": []}

    def draw(cell, name):
        computed[name].append(cell["n"])
        return 10 * cell["n"]

    for n in (0, 0, 1, 1, 0):
        assert cell_of((n, 0, 0, 0)).once(draw, "once") == 10 * n
        assert cell_of((n, 0, 0, 0)).latest(draw, "latest") == 10 * n
    assert computed == {"once": [0, 1], "latest": [0, 1, 0]}


def test_reads_log_what_is_asked_once_and_in_order():
    log = {}
    reads = Reads("point", {"n": 1, "d": 2, "k": 3}, log)
    assert (reads["d"], reads["n"], reads["d"]) == (2, 1, 2)
    assert [*log.items()] == [(("point", "d"), 2), (("point", "n"), 1)]
    assert ([*reads], len(reads)) == (["n", "d", "k"], 3)
    assert "m" not in reads


def test_an_optional_value_that_was_missing_is_part_of_the_log():
    """A cell that found no view must not serve one that has it."""
    log = {}
    assert Reads("view", {}, log).get("rho") is None
    assert log == {("view", "rho"): None}


def names(cell):
    return list(cell.point)


@pytest.mark.parametrize(
    ("function", "more", "found"),
    [(lambda cell: cell["rule"], {"rule": 5}, [1, 5]), (names, {"d": 5}, [["n"], ["n", "d"]])],
)
def test_a_point_without_a_setting_is_not_one_that_has_it(experiment, function, more, found):
    """Where a point leaves a setting open, the choice decides; a point that states it must not reuse that result."""
    chosen, memo = replace(experiment(runner, {}), readings={"strict": {"rule": 1, "prior": 2}}), Memo()
    cells = (Cell(chosen, memo, point, "strict", {}) for point in ({"n": 0}, {"n": 0, **more}))
    assert [cell.once(function) for cell in cells] == found
