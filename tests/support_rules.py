"""First phases of Corr-RR, and the error of a pair, for tests of the choice of p_y."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

# Estimates of a noisy first phase are not frequencies, but they sum to 1.
estimates = (
    st.integers(2, 5)
    .flatmap(lambda k: arrays(float, (2, k), elements=st.floats(-1, 1).map(lambda x: round(x, 3))))
    .map(lambda raw: raw + (1 - raw.sum(axis=1, keepdims=True)) / raw.shape[1])
)
budgets = st.floats(0.1, 3)


def mean_error(p_y, first, n2, mechanism, formula):
    return float(np.mean(formula(first[1], first[0], p_y, n2, mechanism)))
