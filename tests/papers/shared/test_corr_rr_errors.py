"""Squared errors of the Corr-RR papers: closed forms, readings, changes and gains."""

from dataclasses import replace

import numpy as np
import pytest
from shared.runners import errors, mechanisms

from claimaudit.experiments.runner import Measure
from corrldp.data.table import Table
from corrldp.protocols.two_phase import Phased

pytestmark = pytest.mark.thorough

# Means of 1,000 runs are nearly normal; 40 of them exceed 5 standard errors with a probability below 1e-4.
RUNS, BOUND = 1000, 5
WHOLE_RECORDS = [name for name in mechanisms.MECHANISMS if mechanisms.needs_records(name)]
MECHANISMS = [name for name in mechanisms.MECHANISMS if name not in WHOLE_RECORDS]
TWO_PHASES = {name for name in MECHANISMS if issubclass(mechanisms.protocol_of(name), Phased)}
WITH_THEORY = {"SPL", "SMP", "RS+FD", "RS+FD amplified", "Uniform"}
GRID = {
    "dataset": ["syn_a"],
    "n": [400],
    "d": [2, 3],
    "k": [3],
    "rho": [0.4],
    "epsilon": [0.5, 2],
    "mechanisms": MECHANISMS,
}
AFFECTED = [
    ("py_rule", ["always_copy", "never_copy"], {"Corr-RR", "Corr-RR iterative", "Corr-RR true marginals"}),
    ("py_input", ["raw", "clip_normalise"], {"Corr-RR", "Corr-RR iterative"}),
    ("py_input", ["raw", "true"], {"Corr-RR", "Corr-RR iterative"}),
    ("py_pairs", ["each", "transposed"], {"Corr-RR", "Corr-RR iterative", "Corr-RR true marginals"}),
    ("py_pairs", ["each", "mean"], {"Corr-RR", "Corr-RR iterative", "Corr-RR true marginals"}),
    ("phase1_users", ["once", "again"], {"Corr-RR", "RS+RFD", "RS+RFD amplified"}),
    ("split", ["attribute", "one_more"], {"SPL", "Corr-RR", "RS+RFD", "RS+RFD amplified"}),
    ("split", ["attribute", "spl_whole"], {"SPL"}),
    ("split", ["attribute", "phase2"], {"Corr-RR"}),
    ("copies", ["other", "any"], {"Corr-RR", "Corr-RR iterative", "Corr-RR true marginals"}),
    ("split", ["whole", "spl_whole"], {"Corr-RR", "RS+RFD", "RS+RFD amplified"}),
    ("phases", ["users", "last"], {"Corr-RR", "RS+RFD", "RS+RFD amplified"}),
    ("phases", ["users", "equal"], {"Corr-RR", "RS+RFD", "RS+RFD amplified"}),
    ("phases", ["equal", "own_equal"], {"RS+RFD", "RS+RFD amplified"}),
    ("phases", ["users", "own_last"], {"Corr-RR"}),
    ("phases", ["users", "all_in_second"], {"Corr-RR"}),
    ("rounds", [4, 2], {"Corr-RR iterative"}),
    ("phase1_fraction", [0.1, 0.3], TWO_PHASES),
    ("rs_rfd", ["two_phase", "single_phase"], {"RS+RFD", "RS+RFD amplified"}),
    ("prior_repair", ["clip_normalise", "simplex"], {"RS+RFD", "RS+RFD amplified"}),
    ("rs_rfd_postprocess", ["none", "second_phase_clip_normalise"], {"RS+RFD", "RS+RFD amplified"}),
    ("rs_fd_estimator", ["unbiased", "grr"], {"RS+FD", "RS+FD amplified"}),
    ("rs_rfd_estimator", ["own", "uniform"], {"RS+RFD", "RS+RFD amplified"}),
    ("amplify", [False, True], {"RS+FD", "RS+RFD"}),
    ("postprocess", ["none", "clip_normalise"], set(MECHANISMS) - {"Uniform"}),
    ("non_copy", ["different", "any"], set(MECHANISMS)),
    ("marginal", ["pi", "uniform"], set(MECHANISMS)),
    ("data_per_run", ["new", "fixed"], set(MECHANISMS)),
    ("truth", ["sample", "law"], set(MECHANISMS)),
    ("averaged", ["all", "first_attribute"], set(MECHANISMS)),
    ("averaged", ["all", "last_value_left_out"], set(MECHANISMS)),
]


@pytest.fixture(scope="module")
def simulated(table):
    setting = {**GRID, "mechanisms": sorted(WITH_THEORY)}
    return table(errors.mse, setting, {"data_per_run": ["new", "fixed"], "truth": ["sample", "law"]}, RUNS)


def test_simulation_is_the_closed_form(table, simulated):
    few = table(errors.mse, {**GRID, "d": [2], "epsilon": [2]}, runs=2)
    assert set(few.loc[few["theory"].notna(), "mechanism"]) == WITH_THEORY
    rows = simulated[simulated["theory"].notna() & (simulated["mechanism"] != "Uniform")]
    assert np.abs((rows["mean"] - rows["theory"]) / rows["se"]).max() < BOUND


def test_the_uniform_guess_has_no_error_of_its_own(simulated):
    """It gets the same data at every epsilon, and its exact error is the mean of the runs."""
    rows = simulated[(simulated["mechanism"] == "Uniform") & (simulated["truth"] == "sample")]
    np.testing.assert_allclose(rows["mean"], rows["theory"], rtol=1e-12)
    assert rows.groupby(["d", "reading"])["mean"].nunique().eq(1).all()


CODES = np.array([[0, 0]] * 60 + [[1, 0]] * 25 + [[2, 1]] * 10 + [[2, 2]] * 5)
VIEW = Table(CODES, ("first", "second"), (tuple("abc"),) * 2, standin=True)


def test_golden_error_of_the_uniform_guess(table):
    """Frequencies (.6, .25, .15) and (.85, .1, .05): the mean over six squared distances from 1/3 (Eq. 2)."""
    setting = {"views": {"made": "made"}, "epsilon": [1], "mechanisms": ["Uniform"]}
    [row] = table(errors.mse, setting, runs=3, views={"made": VIEW}).to_dict("records")
    distances = np.array([0.6, 0.25, 0.15, 0.85, 0.1, 0.05]) - 1 / 3
    assert row["mean"] == pytest.approx(np.mean(distances**2), rel=1e-12)
    assert row["standin"] is True
    assert set(row) & {"n", "d", "k", "rho"} == set()


def test_errors_of_one_attribute_or_without_the_last_value_of_each():
    squares = np.array([[[1.0, 2, 4], [8, 16, np.nan]]])
    np.testing.assert_array_equal(errors.averaged(squares, "all"), squares)
    np.testing.assert_array_equal(errors.averaged(squares, "first_attribute"), [[[1, 2, 4]]])
    np.testing.assert_array_equal(errors.averaged(squares, "last_value_left_out"), [[[1, 2, 0], [8, 0, np.nan]]])


@pytest.mark.parametrize(("axis", "values", "affected"), AFFECTED)
def test_a_reading_changes_what_it_concerns_and_shares_all_other_runs(table, axis, values, affected):
    small = {**GRID, "d": [3], "epsilon": [0.5]}
    rows = table(errors.mse, small, {axis: values}, runs=40).set_index(["mechanism", axis])["mean"].unstack()
    changed = set(rows.index[rows[values[0]] != rows[values[1]]])
    assert changed == affected


def test_extensions_that_need_whole_records(table):
    """A large budget leaves only the bias of copies: none in groups of one, that of Corr-RR in a single group."""
    setting = {**GRID, "d": [3], "epsilon": [20], "mechanisms": WHOLE_RECORDS}
    found = table(errors.mse, setting, {"group_strength": [0.99, 0.01]}, runs=20)
    rows = found.set_index(["mechanism", "reading"])["mean"]
    assert rows["Corr-RR grouped", "strict"] < 1e-3
    assert rows["Corr-RR grouped", "group_strength=0.01"] == pytest.approx(rows["Corr-RR aligned", "strict"], rel=0.2)
    assert (rows > 0).all()


def test_domains_are_aligned(table):
    """The first two of three values share a class, so their estimates are equal."""
    codes = CODES.copy()
    codes[:, 1] = np.minimum(codes[:, 1], 1)
    mixed = Table(codes, VIEW.names, (tuple("abc"), tuple("ab")))
    setting = {"views": {"made": "made"}, "epsilon": [20], "mechanisms": ["Corr-RR aligned", "Corr-RR grouped"]}
    found = table(errors.mse, setting, {"group_strength": [0.99]}, 50, views={"made": mixed})
    rows = found.set_index("mechanism")["mean"]
    merged = 2 * ((0.6 - 0.25) / 2) ** 2 / 3 / 2  # attribute 1 alone errs: .6 and .25 become .425 each
    assert rows["Corr-RR grouped"] == pytest.approx(merged, rel=0.2)
    assert rows["Corr-RR aligned"] > rows["Corr-RR grouped"]


# What follows simulates two attributes user by user, written from the text of the paper alone: SynA of Section 4.2.3,
# Algorithm 1, and p_y of Section 3.2.2 with a formula of choice. It uses nothing of the package.
N, K, RHO, EPSILON, SHARE = 2000, 4, 0.9, 1.0, 0.1
FIRST = [0.4, 0.3, 0.2, 0.1]
FROM_THE_TEXT_RUNS = 600


def other(values, rng):
    return (values + rng.integers(1, K, len(values))) % K


def grr(values, epsilon, rng):
    keep = rng.random(len(values)) < np.exp(epsilon) / (np.exp(epsilon) + K - 1)
    return np.where(keep, values, other(values, rng))


def debiased(reports, epsilon):
    q = 1 / (np.exp(epsilon) + K - 1)
    return (np.bincount(reports, minlength=K) / len(reports) - q) / (q * np.expm1(epsilon))


def theorem_5(p_y, f_j, f_s, n2):
    q = 1 / (np.exp(EPSILON) + K - 1)
    delta = q * np.expm1(EPSILON)
    mean = (f_j + (1 - p_y) / (K - 1) + (K * p_y - 1) / (K - 1) * f_s) / 2
    variance = (q + delta * mean) * (1 - q - delta * mean) / (n2 * delta**2)
    return np.mean(variance + (mean - f_j) ** 2)


def copying(f_j, f_s, n2, sign):
    """Best of 0, 1 and Proposition 1: with the body's sign, 1, or that of Eq. 9, -1."""
    q = 1 / (np.exp(EPSILON) + K - 1)
    alpha = 1 - 1 / n2
    beta = -2 * f_j + (1 - 2 * q) / (n2 * q * np.expm1(EPSILON))
    c0, c1 = (f_j + (1 - f_s) / (K - 1)) / 2, (K * f_s - 1) / (K - 1) / 2
    stationary = sign * np.sum(c1 * (2 * alpha * c0 + beta)) / (2 * alpha * np.sum(c1**2))
    return min([0, 1, *([stationary] if 0 <= stationary <= 1 else [])], key=lambda p_y: theorem_5(p_y, f_j, f_s, n2))


def squared_error(sign, rng):
    first = rng.choice(K, N, p=FIRST)
    users = np.stack([first, np.where(rng.random(N) < RHO, first, other(first, rng))])
    n1 = round(SHARE * N)
    n2 = N - n1
    phase1 = [debiased(grr(values[:n1], EPSILON / 2, rng), EPSILON / 2) for values in users]
    pivot = rng.integers(0, 2, n2)
    reports = np.empty((2, n2), int)
    for s, j in ((0, 1), (1, 0)):
        chose = pivot == s
        reports[s, chose] = report = grr(users[s, n1:][chose], EPSILON, rng)
        copies = rng.random(len(report)) < copying(phase1[j], phase1[s], n2, sign)
        reports[j, chose] = np.where(copies, report, other(report, rng))
    estimate = [(n1 * phase1[j] + n2 * debiased(reports[j], EPSILON)) / N for j in (0, 1)]
    return np.mean([(estimate[j] - np.bincount(users[j], minlength=K) / N) ** 2 for j in (0, 1)])


@pytest.mark.parametrize(("sign", "rule"), [(1, "body"), (-1, "appendix")])
def test_the_error_is_that_of_the_package(table, sign, rule):
    setting = {"dataset": ["syn_a"], "n": [N], "d": [2], "k": [K], "rho": [RHO], "epsilon": [EPSILON]}
    axes = {"py_rule": ["body", "appendix"]}
    rows = table(errors.mse, {**setting, "mechanisms": ["Corr-RR"]}, axes, 4000).set_index("reading")
    rng = np.random.default_rng(1)
    squared = np.array([squared_error(sign, rng) for _ in range(FROM_THE_TEXT_RUNS)])
    ours = {"body": rows.loc["strict"], "appendix": rows.loc["py_rule=appendix"]}
    z = {
        name: (squared.mean() - row["mean"]) / np.hypot(squared.std() / FROM_THE_TEXT_RUNS**0.5, row["se"])
        for name, row in ours.items()
    }
    assert abs(z.pop(rule)) < 4
    assert abs(z.popitem()[1]) > 4  # the test tells the two signs apart


CORRELATED = {"dataset": ["correlated"], "n": [1000], "d": [2], "k": [2]}
GAIN_SETTING = {**CORRELATED, "rho": [0.5], "epsilon": [1], "mechanisms": ["SPL", "RS+FD", "Corr-RR"]}
MSE = {**CORRELATED, "epsilon": [1, 5], "mechanisms": ["SPL", "Corr-RR"]}
SETTING = {**MSE, "changes": [[0.1, 0.9], [0.5, 0.9]]}


def test_fall_saving_and_ratio_with_their_errors_by_hand(table, monkeypatch):
    squared = {0.1: (2.0, 0.2, 9, 4.0), 0.9: (0.5, 0.0, 9, 1.0)}
    made = replace(errors.mse, measure=lambda cell: [Measure("SPL", "mse", *squared[cell["rho"]])])
    monkeypatch.setattr(errors, "mse", made)
    changes = table(errors.change, {**SETTING, "epsilon": [1], "changes": [[0.1, 0.9]]})
    left, fall = (row for _, row in changes.iterrows())
    assert (fall["rho_from"], fall["rho_to"], fall["metric"]) == (0.1, 0.9, "mse_fall")
    assert (fall["mean"], fall["theory"], fall["runs"]) == (0.75, 0.75, 9)
    assert (left["metric"], left["mean"], left["theory"]) == ("mse_left", 0.25, 0.25)
    assert fall["se"] == left["se"] == pytest.approx(0.25 * 0.1)
    gained = [Measure("SPL", "mse", 4.0, 0.4, 9), Measure("Corr-RR", "mse", 1.0, 0.0, 9)]
    monkeypatch.setattr(errors, "mse", replace(made, measure=lambda cell: gained))
    rows = table(errors.gain, GAIN_SETTING).set_index("metric")
    assert list(rows["mechanism"]) == ["SPL", "SPL"]
    assert rows["mean"].to_dict() == {"saving": 0.75, "times": 4.0}
    assert rows["se"].to_dict() == pytest.approx({"saving": 0.25 * 0.1, "times": 4 * 0.1})
