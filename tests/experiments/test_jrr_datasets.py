import numpy as np
import pytest

from corrldp.experiments.command import View
from corrldp.experiments.jrr.datasets import run

CODES = np.array([[1, 0], [0, 1], [1, 1], [1, 0]])
SETTING = {"counted": {"shop": "small_view"}, "printed": [{"dataset": "press", "n": 20, "n1": 5}]}


@pytest.mark.parametrize("standin", [False, True])
def test_counts(experiment, standin):
    """The first column of the view is the binary value; the second one is not counted."""
    views = {"small_view": View(CODES, {"standin": standin})}
    table = run(experiment(SETTING, views=views))
    found = table.pivot(index="dataset", columns="metric", values="mean").to_dict("index")
    assert found == {
        "shop": {"users": 4, "ones": 3, "ones_share": 0.75},
        "press": {"users": 20, "ones": 5, "ones_share": 0.25},
    }
    assert table.groupby("dataset")["standin"].unique().map(list).to_dict() == {"shop": [standin], "press": [False]}
    assert (table["runs"] == 0).all()
    assert set(table["mechanism"]) == {"data"}


def test_a_missing_view_is_an_error(experiment):
    with pytest.raises(KeyError, match="small_view"):
        run(experiment(SETTING))
