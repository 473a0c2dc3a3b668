"""Experiments on protocols by name, for comparisons that need no runner of their own: errors and exact budgets."""

import math
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Self

import numpy as np
from pydantic import AfterValidator, Field, field_validator, model_validator

from claimaudit.configuration import unique
from claimaudit.experiments.axes import Axis, by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point, Swept, ViewName
from corrldp.privacy import smaller
from corrldp.protocols.names import check_labels, label, parse, source_of
from corrldp.protocols.postprocess import simplex
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, RecordTable, average_error
from corrldp.protocols.registry import PROTOCOLS, options_of, protocol
from corrldp.runners import DomainSize, Epsilon, Users, runner

AMPLIFY = Axis(
    "amplify",
    {
        False: "the record's budget for the sampled attribute of RS+FD and RS+RFD: one budget for all protocols",
        True: "the amplified budget for the sampled attribute of RS+FD and RS+RFD, which whole records spend, too",
    },
)
POSTPROCESS = Axis("postprocess", {"none": "estimates as they are", "simplex": "estimates projected onto the simplex"})


def _known(name: str) -> str:
    protocol(name, 1.0, (2, 2))
    return name


ProtocolName = Annotated[str, AfterValidator(_known), Field(description="a protocol, such as `RS+FD[OUE-z]`")]
"""A name that `corrldp.protocol` builds from a budget and domain sizes: ``RS+FD[OUE-z]``, ``FILE.py:CLASS``."""


class Uniform(BaseSetting):
    """Records whose attributes are independent and uniform."""

    n: Users
    sizes: tuple[DomainSize, ...]


class Setting(BaseSetting):
    """Protocols on `views` of real data (data set to view) and on `uniform` data, at budgets or at powers of e.

    Budgets are given as `epsilon`, or as `exp_epsilon` where they are logarithms. All protocols have one budget for a
    whole record. `amplify` replaces the axis: with true alone, names say which protocols are amplified; with both, the
    figure chooses.
    """

    epsilon: Swept[Epsilon] = ()
    exp_epsilon: Swept[Annotated[int, Field(gt=1, description="e^epsilon")]] = ()
    amplify: Swept[bool] = ()
    protocols: tuple[ProtocolName, ...]
    views: dict[str, ViewName] = Field(default={})
    uniform: dict[str, Uniform] = Field(default={})

    @model_validator(mode="after")
    def check_budgets(self) -> Self:
        """Refuse a setting without a budget or with two kinds of it, or without data."""
        if bool(self.epsilon) == bool(self.exp_epsilon):
            raise ValueError("give either epsilon or exp_epsilon")
        if not self.views and not self.uniform:
            raise ValueError("give views or uniform data")
        return self

    @field_validator("protocols")
    @classmethod
    def check_names(cls, protocols: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse protocols that results cannot tell apart."""
        check_labels(unique(protocols))
        return protocols

    def title(self, name: str) -> str:
        """Return what a protocol is called in results: its name, and whether all figures show its larger budget."""
        return f"{label(name)} amplified" if self.amplify == (True,) and amplifies(name) else label(name)

    def outer(self) -> Iterable[Point]:
        return [{"dataset": dataset} for dataset in (*self.views, *self.uniform)]


def records(cell: Cell) -> RecordTable:
    """Return the records of a cell's data set; uniform ones are drawn once for all budgets, readings and protocols."""
    dataset = cell["dataset"]
    if dataset in cell.setting.views:
        view = cell.views[cell.setting.views[dataset]]
        return RecordTable.from_records(view.codes, view.sizes)
    entry = cell.setting.uniform[dataset]
    drawn = cell.rng(data=dataset).integers(entry.sizes, size=(entry.n, len(entry.sizes)))
    return RecordTable.from_records(drawn, entry.sizes)


def sizes(cell: Cell) -> tuple[int, ...]:
    """Return the domain sizes of a cell's data set."""
    views, dataset = cell.setting.views, cell["dataset"]
    return cell.views[views[dataset]].sizes if dataset in views else cell.setting.uniform[dataset].sizes


def budget(cell: Cell) -> float:
    """Return the budget of a whole record."""
    return cell["epsilon"] if cell.setting.epsilon else math.log(cell["exp_epsilon"])


def amplifies(name: str) -> bool:
    """Whether a protocol may have an amplified budget."""
    return "amplify" in options_of(PROTOCOLS.get(parse(name).base, RecordProtocol))


def build(cell: Cell, name: str, sizes: tuple[int, ...]) -> Any:  # noqa: ANN401 (one that simulates)
    """Return a protocol for a cell."""
    amplified = {"amplify": cell["amplify"]} if amplifies(name) else {}
    return protocol(name, budget(cell), sizes, **amplified)


OVER = "over its budget"


def titles(setting: Setting) -> Iterator[str]:
    """Yield all that protocols may be called in results."""
    for name in setting.protocols:
        yield setting.title(name)
        if source_of(name) is not None:
            yield f"{setting.title(name)} {OVER}"


def called(cell: Cell, name: str) -> str:
    """Return a protocol's name in results; it is marked if a user's own protocol spends more than its budget."""
    title = cell.setting.title(name)
    return f"{title} {OVER}" if source_of(name) is not None and _over(cell, name) else title


def _over(cell: Cell, name: str) -> bool:
    """Whether a protocol spends more than its budget by its guarantee, its channel or its reports.

    One that needs its channel, and has too many records for it, is judged on smaller domains.
    """
    from corrldp.privacy_tests import above, epsilon_of_users, epsilon_spent  # here, as few experiments need them

    try:
        spent = epsilon_spent(build(cell, name, sizes(cell)))
    except ValueError:  # raised again if it has no channel
        spent = epsilon_spent(build(cell, name, smaller(sizes(cell))))
    shown = epsilon_of_users(partial(protocol, name), budget(cell), sizes(cell))
    return above(spent, budget(cell)) or not math.isnan(shown)


@runner(Setting, mechanisms=titles, metrics=("mse",), axes=by_name(AMPLIFY, POSTPROCESS), simulates=True)
def errors(cell: Cell) -> Iterator[Measure]:
    """Yield every protocol's squared error, averaged over the values of an attribute and then over attributes.

    The theory is the exact expected error for these records, where the protocol has a closed form.
    """
    table, how = cell.latest(records), cell["postprocess"]
    for name in cell.setting.protocols:
        estimates, theory = cell.once(estimate, name)
        repaired = simplex(estimates) if how == "simplex" else estimates
        errors = average_error((repaired - table.frequencies()) ** 2)
        yield Measure.of_runs(cell.once(called, name), "mse", errors, theory if how == "none" else float("nan"))


def estimate(cell: Cell, name: str) -> tuple[np.ndarray, float]:
    """Return a protocol's estimates (runs, d, K) and the closed form of their error, NaN if there is none."""
    table = cell.latest(records)
    protocol = build(cell, name, table.sizes)
    estimates = protocol.simulate(table, cell.runs, cell.rng(mechanism=name, point=dict(cell.point)))
    return estimates, expected_error(protocol, table)


def expected_error(protocol: Any, table: Population) -> float:  # noqa: ANN401
    """Return the exact mean squared error of a protocol, NaN if it has no closed form."""
    closed = getattr(protocol, "closed", hasattr(protocol, "expected_mse"))
    return float(np.mean(average_error(protocol.expected_mse(table)))) if closed else float("nan")


@runner(
    Setting,
    mechanisms=lambda setting: map(label, setting.protocols),
    metrics=("epsilon_nominal", "epsilon_record", "epsilon_attribute"),
    axes=by_name(AMPLIFY),
)
def budgets(cell: Cell) -> Iterator[Measure]:
    """Yield every protocol's nominal budget and what it guarantees: of a record, and the largest of an attribute."""
    for name in cell.setting.protocols:
        guarantee = build(cell, name, sizes(cell)).guarantee()
        yield Measure(label(name), "epsilon_nominal", budget(cell))
        yield Measure(label(name), "epsilon_record", guarantee.record)
        yield Measure(label(name), "epsilon_attribute", max(guarantee.attributes))
