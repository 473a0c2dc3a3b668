"""Runners, the kinds of experiment: a function from a cell to its measures, and the settings that it reads.

A runner is declared in one place::

    @runner(Setting, mechanisms=("heap sort",), metrics=("comparisons",), axes=by_name(PIVOT), simulates=True)
    def counts(cell: Cell) -> Iterator[Measure]: ...

Configuration calls it by file and function, such as ``runners/errors.py:mse``. The engine refuses a measure that is not
declared.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
from annotated_types import MinLen
from numpy.typing import ArrayLike
from pydantic import AfterValidator, Field, ValidationInfo

from claimaudit.configuration import Entry, Value, leaves, unique
from claimaudit.experiments.axes import Axis
from claimaudit.names import ConfigurationError, nearest, require_known
from claimaudit.results import mean_and_se

Point = dict[str, Any]
Choices = Mapping[str, Value]
"""The value of each axis under a reading."""
T = TypeVar("T")


SWEEP = object()
Swept = Annotated[tuple[T, ...], MinLen(1), AfterValidator(unique), SWEEP]
"""Different values of a setting that an experiment sweeps; the field is a column of the result table."""


class _View(str):
    """A string that `BaseSetting.view_names` recognises."""

    __slots__ = ()


def _known_view(name: str, info: ValidationInfo) -> str:
    known = (info.context or {}).get("views")
    if known is not None and name not in known:
        raise ValueError(f"{name!r} is no view{nearest(name, known)}")
    return _View(name)


ViewName = Annotated[str, AfterValidator(_known_view), Field(description="a view")]
"""Name of a view: a table of data that a project has prepared."""


class BaseSetting(Entry):
    """Base of all settings. Unknown keys and values of the wrong type are errors."""

    def points(self, choices: Choices) -> Iterator[Point]:
        """Yield the points of the experiment: `outer` with the product of the swept fields, the last one fastest.

        Fields without a value are left to axes of the same name. `choices` are those of one reading, for runners
        whose points depend on it.
        """
        names = self.swept()
        for place in self.outer():
            for values in itertools.product(*(getattr(self, name) for name in names)):
                yield {**place, **dict(zip(names, values, strict=True))}

    def outer(self) -> Iterable[Point]:
        """Return the parts of points that no swept field says; here none."""
        return [{}]

    def view_names(self) -> list[str]:
        """Names of all views that the experiment reads, without repeats."""
        return list(dict.fromkeys(leaf for leaf in leaves(self.model_dump()) if isinstance(leaf, _View)))

    def swept(self) -> list[str]:
        """Names of the swept fields that have values."""
        return [
            name for name, field in type(self).model_fields.items() if SWEEP in field.metadata and getattr(self, name)
        ]


Names = tuple[str, ...] | Callable[[Any], Iterable[str]]
"""Names of one kind, or a function from the setting of an experiment to them."""


class View(Protocol):
    """A table of data that an experiment reads."""

    @property
    def standin(self) -> bool:
        """Whether made-up records stand in for real ones."""


def _generator(seed: int, *key: object) -> np.random.Generator:
    """Return the random stream of a key: a function of the JSON text of both alone."""
    text = json.dumps([seed, *key], sort_keys=True, default=str)
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()))


def _no_views(path: Path) -> View:
    raise ValueError(f"the runner reads no views, but there is {path.name}")


@dataclass(frozen=True)
class Backend:
    """What the runners of one field share.

    `read` reads a view from its file, `generator` makes the generator of a seed and a key of JSON values, and
    `own_code` returns the file or module of a user's own code that a text in a setting names, or None. `conventions` is
    a file of `claimaudit.styles.Conventions`: how figures and pages show mechanisms and metrics. `budgets` are columns
    of points with a budget that may be meant for a part, or for all together; `parts` are those with a number of parts.
    """

    read: Callable[[Path], View] = _no_views
    generator: Callable[..., np.random.Generator] = _generator
    own_code: Callable[[str], str | None] = lambda text: None
    conventions: Path | None = None
    budgets: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure:
    """One number of a result table, exact unless `runs` says otherwise.

    `mean` is the number; of a simulation, the mean over the runs, with its Monte-Carlo standard error `se`. `theory` is
    the closed form of its expectation, NaN if there is none, and `place` has setting columns beyond those of the point.
    """

    mechanism: str
    metric: str
    mean: float
    se: float = 0.0
    runs: int = 0
    theory: float = float("nan")
    place: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_runs(
        cls,
        mechanism: str,
        metric: str,
        values: ArrayLike,
        theory: float = float("nan"),
        place: Mapping[str, Any] | None = None,
    ) -> Measure:
        """Return the mean of one value per run, (runs,), with its standard error; a single value counts as exact."""
        values = np.asarray(values, dtype=float)
        if values.size == 1:
            return cls(mechanism, metric, float(values.item()), theory=theory, place=place or {})
        mean, se = mean_and_se(values)
        return cls(mechanism, metric, float(mean), float(se), values.size, theory, place or {})


Measuring = Callable[[Any], Iterable[Measure]]
"""A function from a `claimaudit.experiments.engine.Cell`, which knows its runner, to its measures."""


@dataclass(frozen=True, eq=False)
class Runner:
    """A kind of experiment: it yields the measures of a cell.

    The names that its measures may have, and the columns that they add (the keys of `Measure.place`), are listed or
    functions of the setting. Its cells may read `axes`, by name, and the number of runs if it `simulates`. It shares
    the `backend` with the runners of its field.
    """

    measure: Measuring
    setting: type[BaseSetting]
    mechanisms: Names
    metrics: Names
    columns: Names = ()
    axes: Mapping[str, Axis] = field(default_factory=dict)
    simulates: bool = False
    backend: Backend = Backend()

    @classmethod
    def load(cls, name: str) -> Runner:
        """Import a runner, ``MODULE:FUNCTION``; a ConfigurationError names the nearest if there is none."""
        module, colon, function = name.partition(":")
        if not colon or not all(part.isidentifier() for part in module.split(".")):
            raise ConfigurationError(f"{name!r} is no runner; write runners/FILE.py:FUNCTION, or MODULE:FUNCTION")
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise
            raise ConfigurationError(f"no module {module!r} with runners") from None
        known = runners(found)
        require_known(function, known, f"runner in {module}")
        return known[function]

    @property
    def module(self) -> str:
        return self.measure.__module__

    @property
    def name(self) -> str:
        """Its name, as `load` takes it."""
        return f"{self.module}:{self.measure.__name__}"

    def declared(self, setting: BaseSetting) -> dict[str, frozenset[str]]:
        """Return the names that its measures may have under a setting, by kind: mechanism, metric and column."""
        kinds = {"mechanism": self.mechanisms, "metric": self.metrics, "column": self.columns}
        return {kind: frozenset(names(setting) if callable(names) else names) for kind, names in kinds.items()}

    def __call__(self, cell: Any) -> Iterable[Measure]:  # noqa: ANN401
        """Return the measures of a cell, for other runners."""
        return self.measure(cell)


P = ParamSpec("P")


def _decorator(make: Callable[Concatenate[Measuring, P], Runner]) -> Callable[P, Callable[[Measuring], Runner]]:
    """Return what takes all parameters of a runner but its function, and then the function."""
    return lambda *args, **declared: lambda measure: make(measure, *args, **declared)


runner = _decorator(Runner)
"""Declare that a function is a runner; see `Runner` for the parameters."""


def runners(module: ModuleType) -> dict[str, Runner]:
    """Return the runners that a module declares, by the names of their functions."""
    found = (item for item in vars(module).values() if isinstance(item, Runner) and item.module == module.__name__)
    return {item.measure.__name__: item for item in found}
