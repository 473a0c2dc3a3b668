"""The mean distance of RR-Ind-Joint over random sets of attributes beside its bound."""

from __future__ import annotations

from collections.abc import Iterator

from castell.runners import axes, errors
from castell.runners.estimates import budget, view_of
from castell.runners.schemes import joint_bound

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from corrldp.runners import runner

MECHANISM = "RR-Ind-Joint"


@runner(
    errors.ComparedSets,
    mechanisms=(MECHANISM,),
    metrics=("avd", "bound"),
    columns=("n",),
    axes=axes.SETS | axes.VARIANTS,
    simulates=True,
)
def beside(cell: Cell) -> Iterator[Measure]:
    """Yield the distance of `errors.random_sets`, and Eq. 10 for the data set's largest domain (`bound`)."""
    yield from errors.random_sets(cell)
    view = view_of(cell)
    if view is None:
        return
    w, n = cell["w"], errors.users(cell, view)
    epsilon = budget(cell["epsilon"], w, cell["budget"])
    yield Measure(MECHANISM, "bound", joint_bound(max(view.sizes), w, w * epsilon, n), place={"n": n})
