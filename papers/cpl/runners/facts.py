"""Numbers of the data sets that the paper states, and conditional frequencies with which it explains its figures."""

from collections.abc import Iterable, Iterator
from itertools import chain

from cpl.runners.axes import DATA
from cpl.runners.data import DataSets, joint_table, view_of
from pydantic import Field

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point
from corrldp.runners import Count, runner

SIZES = ("records", "attributes", "binary_attributes", "largest_domain")
HOLDERS = "holders_of_{}"


class Sizes(DataSets):
    """Data sets, attributes whose value 1 is counted, and the two data sets whose `shared` attributes are counted."""

    holders_of_1: dict[str, tuple[str, ...]] = Field(default={})
    shared: tuple[str, str]

    def outer(self) -> Iterable[Point]:
        return [*super().outer(), {"dataset": " and ".join(self.shared)}]


@runner(
    Sizes,
    mechanisms=("data",),
    metrics=lambda setting: (*SIZES, *map(HOLDERS.format, chain(*setting.holders_of_1.values()))),
    axes=DATA,
)
def sizes(cell: Cell) -> Iterator[Measure]:
    """Yield records, attributes and the largest domain; of two data sets the attributes that both have.

    The paper states these numbers in Sections III-A and V-C.
    """
    if cell["dataset"] not in cell.setting.views:
        first, second = ({*view_of(cell, dataset).names} for dataset in cell.setting.shared)
        yield Measure("data", "attributes", len(first & second))
        return
    view = view_of(cell, cell["dataset"])
    yield Measure("data", "records", view.n)
    yield Measure("data", "attributes", view.d)
    yield Measure("data", "binary_attributes", sum(size == 2 for size in view.sizes))
    yield Measure("data", "largest_domain", max(view.sizes))
    for attribute in cell.setting.holders_of_1.get(cell["dataset"], ()):
        yield Measure("data", HOLDERS.format(attribute), int(view.counts([attribute])[1]))


class Share(BaseSetting):
    """The share of the records with code `code` of `attribute` among those with code `given` of `among`."""

    name: str
    dataset: str
    attribute: str
    code: Count
    among: str
    given: Count


class Shares(DataSets):
    """Data sets, and the shares that are wanted of them."""

    shares: tuple[Share, ...]

    def outer(self) -> Iterable[Point]:
        return [{"dataset": dataset} for dataset in dict.fromkeys(share.dataset for share in self.shares)]


@runner(Shares, mechanisms=("data",), metrics=lambda setting: (share.name for share in setting.shares), axes=DATA)
def shares(cell: Cell) -> Iterator[Measure]:
    """Yield every share under its name."""
    for share in cell.setting.shares:
        if share.dataset == cell["dataset"]:
            counts = joint_table(cell, share.dataset, share.among, share.attribute)[share.given]
            yield Measure("data", share.name, float(counts[share.code] / counts.sum()))
