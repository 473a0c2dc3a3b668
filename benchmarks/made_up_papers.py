"""Made-up papers whose authors ran a reading that the text does not state; `hidden_readings` judges them.

A family has the runner, the axes and the panels of a real paper of this project at small cost. A made-up paper opens
some of the axes, states which of its exhibits share them, and prints some of its exhibits. Its numbers are new
simulations under the true reading, with the paper's own number of runs, rounded and sometimes digitised. Some exhibits
are passages, which print one to three numbers of their panel; some panels try an axis on which none of their numbers
depends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.standing import Material
from claimaudit.experiments.engine import Experiment, ExperimentJob, join, run
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.published import read_files
from claimaudit.results import STRICT

Values = dict[str, Any]
T = TypeVar("T")

MOST_READINGS = 60
"""Readings that compete for one exhibit, at most: about those that the search leaves for an experiment."""

DIGITISED = 0.005
"""Relative error of a number read off a figure."""

PROBABILITY = {"printed": 0.7, "shared": 0.75, "shared runs": 0.7, "digitised": 0.5, "passage": 0.25}
MOST_QUOTED = 3
"""Numbers that a passage prints, at most."""

RUNS = {0.5: 0.2, 1.0: 0.6, 2.0: 0.2}
"""How many runs stand behind the numbers, relative to what the text states, with probabilities."""

KINDS = ("hidden", "departing", "missing")
"""`hidden`: all that the text says of sharing is true. `departing`: one exhibit has another value of an axis that the
text says it shares. `missing`: the true value of an axis is not among those tried."""


@dataclass(frozen=True)
class Panel:
    """An exhibit of a family: its setting, the columns that it shows, its axes, and the mechanisms that it prints."""

    setting: Values
    along: str
    columns: tuple[str, ...]
    axes: tuple[str, ...]
    prints: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Family:
    """A runner with the values of its axes, the strict one first, and the runs that the text states."""

    runner: str
    runs: int
    ours: int
    metrics: tuple[str, ...]
    axes: Mapping[str, tuple[Any, ...]]
    panels: Mapping[str, Panel]


_DATA, _MECHANISMS = ("non_copy",), ("py_rule", "rs_rfd_postprocess", "rs_fd_estimator")
_FOUR = {"dataset": ["syn_a"], "k": [4], "mechanisms": ["SPL", "RS+FD", "RS+RFD", "Corr-RR"]}
_LARGE = {**_FOUR, "n": [20_000]}
_FIGURE = (*_MECHANISMS, *_DATA, "phase1_fraction")
_JRR = ("grid_step", "choice", "colluders", "zero_frequency")

FAMILIES = {
    "corr_rr": Family(
        "made_up_runners:mse",
        runs=100,
        ours=400,
        metrics=("mse",),
        axes={
            "py_rule": ("body", "preprint", "always_copy"),
            "rs_rfd_postprocess": ("none", "second_phase_clip_normalise"),
            "rs_fd_estimator": ("unbiased", "grr"),
            "non_copy": ("different", "any", "marginal"),
            "phase1_fraction": (0.1, 0.2, 0.3),
            "rho": (0.1, 0.5, 0.9),
            "data_rho": ("stated", 0.9),
        },
        panels={
            "over_epsilon": Panel(
                {**_LARGE, "d": [3], "epsilon": [0.1, 0.3, 0.5]}, "epsilon", ("epsilon",), (*_FIGURE, "rho")
            ),
            "over_d": Panel(
                {**_LARGE, "d": [2, 4], "rho": [0.9], "epsilon": [0.1, 0.5]}, "d", ("d", "epsilon"), _FIGURE
            ),
            "over_rho": Panel({**_LARGE, "d": [2], "rho": [0.1, 0.5, 0.9], "epsilon": [0.5]}, "rho", ("rho",), _FIGURE),
            "over_phase1": Panel(
                {
                    **_FOUR,
                    "mechanisms": ["RS+RFD", "Corr-RR"],
                    "n": [2000],
                    "d": [2],
                    "rho": [0.1],
                    "epsilon": [0.3],
                    "phase1_fraction": [0.1, 0.3, 0.5],
                },
                "phase1_fraction",
                ("phase1_fraction",),
                ("py_rule", "rs_rfd_postprocess", *_DATA, "data_rho"),
            ),
            # No printed number depends on the axes of Corr-RR.
            "baselines": Panel(
                {**_LARGE, "d": [2, 3], "rho": [0.5], "epsilon": [0.3]},
                "d",
                ("d",),
                ("py_rule", "rs_rfd_postprocess", "rs_fd_estimator", "phase1_fraction"),
                prints=("SPL", "RS+FD", "RS+RFD"),
            ),
        },
    ),
    "jrr": Family(
        "jrr.runners.errors:means",
        runs=1000,
        ours=4000,
        metrics=("mse_counts", "are"),
        axes={
            "grid_step": (0.0001, 0.0002, 0.0003),
            "choice": ("algorithm1", "smallest_rho", "optimum"),
            "colluders": (5, 0, 1),
            "zero_frequency": ("skip", "domain"),
            "n": (10_000, 40_000),
            "epsilon": (1, 0.1),
        },
        panels={
            "over_epsilon": Panel(
                {"n": [10_000], "ones_fraction": [0.1, 1], "epsilon": [0.01, 0.1, 1]},
                "epsilon",
                ("ones_fraction", "epsilon"),
                _JRR,
            ),
            "over_n": Panel(
                {"n": [2000, 20_000, 80_000], "ones_fraction": [0.1], "epsilon": [0.1]}, "n", ("n",), _JRR[:3]
            ),
            "over_ones": Panel(
                {"ones_fraction": [0.1, 0.3, 0.5, 1]}, "ones_fraction", ("ones_fraction",), (*_JRR, "n", "epsilon")
            ),
            "over_colluders": Panel(
                {"n": [10_000], "ones_fraction": [0.1], "epsilon": [0.1], "colluders": [0, 1, 10, 100]},
                "colluders",
                ("colluders",),
                ("grid_step", "choice"),
            ),
        },
    ),
}


@dataclass(frozen=True)
class World:
    """A family with our result tables under every reading of the product, and the values of each reading."""

    family: Family
    tables: Mapping[str, pd.DataFrame]
    readings: Mapping[str, Mapping[str, Values]]

    def name(self, panel: str, values: Values) -> str:
        """Name the reading of a panel that has these values, and strict ones where none is given."""
        strict = {axis: self.family.axes[axis][0] for axis in self.family.panels[panel].axes}
        return _named({axis: values.get(axis, value) for axis, value in strict.items()}, strict)


def build(name: str, seed: int, panels: Collection[str] | None = None) -> World:
    """Run the experiments of a family, or of some of its panels, under the product of all axes."""
    family = FAMILIES[name]
    kept = {panel: content for panel, content in family.panels.items() if panels is None or panel in panels}
    family = replace(family, panels=kept)
    readings = {panel: _product(family, panel) for panel in family.panels}
    tables = {panel: _table(family, panel, found, seed, family.ours) for panel, found in readings.items()}
    return World(family, tables, readings)


def _product(family: Family, panel: str) -> dict[str, Values]:
    axes = family.panels[panel].axes
    found = [dict(zip(axes, values, strict=True)) for values in product(*(family.axes[axis] for axis in axes))]
    return {_named(values, found[0]): values for values in found}


def _named(values: Values, strict: Values) -> str:
    return "; ".join(f"{axis}={value}" for axis, value in values.items() if value != strict[axis]) or STRICT


def _table(family: Family, panel: str, readings: Mapping[str, Values], seed: int, runs: int) -> pd.DataFrame:
    """Return the result table of some readings, the first of which takes the place of the strict one."""
    first, *others = readings
    job = ExperimentJob(
        "made up",
        panel,
        family.runner,
        family.panels[panel].setting,
        strict=dict(readings[first]),
        # A single reading need not read all axes: the smallest rho leaves no use for a step.
        axes=tuple(family.panels[panel].axes) if others else (),
        readings={name: dict(readings[name]) for name in others},
        seed=seed,
        runs=runs,
    )
    experiment = Experiment.load(job, {})
    return pd.DataFrame(join(experiment, [run(experiment)]))


@dataclass(frozen=True)
class Paper:
    """A made-up paper.

    Attributes
    ----------
    kind
        One of `KINDS`.
    axes
        The axes that its text leaves open.
    truth
        By exhibit, the value of each open axis that its authors ran.
    runs
        By exhibit, how many runs they made, relative to the number that they state.
    shared
        The groups of exhibits that share an axis, as the text says, whether it is true or not.
    printed
        The exhibits with printed numbers, each with the error of digitising them.
    quoted
        By exhibit that is a passage, the places of the numbers that it prints.
    removed
        The true value that no reading tried has, and its axis.
    numbers
        By exhibit, the authors' result table, of which only the printed ones are published.
    """

    kind: str
    axes: tuple[str, ...]
    truth: Mapping[str, Values]
    runs: Mapping[str, float]
    shared: tuple[Shared, ...]
    printed: Mapping[str, float]
    removed: tuple[str, Any] | None = None
    quoted: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    numbers: Mapping[str, pd.DataFrame] = field(default_factory=dict)


def draw(world: World, kind: str, seed: int) -> Paper:
    """Draw a paper, with its authors' numbers."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    family = world.family
    while True:
        panels = [str(name) for name in rng.permutation(list(family.panels))[: rng.integers(3, len(family.panels) + 1)]]
        axes = tuple(rng.permutation(list(family.axes))[: rng.integers(3, 6)].tolist())
        opened = {panel: [axis for axis in family.panels[panel].axes if axis in axes] for panel in panels}
        sizes = [np.prod([len(family.axes[axis]) for axis in opened[panel]]) for panel in panels]
        used = {axis for found in opened.values() for axis in found}
        if max(sizes) <= MOST_READINGS and used == set(axes):
            break
    having = {axis: [panel for panel in panels if axis in opened[panel]] for axis in axes}
    shared = [axis for axis in axes if len(having[axis]) > 1 and rng.random() < PROBABILITY["shared"]]
    base = {axis: family.axes[axis][0] for axis in axes}
    while all(base[axis] == family.axes[axis][0] for axis in axes):
        base = {axis: _any(family.axes[axis], rng) for axis in axes}
    truth = {panel: {axis: base[axis] for axis in opened[panel]} for panel in panels}
    own = [(panel, axis) for axis in axes if axis not in shared for panel in having[axis]]
    if own:
        panel, axis = own[rng.integers(len(own))]
        others = [value for value in family.axes[axis] if value != family.axes[axis][0]]
        truth[panel][axis] = _any(others, rng)
    if kind == "departing":
        departing = [(panel, axis) for axis in shared for panel in having[axis]]
        if not departing:
            return draw(world, kind, seed + 1_000_003)
        panel, axis = departing[rng.integers(len(departing))]
        truth[panel][axis] = _any([value for value in family.axes[axis] if value != base[axis]], rng)
    removed = None
    if kind == "missing":
        hidden = [axis for axis in axes if base[axis] != family.axes[axis][0]]
        if not hidden:
            return draw(world, kind, seed + 1_000_003)
        axis = _any(hidden, rng)
        removed = (axis, base[axis])
        for panel in having[axis]:
            truth[panel][axis] = base[axis]
    groups = [Shared((axis,), tuple(having[axis])) for axis in shared]
    together = rng.random() < PROBABILITY["shared runs"]
    if together:
        groups.append(Shared((), tuple(panels), runs=True))
    factors = rng.choice(list(RUNS), len(panels), p=list(RUNS.values()))
    runs = {panel: float(factors[0] if together else factor) for panel, factor in zip(panels, factors, strict=True)}
    printed = [panel for panel in panels if rng.random() < PROBABILITY["printed"]] or panels[:1]
    errors = {panel: DIGITISED if rng.random() < PROBABILITY["digitised"] else 0.0 for panel in printed}
    numbers = {
        panel: _authors(world, panel, truth[panel], runs[panel], errors.get(panel, 0.0), seed, rng) for panel in panels
    }
    passages = [panel for panel in printed if rng.random() < PROBABILITY["passage"]]
    quoted = {panel: _quoted(len(numbers[panel]) // 2, rng) for panel in passages}
    return Paper(kind, axes, truth, runs, tuple(groups), errors, removed, quoted, numbers)


def _quoted(numbers: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Draw the places of the numbers that a passage prints."""
    return tuple(sorted(rng.permutation(numbers)[: rng.integers(1, MOST_QUOTED + 1)].tolist()))


def _any(values: Sequence[T], rng: np.random.Generator) -> T:
    return values[rng.integers(len(values))]


def _authors(
    world: World, panel: str, values: Values, factor: float, error: float, seed: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Simulate the numbers of a panel anew under the true reading, and round them to four digits."""
    name = world.name(panel, values)
    reading = {name: world.readings[panel][name]}
    table = _table(world.family, panel, reading, 10_000 + seed, round(factor * world.family.runs))
    exact = table["mean"] * (1 + error * rng.standard_normal(len(table)))
    return table.assign(mean=[float(f"{number:.4g}") for number in exact])


def tried(world: World, paper: Paper, panel: str) -> pd.DataFrame:
    """Return the rows of our result table under the readings that compete."""
    family = world.family

    def competes(values: Values) -> bool:
        stated = all(value == family.axes[axis][0] for axis, value in values.items() if axis not in paper.axes)
        return stated and (paper.removed is None or values.get(paper.removed[0]) != paper.removed[1])

    names = {name for name, values in world.readings[panel].items() if competes(values)}
    table = world.tables[panel]
    return table[table["reading"].isin(names)]


def as_true(world: World, paper: Paper, panel: str) -> pd.DataFrame:
    """Return the rows of our result table under the true reading, in the place of the strict one."""
    table = world.tables[panel]
    return table[table["reading"] == world.name(panel, paper.truth[panel])].assign(reading=STRICT)


def evidence(world: World, paper: Paper, directory: Path) -> Material:
    """Return what the audit has of a paper; its printed numbers are written to a directory."""
    for panel in paper.printed:
        table = paper.numbers[panel].rename(columns={"mean": "value"}).assign(runs=world.family.runs)
        prints = world.family.panels[panel].prints
        table = table[table["mechanism"].isin(prints)] if prints else table
        table = table.iloc[list(paper.quoted.get(panel, range(len(table))))]
        table = table.assign(value=[f"{number:#.4g}" for number in table["value"]])
        columns = [*world.family.panels[panel].columns, "mechanism", "metric", "value", "runs"]
        table[columns].to_csv(directory / f"{panel}.csv", index=False)
    exhibits = tuple(
        PaperExhibit(
            panel, panel, panel if panel in paper.printed else None, reading_error=paper.printed.get(panel, 0.0)
        )
        for panel in paper.truth
    )
    results = {panel: Result(tried(world, paper, panel)) for panel in paper.truth}
    return Material(Outline(exhibits, paper.shared), results, read_files(directory.glob("*.csv")))
