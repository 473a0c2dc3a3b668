"""Statements of the appendices about single mechanisms, the cost of the algorithms, and the example of Appendix K."""

from collections.abc import Iterator
from functools import cmp_to_key
from itertools import permutations

import numpy as np
import scipy
from cpl.runners.axes import BUILT, EXPANSION, NORMALISATION, THEORETICAL
from cpl.runners.data import NAMES, build, copied

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept
from corrldp.dependence import cramers_v, nmi, pcc
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_of_channel
from corrldp.leakage.empirical import estimated_leakage, sampled_tables
from corrldp.leakage.printed import algorithm_2
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.privacy import epsilon_of_channel
from corrldp.runners import DomainSize, Epsilon, Probability, Users, runner


class Privacy(BaseSetting):
    """Nominal budgets and domain sizes."""

    epsilon: Swept[Epsilon]
    k: Swept[DomainSize]


@runner(Privacy, mechanisms=NAMES, metrics=("epsilon_inferred", "truth_inferred", "epsilon_exact"), axes=BUILT)
def privacy(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon by enumeration of all reports; SHE's reports are real numbers and have no row."""
    for name in NAMES:
        mechanism = build(cell, name, cell["epsilon"], cell["k"])
        inferred = mechanism.effective_channel()
        yield Measure(name, "epsilon_inferred", epsilon_of_channel(inferred))
        yield Measure(name, "truth_inferred", inferred[0, 0])
        if name != "SHE":
            yield Measure(name, "epsilon_exact", epsilon_of_channel(mechanism.channel()))


ENTRIES = np.linspace(-2, 3, 41)
RANGES = np.arange(2, 1000)


class Mechanisms(BaseSetting):
    """Budgets."""

    epsilon: Swept[Epsilon]


@runner(Mechanisms, mechanisms=("SHE", "OLH"), metrics=("epsilon_exact", "variance_over_least", "best_range"))
def mechanisms(cell: Cell) -> Iterator[Measure]:
    """Yield the exact epsilon of SHE, and the variance of local hashing at the range e^epsilon + 1 over its least.

    Two reports of SHE differ in the density of two entries only; their log-ratio is constant outside [0, 1], so the
    grid contains its supremum. The variance is the one for rare values, which the range is meant to minimise.
    """
    epsilon = cell["epsilon"]
    scale = SummationHistogram(epsilon, 2).scale
    at_one, at_zero = (scipy.stats.laplace.logpdf(ENTRIES, loc=place, scale=scale) for place in (1, 0))
    gain = at_one - at_zero
    yield Measure("SHE", "epsilon_exact", float(gain.max() - gain.min()), theory=epsilon)
    at_optimum = _variance(np.exp(epsilon) + 1, epsilon)
    yield Measure("OLH", "variance_over_least", float(at_optimum / _variance(RANGES, epsilon).min()))
    best = RANGES[_variance(RANGES, epsilon).argmin()]
    yield Measure("OLH", "best_range", float(best), theory=float(np.exp(epsilon) + 1))


def _variance(size: np.ndarray | float, epsilon: float) -> np.ndarray:
    """Variance of an estimated frequency next to 0 for one user, where values are hashed into `size` values."""
    truth, chance = np.exp(epsilon) / (np.exp(epsilon) + size - 1), 1 / size
    return chance * (1 - chance) / (truth - chance) ** 2


class Operations(BaseSetting):
    """Domain sizes of the attacked attribute (`m`) and of its neighbour (`t`)."""

    m: Swept[DomainSize]
    t: Swept[DomainSize]


@runner(Operations, mechanisms=("Algorithm 2",), metrics=("operations", "operations_over_order"))
def operations(cell: Cell) -> Iterator[Measure]:
    """Yield the operations on random laws, counted rather than timed: divisions, comparisons, steps of the loop."""
    m, t = cell["m"], cell["t"]
    laws = cell.rng(m=m, t=t).dirichlet(np.ones(t), size=m)
    count = sum(2 * t + _comparisons(laws[x] / laws[y]) for x, y in permutations(range(m), 2))
    yield Measure("Algorithm 2", "operations", count)
    yield Measure("Algorithm 2", "operations_over_order", count / (m**2 * t * np.log2(t)))


def _comparisons(ratios: np.ndarray) -> int:
    """Return the number of comparisons that sorting takes."""
    count = 0

    def compare(a: float, b: float) -> int:
        nonlocal count
        count += 1
        return (a < b) - (a > b)

    sorted(ratios.tolist(), key=cmp_to_key(compare))
    return count


DIRECTIONS = ("X^ -> Xk", "Xk -> X^")
BOTH = {"direction": "both", "epsilon": np.nan}


class Example(BaseSetting):
    """The joint `law` of two attributes, the number of records drawn from it, and budgets."""

    law: tuple[tuple[Probability, ...], ...]
    n: Users
    epsilon: tuple[Epsilon, ...]


@runner(
    Example,
    mechanisms=("GRR", "Algorithm 2", "Algorithm 2 as printed", "data"),
    metrics=("cpl", "cpl_estimated", "nmi", "nmi_of_sample", "pcc", "pcc_of_sample", "cramers_v"),
    columns=("direction", "epsilon"),
    axes=by_name(NORMALISATION, EXPANSION, THEORETICAL),
    simulates=True,
)
def example(cell: Cell) -> Iterator[Measure]:
    """Yield leakages in both directions and measures of dependence, of the law (28) and of records drawn from it.

    `cpl` and the dependence are exact, but that the axis `theoretical` may take Algorithm 2 from the records;
    `cpl_estimated` and `nmi_of_sample` are those of `n` records in each run, the first after they are expanded and
    perturbed.
    """
    law = np.array(cell.setting.law)
    yield from _exact(cell, law)
    yield Measure("data", "nmi", float(nmi(law, cell["normalisation"])), place=BOTH)
    yield Measure("data", "pcc", float(pcc(law)), place=BOTH)
    yield Measure("data", "cramers_v", float(cramers_v(law)), place=BOTH)
    rng = cell.rng(n=cell.setting.n)
    records = rng.multinomial(cell.setting.n, law.ravel(), size=cell.runs).reshape(-1, *law.shape)
    yield from _sampled(cell, records, rng)
    yield Measure.of_runs("data", "nmi_of_sample", nmi(records, cell["normalisation"]), place=BOTH)
    yield Measure.of_runs("data", "pcc_of_sample", pcc(records), place=BOTH)


def _exact(cell: Cell, law: np.ndarray) -> Iterator[Measure]:
    for direction, joint in zip(DIRECTIONS, (law, law.T), strict=True):
        given = conditional(joint)
        for epsilon in cell.setting.epsilon:
            place = {"direction": direction, "epsilon": epsilon}
            grr = leakage_of_channel(given, GRR(epsilon, given.shape[-1]).channel())
            yield Measure("GRR", "cpl", float(grr), place=place)
            if cell["theoretical"] == "law":
                yield Measure("Algorithm 2", "cpl", float(leakage_bound(given, epsilon)), place=place)
            yield Measure("Algorithm 2 as printed", "cpl", algorithm_2(given, epsilon)[0], place=place)


def _sampled(cell: Cell, records: np.ndarray, rng: np.random.Generator) -> Iterator[Measure]:
    for direction, counts in zip(DIRECTIONS, (records, records.swapaxes(1, 2)), strict=True):
        for epsilon in cell.setting.epsilon:
            place = {"direction": direction, "epsilon": epsilon}
            if cell["theoretical"] == "records":
                yield Measure.of_runs("Algorithm 2", "cpl", leakage_bound(conditional(counts), epsilon), place=place)
            channel = GRR(epsilon, counts.shape[-1]).channel()
            [tables] = sampled_tables(copied(cell, counts), channel, 1, rng)
            yield Measure.of_runs("GRR", "cpl_estimated", estimated_leakage(tables, "skip"), place=place)
