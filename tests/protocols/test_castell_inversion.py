"""The three inversions, and their matrices per axis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.arrays import check_bytes
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import (
    WIDEST_GROUP,
    apply_axes,
    castell,
    expected_table,
    groups,
    inverse_pair,
    naive,
    reduced,
    tabulate,
)

SIZES = st.lists(st.integers(2, 7), min_size=1, max_size=4).map(tuple)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(SIZES, st.integers(0, 2**32 - 1))
def test_all_inversions_give_the_same_and_undo_the_channel(sizes, seed):
    """Each axis has a budget of its own."""
    rng = np.random.default_rng(seed)
    law = rng.dirichlet(np.ones(np.prod(sizes))).reshape(sizes)
    mechanisms = [GRR(epsilon, k) for epsilon, k in zip(rng.uniform(0.05, 6, len(sizes)), sizes, strict=True)]
    observed = expected_table(law, mechanisms)
    assert observed.sum() == pytest.approx(1)
    for invert in (castell, reduced, naive) if law.size <= 500 else (castell,):
        np.testing.assert_allclose(invert(observed, mechanisms), law, atol=1e-7)


@pytest.mark.parametrize("sizes", [(2, 3, 40), (40, 2), (3, 40, 5, 2), (50, 60), (100, 3, 400)])
def test_long_axes_take_the_other_path_and_give_the_same(sizes):
    rng = np.random.default_rng(3)
    table, mechanisms = rng.random(sizes), [GRR(0.7, k) for k in sizes]
    expected = table
    for axis, grr in enumerate(mechanisms):
        expected = np.moveaxis(np.tensordot(np.linalg.inv(grr.channel()), expected, axes=(1, axis)), 0, axis)
    np.testing.assert_allclose(castell(table, mechanisms), expected, rtol=1e-9, atol=1e-9)


@given(st.lists(st.integers(2, 60), min_size=1, max_size=9))
def test_groups_cover_the_axes_in_order_and_stay_small(sizes):
    found = groups(sizes)
    assert [axis for first, stop in found for axis in range(first, stop)] == list(range(len(sizes)))
    assert all(np.prod(sizes[first:stop]) <= WIDEST_GROUP or stop == first + 1 for first, stop in found)


def test_castell_leaves_its_input_alone_and_needs_one_axis_per_mechanism():
    table = np.random.default_rng(0).random((3, 4)).T
    before = table.copy()
    castell(table, [GRR(1.0, 4), GRR(1.0, 3)])
    np.testing.assert_array_equal(table, before)
    with pytest.raises(ValueError, match="one axis per mechanism"):
        castell(table, [GRR(1.0, 3), GRR(1.0, 4)])
    with pytest.raises(ValueError, match="changed in place"):
        apply_axes(table, [inverse_pair(GRR(1.0, 4))] * 2)


def test_what_memory_cannot_hold_is_refused_with_its_size():
    mechanisms = [GRR(1.0, 10)] * 5
    with pytest.raises(ValueError, match=r"10,000,000,000 cells, 74.5 GiB.*use castell"):
        naive(np.zeros((10,) * 5), mechanisms)
    with pytest.raises(ValueError, match=r"GiB, above the limit of 8 GiB"):
        tabulate(np.zeros((3, 11), dtype=int), (10,) * 11)
    check_bytes(2**30, "exactly 8 GiB", "nothing")
