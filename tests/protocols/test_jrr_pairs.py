"""The law of a pair's truthfulness, and the server that deals tokens to pairs."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listed_pairings import p_by_users

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, ServerJRR
from corrldp.protocols.jrr.pairs import TruthLaw, lowest_correlation, possible_peers

laws = st.tuples(st.floats(0.01, 1), st.floats(0, 1)).map(
    lambda pu: TruthLaw(pu[0], lowest_correlation(pu[0]) + pu[1] * (1 - lowest_correlation(pu[0])))
)


def test_table_1_of_the_paper():
    """Table 1 is Table 2 at p = 0.8, rho = -0.1875."""
    np.testing.assert_allclose(TruthLaw(0.8, -0.1875).matrix(), [[0.01, 0.19], [0.19, 0.61]], atol=1e-15)


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


@given(st.floats(0.51, 0.999), st.floats(0, 1))
def test_tokens_and_private_variables_give_table_2(p, strength):
    """Theorem 5, by listing both tokens and all values of both private variables."""
    server = ServerJRR(p, strength * lowest_correlation(p))
    outcomes, chances = server.personal_law()
    assert (chances >= 0).all()
    assert chances.sum() == pytest.approx(1)
    law = np.zeros((2, 2))
    for token, (i, j) in product((-1, 1), product(range(4), repeat=2)):
        truths = server.truthful(outcomes[[i, j]], [token, -token]).astype(int)
        law[tuple(truths)] += chances[i] * chances[j] / 2
    np.testing.assert_allclose(law, server.law.matrix(), atol=1e-12)


def test_dealt_tokens():
    server, rng = ServerJRR(0.7, -0.2), np.random.default_rng(0)
    assert all(server.deal(10, rng).sum() == 0 for _ in range(50))
    odd = np.array([server.deal(3, rng) for _ in range(8000)])
    assert (np.abs(odd.sum(axis=1)) == 1).all()
    assert np.abs(odd.mean(axis=0)).max() < 4.4 / np.sqrt(8000)


def test_reports_have_the_law_of_jrr():
    """Chi-square at 1e-4 of 10,000 runs against the exact distribution over all pairings; then a planted fault."""
    server = ServerJRR(0.65, -0.5)

    def group_law(mechanism, *group):
        law = {}
        for truths in product((0, 1), repeat=len(group)):
            chance = mechanism.law.matrix()[truths] if len(group) == 2 else abs(1 - truths[0] - mechanism.p)
            ones = sum(v == t for v, t in zip(group, truths, strict=True))
            law[len(group) - ones, ones] = law.get((len(group) - ones, ones), 0) + chance
        return law

    for mechanism, right in ((server, True), (JointRandomizedResponse(0.65, 0.0), False)):
        assert (p_by_users(server, [0, 1, 1, 1, 0], partial(group_law, mechanism)) > 1e-4) == right


def test_inherited_estimator_and_variance():
    server, plain = ServerJRR(0.65, -0.5), JointRandomizedResponse(0.65, -0.5)
    assert server.variance_of_counts(30, 100) == plain.variance_of_counts(30, 100)
    np.testing.assert_array_equal(server.estimate_counts([40, 60], 100), plain.estimate_counts([40, 60], 100))


def test_positive_correlation_is_impossible():
    with pytest.raises(ValueError, match=r"rho=0.1 must be <= 0"):
        ServerJRR(0.7, 0.1)
