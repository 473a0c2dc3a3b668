"""Planted errors are detected and true claims pass; docs/benchmarks.md has the rates of a longer run.

By the choice of levels, the probability that any true claim fails is at most 0.01, and that of each true claim to miss
the passing level is 0.001.
"""

import planted_errors
import pytest

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def total():
    return planted_errors.summary(planted_errors.trial(seed=1, claims_per_kind=4))[-1]


def test_planted_errors_are_noticed(total):
    assert total["claims"] == 28
    assert total["planted: detected"] >= 0.95 * total["claims"]
    assert total["missed"] == 0


def test_true_claims_pass(total):
    assert total["true: pass"] >= 0.95 * total["claims"]
    assert total["fail"] == 0
