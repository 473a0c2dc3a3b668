"""The law of a pair's truthfulness, and the tokens that a server deals to pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.protocols.jrr.mechanism import TruthLaw, deal_tokens, lowest_correlation, possible_peers

laws = st.tuples(st.floats(0.01, 1), st.floats(0, 1)).map(
    lambda pu: TruthLaw(pu[0], lowest_correlation(pu[0]) + pu[1] * (1 - lowest_correlation(pu[0])))
)


@given(laws)
def test_marginals_correlation_and_sign(law):
    matrix = law.matrix()
    assert (matrix >= 0).all()
    np.testing.assert_allclose(matrix.sum(axis=0), [law.q, law.p], atol=1e-15)
    assert matrix[1, 1] - law.p**2 == pytest.approx(law.covariance, abs=1e-15)


@given(laws)
def test_conditional_laws(law):
    matrix = law.matrix()
    np.testing.assert_allclose(np.multiply(law.given_truth, law.p), matrix[1, ::-1], atol=1e-15)
    np.testing.assert_allclose(np.multiply(law.given_lie, law.q), matrix[0, ::-1], atol=1e-15)


@given(st.floats(0.5, 1))
def test_lowest_correlation_is_the_papers_bound(p):
    """However 1 - 1/p is rounded, the probability that both lie is exactly 0."""
    assert lowest_correlation(p) == pytest.approx(1 - 1 / p, abs=4e-16)
    for bound in (lowest_correlation(p), 1 - 1 / p):
        assert TruthLaw(p, bound).neither == 0


@pytest.mark.parametrize(
    ("p", "correlation", "message"),
    [(0.0, 0, "p=0.0"), (1.1, 0, "p=1.1"), (0.8, -0.2501, "correlation=-0.2501"), (0.8, 1.01, r"in \[-0\.2[45]")],
)
def test_outside_the_domain(p, correlation, message):
    with pytest.raises(ValueError, match=message):
        TruthLaw(p, correlation)


def test_possible_peers():
    assert [possible_peers(n) for n in (1, 2, 3, 4, 5)] == [1, 1, 3, 3, 5]


def test_dealt_tokens():
    rng = np.random.default_rng(0)
    assert all(deal_tokens(10, rng).sum() == 0 for _ in range(50))
    odd = np.array([deal_tokens(3, rng) for _ in range(8000)])
    assert (np.abs(odd.sum(axis=1)) == 1).all()
    assert np.abs(odd.mean(axis=0)).max() < 4.4 / np.sqrt(8000)
