import numpy as np
import pytest

from corrldp.data.table import Table


def test_the_table_counts_every_cell_of_some_attributes():
    table = Table(
        np.array([[0, 1, 2], [0, 1, 0], [1, 0, 2]]), ("a", "b", "c"), (("x", "y"), ("x", "y"), ("x", "y", "z"))
    )
    assert table.counts().shape == (2, 2, 3)
    assert table.counts().sum() == 3
    assert table.counts(("c", "a")).tolist() == [[1, 0], [0, 0], [1, 1]]


def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_made():
    """Seven attributes of 1,000 values have more cells than fit into 64 bits times 8 bytes."""
    table = Table(np.zeros((1, 7), dtype=int), tuple("abcdefg"), (tuple(map(str, range(1000))),) * 7)
    with pytest.raises(ValueError, match=r"the table of a, b, c, d has .* GiB, above the limit of 8 GiB: take fewer"):
        table.counts(range(4))
    with pytest.raises(ValueError, match="above the limit of 8 GiB"):
        table.counts()
