"""Planted errors are noticed and true claims pass; docs/benchmarks.md has the rates of a longer run.

True claims fail with probability 0.01 at most, by the levels; that a true claim cannot pass has probability 0.001 each.
"""

import planted_errors
import pytest


@pytest.fixture(scope="module")
def total():
    return planted_errors.summary(planted_errors.trial(seed=1, claims_per_kind=4))[-1]


def test_planted_errors_are_noticed(total):
    assert total["claims"] == 28
    assert total["planted: noticed"] >= 0.95 * total["claims"]
    assert total["missed"] == 0


def test_true_claims_pass(total):
    assert total["true: pass"] >= 0.95 * total["claims"]
    assert total["fail"] == 0
