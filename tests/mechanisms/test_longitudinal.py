"""Longitudinal oracles: all that a user can send is enumerated; rounds are compared with those of the paper."""

import math
from itertools import product

import numpy as np
import pytest
from multi_freq_ldpy.long_freq_est.Variance_LONG_PURE import VAR_Long_Pure
from support_laws import rounds, several_reports

from corrldp.mechanisms.longitudinal import LONGITUDINAL, LongitudinalUnary
from corrldp.privacy import epsilon_between, epsilon_of_channel

BUDGETS = [(0.5, 1.0), (1.0, 1.1), (0.2, 5.0), (2.0, 2.5), (1.0, 40.0)]
every = pytest.mark.parametrize("oracle", LONGITUDINAL)
budgets = pytest.mark.parametrize(("epsilon", "permanent"), BUDGETS)


@every
@budgets
@pytest.mark.parametrize("k", [2, 3, 4])
def test_one_report_has_the_law_of_the_oracle_with_its_budget(oracle, epsilon, permanent, k):
    one = LONGITUDINAL[oracle](epsilon, k, permanent)
    first, second = rounds(one)
    np.testing.assert_allclose(second.sum(axis=1), 1)
    np.testing.assert_allclose(first @ second, one.channel(), rtol=1e-9, atol=1e-15)
    assert epsilon_of_channel(first) == pytest.approx(permanent)
    assert epsilon_of_channel(first @ second) == pytest.approx(epsilon)
    assert one.epsilon_after(1) == pytest.approx(epsilon)
    assert one.sampled_epsilon() == pytest.approx(epsilon, abs=1e-12)


@every
@budgets
@pytest.mark.parametrize(("k", "reports"), [(2, 2), (2, 3), (3, 2)])
def test_the_epsilon_of_several_reports_is_exact(oracle, epsilon, permanent, k, reports):
    one = LONGITUDINAL[oracle](epsilon, k, permanent)
    assert epsilon_of_channel(several_reports(one, reports)) == pytest.approx(one.epsilon_after(reports))


@every
@budgets
@pytest.mark.parametrize("k", [2, 3, 7])
def test_more_reports_tell_more_up_to_the_permanent_budget(oracle, epsilon, permanent, k):
    one = LONGITUDINAL[oracle](epsilon, k, permanent)
    spent = [one.epsilon_after(reports) for reports in (1, 2, 5, 20, 1000, math.inf)]
    assert spent == sorted(spent)
    assert spent[-1] == pytest.approx(permanent)
    assert spent[1] > epsilon


@every
def test_the_limit_of_many_reports_is_that_of_the_permanent_response(oracle):
    """The numbers of equal reports tell the permanent response; 60 reports are enumerated by these numbers, k = 2."""
    one = LONGITUDINAL[oracle](1.0, 2, 1.5)
    first, second = rounds(one)
    pairs = product(second.T, repeat=2)
    columns = [[first @ (a**counted * b ** (60 - counted)) for counted in range(61)] for a, b in pairs]
    found = epsilon_between(np.array(columns).reshape(-1, 2).T)
    assert one.epsilon_after(60) <= found + 1e-9 <= 1.5 + 2e-9
    assert found > 1.49


@pytest.mark.parametrize(("epsilon", "permanent"), [(0.5, 1.0), (1.0, 2.5)])
def test_the_rounds_of_l_osue_are_those_of_the_inventors(epsilon, permanent):
    one = LongitudinalUnary(epsilon, 5, "optimized", permanent)
    a, b = np.exp(epsilon), np.exp(permanent)
    assert 1 - one.flip == pytest.approx((1 - a * b) / (a - b - a * b + 1))
    theirs = VAR_Long_Pure(0.5, 1 / (b + 1), 1 - one.flip, one.flip, 1000)
    assert one.variance(0.0, 1000) == pytest.approx(theirs)


@every
def test_reports_follow_from_the_permanent_response(oracle):
    """Counts of 200 000 reports on one permanent response lie within 5.5 standard deviations (4e-8 each)."""
    one, rng, n = LONGITUDINAL[oracle](1.0, 3, 2.0), np.random.default_rng(1), 200_000
    kept = one.remember(np.array([2]), rng)
    reports = one.repeat(np.repeat(kept, n, axis=0), rng)
    if oracle == "GRR":
        found, expected = np.bincount(reports, minlength=3) / n, np.where(np.arange(3) == kept[0], one.stay, one.flip)
    else:
        found, expected = reports.mean(axis=0), np.where(kept[0], 1 - one.flip, one.flip)
    assert (np.abs(found - expected) < 5.5 * np.sqrt(expected * (1 - expected) / n)).all()


@every
@pytest.mark.parametrize("permanent", [1.0, 0.5, -1, math.nan, True, "2"])
def test_all_reports_together_may_spend_more_than_one(oracle, permanent):
    with pytest.raises(ValueError, match=r"^permanent=[^\n]*$"):
        LONGITUDINAL[oracle](1.0, 3, permanent)
