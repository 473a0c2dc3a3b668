import math

import pytest

from corrldp.experiments.jrr import privacy
from corrldp.experiments.jrr.privacy import enumerate_epsilon, levels_of

READINGS = {"grid_step": [0.0001, 0.0005], "choice": ["algorithm1", "smallest_rho"]}
BUDGETS = [0.01, 0.1, 1]


@pytest.fixture(scope="module")
def wide(table):
    """One row per setting and reading, one column per (mechanism, metric)."""
    setting = {"n": [20, 10_000, 40_000], "ones_fraction": [0.5], "epsilon": BUDGETS, "colluders": [0, 1, 5]}
    found = table(privacy.levels, setting, READINGS)
    assert (found["runs"] == 0).all()
    assert (found["se"] == 0).all()
    index = ["reading", "n", "epsilon", "colluders"]
    return found.pivot(index=index, columns=["mechanism", "metric"], values="mean").reset_index()


def test_every_measure_at_every_setting(wide):
    assert len(wide) == 3 * 3 * 3 * 3
    assert not wide.isna().any(axis=None)
    assert set(wide.columns.levels[0]) >= {"RR", "JRR"}


def test_rr_spends_exactly_its_budget(wide):
    assert wide["RR", "epsilon_exact"].to_numpy() == pytest.approx(wide["epsilon"].to_numpy(), rel=1e-9)


def test_algorithm_1_keeps_the_claimed_epsilon_within_the_budget(wide):
    searched = wide[wide["reading"] != "choice=smallest_rho"]
    assert (searched["JRR", "epsilon_claimed"] <= searched["epsilon"] * (1 + 1e-9)).all()
    # The step back costs privacy budget that the correlation then uses: little is left over.
    assert (searched["JRR", "epsilon_claimed"] > searched["epsilon"] * 0.75).all()


def test_the_smallest_rho_breaks_the_budget_as_soon_as_somebody_colludes(wide):
    smallest = wide[wide["reading"] == "choice=smallest_rho"]
    alone = smallest["colluders"] == 0
    exceeds = smallest["JRR", "epsilon_exact"] > smallest["epsilon"] * (1 + 1e-6)
    assert (exceeds == ~alone).all()


def test_claimed_is_exact_for_at_most_one_colluder(wide):
    few = wide[wide["colluders"] <= 1]
    assert few["JRR", "epsilon_exact"].to_numpy() == pytest.approx(few["JRR", "epsilon_claimed"].to_numpy(), rel=1e-6)


def test_order_of_the_adversaries(wide):
    """A colluder's token reveals at least as much as truthfulness, and a known peer at least as much as colluders."""
    jrr = wide["JRR"]
    assert (jrr["epsilon_tokens"] >= jrr["epsilon_exact"] * (1 - 1e-6)).all()
    assert (jrr["epsilon_known_peers"] >= jrr["epsilon_claimed"] * (1 - 1e-9)).all()


def test_a_token_at_the_smallest_rho_tells_the_truth(wide):
    smallest = wide[wide["reading"] == "choice=smallest_rho"]
    assert smallest["JRR", "truth_given_token"].to_numpy() == pytest.approx(1)
    interior = wide[wide["JRR", "rho"] > (1 - 1 / wide["JRR", "p"]) * 0.999]
    assert len(interior) > 10
    assert (interior["JRR", "truth_given_token"] < 1).all()


def test_measures_of_one_choice_by_hand():
    """Four users, two colluders, p = 0.8, rho = -0.1: the peer is one of two colluders with probability 2/3."""
    found = dict(levels_of(0.8, -0.1, 4, 2))
    truth, lie = (2 * 0.88 + 0.8) / 3, (2 * 0.12 + 0.2) / 3
    shift = math.sqrt(0.1 * 0.8 * 0.2)
    assert found == pytest.approx(
        {
            "p": 0.8,
            "rho": -0.1,
            "epsilon_claimed": math.log(truth / lie),
            "epsilon_exact": enumerate_epsilon(0.8, -0.1, 4, 2),
            "epsilon_known_peers": math.log(0.88 / 0.12),
            # Two equal tokens belong to different pairs, so the target's token is the other one for certain.
            "epsilon_tokens": math.log((0.8 + shift) / (0.2 - shift)),
            "truth_given_token": 0.8 + shift,
            "token_advantage": 1,
        }
    )


def test_positive_correlation_has_no_tokens():
    assert set(dict(levels_of(0.8, 0.1, 4, 2))) == {
        "p",
        "rho",
        "epsilon_claimed",
        "epsilon_exact",
        "epsilon_known_peers",
    }
