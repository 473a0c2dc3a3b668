"""Check what claims name, and what names claims: a paper's tables, figures and numbers, and conclusions.

Names in expressions are checked against the result table that is the evidence, before there is one.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Self

from claimaudit import yaml_files
from claimaudit.audit import claims
from claimaudit.audit.arrays import variable
from claimaudit.audit.checks.base import Along, parts
from claimaudit.audit.checks.fits import PublishedCells
from claimaudit.audit.claims import Claim
from claimaudit.configuration import Fault, Place
from claimaudit.experiments.engine import Experiment
from claimaudit.experiments.given import convert
from claimaudit.experiments.memo import Log, Reads
from claimaudit.experiments.runner import Point
from claimaudit.expressions import names_in, parse
from claimaudit.names import known_names, nearest, shown
from claimaudit.papers.claims import (
    ConclusionEntry,
    ConclusionsFile,
    Condition,
    Expression,
    Interval,
    Metric,
    SettingColumn,
)
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import Context
from claimaudit.papers.paper import Paper
from claimaudit.results import COLUMNS, STRICT, axes_of
from claimaudit.words.quoted import QUOTED, quotes, unknown
from claimaudit.yaml_files import refuse


@dataclass(frozen=True)
class TableNames:
    """What a result table can contain.

    `values` are texts by column, of ``mechanism``, ``metric``, ``reading`` and the columns that configuration fills
    with text, and `points` the settings of its rows that configuration states. All points have the settings in
    `stated`, and the runner leaves them as they are. If its numbers are known to be `simulated`, printed ones must have
    a number of runs.
    """

    settings: frozenset[str]
    columns: frozenset[str]
    values: Mapping[str, frozenset[str]]
    points: Sequence[Point]
    stated: frozenset[str]
    simulated: bool = False

    @classmethod
    def of(cls, paper: Paper, name: str) -> Self:
        """Return what the result table of an experiment of a paper can contain, which has a runner."""
        experiment = Experiment.load(paper.computed(name), {})
        found, points = experiment.runner.declared(experiment.setting), [*_points(experiment)]
        settings = dict.fromkeys(column for point in points for column in point if column not in experiment.job.axes)
        values: dict[str, Iterable[Any]] = {
            column: [point.get(column) for point in points] for column in settings if column not in found["column"]
        }
        values |= {axis: [each[axis] for each in experiment.readings.values()] for axis in experiment.job.axes}
        own = frozenset(settings) | found["column"]
        return cls(
            own,
            own | {*experiment.job.axes, *COLUMNS},
            _texts(values | {"reading": experiment.readings})
            | {"mechanism": found["mechanism"], "metric": found["metric"]},
            points,
            frozenset(name for name in settings if all(name in point for point in points)) - found["column"],
        )

    @classmethod
    def given(cls, paper: Paper, name: str, path: Path) -> Self:
        """Return what a file of results contains; a ConfigurationError if it is not as the paper's file says."""
        table = convert(path, paper.given(name).columns, name)
        own, _ = axes_of(table)
        places = table[own].drop_duplicates()
        return cls(
            frozenset(own),
            frozenset(table.columns),
            _texts({column: table[column] for column in (*own, "reading", "mechanism", "metric")}),
            [{str(column): value for column, value in row.items()} for row in places.to_dict("records")],
            frozenset(own),
            bool((table["se"] > 0).any()),
        )

    @cached_property
    def variables(self) -> frozenset[str]:
        """What expressions may have: settings, and ``{metric}_{mechanism}``."""
        pairs = product(self.values["metric"], self.values["mechanism"])
        return self.settings | {variable(*names) for names in pairs}


def _points(experiment: Experiment) -> Iterator[Point]:
    """Yield the points of the strict reading, and those of the others if they depend on the reading."""
    log: Log = {}
    for name, values in experiment.readings.items():
        if name == STRICT or log:
            yield from experiment.setting.points(Reads("choice", values, log))


def _texts(columns: Mapping[str, Iterable[Any]]) -> dict[str, frozenset[str]]:
    """Return the values of each column that has only texts."""
    found = {column: frozenset(values) for column, values in columns.items()}
    return {column: values for column, values in found.items() if all(isinstance(value, str) for value in values)}


def load(folder: Folder, paper: Paper | None, tables: Mapping[str, TableNames]) -> dict[str, Claim]:
    """Read the claims on a paper, by id, and check what they name, unless the paper could not be read.

    `tables` have what the result tables of experiments can contain, as far as that is known. A
    ConfigurationError has a line for each fault, with file, line and claim.
    """
    stated = claims.load(folder.claims, paper.context() if paper else Context())
    if paper is not None:
        refuse(folder.claims, _unknown(stated, paper, tables), keyed=False)
    return {claim.id: claim for claim in stated}


def _unknown(stated: Iterable[Claim], paper: Paper, tables: Mapping[str, TableNames]) -> Iterator[Fault]:
    figures, files = [*paper.entry.drawn], [file.stem for file in paper.folder.published.glob("*.csv")]
    for claim in stated:
        for number, (name, meaning) in enumerate(claim.meanings):
            above = (*claim.at, "alternatives", name) if number else claim.at
            named = f"claim {claim.id}" + (f", alternative {name}" if name else "")
            found, figure, check = list[tuple[str, str]](), meaning.figure, meaning.check
            if figure and figure not in figures:
                found.append(("figure", _words("figure or table", figure, figures)))
            if isinstance(check, PublishedCells) and check.published not in files:
                found.append(("check", _words("file of printed numbers", check.published, files)))
            if meaning.table and not found and (table := tables.get(meaning.table)) is not None:
                found += (("check", words) for words in unknown_names(table, meaning))
            for key, words in found:
                yield (*above, key), f"{named}: {key}: {words}"


def unknown_names(table: TableNames, claim: Claim) -> Iterator[str]:
    """Yield the names in a claim's check that its result table cannot contain."""
    check = claim.check
    for field, text in parts(check):
        match text:
            case Condition():
                for name in sorted(names_in(text) - table.columns):
                    yield f"{field}: {_words('column', name, table.columns)}"
                if not claim.lacking:  # it is about data that the setting may not have
                    yield from (f"{field}: {words}" for words in unknown_values(text, table))
            case Expression():
                for name in sorted(names_in(text) - table.variables):
                    near = nearest(name, table.variables)
                    yield f"no variable {name!r}, a setting or {{metric}}_{{mechanism}}, in {shown(text)}{near}"
            case SettingColumn() if text not in table.settings:
                yield f"{field}: {_words('setting column', text, table.settings)}"
            case Metric() if text not in table.values["metric"]:
                yield _words("metric", text, table.values["metric"])
            case Interval((low, high)) if isinstance(check, Along):
                known = {each for point in table.points if isinstance(each := point.get(check.along), float | int)}
                if known and not any(low <= value <= high for value in known):
                    yield f"{field}: no {check.along} lies from {low:g} to {high:g}{known_names('', known)}"


def unknown_values(condition: str, table: TableNames) -> Iterator[str]:
    """Yield what is wrong with the texts with which a condition compares columns."""
    for node in ast.walk(parse(condition)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        columns = [side.id for side in sides if isinstance(side, ast.Name) and side.id in table.values]
        items = [item for side in sides for item in (side.elts if isinstance(side, ast.List | ast.Tuple) else [side])]
        texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        for column, text in product(columns, texts):
            if text not in table.values[column]:
                yield _words(column, text, table.values[column])


def _words(what: str, name: str, known: Collection[str]) -> str:
    return f"no {what} {name!r}{known_names(name, known)}"


def check_conclusions(path: Path, stated: Mapping[str, Mapping[str, Claim]], known: list[str]) -> None:
    """Check conclusions against the `known` papers and the claims of the replicated ones, or ConfigurationError."""
    entries = yaml_files.load(path, ConclusionsFile).root
    refuse(path, [fault for number, entry in enumerate(entries) for fault in _unfounded(number, entry, stated, known)])


def missing(
    named: Iterable[tuple[Place, str]], stated: Mapping[str, Mapping[str, Claim]], papers: Collection[str]
) -> Iterator[Fault]:
    """Yield what is wrong with names of claims, ``paper/claim``, by place; only papers that are replicated list any."""
    for place, name in named:
        paper, _, claim = name.partition("/")
        if paper not in papers:
            yield place, _words("paper", paper, papers)
        elif paper in stated and claim not in stated[paper]:
            yield place, f"{paper} has no claim {claim!r}{nearest(claim, stated[paper])}"


def _unfounded(
    number: int, entry: ConclusionEntry, stated: Mapping[str, Mapping[str, Claim]], papers: list[str]
) -> Iterator[Fault]:
    if entry.about and entry.about not in papers:
        yield (number, "about"), _words("paper", entry.about, papers)
    if entry.picture and entry.picture not in entry.rests_on:
        yield (number, "picture"), f"{entry.picture!r} is not in rests_on{nearest(entry.picture, entry.rests_on)}"
    yield from missing((((number, "rests_on", name), name) for name in entry.rests_on), stated, papers)
    for field, text in (("states", entry.states), ("numbers", entry.numbers)):
        for name, what in quotes(text):
            if name not in entry.rests_on:
                yield (number, field), f"{name!r} is not in rests_on{nearest(name, entry.rests_on)}"
            elif unknown(what):
                yield (number, field), f"nothing called {what!r} can be quoted{known_names(what, QUOTED)}"
