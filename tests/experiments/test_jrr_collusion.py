import itertools
import math

import numpy as np
import pytest
from pydantic import ValidationError

from corrldp.experiments.jrr import privacy
from corrldp.experiments.jrr.privacy import enumerate_epsilon

SETTING = {"p": [0.525, 0.75], "rho_share": [0, 0.5, 1], "n": [2, 4, 6, 20], "enumerate_up_to": 6}


@pytest.fixture(scope="module")
def found(table):
    return table(privacy.collusion, SETTING)


@pytest.fixture(scope="module")
def wide(found):
    index = ["p", "rho_share", "rho", "n", "colluders"]
    return found.pivot(index=index, columns="metric", values="mean").reset_index()


def test_every_number_of_colluders(wide):
    assert len(wide) == 2 * 3 * (2 + 4 + 6 + 20)
    np.testing.assert_allclose(wide["rho"], wide["rho_share"] * (1 - 1 / wide["p"]))


def test_exact_is_the_enumerated_epsilon(found):
    exact = found[found["metric"] == "epsilon_exact"]
    listed = exact["n"] <= 6
    assert exact.loc[~listed, "theory"].isna().all()
    np.testing.assert_allclose(exact.loc[listed, "mean"], exact.loc[listed, "theory"], rtol=1e-9)


def test_without_correlation_colluders_tell_nothing(wide):
    plain = wide[wide["rho_share"] == 0]
    expected = np.log(plain["p"] / (1 - plain["p"]))
    np.testing.assert_allclose(plain["epsilon_exact"], expected, rtol=1e-9)
    np.testing.assert_allclose(plain["epsilon_claimed"], expected, rtol=1e-9)


def test_theorem_2_holds_for_one_colluder_and_is_too_small_for_two(wide):
    """Two colluders who both lie are probably no pair, so the target is likelier to be paired with one of them."""
    correlated = wide[(wide["rho_share"] > 0) & (wide["n"] > 2)]
    few, two = correlated[correlated["colluders"] <= 1], correlated[correlated["colluders"] == 2]
    np.testing.assert_allclose(few["epsilon_exact"], few["epsilon_claimed"], rtol=1e-6)
    assert (two["epsilon_exact"] > two["epsilon_claimed"] * (1 + 1e-6)).all()


def test_four_users_two_liars_and_the_smallest_rho(wide):
    """A pair never lies together, so each liar's peer tells the truth, and so does the target."""
    cell = wide[(wide["n"] == 4) & (wide["colluders"] == 2) & (wide["rho_share"] == 1)]
    assert np.isinf(cell["epsilon_exact"]).all()
    assert np.isfinite(cell["epsilon_claimed"]).all()


@pytest.mark.parametrize(("p", "rho"), [(0.6, -0.3), (0.8, 0.4)])
def test_enumerated_epsilon_by_bayes_rule(p, rho):
    """Four users, two colluders: the joint law of all four, over the three pairings, conditioned on the two."""
    q = 1 - p
    joint = {(1, 1): p * p + rho * p * q, (0, 0): q * q + rho * p * q, (0, 1): (1 - rho) * p * q}
    joint[1, 0] = joint[0, 1]
    odds = []
    for a, b in itertools.product((0, 1), repeat=2):
        lie, truth = (
            sum(
                joint[target, a] * joint[b, rest]
                + joint[target, b] * joint[a, rest]
                + joint[target, rest] * joint[a, b]
                for rest in (0, 1)
            )
            for target in (0, 1)
        )
        odds.append(abs(math.log(truth / lie)))
    assert enumerate_epsilon(p, rho, 4, 2) == pytest.approx(max(odds), rel=1e-12)


def test_too_many_users_to_list():
    with pytest.raises(ValueError, match="n=12 users cannot be enumerated; take at most 10"):
        enumerate_epsilon(0.6, -0.1, 12, 2)
    with pytest.raises(ValidationError, match="less than or equal to 10"):
        privacy.Collusion(p=(0.6,), rho_share=(1,), n=(12,), enumerate_up_to=12)
