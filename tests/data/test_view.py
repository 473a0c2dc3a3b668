import numpy as np
import pytest

from corrldp.data.view import View


def test_the_table_counts_every_cell_of_some_attributes():
    view = View(np.array([[0, 1, 2], [0, 1, 0], [1, 0, 2]]), ("a", "b", "c"), (("x", "y"), ("x", "y"), ("x", "y", "z")))
    assert view.table().shape == (2, 2, 3)
    assert view.table().sum() == 3
    assert view.table(("c", "a")).tolist() == [[1, 0], [0, 0], [1, 1]]


def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_made():
    """Seven attributes of 1,000 values have more cells than fit into 64 bits times 8 bytes."""
    view = View(np.zeros((1, 7), dtype=int), tuple("abcdefg"), (tuple(map(str, range(1000))),) * 7)
    with pytest.raises(ValueError, match=r"the table of a, b, c, d has .* GiB, above the limit of 8 GiB: take fewer"):
        view.table(range(4))
    with pytest.raises(ValueError, match="above the limit of 8 GiB"):
        view.table()
