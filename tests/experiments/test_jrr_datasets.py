import numpy as np
import pytest

from corrldp.data.table import Table
from corrldp.experiments.jrr import population

CODES = np.array([[1, 0], [0, 1], [1, 1], [1, 0]])
SETTING = {"counted": {"shop": "small_view"}, "printed": [{"dataset": "press", "n": 20, "n1": 5}]}


@pytest.mark.parametrize("standin", [False, True])
def test_counts(table, standin):
    """The first column of the view is the binary value; the second one is not counted."""
    views = {"small_view": Table(CODES, ("recommended", "rated"), (("no", "yes"),) * 2, standin)}
    rows = table(population.datasets, SETTING, views=views)
    found = rows.pivot(index="dataset", columns="metric", values="mean").to_dict("index")
    assert found == {
        "shop": {"users": 4, "ones": 3, "ones_share": 0.75},
        "press": {"users": 20, "ones": 5, "ones_share": 0.25},
    }
    assert rows.groupby("dataset")["standin"].unique().map(list).to_dict() == {"shop": [standin], "press": [False]}
    assert (rows["runs"] == 0).all()
    assert set(rows["mechanism"]) == {"data"}


def test_a_missing_view_is_an_error(table):
    with pytest.raises(KeyError, match="small_view"):
        table(population.datasets, SETTING)
