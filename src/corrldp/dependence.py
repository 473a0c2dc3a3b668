"""Conventional measures of dependence between two attributes, from tables (..., m, t) of probabilities or counts.

A measure is NaN where it is undefined: when an attribute has only one value. All raise a ValueError unless every table
holds numbers >= 0, not all 0.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, as_floats, check_choice

Normalisation = Literal["min", "max", "mean", "geometric", "joint"]


def entropy(law: ArrayLike) -> Floats:
    """Shannon entropy (...), in nats, of distributions (..., k)."""
    from scipy.special import entr  # here, since most programs never need it and it takes long to import

    return entr(np.asarray(law, dtype=float)).sum(axis=-1)


def mutual_information(joint: ArrayLike) -> Floats:
    """Mutual information (...), in nats."""
    rows, columns, both = _entropies(joint)
    return np.maximum(rows + columns - both, 0)


def nmi(joint: ArrayLike, normalisation: Normalisation) -> Floats:
    """Mutual information (...) of tables (..., m, t) divided by one of five entropies of the pair, 0 to 1.

    It is the smaller (min) or larger (max) of the two attributes' entropies, their arithmetic (mean) or geometric mean,
    or the entropy of the pair (joint). The CPL paper does not say which one it uses.
    """
    rows, columns, both = _entropies(joint)
    divisors = {
        "min": np.minimum(rows, columns),
        "max": np.maximum(rows, columns),
        "mean": (rows + columns) / 2,
        "geometric": np.sqrt(np.maximum(rows * columns, 0)),
        "joint": both,
    }
    check_choice(normalisation, "normalisation", divisors)
    with np.errstate(divide="ignore", invalid="ignore"):
        return mutual_information(joint) / np.where(_occurring(_law(joint)) > 1, divisors[normalisation], np.nan)


def pcc(joint: ArrayLike) -> Floats:
    """Pearson's correlation (...) of the codes 0, 1, ... of the two attributes, taken as numbers."""
    joint = _law(joint)
    rows, columns = np.arange(joint.shape[-2]), np.arange(joint.shape[-1])
    row_law, column_law = joint.sum(axis=-1), joint.sum(axis=-2)
    row_mean, column_mean = row_law @ rows, column_law @ columns
    covariance = np.einsum("...mt,m,t->...", joint, rows, columns) - row_mean * column_mean
    row_variance = (row_law * (rows - row_mean[..., None]) ** 2).sum(axis=-1)
    column_variance = (column_law * (columns - column_mean[..., None]) ** 2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return covariance / np.where(_occurring(joint) > 1, np.sqrt(row_variance * column_variance), np.nan)


def cramers_v(joint: ArrayLike, values: Literal["occurring", "domain"] = "occurring") -> Floats:
    """Cramer's V (...) of tables (..., m, t), 0 to 1, without bias correction.

    The divisor is the smaller of the attributes' numbers of values minus 1: of those that occur, or of the whole
    domain, min(m, t), as in the Castell paper (Section II-B). With ``"domain"`` a constant attribute has V = 0.
    """
    joint = _law(joint)
    row_law, column_law = joint.sum(axis=-1), joint.sum(axis=-2)
    independent = row_law[..., :, None] * column_law[..., None, :]
    deviations = np.divide((joint - independent) ** 2, independent, out=np.zeros_like(joint), where=independent > 0)
    occurring = _occurring(joint)
    numbers = {"occurring": occurring, "domain": np.full_like(occurring, min(joint.shape[-2:]))}
    check_choice(values, "values", numbers)
    constant = 0.0 if values == "domain" else np.nan
    divisors = np.maximum(numbers[values] - 1, 1)
    return np.where(occurring > 1, np.sqrt(deviations.sum(axis=(-2, -1)) / divisors), constant)[()]


def _occurring(joint: Floats) -> Integers:
    """Return the number of values that occur (...), of the attribute with fewer; unlike sums of shares, it is exact."""
    return np.minimum((joint.sum(axis=-1) > 0).sum(axis=-1), (joint.sum(axis=-2) > 0).sum(axis=-1))


def _entropies(joint: ArrayLike) -> tuple[Floats, Floats, Floats]:
    joint = _law(joint)
    flat = joint.reshape(*joint.shape[:-2], -1)
    return entropy(joint.sum(axis=-1)), entropy(joint.sum(axis=-2)), entropy(flat)


def _law(joint: ArrayLike) -> Floats:
    joint = as_floats(joint, "tables")
    if joint.ndim < 2 or not np.isfinite(joint).all() or (joint < 0).any() or not joint.any(axis=(-2, -1)).all():
        raise ValueError(f"dependence needs two-way tables of numbers >= 0, not all 0; found shape {joint.shape}")
    return joint / joint.sum(axis=(-2, -1), keepdims=True)
