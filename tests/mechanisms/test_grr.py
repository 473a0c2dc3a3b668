from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.mechanisms.grr import GRR

pytestmark = pytest.mark.thorough

epsilons = st.floats(1e-6, 30)
RNG = np.random.default_rng(1)


def test_gap_keeps_its_digits_at_a_tiny_epsilon():
    assert GRR(1e-12, 2).gap == pytest.approx(np.tanh(0.5e-12), rel=1e-14, abs=0)


@given(epsilons, st.integers(2, 6), st.data())
def test_variance_is_that_of_the_multinomial(epsilon, k, data):
    mechanism = GRR(epsilon, k)
    counts = np.array(data.draw(st.lists(st.integers(0, 50), min_size=k, max_size=k).filter(sum)))
    channel = mechanism.channel()
    expected = counts @ (channel * (1 - channel)) / mechanism.gap**2
    np.testing.assert_allclose(mechanism.variance_of_counts(counts, counts.sum()), expected, rtol=1e-6)


def test_warner_variance_of_the_jrr_paper():
    """Example 1: two users, p = 0.8, printed as 0.89."""
    mechanism = GRR(np.log(4), 2)
    assert round(float(mechanism.variance_of_counts(2, 2)), 2) == 0.89
    assert mechanism.variance(1.0, 2) == pytest.approx(0.8889 / 4, abs=1e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((partial(GRR, epsilon, 2), r"epsilon=.* must be finite and > 0") for epsilon in (0, -1, np.inf, np.nan)),
        *((partial(GRR, 1.0, k), r"k=.* must be an integer >= 2") for k in (1, 2.5)),
        *((partial(GRR(1.0, 3).privatize, bad, RNG), "values") for bad in ([0, 3], [-1], [0.5], [[0]], [])),
        *(
            (partial(GRR(1.0, 3).simulate, bad, 1, RNG), "counts")
            for bad in ([1, 2], [1, -1, 3], [0, 0, 0], [0.5, 1, 1])
        ),
        (partial(GRR(1.0, 3).unbias, [0, 0, 0], 0), "an integer from 1"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()
