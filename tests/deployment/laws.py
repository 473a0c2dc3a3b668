"""Whether two samples of reports have one law."""

import numpy as np
from scipy.stats import chi2_contingency


def same_law(first, second):
    """Return the p-value of the hypothesis that two samples have one law, rare kinds pooled."""
    table = np.array([[first[kind], second[kind]] for kind in {*first, *second}])
    rare = table.sum(axis=1) < 20
    table = np.vstack([table[~rare], table[rare].sum(axis=0)[None] if rare.any() else np.zeros((0, 2), dtype=int)])
    table = table[table.sum(axis=1) > 0]
    return chi2_contingency(table, correction=False).pvalue if len(table) > 1 else 1.0
