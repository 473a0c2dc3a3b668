"""Earlier estimators of CPL, as described in Section V-A of the CPL paper, and how its Section V scores estimates.

All estimators return a (d, d) matrix with a zero diagonal whose entry [k, j] estimates the leakage of attribute k due
to attribute j, or an array (...) for a stack of pairs. The paper describes ITS and CBP in one sentence each and CBP's
behaviour in another; our interpretations are readings, stated below.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, as_floats, check_choice
from corrldp.mechanisms.validation import check_epsilon, check_epsilons, check_integer, check_laws, check_share

MOST_ATTRIBUTES = 2**12


def spl_anl(attributes: int, epsilon: float) -> Floats:
    """SPL-ANL: all attributes determine one another, so each leaks the whole budget of every other."""
    return check_epsilon(epsilon) * (1 - np.eye(check_integer(attributes, "attributes", 1, MOST_ATTRIBUTES)))


def grf(correlations: ArrayLike, epsilon: float, threshold: float, linked: Literal["component", "edge"]) -> Floats:
    """GRF: attributes connected in the correlation graph leak the whole budget, others nothing.

    The graph of Pearson `correlations` (d, d) has an edge where their absolute value reaches the threshold, 0.2 and 0.4
    in the paper; an undefined correlation makes none. Either any path connects two attributes (SPL-ANL within each
    connected sub-graph, as described), or only an edge does (each pair treated as a separate data set).
    """
    from scipy.sparse.csgraph import connected_components  # half of scipy: only when needed

    edges = np.abs(as_floats(correlations, "correlations")) >= check_share(threshold, "threshold")
    if check_choice(linked, "linked", ("component", "edge")) == "component":
        _, component = connected_components(edges, directed=False)
        edges = component[:, None] == component
    return check_epsilon(epsilon) * (edges & ~np.eye(len(edges), dtype=bool)).astype(np.float64)


def its(conditional: ArrayLike, epsilon: ArrayLike) -> Floats:
    """ITS: the mechanism has two probability levels, the higher one for a single input, as in GRR.

    Reading: only sets S of `leakage_bound` with one element. Then the estimate (...) from `conditional` (..., m, t) is
    the CPL of GRR, as the paper observes, and for binary neighbours the bound over all mechanisms.
    """
    likelihoods = 1 + np.expm1(check_epsilons(epsilon))[..., None, None] * check_laws(conditional)
    return np.log(likelihoods.max(axis=-2) / likelihoods.min(axis=-2)).max(axis=-1)


def cbp(leakages: ArrayLike, symmetric: Literal["smaller", "mean", "larger"]) -> Floats:
    """CBP: the leakage of GRR (d, d), assumed to be the same in both directions of a pair.

    Reading: the paper says that CBP assumes symmetric leakage and always underestimates. Only the smaller of the two
    directions never overestimates; "mean" and "larger" are the other ways to make a matrix symmetric. "smaller"
    underestimates by construction.
    """
    leakages = np.asarray(leakages, dtype=float)
    ways: dict[str, Callable[..., Floats]] = {
        "smaller": np.minimum,
        "mean": lambda one, other: (one + other) / 2,
        "larger": np.maximum,
    }
    return ways[check_choice(symmetric, "symmetric", ways)](leakages, leakages.T)


def cbp_of_correlation(correlations: ArrayLike, epsilon: float) -> Floats:
    """CBP from covariances: the CPL of GRR on two fair binary attributes with the pair's correlation, (d, d).

    Another reading: the paper calls CBP covariance-based. A symmetric pair of bits with correlation r takes the same
    value with probability (1 + r) / 2, in either direction.
    """
    strength = np.abs(np.asarray(correlations, dtype=float))
    growth = np.expm1(check_epsilon(epsilon)) / 2
    leakages = np.log((1 + growth * (1 + strength)) / (1 + growth * (1 - strength)))
    return np.where(np.eye(len(leakages), dtype=bool), 0, leakages)


def off_diagonal(matrix: ArrayLike) -> Floats:
    """Off-diagonal entries (d (d - 1),) of a (d, d) matrix, row by row."""
    matrix = np.asarray(matrix, dtype=float)
    return matrix[~np.eye(len(matrix), dtype=bool)]


def undershoot(estimates: ArrayLike, reference: ArrayLike, epsilon: float) -> float:
    """Mean shortfall of estimated CPLs (q,) below the reference (q,), in units of the budget epsilon (Eq. 21).

    With the two in each other's place it is the overshoot, the mean excess above the reference.
    """
    difference = np.asarray(reference, dtype=float) - np.asarray(estimates, dtype=float)
    return float(np.maximum(difference, 0).mean() / check_epsilon(epsilon))


def nmse(estimates: ArrayLike, reference: ArrayLike) -> Floats:
    """Squared error of estimates (..., q) over the squared norm of the reference (q,) (Eqs. 23 and 29)."""
    reference = np.asarray(reference, dtype=float)
    return ((np.asarray(estimates, dtype=float) - reference) ** 2).sum(axis=-1) / (reference**2).sum(axis=-1)
