import numpy as np
import pytest

from corrldp.data.table import Table
from corrldp.experiments.corr_rr import datasets


def test_distances_and_correlations_by_hand(table):
    codes = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])
    view = Table(codes, ("a", "b", "c"), (("x", "y"),) * 3, False)
    rows = table(datasets.pairs, {"views": {"mine": "file"}}, views={"file": view}).set_index(["first", "second"])
    assert rows.loc[(1, 2), "distance"] == 0
    assert rows.loc[(1, 2), "mean"] == pytest.approx(0)
    assert rows.loc[(1, 3), "distance"] == 0.25
    assert rows.loc[(1, 3), "mean"] == pytest.approx(np.corrcoef(codes.T)[0, 2])
    assert len(rows) == 3
