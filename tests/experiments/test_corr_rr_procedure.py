import numpy as np
import pytest

from corrldp.experiments.corr_rr import copying
from corrldp.experiments.corr_rr.copying import appendix_error, law_of, lowest_error, pair_error
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr import preprint
from corrldp.protocols.corr_rr.enumeration import Pair

SETTING = {
    "k": [2, 3],
    "epsilon": [1],
    "laws": ["uniform", "falling", "rising", "peaked"],
    "formula": ["preprint", "preprint_appendix"],
    "n2": 500,
}


@pytest.mark.parametrize("name", ["uniform", "falling", "rising", "peaked"])
def test_laws(name):
    law = law_of(name, 4)
    assert law.sum() == pytest.approx(1)
    assert law[0] == pytest.approx({"uniform": 0.25, "falling": 0.4, "rising": 0.1, "peaked": 0.625}[name])


@pytest.mark.parametrize("p_y", [0.0, 0.4, 1.0])
def test_error_of_a_pair_is_the_enumerated_one(p_y):
    pair = Pair("near", GRR(1.0, 3), p_y)
    enumerated = np.mean([pair.average_error(j) for j in range(2)])
    assert pair_error(pair.frequencies, p_y, pair.n2, pair.mechanism) == pytest.approx(enumerated, rel=1e-9)


@pytest.mark.parametrize(("first", "second"), [("uniform", "uniform"), ("falling", "peaked"), ("rising", "uniform")])
@pytest.mark.parametrize("k", [2, 5])
def test_lowest_error_is_that_of_a_fine_grid(k, first, second):
    f, grr = np.stack([law_of(first, k), law_of(second, k)]), GRR(1.0, k)
    grid = [pair_error(f, p_y, 500, grr) for p_y in np.linspace(0, 1, 1001)]
    assert lowest_error(f, 500, grr) == pytest.approx(min(grid), rel=1e-4)
    assert lowest_error(f, 500, grr) <= min(grid) * (1 + 1e-9)


def test_for_two_values_the_appendix_has_the_error_of_theorem_4():
    f_a, f_b, grr = law_of("falling", 2), law_of("peaked", 2), GRR(1.0, 2)
    for p_y in (0.0, 0.3, 1.0):
        printed = preprint.theorem_4(f_a, f_b, np.asarray(p_y), 500, grr).mean()
        assert appendix_error(f_a, f_b, p_y, 500, grr) == pytest.approx(printed)


def test_the_procedure_is_right_for_equal_marginals_only(table):
    rows = table(copying.procedure, SETTING)
    errors = rows[rows["metric"] == "error"].pivot(
        index=["k", "formula", "first", "second", "equal_marginals"], columns="mechanism", values="mean"
    )
    ratio = (errors["chosen"] / errors["best"]).reset_index(name="ratio")
    assert (ratio["ratio"] > 1 - 1e-9).all()
    assert (ratio[ratio["equal_marginals"] == 1]["ratio"] < 1.001).all()
    assert (ratio[ratio["equal_marginals"] == 0]["ratio"] > 1.4).any()


def test_the_appendix_minimises_its_own_average(table):
    rows = table(copying.procedure, SETTING)
    found = rows[rows["metric"] == "stationary_point"]
    assert len(found) == 12 + 16
    np.testing.assert_allclose(found["mean"], found["theory"], rtol=1e-9)
