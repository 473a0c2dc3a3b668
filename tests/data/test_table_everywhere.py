"""A table is taken wherever records or a population are."""

import numpy as np
import pytest

import corrldp

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
    if one.phases == 1:
        np.testing.assert_array_equal(one.expected_mse(TABLE), one.expected_mse(population))


def test_a_table_of_other_domains_is_refused():
    with pytest.raises(ValueError, match="the population has sizes"):
        corrldp.protocol("SPL", 1.0, (2, 4)).simulate(TABLE, 1, np.random.default_rng(1))
    with pytest.raises(ValueError, match="must be a Table or a RecordTable"):
        corrldp.protocol("SPL", 1.0, (2, 3)).simulate(TABLE.codes, 1, np.random.default_rng(1))
