"""Joint distributions of many attributes from independently randomised records (Castell paper).

`Castell` collects whole records, from which all joint tables can be estimated. RR-Independent, RR-Ind-Joint and what
repairs them are functions of an observed table and of the GRR of each attribute (Algorithm 1). In the paper each has a
budget of its own, and a record spends their sum (Theorem 3).

Three ways invert independent randomisation, with equal results (Section III-C.3 and Table II). Each takes the observed
table (k_1, ..., k_w) of counts or frequencies, which must fit into memory, and the mechanism of each axis, and returns
the unbiased estimate of the true table, in the same unit. `castell` needs products of a table with one matrix a I + b J
per axis, as the channels of GRR and their inverses are: neighbouring axes are grouped while their product matrix stays
small, so the table is read and written once per group of axes, in blocks that fit the processor's cache.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, check_bytes, kronecker
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.estimates import Estimate, Tally
from corrldp.protocols.postprocess import simplex
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable, check_records
from corrldp.protocols.smp import SPL


def tabulate(records: ArrayLike, sizes: Sequence[int]) -> Integers:
    """Count the records (n, w) in a table (k_1, ..., k_w); one above 8 GiB is a ValueError."""
    cells = math.prod(sizes)
    check_bytes(cells, f"the table of sizes {tuple(sizes)}", "take fewer attributes at once")
    codes = np.ravel_multi_index(check_records(records, sizes).T, tuple(sizes))
    return np.bincount(codes, minlength=cells).reshape(sizes)


def marginals(table: Floats) -> list[Floats]:
    """Return the one-way marginal (k_j,) of each axis; reads the table twice, however many axes there are."""
    found = []
    for k in table.shape:
        rows = table.reshape(k, -1)
        found.append(rows.sum(axis=1))
        table = rows.sum(axis=0)
    return found


def product(marginals: Sequence[Floats]) -> Floats:
    """Return the joint table (k_1, ..., k_w) of independent attributes with these marginals."""
    return reduce(np.multiply.outer, marginals, np.ones(()))


def naive(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the channels and invert it (Eq. 3); a matrix above 8 GiB is a ValueError."""
    _check_matrix(table.size)
    channel = kronecker(grr.channel() for grr in mechanisms)
    return (np.linalg.inv(channel).T @ table.ravel()).reshape(table.shape)


def reduced(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Build the product of the inverted channels (Eq. 4); a matrix above 8 GiB is a ValueError."""
    _check_matrix(table.size)
    inverse = kronecker(np.linalg.inv(grr.channel()) for grr in mechanisms)
    return (inverse.T @ table.ravel()).reshape(table.shape)


def castell(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Invert axis by axis (Algorithm 3), with the closed form (I - q J) / gap of the inverse channel of GRR.

    Time is linear in cells and axes; memory is one table of doubles.
    """
    return _applied(table, mechanisms, inverse_pair)


def expected_table(table: Floats, mechanisms: Sequence[GRR]) -> Floats:
    """Return the expected randomised table of a population with `table`."""
    return _applied(table, mechanisms, channel_pair)


def _applied(table: Floats, mechanisms: Sequence[GRR], pair: Callable[[GRR], "Pair"]) -> Floats:
    sizes = tuple(grr.k for grr in mechanisms)
    if np.shape(table) != sizes:
        raise ValueError(f"table of shape {np.shape(table)} must be {sizes}: one axis per mechanism")
    return apply_axes(np.array(table, dtype=float, order="C"), [pair(grr) for grr in mechanisms])


def _check_matrix(cells: int) -> None:
    check_bytes(cells**2, f"the aggregated matrix of {cells:,} cells", "use castell, which needs the table only")


WIDEST_GROUP = 32
BLOCK = 1 << 15  # cells worked on at a time

Pair = tuple[float, float]


def inverse_pair(grr: GRR) -> Pair:
    """Return (a, b) of the inverse channel a I + b J: (1 / gap, -q / gap)."""
    return 1 / grr.gap, -grr.q_support / grr.gap


def channel_pair(grr: GRR) -> Pair:
    """Return (a, b) of the channel a I + b J: (gap, q)."""
    return grr.gap, grr.q_support


def apply_axes(table: Floats, pairs: Sequence[Pair]) -> Floats:
    """Multiply axis j of `table` (k_1, ..., k_w) by a_j I + b_j J, in place; time linear in cells and axes.

    The matrices are symmetric, so left and right multiplication agree.
    """
    if not table.flags.c_contiguous or table.dtype != np.float64:
        raise ValueError("the table must be a C-contiguous array of doubles: it is changed in place")
    for first, stop in groups(table.shape):
        width = math.prod(table.shape[first:stop])
        view = table.reshape(-1, width, math.prod(table.shape[stop:]))
        if width > WIDEST_GROUP:
            _apply_one(view, pairs[first])
        else:
            _apply_group(view, _product(table.shape[first:stop], tuple(pairs[first:stop])))
    return table


def groups(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Divide the axes into runs whose joint domain is small enough for one product matrix."""
    borders, width = [0], 1
    for axis, size in enumerate(sizes):
        if width * size > WIDEST_GROUP and axis > borders[-1]:
            borders.append(axis)
            width = 1
        width *= size
    return list(pairwise([*borders, len(sizes)]))


@lru_cache(maxsize=1024)
def _product(sizes: tuple[int, ...], pairs: tuple[Pair, ...]) -> Floats:
    """Return the product matrix of a group of axes; an estimate of many marginals needs the same one often."""
    return kronecker(a * np.eye(k) + b for k, (a, b) in zip(sizes, pairs, strict=True))


def _apply_group(view: Floats, matrix: Floats) -> None:
    """Multiply the middle axis of `view` (before, width, after) by a small symmetric matrix, in place."""
    before, width, after = view.shape
    if after == 1:
        rows = view[:, :, 0]
        step = max(1, BLOCK // width)
        for start in range(0, before, step):
            rows[start : start + step] = rows[start : start + step] @ matrix
        return
    step, stride = _steps(view)
    for start in range(0, before, step):
        for column in range(0, after, stride):
            block = view[start : start + step, :, column : column + stride]
            block[...] = matrix @ block


def _apply_one(view: Floats, pair: Pair) -> None:
    a, b = pair
    weights = np.full(view.shape[1], b)
    step, stride = _steps(view)
    for start in range(0, view.shape[0], step):
        for column in range(0, view.shape[2], stride):
            block = view[start : start + step, :, column : column + stride]
            total = weights @ block  # faster than a sum along the axis
            block *= a
            block += total[:, None]


def _steps(view: Floats) -> tuple[int, int]:
    _, width, after = view.shape
    return max(1, BLOCK // (width * after)), max(64, BLOCK // width)


def perturb_axes(tables: Integers, mechanisms: Sequence[GRR], rng: np.random.Generator) -> Integers:
    """Draw the tables of reports of users counted in `tables` (runs, k_1, ..., k_d), axis by axis."""
    for j, grr in enumerate(mechanisms):
        values_last = np.moveaxis(tables, j + 1, -1)
        tables = np.moveaxis(grr.perturb_counts(values_last, rng), -1, j + 1)
    return tables


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
        return super().estimate_from(Tally.of_support(table.marginals(), table.n))

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
