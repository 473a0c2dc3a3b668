"""Joint distributions of many attributes from independently randomised records (Castell paper).

`Castell` collects whole records, from which all joint tables can be estimated. RR-Independent, RR-Ind-Joint and what
repairs them are functions of an observed table and of the GRR of each attribute (Algorithm 1). In the paper each has a
budget of its own, and a record spends their sum (Theorem 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.estimates import Estimate, Tally
from corrldp.protocols.postprocess import simplex
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable
from corrldp.protocols.smp import SPL
from corrldp.protocols.tables import apply_axes, castell, check_bytes, inverse_pair, marginals, product

rr_ind_joint = castell
"""RR-Ind-Joint: the unbiased estimate of the joint distribution from the observed frequencies (Algorithm 3)."""


def rr_independent(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """RR-Independent: the product of the estimated marginals (Algorithm 2)."""
    return product([grr.unbias(seen, 1) for grr, seen in zip(mechanisms, marginals(observed), strict=True)])


def squared_error(mechanisms: list[GRR], n: int) -> float:
    """Exact expected squared error of RR-Ind-Joint, summed over all cells, for any n given records.

    A user's estimate is a product of columns of the inverse channels, each with the sum of squares r_j whatever the
    report, and is unbiased for a table with a single 1, so its variances sum to r_1 ... r_w - 1.
    """
    columns = [((1 - grr.q_support) ** 2 + (grr.k - 1) * grr.q_support**2) / grr.gap**2 for grr in mechanisms]
    return float((np.prod(columns) - 1) / n)


def hybrid_by_data(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by estimates of both squared errors from the reports alone.

    The squared distance of RR-Ind-Joint, unbiased with a known variance V, to RR-Independent is about V plus the
    squared bias of the latter. So below 2 V, that bias is below V and RR-Independent is better.
    """
    joint, independent = rr_ind_joint(observed, mechanisms), rr_independent(observed, mechanisms)
    distance = ((joint - independent) ** 2).sum()
    return independent if distance < 2 * squared_error(mechanisms, n) else joint


def truncated_in_order(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Apply inequality (8) as intended: limit the marginals of every dimension, from one up, by valid limits.

    Every marginal estimate lies between 0 and the smallest of its own marginals, so the result lies in [0, 1].
    """
    every = tuple(range(observed.ndim))
    subsets = [axes for ways in range(len(every) + 1) for axes in combinations(every, ways)]
    raw: dict[tuple[int, ...], Floats] = {every: castell(observed, mechanisms)}
    for axes in reversed(subsets[:-1]):
        summed = min(set(every) - set(axes), key=lambda axis: observed.shape[axis])
        wider = tuple(sorted((*axes, summed)))
        raw[axes] = raw[wider].sum(axis=wider.index(summed))
    limited: dict[tuple[int, ...], Floats] = {(): np.ones(())}
    for axes in subsets[1:]:
        limited[axes] = np.maximum(raw.pop(axes), 0)
        for place in range(len(axes)):
            limit = np.expand_dims(limited[axes[:place] + axes[place + 1 :]], place)
            np.minimum(limited[axes], limit, out=limited[axes])
    return limited[every]


def project_to_simplex(estimate: Floats) -> Floats:
    """Return the distribution nearest to `estimate` (any shape) in Euclidean distance; see `postprocess.simplex`."""
    return simplex(estimate.ravel()).reshape(estimate.shape)


@dataclass(frozen=True)
class Castell(SPL):
    """RR-Ind-Joint with the budget of a whole record, divided evenly over the attributes (Castell paper, Algorithm 3).

    Users report as in SPL with GRR, and single frequencies are estimated as there; the reports also give an unbiased
    estimate of the joint table of any attributes.
    """

    name = "Castell"
    oracles = ()

    oracle: str = field(default="GRR", init=False)

    # Whole reports are counted, so that joint tables can be estimated.
    tally = RecordProtocol.tally
    admits = RecordProtocol.admits
    possible = RecordProtocol.possible

    def estimate_from(self, tally: Tally) -> Estimate:
        table = RecordTable(*tally.check().rows(), self.sizes)
        return self.estimate_from_support(table.marginals(), table.n)

    def estimate_joint_from(self, tally: Tally, attributes: Sequence[int]) -> Estimate:
        """Estimate by RR-Ind-Joint; a cell's error follows from the spread of what single reports contribute to it.

        An attribute that is unknown or named twice, or a table above 8 GiB, is a ValueError.
        """
        columns = check_attributes(attributes, self.d)
        sizes = tuple(self.sizes[j] for j in columns)
        check_bytes(int(np.prod(sizes, dtype=object)), f"the joint table of sizes {sizes}", "take fewer attributes")
        rows, counts = tally.check().rows()
        observed = np.zeros(sizes)
        np.add.at(observed, tuple(rows[:, columns].T), counts / tally.n)
        mechanisms = [GRR(self.epsilon_per_attribute, k) for k in sizes]
        estimate = castell(observed, mechanisms)
        squares = [(a * a + 2 * a * b, b * b) for a, b in map(inverse_pair, mechanisms)]
        spread = apply_axes(observed.copy(), squares) - estimate**2
        return Estimate(estimate, np.sqrt(np.maximum(spread, 0) / max(tally.n - 1, 1)), tally.n)


def check_attributes(attributes: Sequence[int], d: int) -> list[int]:
    """Return attribute numbers, or raise ValueError unless they are distinct and in 0, ..., d - 1."""
    columns = list(attributes)
    whole = all(isinstance(j, int | np.integer) for j in columns)
    if not columns or not whole or len(set(columns)) != len(columns) or not all(0 <= j < d for j in columns):
        raise ValueError(f"attributes={attributes} must be distinct attributes of 0..{d - 1}, at least one")
    return columns
