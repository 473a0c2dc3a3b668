"""A runner of made-up papers: the errors of the Corr-RR papers, with an axis that only one kind of exhibit needs."""

from __future__ import annotations

from collections.abc import Iterator

from shared.runners import errors

from claimaudit.experiments.axes import Axis, Number, by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from corrldp.runners import runner

DATA_RHO = Axis(
    "data_rho",
    {"stated": "data with the stated rho"},
    Number(0, 1, "data with rho = {:g} instead of the stated one", "probability of a copy"),
)


@runner(
    errors.mse.setting,
    mechanisms=errors.mse.mechanisms,
    metrics=errors.mse.metrics,
    axes=errors.AXES | by_name(DATA_RHO),
    simulates=True,
)
def mse(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of every mechanism, on data whose rho may differ from the stated one."""
    rho = cell["data_rho"]
    yield from errors.mse(cell if rho == "stated" else cell.of({**cell.point, "rho": rho}))
