"""A table counts its cells, and is taken wherever records or a population are."""

import numpy as np
import pytest

import corrldp
from corrldp.protocols.two_phase import Phased

TABLE = corrldp.Table(
    np.array([[0, 2], [1, 1], [1, 0], [0, 2]]), ("smokes", "age"), (("no", "yes"), ("young", "middle", "old"))
)
NAMES = ["SPL[OUE]", "SMP", "RS+FD[OUE-z]", "RS+RFD", "Corr-RR", "Castell", "LoPub"]


@pytest.mark.parametrize("name", NAMES)
def test_protocols_take_a_table(name):
    options = {"phase1_fraction": 0.5} if name in ("RS+RFD", "Corr-RR") else {}
    one = corrldp.protocol(name, 30.0, TABLE.sizes, **options)
    population = corrldp.RecordTable.from_records(TABLE, TABLE.sizes)
    by_table, by_records = (
        one.estimate(one.privatize(given, np.random.default_rng(1))) for given in (TABLE, TABLE.codes)
    )
    np.testing.assert_array_equal(by_table, by_records)
    simulated = [one.simulate(given, 2, np.random.default_rng(1)) for given in (TABLE, population)]
    np.testing.assert_array_equal(*simulated)
    if not isinstance(one, Phased):
        np.testing.assert_array_equal(one.expected_mse(TABLE), one.expected_mse(population))


def test_the_table_counts_every_cell_of_some_attributes():
    table = corrldp.Table(
        np.array([[0, 1, 2], [0, 1, 0], [1, 0, 2]]), ("a", "b", "c"), (("x", "y"), ("x", "y"), ("x", "y", "z"))
    )
    assert table.counts().shape == (2, 2, 3)
    assert table.counts().sum() == 3
    assert table.counts(("c", "a")).tolist() == [[1, 0], [0, 0], [1, 1]]


def test_a_table_that_memory_cannot_hold_is_refused_before_it_is_made():
    """Seven attributes of 1,000 values have more cells than fit into 64 bits times 8 bytes."""
    table = corrldp.Table(np.zeros((1, 7), dtype=int), tuple("abcdefg"), (tuple(map(str, range(1000))),) * 7)
    with pytest.raises(ValueError, match=r"the table of a, b, c, d needs .* GiB, above the limit of 8 GiB: take fewer"):
        table.counts(range(4))
    with pytest.raises(ValueError, match="above the limit of 8 GiB"):
        table.counts()
