import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.mechanisms.grr import GRR
from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.corr_rr.pivot import copy_channels, draw_rows, record_channel
from corrldp.protocols.corr_rr.protocol import (
    CondRR,
    CorrRR,
    conditional_channels,
    dense,
    marginals_of_pairs,
    pair_counts,
    reported_pairs,
)
from corrldp.protocols.corr_rr.rules import Fixed, exact
from corrldp.protocols.records import RecordTable


def test_copy_channels_are_those_of_section_3():
    channels = copy_channels(np.array([[1, 0.7], [0.4, 1]]), 3)
    np.testing.assert_allclose(channels[0, 1], np.full((3, 3), 0.15) + np.eye(3) * 0.55)
    np.testing.assert_allclose(channels[1, 0], np.full((3, 3), 0.3) + np.eye(3) * 0.1)
    np.testing.assert_array_equal(channels[0, 0], np.eye(3))
    np.testing.assert_allclose(channels.sum(axis=-1), 1)


def test_two_records_of_a_pair_written_out():
    """(0, 1) becomes (0, 0) if the pivot is the first, true and copied, or the second, false and copied."""
    mechanism = GRR(np.log(3), 2)
    channel = record_channel(mechanism, copy_channels(np.array([[1, 0.6], [0.9, 1]]), 2))
    assert channel[1, 0] == pytest.approx((0.75 * 0.6 + 0.25 * 0.9) / 2)
    assert channel[1, 2] == pytest.approx((0.25 * 0.4 + 0.25 * 0.1) / 2)


def test_rows_are_drawn_by_their_laws():
    laws = np.tile([0.0, 1.0, 0.0], (1000, 1))
    assert (draw_rows(laws, np.random.default_rng(1)) == 1).all()
    drawn = draw_rows(np.tile([0.2, 0.3, 0.5], (100_000, 1)), np.random.default_rng(2))
    assert np.bincount(drawn) / 100_000 == pytest.approx([0.2, 0.3, 0.5], abs=0.008)  # 5 standard deviations


def test_sizes_must_be_equal():
    for build in (lambda: CorrRR(1.0, (2, 3), 0.1, exact), lambda: CondRR(1.0, (2, 3), 0.1)):
        with pytest.raises(ValueError, match="must be equal"):
            build()
    with pytest.raises(ValueError, match="at least 2"):
        CorrRR(1.0, (2,), 0.1, Fixed(1))


def test_pairs_of_a_table():
    records = np.array([[0, 1, 1], [1, 1, 0], [0, 1, 1]])
    table = RecordTable.from_records(records, (2, 2, 2))
    pairs = pair_counts(dense(table.rows, table.counts[None], table.sizes))[0]
    assert pairs[0, 2].tolist() == [[0, 2], [1, 0]]
    assert pairs[2, 0].tolist() == [[0, 1], [2, 0]]
    assert pairs[1, 1].tolist() == [[0, 0], [0, 3]]
    np.testing.assert_array_equal(reported_pairs(records, table.sizes), pairs)
    np.testing.assert_array_equal(marginals_of_pairs(pairs), table.marginals())


def test_conditional_laws_are_those_of_the_data_without_noise():
    """Expected counts of noisy pairs recover the perturbed joint distribution."""
    grr, joint = GRR(0.5, 3), np.random.default_rng(3).dirichlet(np.ones(9)).reshape(3, 3)
    pairs = np.zeros((1, 2, 2, 3, 3))
    pairs[0, 0, 1] = grr.channel().T @ joint @ grr.channel()
    pairs[0, 1, 0] = pairs[0, 0, 1].T
    pairs[0, 0, 0] = pairs[0, 1, 1] = np.eye(3) / 3
    channels = conditional_channels(pairs, grr)[0]
    np.testing.assert_allclose(channels[0, 1], joint / joint.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(channels[1, 0], joint.T / joint.sum(axis=0)[:, None])


def test_a_value_that_is_ruled_out_takes_the_marginal():
    pairs = np.zeros((1, 2, 2, 2, 2))
    pairs[0, 0, 1] = [[60, 40], [0, 0]]
    pairs[0, 1, 0] = pairs[0, 0, 1].T
    pairs[0, 0, 0] = pairs[0, 1, 1] = np.eye(2) * 50
    channels = conditional_channels(pairs, GRR(50.0, 2))[0]
    np.testing.assert_allclose(channels[0, 1], [[0.6, 0.4], [0.6, 0.4]])


def test_too_many_records_for_a_dense_table():
    with pytest.raises(ValueError, match="user level"):
        dense(np.zeros((1, 10), dtype=int), np.ones((1, 1), dtype=int), (4,) * 10)


@given(st.floats(0.01, 5), st.integers(2, 3), st.integers(2, 3), st.integers(0, 2**32))
@settings(max_examples=40)
def test_corr_rr_gives_exactly_epsilon(epsilon, d, k, seed):
    """Theorem 6, for any copy probabilities: never more than epsilon, and epsilon itself for whole records."""
    copy = np.random.default_rng(seed).random((d, d))
    np.fill_diagonal(copy, 1)
    mechanism = CorrRR(epsilon, (k,) * d, 0.1, Fixed(0.5)).mechanism
    channel = record_channel(mechanism, copy_channels(copy, k))
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    assert epsilon_of_channel(channel) == pytest.approx(epsilon)
    assert attribute_epsilon(channel, (k,) * d, 0) < epsilon


@pytest.mark.parametrize("p_y", [0.0, 0.4, 1.0])
def test_one_attribute_under_corr_rr_with_equal_copies(p_y):
    """Every pivot explains a report equally well, whether its two values are equal or different."""
    mechanism = CorrRR(1.0, (3, 3), 0.1, Fixed(p_y)).mechanism
    channel = record_channel(mechanism, copy_channels(np.array([[1, p_y], [p_y, 1]]), 3))
    assert attribute_epsilon(channel, (3, 3), 1) == pytest.approx(np.log1p(np.expm1(1.0) / 2))
