import numpy as np
import pandas as pd

from claimaudit.audit.quantities import Rows, by_reading

FRAME = pd.DataFrame(
    {
        "n": [10, 20, 10, 30],
        "epsilon": [1.0, 1.0, 2.0, 1.0],
        "reading": ["c", "strict", "b", "strict"],
        "m": [5, 6, 7, 8],
    }
)


def test_strict_reading_comes_first_and_rows_keep_their_order():
    readings = by_reading(FRAME, ["n"])
    assert [reading.name for reading in readings] == ["strict", "b", "c"]
    assert [reading["m"].tolist() for reading in readings] == [[6, 8], [7], [5]]
    assert [len(reading) for reading in readings] == [2, 1, 1]


def test_place_names_the_columns_in_which_rows_differ():
    strict, other, _ = by_reading(FRAME, ["n", "epsilon"])
    assert strict.varying == ("n",)
    assert strict.record(1) == {"n": 30, "epsilon": 1.0}
    assert other.varying == ()


def test_missing_settings_are_one_value():
    nan = np.array([np.nan, np.nan])
    assert Rows("strict", {"rho": nan, "n": np.array([1, 2])}, ["rho", "n"]).varying == ("n",)
