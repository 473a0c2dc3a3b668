"""Schemes of the paper that nothing else needs: RR-Clusters, truncation and hybrid as printed, bounds, EM.

In the bounds, printed with the thresholds that Appendix C derives from them, `d` is the largest domain size of w
attributes and `epsilon` the budget of a record, epsilon / w for each attribute.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import apply_axes, castell, channel_pair, product, rr_ind_joint, rr_independent
from corrldp.protocols.lopub import until_stable


def hybrid_by_bounds(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by the printed bounds: RR-Ind-Joint where Eq. 10 is below Eq. 9 (Appendix C)."""
    w, d = len(mechanisms), max(grr.k for grr in mechanisms)
    joint = joint_bound(d, w, sum(grr.epsilon for grr in mechanisms), n) < independent_bound(d, w)
    return rr_ind_joint(observed, mechanisms) if joint else rr_independent(observed, mechanisms)


def truncated(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Algorithm 4 as printed: negative cells become 0, then the raw (w - 1)-way estimates are upper limits.

    Those limits may be negative, and then so is the result. A single attribute is only clipped.
    """
    raw = castell(observed, mechanisms)
    estimate = np.maximum(raw, 0)
    if observed.ndim > 1:
        for axis in range(observed.ndim):
            # The marginal of the estimate is the estimate from the marginal of the reports: the estimate is linear.
            np.minimum(estimate, raw.sum(axis=axis, keepdims=True), out=estimate)
    return estimate


def independent_bound(d: int, w: float) -> float:
    """Return the bound of RR-Independent, max(d^-w, 1/d - d^-w) (Eq. 9)."""
    return max(d**-w, 1 / d - d**-w)


def joint_bound(d: int, w: float, epsilon: float, n: int) -> float:
    """Return the bound of RR-Ind-Joint, (1 + (d - 1) / e^(epsilon / w))^w d^w / n (Eq. 10)."""
    return (1 + (d - 1) * math.exp(-epsilon / w)) ** w * d**w / n


def smallest_n(d: int, w: float, epsilon: float) -> float:
    """Return the number of users n* above which Eq. 10 is below Eq. 9."""
    return joint_bound(d, w, epsilon, 1) / independent_bound(d, w)


def smallest_epsilon(d: int, w: float, n: int) -> float:
    """Return the threshold epsilon* of Appendix C; NaN where the argument of its logarithm is not positive."""
    if w <= 1:
        return math.nan
    denominator = (1 / d - d**-w) ** (1 / w) * n ** (1 / w) / d - 1
    return w * math.log((d - 1) / denominator) if denominator > 0 else math.nan


def largest_w(d: int, n: int) -> float:
    """Return the threshold w* of Appendix C, (log n - log d) / log d^2."""
    return (math.log(n) - math.log(d)) / math.log(d**2)


def iterative_bayesian_update(
    observed: Floats, mechanisms: list[GRR], iterations: int = 200, tolerance: float = 1e-4
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) of the observed frequencies by EM, from the uniform one.

    For `iterations` and `tolerance` see `until_stable`.
    """
    pairs = [channel_pair(grr) for grr in mechanisms]

    def update(law: Floats) -> Floats:
        return law * apply_axes(observed / apply_axes(law.copy(), pairs), pairs)

    return until_stable(update, np.full(observed.shape, 1 / observed.size), iterations, tolerance)


Clusters = tuple[tuple[int, ...], ...]


def dependent_clusters(dependence: ArrayLike, sizes: tuple[int, ...], least: float, most_cells: int) -> Clusters:
    """Repeatedly merge the two most dependent clusters; return them as attribute numbers in ascending order.

    `dependence` (w, w) is Cramer's V of each pair of attributes, in either triangle; for two clusters the largest V
    counts. None is merged with a dependence below `least`, nor into a joint domain of more than `most_cells`.
    Source: Domingo-Ferrer and Soria-Comas (reference 3).
    """
    dependence = np.asarray(dependence, dtype=float)
    clusters: list[tuple[int, ...]] = [(j,) for j in range(len(sizes))]
    while True:
        candidates = [
            (float(np.maximum(dependence, dependence.T)[np.ix_(a, b)].max()), a, b)
            for i, a in enumerate(clusters)
            for b in clusters[i + 1 :]
            if math.prod(sizes[j] for j in a + b) <= most_cells
        ]
        strongest = max(candidates, default=(-1.0, (), ()))
        if strongest[0] < least:
            return tuple(sorted(clusters))
        _, a, b = strongest
        clusters = [cluster for cluster in clusters if cluster not in (a, b)] + [tuple(sorted(a + b))]


def rr_clusters(
    records: Integers, epsilon: float, sizes: tuple[int, ...], clusters: Clusters, rng: np.random.Generator
) -> Floats:
    """Return joint frequencies (k_1, ..., k_w) from reports on `records` (n, w): the product of those of each cluster.

    The `clusters` are a partition of the attributes; RR-Joint within each has the budget of all its attributes, of
    which each has `epsilon`.
    """
    laws = []
    for cluster in clusters:
        domains = tuple(sizes[j] for j in cluster)
        joint = GRR(epsilon * len(cluster), math.prod(domains))
        codes = np.ravel_multi_index(records[:, cluster].T, domains)
        observed = joint.support(joint.privatize(codes, rng)) / len(records)
        laws.append(castell(observed, [joint]).reshape(domains))
    return product(laws).transpose(np.argsort([j for cluster in clusters for j in cluster]))
