"""Comparisons of a simulated joint distribution with an enumerated or another simulated one."""

import numpy as np
from scipy.stats import chisquare, ks_2samp


def p_of_law(seen, law):
    """p-value of the chi-square test of a Counter of outcomes against their probabilities; 0 if one is impossible."""
    if not set(seen) <= set(law):
        return 0.0
    table = np.array([(seen[point], chance * seen.total()) for point, chance in law.items()])
    rare = table[:, 1] < 10
    table = np.concatenate([table[~rare], table[rare].sum(axis=0, keepdims=True)])
    return chisquare(*table[table[:, 1] > 0].T).pvalue


def smallest_p_value(first, second, rng, directions=8):
    """Smallest KS p-value over projections of the estimates (runs, d, k) of one or all attributes, corrected."""
    axes = rng.normal(size=(directions, *first.shape[1:]))
    axes[::2, 1:] = 0
    tests = [ks_2samp(np.tensordot(first, axis, 2), np.tensordot(second, axis, 2)) for axis in axes]
    return directions * min(test.pvalue for test in tests)
