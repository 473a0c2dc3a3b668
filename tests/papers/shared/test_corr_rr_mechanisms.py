import numpy as np
import pytest
from shared.runners import axes, errors
from shared.runners.fakes import SinglePhaseRSRFD
from shared.runners.mechanisms import MECHANISMS, build, needs_records, protocol_of
from shared.runners.two_phases import RULES, copying_by_chance, on_pairs, on_repaired

from claimaudit.experiments.axes import Axis
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.pivot import copy_channels
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, exact
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SPL
from corrldp.protocols.two_phase import Phased
from corrldp.runners.protocols import expected_error

# Each comparison of a simulated mean fails for a correct program with a probability below 1e-6.
RUNS, BOUND = 4000, 5.2
TABLE = RecordTable(np.array([[0, 0], [1, 0], [2, 1], [0, 2]]), np.array([50, 30, 10, 10]), (3, 3))
POINT = {"epsilon": 1.0, "phase1_fraction": 0.2}


def rng():
    return np.random.default_rng(1)


def made(cell, name, table=TABLE, **choices):
    return build(name, cell(errors.mse, {"epsilon": [1], "mechanisms": [name]}, POINT, **choices), table)


@pytest.mark.parametrize("axis", axes.MECHANISMS.values(), ids=axes.MECHANISMS)
def test_every_value_of_an_axis_is_known_to_the_mechanisms(cell, axis: Axis):
    for value in axis.words:
        for name in ("Corr-RR", "RS+FD", "RS+RFD"):
            assert made(cell, name, **{axis.name: value}).simulate(TABLE, 1, rng()).shape == (1, 2, 3)
    assert set(axes.MECHANISMS["py_rule"].words) == set(RULES)


def test_what_mechanisms_need_their_phases_and_estimates(cell):
    records = {name for name in MECHANISMS if needs_records(name)}
    assert records == {"Corr-RR two pivots", "Corr-RR aligned", "Corr-RR grouped", "Cond-RR"}
    two = {name for name in MECHANISMS if issubclass(protocol_of(name), Phased)}
    three = RecordTable(np.column_stack([TABLE.rows, [1, 2, 0, 0]]), TABLE.counts, (3, 3, 3))
    for name in MECHANISMS:
        np.testing.assert_allclose(made(cell, name, three).simulate(three, 3, rng()).sum(axis=2), np.ones((3, 3)))
    assert two == {name for name in MECHANISMS if name.startswith(("RS+RFD", "Corr-RR", "Cond-RR"))}


def test_twins_are_the_same_protocols(cell):
    def drawn(name, **choices):
        return made(cell, name, **choices).simulate(TABLE, 5, rng()).tolist()

    for name in ("RS+FD", "RS+RFD"):
        assert drawn(f"{name} amplified") == drawn(name, amplify=True) != drawn(name)
    assert drawn("Corr-RR copying", py_rule="body") == drawn("Corr-RR", py_rule="always_copy")
    assert (
        drawn("Corr-RR", py_rule="never_copy") == CorrRR(1.0, (3, 3), 0.2, Fixed(0)).simulate(TABLE, 5, rng()).tolist()
    )


@pytest.mark.parametrize("name", ["exact", "preprint"])
def test_the_true_marginals_replace_the_estimates_in_the_rule_of_the_reading(cell, name):
    known = made(cell, "Corr-RR true marginals", py_rule=name)
    first, truth = np.full((1, 2, 3), 1 / 3), TABLE.frequencies()
    np.testing.assert_array_equal(known.rule(first, 80, known.mechanism)[0], RULES[name](truth, 80, known.mechanism))
    oracle = made(cell, "Corr-RR oracle")
    np.testing.assert_array_equal(oracle.rule(first, 80, oracle.mechanism)[0], exact(truth, 80, oracle.mechanism))


def test_grr_takes_fake_values_for_reports(cell):
    """The mean is by the exact channel of RS+FD: the share of reports, debiased as if all were GRR's."""
    protocol = RSFD(1.0, (3, 3))
    law = TABLE.counts / TABLE.n @ protocol.channel()[np.ravel_multi_index(TABLE.rows.T, (3, 3))]
    shares = np.stack([law.reshape(3, 3).sum(axis=1), law.reshape(3, 3).sum(axis=0)])
    expected = protocol.mechanisms[0].unbias(shares, 1)
    estimates = made(cell, "RS+FD", rs_fd_estimator="grr").simulate(TABLE, RUNS, rng())
    error = estimates.std(axis=0) / np.sqrt(RUNS)
    assert (np.abs(estimates.mean(axis=0) - expected) < BOUND * error).all()


@pytest.mark.parametrize("prior", ["true", "uniform", "noisy"])
@pytest.mark.parametrize("amplify", [False, True])
def test_a_single_phase_is_unbiased_with_any_prior_and_has_its_closed_form(prior, amplify):
    table = RecordTable(TABLE.rows, 100 * TABLE.counts, (3, 3))
    protocol = SinglePhaseRSRFD(1.0, (3, 3), prior, amplify)
    errors = protocol.simulate(table, RUNS, rng()) - TABLE.frequencies()
    assert (np.abs(errors.mean(axis=0)) < BOUND * errors.std(axis=0) / np.sqrt(RUNS)).all()
    squares = average_error(errors**2)
    closed = expected_error(protocol, table)
    assert np.isnan(closed) if prior == "noisy" else abs(squares.mean() - closed) < BOUND * squares.std() / RUNS**0.5


def test_each_run_has_the_prior_of_its_own_data():
    two = RecordTable(TABLE.rows, np.array([[100, 0, 0, 0], [0, 0, 100, 0]]), (3, 3))
    fakes = SinglePhaseRSRFD(1.0, (3, 3), "true").fakes(two)
    np.testing.assert_array_equal(fakes[0], [[1, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(fakes[1], [[0, 0, 1], [0, 1, 0]])


def test_noisy_priors_are_laws_around_the_truth():
    many = RecordTable(TABLE.rows, 10**5 * TABLE.counts, (3, 3))
    fakes = SinglePhaseRSRFD(1.0, (3, 3), "noisy").fakes(many, rng(), runs=50)
    np.testing.assert_allclose(fakes.sum(axis=2), 1)
    np.testing.assert_allclose(fakes, np.broadcast_to(many.frequencies(), fakes.shape), atol=1e-4)
    assert len(np.unique(fakes[:, 0, 0])) == 50


def test_only_the_second_phase_is_normalised(cell):
    """The first phase keeps its raw error: the combined estimate is raw and normalised, weighted by users."""
    source, protocol = rng(), TwoPhaseRSRFD(1.0, (3, 3), 0.2)
    first, _ = protocol.simulate_first(TABLE.split(20, 20, source)[0], 20, source)
    raw, combined = (
        (made(cell, "RS+RFD", rs_rfd_postprocess=how).simulate(TABLE, 20, rng()) - 0.2 * first) / 0.8
        for how in ("none", "second_phase_clip_normalise")
    )
    np.testing.assert_allclose(combined, postprocess(raw, "clip_normalise"), atol=1e-12)
    assert (raw < 0).any()


def test_phases_are_combined_as_a_reading_says(cell):
    source, grr = rng(), GRR(1.0, 3)
    first = CorrRR(1.0, (3, 3), 0.2, exact).simulate_first(TABLE.split(20, 20, source)[0], 20, source)[0]
    made_by = {
        how: made(cell, "Corr-RR", phases=how).simulate(TABLE, 20, rng())
        for how in ("users", "equal", "last", "all_in_second")
    }
    counts = 80 * (grr.q_support + grr.gap * made_by["last"])
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-9)
    np.testing.assert_allclose(made_by["users"], 0.2 * first + 0.8 * made_by["last"])
    np.testing.assert_allclose(made_by["equal"], (first + made_by["last"]) / 2)
    np.testing.assert_allclose(made_by["all_in_second"], 0.2 * first + 0.8 * grr.unbias(counts, 100), atol=1e-12)


@pytest.mark.parametrize(("how", "spl", "phase1"), [("one_more", 2 / 3, 2 / 3), ("spl_whole", 2, 1), ("whole", 2, 2)])
def test_spl_splits_its_budget_as_a_reading_says(cell, how, spl, phase1):
    """A share of 1/d of 2/3, 1 or 2 times the budget is a third, a half or the whole of it."""
    assert made(cell, "SPL", split=how) == SPL(spl, (3, 3))
    source = rng()
    first = SPL(phase1, (3, 3)).simulate(TABLE.split(20, 20, source)[0], 20, source)
    one, two = (
        made(cell, "RS+RFD", split=how, phases=phases).simulate(TABLE, 20, rng()) for phases in ("equal", "last")
    )
    np.testing.assert_allclose(2 * one - two, first)


@pytest.mark.parametrize(("how", "share"), [("again", 0.2), ("again_weighed", 1 / 6)])
def test_users_of_phase_1_report_again(cell, how, share):
    """A budget of 20 leaves no error but that of p_y = 1: all users are in Phase II, and its bias tells its weight."""
    estimates = made(cell, "Corr-RR", phase1_users=how, py_rule="always_copy", epsilon=40.0).simulate(
        TABLE, RUNS, rng()
    )
    f = TABLE.frequencies()
    expected = share * f + (1 - share) * f.mean(axis=0)
    error = estimates.std(axis=0) / np.sqrt(RUNS)
    assert (np.abs(estimates.mean(axis=0) - expected) < BOUND * error + 1e-6).all()


@pytest.mark.parametrize(
    ("prior", "how", "estimator"),
    [
        ("true", "grr", GRR(1.0, 3)),
        ("uniform", "grr", GRR(1.0, 3)),
        ("true", "uniform", RSFD(1.0, (3,) * 2).estimators[0]),
    ],
)
def test_another_estimator_takes_fake_values_for_reports_or_for_uniform_ones(prior, how, estimator):
    protocol = SinglePhaseRSRFD(1.0, (3, 3), prior, estimator=how)
    fakes = np.broadcast_to(protocol.fakes(TABLE), (20, 2, 3))
    draws = rng()
    columns = TABLE.draw_one_attribute(20, draws).swapaxes(0, 1)
    counts = [
        each.simulate(real, TABLE.n - real.sum(axis=1), draws)
        for each, real in zip(protocol.faked(fakes), columns, strict=True)
    ]
    expected = np.stack([estimator.unbias(counted, TABLE.n) for counted in counts], axis=1)
    np.testing.assert_allclose(protocol.simulate(TABLE, 20, rng()), expected)
    assert np.isnan(expected_error(protocol, TABLE))


def test_rules_on_other_estimates_and_for_the_other_of_a_pair():
    first = np.array([[0.7, 0.3], [0.4, 0.6]])
    grr = GRR(1.0, 2)
    np.testing.assert_array_equal(on_pairs(exact, "transposed")(first, 9, grr), exact(first, 9, grr).T)
    np.testing.assert_array_equal(on_pairs(exact, "reversed")(first, 9, grr), exact(first, 9, grr))
    both = np.array([[1.0, 0.2], [0.6, 1.0]])
    for how, expected in (("larger", 0.6), ("equal", 0.4)):
        copied = on_pairs(lambda *_: both, how)(first, 9, grr)
        np.testing.assert_allclose(copied, [[1, expected], [expected, 1]])
    np.testing.assert_array_equal(RULES["two_values"](first, 9, grr), exact(first, 9, grr))
    channels = copy_channels(copying_by_chance(Fixed(0.4))(first, 9, GRR(1.0, 2)), 2)
    np.testing.assert_allclose(channels[0, 1], 0.4 * np.eye(2) + 0.6 * np.full((2, 2), 1 / 2))
    raw, repaired = np.array([[1.5, -0.5], [0.4, 0.6]]), np.array([[1.0, 0.0], [0.4, 0.6]])
    expected = exact(repaired, 9, GRR(1.0, 2))
    np.testing.assert_array_equal(on_repaired(exact, "clip_normalise")(raw, 9, GRR(1.0, 2)), expected)


def test_the_preprints_appendix_has_the_rule_for_two_values_in_one_order_of_each_pair():
    first, grr = np.array([[0.1, 0.4, 0.5], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]]), GRR(1.0, 3)
    two, appendix = RULES["two_values"](first, 9, grr), RULES["preprint_appendix"]
    assert not np.allclose(two, two.T)
    np.testing.assert_allclose(np.tril(appendix(first, 9, grr)), np.tril(two))
    np.testing.assert_allclose(np.triu(on_pairs(appendix, "reversed")(first, 9, grr)), np.triu(two))


@pytest.mark.parametrize(("how", "expected"), [("mean", 0.5), ("first", 0.2), ("last", 0.9)])
def test_one_p_y_for_all_pairs(how, expected):
    each = np.array([[1, 0.2, 0.4], [0.2, 1, 0.9], [0.4, 0.9, 1]])
    copy = on_pairs(lambda first, n2, mechanism: each, how)(np.full((3, 2), 0.5), 9, GRR(1.0, 2))
    np.testing.assert_allclose(copy, np.where(np.eye(3) == 1, 1, expected))
