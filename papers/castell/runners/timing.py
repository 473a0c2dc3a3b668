"""Time of the three inversions (Figure 8), and the work and storage they need (Table II)."""

import itertools
import math
import time
import timeit
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Literal

from annotated_types import Gt, Lt

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point
from corrldp.arrays import LARGEST_BYTES
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import castell, naive, reduced
from corrldp.runners import Attributes, DomainSize, runner

METHODS = {"naive": naive, "reduced": reduced, "castell": castell}
STRASSEN = math.log2(7)  # exponent of matrix inversion that the paper assumes
BYTES = 8


class TimingSetting(BaseSetting):
    """Attributes with k values, kept with probability p, and their numbers; a method is timed up to its `largest_w`."""

    k: DomainSize
    p: Annotated[float, Gt(0), Lt(1)]
    ways: tuple[Attributes, ...]
    largest_w: dict[Literal["naive", "reduced", "castell"], Attributes]

    def outer(self) -> Iterable[Point]:
        return ({"k": self.k, "w": w} for w in (*self.ways, 0))


@runner(
    TimingSetting,
    mechanisms=tuple(METHODS),
    metrics=("largest_w", "storage", "operations", "printed_operations", "seconds"),
    simulates=True,
)
def inversions(cell: Cell) -> Iterator[Measure]:
    """Yield seconds (measured: they differ between machines and repetitions), and exact numbers for each method.

    `operations` is the order of Table II including the table itself, `printed_operations` that as printed, `storage`
    in doubles; `largest_w` is the largest number of attributes whose storage fits into 8 GiB.
    """
    k, w, p = cell["k"], cell["w"], cell.setting.p
    mechanisms = [GRR(math.log(p * (k - 1) / (1 - p)), k)] * w
    for method, invert in METHODS.items():
        if w == 0:
            yield Measure(method, "largest_w", largest_w(method, k))
            continue
        for metric, value in work(method, k, w).items():
            yield Measure(method, metric, value)
        if w <= cell.setting.largest_w[method]:
            timer = timeit.Timer(partial(invert, cell.rng(w=w).random((k,) * w), mechanisms), timer=time.process_time)
            _, *seconds = timer.repeat(cell.runs + 1, number=1)  # the first does not count
            yield Measure.of_runs(method, "seconds", seconds)


def work(method: str, k: int, w: int) -> dict[str, float]:
    """Return storage in doubles and the order of the operations, ours and as Table II prints it."""
    cells = float(k) ** w
    matrix = method != "castell"
    inverting = cells**STRASSEN if method == "naive" else w * k**STRASSEN
    touching = cells**2 if matrix else w * cells
    return {
        "storage": cells**2 if matrix else cells,
        "operations": inverting + touching,
        "printed_operations": inverting,
    }


def largest_w(method: str, k: int) -> int:
    """Return the largest number of attributes with k values each whose storage fits into memory."""
    doubles = k ** (1 if method == "castell" else 2)  # of each further attribute
    return next(w for w in itertools.count() if doubles ** (w + 1) > LARGEST_BYTES // BYTES)
