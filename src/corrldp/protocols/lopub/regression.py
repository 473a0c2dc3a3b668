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
from corrldp.protocols.castell.tables import check_bytes
from corrldp.protocols.lopub.bloom import LoPub

MOST_STEPS = 300


def candidate_matrix(lopub: LoPub) -> sparse.csc_matrix:
    """(w * bits, k_1 ... k_w) sparse matrix: the concatenated filters of every combination of values.

    Raises
    ------
    ValueError
        The matrix is larger than 8 GiB.
    """
    cells = math.prod(lopub.sizes)
    most = cells * len(lopub.sizes) * lopub.hashes
    check_bytes(most, f"LoPub's candidate matrix of sizes {lopub.sizes}", "take fewer attributes at once", item=12)
    codes = np.unravel_index(np.arange(cells), lopub.sizes)
    columns = [
        sparse.csc_matrix(filters.T.astype(float))[:, code] for filters, code in zip(lopub.filters, codes, strict=True)
    ]
    return sparse.vstack(columns, format="csc")


def lasso(lopub: LoPub, shares: Floats, penalty: float) -> Floats:
    """Joint frequencies (k_1, ..., k_w) from the unbiased `shares` of set bits, non-negative.

    Parameters
    ----------
    lopub : LoPub
        The protocol of the w attributes.
    shares : (w * bits,)
        Output of `LoPub.unbias`.
    penalty : float
        Weight of the sum of the frequencies relative to half the mean squared residual of a bit's share.
    """
    # Only here, because every plan of the workflow imports this module, and scikit-learn takes half a second.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso

    model = Lasso(alpha=penalty, fit_intercept=False, positive=True, max_iter=MOST_STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # among equally good fits convergence is slow
        model.fit(candidate_matrix(lopub), shares)
    return model.coef_.reshape(lopub.sizes)
