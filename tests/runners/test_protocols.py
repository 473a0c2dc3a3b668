"""Experiments on protocols by name."""

import json

import numpy as np
import pytest

from corrldp.data.table import Table
from corrldp.runners import protocols

pytestmark = pytest.mark.thorough

# Means of 500 runs are nearly normal; one of 24 exceeds 5 standard errors with a probability below 1e-4.
RUNS, BOUND = 500, 5
NAMES = ["SPL", "SMP[OUE]", "RS+FD", "RS+FD[OUE-z]"]
SETTING = {
    "uniform": {"small": {"n": 3000, "sizes": [2, 3]}, "equal": {"n": 3000, "sizes": [3, 3]}},
    "exp_epsilon": [2, 4, 7],
    "protocols": NAMES,
}


@pytest.fixture(scope="module")
def simulated(table):
    return table(protocols.errors, SETTING, {"amplify": [False, True], "postprocess": ["none", "simplex"]}, RUNS)


def test_simulation_is_the_closed_form(simulated):
    rows = simulated[simulated["reading"] == "strict"]
    assert len(rows) == 2 * 3 * len(NAMES)
    assert np.abs((rows["mean"] - rows["theory"]) / rows["se"]).max() < BOUND


def test_only_rs_fd_depends_on_amplification(simulated):
    means = simulated.pivot_table(index=["dataset", "exp_epsilon", "mechanism"], columns="reading", values="mean")
    same = means["strict"] == means["amplify=True"]
    assert (same == ~means.index.get_level_values("mechanism").str.startswith("RS+FD")).all()


def test_repaired_estimates_have_no_closed_form(simulated):
    assert simulated.loc[simulated["reading"] == "postprocess=simplex", "theory"].isna().all()


def test_views_stand_beside_uniform_data(table):
    codes = np.array([[0, 1], [1, 0], [1, 1]] * 50)
    views = {"nursery": Table(codes, ("a", "b"), (("x", "y"), ("x", "y")))}
    setting = {**SETTING, "views": {"real": "nursery"}, "protocols": ["SPL"]}
    found = table(protocols.errors, setting, views=views)
    assert list(dict.fromkeys(found["dataset"])) == ["real", "small", "equal"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": [1]}, "give either epsilon or exp_epsilon"),
        ({"uniform": {}}, "give views or uniform data"),
        ({"protocols": ["SPL", "SMP", "SPL"]}, "is listed twice; keep one"),
        ({"protocols": ["corrldp:SPL", "SPL"]}, "corrldp:SPL and SPL are both called SPL: rename a class"),
        ({"protocols": ["SLP"]}, "no protocol 'SLP'; did you mean SPL"),
        ({"protocols": ["nowhere.py:Mine"]}, "no file nowhere.py: name a protocol's file relative to"),
    ],
)
def test_bad_settings_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        protocols.Setting.model_validate_json(json.dumps(SETTING | change))


def test_a_protocol_in_a_file_is_named_relative_to_the_project(table, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAIMAUDIT_PROJECT", str(tmp_path))
    (tmp_path / "mine.py").write_text("from corrldp import SPL\n\n\nclass Mine(SPL):\n    pass\n")
    found = table(protocols.errors, {**SETTING, "protocols": ["SPL", "mine.py:Mine"], "exp_epsilon": [4]})
    assert set(found["mechanism"]) == {"SPL", "Mine"}
    theory = found.pivot_table(index=["dataset", "exp_epsilon"], columns="mechanism", values="theory")
    assert theory["Mine"].tolist() == theory["SPL"].tolist()


@pytest.mark.parametrize("name", ["Unstated", "UnstatedDoubled"])
def test_a_channel_that_is_too_large_is_judged_on_smaller_domains(table, name):
    uniform = {"large": {"n": 100, "sizes": [2] * 20}}  # a channel of 8 TB
    setting = {"uniform": uniform, "exp_epsilon": [2], "protocols": [f"planted_faults:{name}"]}
    title = name if name == "Unstated" else f"{name} over its budget"
    assert set(table(protocols.errors, setting)["mechanism"]) == {title}


def test_an_amplified_budget_is_said_in_the_name(table):
    setting = {**SETTING, "protocols": ["SPL", "RS+FD"]}
    for amplify, name in (([True], "RS+FD amplified"), ([True, False], "RS+FD")):
        assert set(table(protocols.errors, {**setting, "amplify": amplify})["mechanism"]) == {"SPL", name}


INDEX = ["dataset", "mechanism", "metric"]


def test_exact_budgets(table):
    """A record of RS+FD spends the amplified budget; empty fakes keep each attribute at the nominal one."""
    found = table(protocols.budgets, {**SETTING, "exp_epsilon": [4], "amplify": [True]}).set_index(INDEX)["mean"]
    assert found.xs("epsilon_nominal", level="metric").to_numpy() == pytest.approx(np.log(4))
    small = found["small"]
    assert np.exp(small["RS+FD", "epsilon_record"]) == pytest.approx(2 * (4 - 1) + 1)
    assert small["RS+FD[OUE-z]", "epsilon_attribute"] == pytest.approx(np.log(4))
    assert small["RS+FD", "epsilon_attribute"] > np.log(4) * 1.01
    assert small["SPL", "epsilon_attribute"] == pytest.approx(np.log(4) / 2)


def test_all_protocols_have_one_budget_unless_a_setting_says_otherwise(table):
    found = table(protocols.budgets, {**SETTING, "exp_epsilon": [4]}).set_index(INDEX)["mean"]
    assert (found.xs("epsilon_record", level="metric") <= np.log(4) + 1e-9).all()
