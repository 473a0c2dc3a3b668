"""What the Castell paper derives without data, in exact numbers: Sections III-C and III-H, Appendices B and C."""

import itertools
import math
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Annotated

import numpy as np
import scipy
from annotated_types import Gt
from castell.runners.bounds import smallest_epsilon, smallest_n
from castell.runners.estimates import distances_of, independent_bound, joint_bound, truncated
from numpy.typing import ArrayLike

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point
from corrldp.dependence import cramers_v
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import ROUNDING
from corrldp.privacy import epsilon_of_channel, record_channel
from corrldp.protocols.castell import castell, expected_table, marginals, naive, reduced, rr_ind_joint, rr_independent
from corrldp.runners import Attributes, Count, DomainSize, Epsilon, Users, runner

NOTHING = {"sizes": "any", "d": 0, "w": 0, "epsilon": math.nan, "n": 0, "cell": 0}
INVERSIONS = {"naive": naive, "reduced": reduced}
METRICS = (
    *("eq_9", "eq_10", "limit", "per_cell"),
    *("epsilon_star", "eq_10_at_epsilon_star", "eq_10_at_n_star"),
    *(*INVERSIONS, "recovered"),
    *("deviation", "within", "entry"),
)


class Derivations(BaseSetting):
    """Domain sizes d, numbers w of attributes, budgets of a record and users; tables to invert; an example.

    The records of the example are `copies` of its `counts`, reported by GRR with the `odds` e^epsilon. The array to
    transpose has the sizes of `transposition` and is numbered from 1, its first axis fastest; `transposed` is the axis
    (from 1) by which it is transposed.
    """

    d: tuple[DomainSize, ...]
    ways: tuple[Attributes, ...]
    epsilon: tuple[Epsilon, ...]
    n: tuple[Users, ...]
    sizes: tuple[tuple[DomainSize, ...], ...]
    counts: tuple[tuple[Count, Count], tuple[Count, Count]]
    odds: Annotated[float, Gt(1)]
    copies: tuple[Users, ...]
    transposition: tuple[DomainSize, DomainSize, DomainSize]
    transposed: Attributes

    def outer(self) -> Iterable[Point]:
        return ({"fact": fact} for fact in FACTS)


@runner(Derivations, mechanisms=("paper",), metrics=METRICS, columns=tuple(NOTHING))
def derivations(cell: Cell) -> Iterator[Measure]:
    """Yield the numbers of one kind of fact."""
    for metric, value, theory, place in FACTS[cell["fact"]](cell):
        yield Measure("paper", metric, value, theory=theory, place={**NOTHING, **place})


Number = tuple[str, float, float, Point]


def bounds(cell: Cell) -> Iterator[Number]:
    """Yield Eqs. 9 and 10, their limit d^2w / n for many attributes, and Eq. 10 times n over the cells."""
    setting = cell.setting
    for d, w, epsilon, n in itertools.product(setting.d, setting.ways, setting.epsilon, setting.n):
        place = {"d": d, "w": w, "epsilon": epsilon, "n": n}
        joint = joint_bound(d, w, epsilon, n)
        yield "eq_9", independent_bound(d, w), math.nan, place
        yield "eq_10", joint, math.nan, place
        yield "limit", float(d) ** (2 * w) / n, math.nan, place
        yield "per_cell", joint * n / float(d) ** w, math.nan, place


def thresholds(cell: Cell) -> Iterator[Number]:
    """Yield epsilon* and Eq. 10 there, and Eq. 10 at n*; by derivation both equal Eq. 9, here the theory."""
    setting = cell.setting
    for d, w in itertools.product(setting.d, setting.ways):
        if w == 1:
            continue
        equal = 1 / d - d**-w
        for n in setting.n:
            least, place = smallest_epsilon(d, w, n), {"d": d, "w": w, "n": n}
            if least > 0:  # below 0, or undefined: no budget is the threshold
                yield "epsilon_star", least, math.nan, place
                yield "eq_10_at_epsilon_star", joint_bound(d, w, least, n), equal, place
        for epsilon in setting.epsilon:
            least = smallest_n(d, w, epsilon)
            place = {"d": d, "w": w, "epsilon": epsilon}
            yield "eq_10_at_n_star", joint_bound(d, w, epsilon, 1) / least, equal, place


def inversions(cell: Cell) -> Iterator[Number]:
    """Yield, of the other inversions of a table of random numbers, the entry that differs most from Algorithm 3.

    The theory is Algorithm 3's entry. `recovered` is the entry of its estimate from the expected table of reports that
    differs most from the true table, and the theory the true entry.
    """
    for sizes in cell.setting.sizes:
        table = cell.rng(sizes=sizes).random(sizes)
        mechanisms = [GRR(1.0, k) for k in sizes]
        estimate = castell(table, mechanisms)
        place = {"sizes": " x ".join(map(str, sizes)), "w": len(sizes)}
        pairs = {name: (invert(table, mechanisms), estimate) for name, invert in INVERSIONS.items()}
        pairs["recovered"] = castell(expected_table(table, mechanisms), mechanisms), table
        for name, (found, theory) in pairs.items():
            differences = np.abs(found - theory).round(9)  # less is rounding, in which processors differ
            at = np.unravel_index(differences.argmax(), sizes)
            yield name, float(found[at]), float(theory[at]), place


def deviations(cell: Cell) -> Iterator[Number]:
    """Yield how far observed frequencies are from expected ones when the records of the example are randomised.

    `deviation` is the mean absolute deviation of a cell, `limit` is 1/n, and `within` the probability that the
    deviation is less than 1/n.
    """
    setting = cell.setting
    channel = GRR(math.log(setting.odds), 2).channel()
    for copies in setting.copies:
        counts = np.array(setting.counts) * copies
        n = int(counts.sum())
        for number, (a, b) in enumerate(itertools.product(range(2), repeat=2)):
            chances = np.outer(channel[:, a], channel[:, b])
            of_records = map(scipy.stats.binom.pmf, map(np.arange, counts.ravel() + 1), counts.ravel(), chances.ravel())
            law, mean = reduce(np.convolve, of_records), float((counts * chances).sum())
            off = np.abs(np.arange(n + 1) - mean)
            place = {"n": n, "cell": number}
            yield "deviation", float(law @ off) / n, math.nan, place
            yield "limit", 1 / n, math.nan, place
            yield "within", float(law[off < 1 - ROUNDING].sum()), math.nan, place  # the mean is often a whole number


def transposition(cell: Cell) -> Iterator[Number]:
    """Yield the transposition of a numbered array (Definition 2), entry by entry, row by row.

    The columns are in the cyclic order of the axes that the paper's sigma has, the next axis fastest.
    """
    sizes, first = cell.setting.transposition, cell.setting.transposed - 1
    array = np.arange(1, math.prod(sizes) + 1).reshape(sizes, order="F")
    order = [(first + step) % len(sizes) for step in range(len(sizes))]
    matrix = array.transpose(order).reshape((sizes[first], -1), order="F")
    for number, entry in enumerate(matrix.ravel()):
        yield "entry", float(entry), math.nan, {"cell": number}


FACTS = {
    "bounds": bounds,
    "thresholds": thresholds,
    "inversions": inversions,
    "deviations": deviations,
    "transposition": transposition,
}


Counts = tuple[tuple[Count, Count], tuple[Count, Count]]


class ExampleSetting(BaseSetting):
    """Counts of X and of Y, rows a and columns b, and the `odds` e^epsilon."""

    true_counts: Counts
    seen_counts: Counts
    odds: Annotated[float, Gt(1)]


@runner(ExampleSetting, mechanisms=("example",), metrics=("value",), columns=("quantity", "cell"))
def example(cell: Cell) -> Iterator[Measure]:
    """Yield each number of the example; `cell` numbers the entries of an array row by row."""
    for quantity, numbers in quantities(cell.setting):
        for entry, value in enumerate(np.ravel(numbers)):
            yield Measure("example", "value", value, place={"quantity": quantity, "cell": entry})


def quantities(setting: ExampleSetting) -> Iterator[tuple[str, ArrayLike]]:
    """Yield every quantity of the example by name."""
    true, seen = (np.array(counts, dtype=float) for counts in (setting.true_counts, setting.seen_counts))
    epsilon, n = math.log(setting.odds), true.sum()
    law, observed = true / n, seen / n
    mechanisms = [GRR(epsilon, k) for k in true.shape]
    true_marginals, seen_marginals = marginals(law), marginals(observed)
    yield "pi_a", true_marginals[0]
    yield "pi_b", true_marginals[1]
    yield "p_a", mechanisms[0].channel()
    yield "lambda_a", seen_marginals[0]
    yield "lambda_b", seen_marginals[1]
    yield "v_of_y", cramers_v(observed, "domain")
    yield "v_of_x", cramers_v(law, "domain")
    yield "estimated_pi_a", mechanisms[0].unbias(seen_marginals[0], 1)
    yield "estimated_pi_b", mechanisms[1].unbias(seen_marginals[1], 1)
    yield "product_matrix_16", 16 * np.kron(*(grr.channel() for grr in mechanisms))
    yield "inverse", np.linalg.inv(mechanisms[0].channel())
    yield "half_inverted", np.linalg.inv(mechanisms[1].channel()) @ observed.T
    yield "estimated_pi_b_in_truncated", mechanisms[1].unbias(seen_marginals[1], 1)
    for name, estimate in (
        ("independent", rr_independent(observed, mechanisms)),
        ("joint", rr_ind_joint(observed, mechanisms)),
        ("truncated", truncated(observed, mechanisms)),
    ):
        yield name, estimate
        distances = distances_of(estimate - law)
        yield f"{name}_mse", distances["mean_squared"]
        yield f"{name}_avd", distances["sup"]
        if estimate.min() >= 0:
            yield f"{name}_v", cramers_v(estimate, "domain")
    yield "epsilon", epsilon_of_channel(mechanisms[0].channel()) / epsilon
    yield "total_epsilon", epsilon_of_channel(record_channel(grr.channel() for grr in mechanisms)) / epsilon
    joint = GRR(epsilon * true.ndim, true.size)
    yield "rr_joint_matrix_12", 12 * joint.channel()
    yield "rr_joint_epsilon", epsilon_of_channel(joint.channel()) / epsilon
    yield "expected_lambda", expected_table(law, mechanisms).T
    yield "deviation", (observed - expected_table(law, mechanisms)).T
