from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from corrldp.randomness import bernoulli

FALSE_ALARM = 1e-4  # per test, with a fixed seed


class Scripted:
    """A generator that returns given bytes and floats."""

    def __init__(self, first, rest):
        self.first, self.rest = first, rest

    def integers(self, high, size, dtype):
        assert (high, dtype) == (2**64, np.uint64)
        return np.full(8 * size, self.first, dtype=np.uint8).view(np.uint64)

    def random(self, size):
        return np.full(size, self.rest)


@given(st.floats(0, 1), st.integers(0, 255), st.floats(0, 1, exclude_max=True))
def test_compares_a_uniform_number_with_the_chance(chance, first, rest):
    """The number is (first + rest) / 256, in exact rational arithmetic."""
    bits = bernoulli(chance, (3,), Scripted(first, rest))
    assert bits.tolist() == [(Fraction(first) + Fraction(rest)) / 256 < Fraction(chance)] * 3


@pytest.mark.parametrize("chance", [0.001, 1 / (1 + np.e), 0.5, 0.7310585786300049, 0.9999])
def test_frequency(chance):
    ones = bernoulli(chance, (1000, 1000), np.random.default_rng(1)).sum()
    assert binomtest(int(ones), 10**6, chance).pvalue > FALSE_ALARM / 5


def test_neighbouring_bits_are_independent():
    bits = bernoulli(0.3, (300_000,), np.random.default_rng(2)).astype(int)
    triples = np.bincount(4 * bits[::3] + 2 * bits[1::3] + bits[2::3], minlength=8)
    law = [np.prod([0.3 if (y >> i) & 1 else 0.7 for i in range(3)]) for y in range(8)]
    assert chisquare(triples, 100_000 * np.array(law)).pvalue > FALSE_ALARM


def test_certain_bits_and_empty_shapes():
    rng = np.random.default_rng(3)
    assert bernoulli(1.0, (5, 7), rng).all()
    assert not bernoulli(0.0, (5, 7), rng).any()
    assert bernoulli(0.5, (0, 4), rng).shape == (0, 4)
