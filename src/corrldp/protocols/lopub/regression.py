"""LoPub's joint distribution by Lasso regression on the candidate matrix (Ren et al. 2018, Algorithm 2).

The regression sees one number per bit and attribute, so it knows only the marginals: many joint distributions fit
equally well, and the penalty does not choose between them.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
from scipy import sparse

from corrldp.arrays import Floats
from corrldp.extras import require
from corrldp.protocols.castell.tables import check_bytes
from corrldp.protocols.lopub.bloom import BloomResponse

MOST_STEPS = 300


def candidate_matrix(lopub: BloomResponse) -> sparse.csc_matrix:
    """(w * bits, k_1 ... k_w) sparse matrix: the concatenated filters of every combination of values.

    Raises
    ------
    ValueError
        The matrix is larger than 8 GiB.
    """
    cells = math.prod(lopub.sizes)
    most = cells * len(lopub.sizes) * lopub.hashes
    check_bytes(most, f"LoPub's candidate matrix of sizes {lopub.sizes}", "take fewer attributes at once", item=12)
    rows, first = np.empty((*lopub.sizes, len(lopub.sizes), lopub.hashes), dtype=np.int32), 0
    for axis, filters in enumerate(lopub.filters):
        bits = np.argsort(~filters, axis=1, kind="stable")[:, : lopub.hashes]  # those that are set, then others
        of_value = np.where(np.take_along_axis(filters, bits, axis=1), first + bits, -1)
        np.moveaxis(rows[..., axis, :], axis, -2)[...] = of_value
        first += filters.shape[1]
    occupied = rows >= 0
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(occupied, axis=(-2, -1)))], dtype=np.int32)
    rows = rows[occupied]
    return sparse.csc_matrix((np.ones(len(rows)), rows, starts), shape=(first, cells))


def lasso(lopub: BloomResponse, shares: Floats, penalty: float) -> Floats:
    """Joint frequencies (k_1, ..., k_w) from the unbiased `shares` of set bits, non-negative.

    Parameters
    ----------
    lopub : BloomResponse
        The protocol of the w attributes.
    shares : (w * bits,)
        Output of `BloomResponse.unbias`.
    penalty : float
        Weight of the sum of the frequencies relative to half the mean squared residual of a bit's share.
    """
    # Only here, because every plan of the workflow imports this module, and scikit-learn takes half a second.
    require("lopub", "LoPub's regression")
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso

    model = Lasso(alpha=penalty, fit_intercept=False, positive=True, max_iter=MOST_STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # among equally good fits convergence is slow
        model.fit(candidate_matrix(lopub), shares)
    return model.coef_.reshape(lopub.sizes)
