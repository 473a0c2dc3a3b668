"""What every mechanism with a channel keeps: exactly epsilon, no bias, and one law at both levels."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from support_laws import supported

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.privacy import epsilon_of_channel

FALSE_ALARM = 1e-4  # per test, with a fixed seed
PAIRS = [*combinations(range(4), 2)]

# name: how it is built of epsilon and k, both of them, the precision of epsilon
CHANNELS = {
    "GRR": (GRR, st.floats(1e-6, 30), st.integers(2, 20), 1e-9),
    "SUE": (UnaryEncoding.symmetric, st.floats(1e-4, 20), st.integers(2, 6), 1e-6),
    "OUE": (UnaryEncoding.optimized, st.floats(1e-4, 20), st.integers(2, 6), 1e-6),
    "SHE": (SummationHistogram, st.floats(0.01, 15), st.integers(2, 5), 1e-6),
}
for g in (2, 3, 4):
    CHANNELS[f"LH {g}"] = partial(LocalHashing, g=g), st.floats(1e-4, 10), st.integers(2, 3), 1e-6
for size in range(1, 7):
    CHANNELS[f"SS {size}"] = partial(SubsetSelection, size=size), st.floats(1e-3, 15), st.integers(size + 1, 7), 1e-6


@pytest.mark.parametrize("name", CHANNELS)
@given(data=st.data())
def test_a_channel_gives_exactly_epsilon_and_no_bias(name, data):
    build, epsilons, sizes, precision = CHANNELS[name]
    epsilon, k = data.draw(epsilons), data.draw(sizes)
    mechanism = build(epsilon, k)
    channel = mechanism.channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    assert epsilon_of_channel(channel) == pytest.approx(epsilon, rel=precision)
    if name == "SHE":  # its reports are sums, not sets
        assert channel.shape == (k, 3**k)
    else:
        counts = np.arange(k) + 1
        support = counts @ channel @ supported(mechanism)
        np.testing.assert_allclose(mechanism.unbias(support, counts.sum()), counts / counts.sum(), atol=1e-7)
        assert mechanism.gap == pytest.approx(mechanism.p_support - mechanism.q_support, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize(
    ("mechanism", "place"),
    [
        (GRR(0.7, 4), lambda reports: reports),
        (UnaryEncoding.symmetric(1.0, 3), lambda reports: reports @ [4, 2, 1]),
        (UnaryEncoding.optimized(1.0, 3), lambda reports: reports @ [4, 2, 1]),
        (SubsetSelection(1.0, 4, 2), lambda reports: [PAIRS.index((a, b)) for a, b in np.sort(reports, axis=1)]),
        (SummationHistogram(2.0, 2), lambda reports: np.digitize(reports, [0, 1]) @ [3, 1]),
    ],
    ids=["GRR", "SUE", "OUE", "SS", "SHE"],
)
def test_reports_follow_the_channel(mechanism, place):
    rng = np.random.default_rng(1)
    for value, row in enumerate(mechanism.channel()):
        seen = np.bincount(place(mechanism.privatize(np.full(40_000, value), rng)), minlength=row.size)
        assert chisquare(seen, 40_000 * row).pvalue > FALSE_ALARM / mechanism.k


def test_gap_keeps_its_digits_at_a_tiny_epsilon():
    assert GRR(1e-12, 2).gap == pytest.approx(np.tanh(0.5e-12), rel=1e-14, abs=0)


def test_published_probabilities_of_unary_encoding():
    """Wang et al., USENIX Security 2017: OUE p = 1/2, q = 1/(e^eps + 1)."""
    mechanism = UnaryEncoding.optimized(1.0, 8)
    assert (mechanism.p_support, mechanism.q_support) == (0.5, pytest.approx(1 / (np.e + 1)))
    symmetric = UnaryEncoding.symmetric(1.0, 8)
    assert symmetric.p_support + symmetric.q_support == pytest.approx(1)


@pytest.mark.parametrize(
    ("mechanism", "frequencies", "expected"),
    [
        (UnaryEncoding.optimized(1.0, 8), 0.0, 4 * np.e / (np.e - 1) ** 2),
        (UnaryEncoding.symmetric(1.0, 8), 0.3, np.exp(0.5) / (np.exp(0.5) - 1) ** 2),
        (LocalHashing.optimal(np.log(3), 9), 0.0, 4 * 3 / 4),  # Eq. 12, with g = e^eps + 1
        (SummationHistogram(2.0, 4), [0.0, 0.7], 8 / 4),  # Section 4.1, whatever the frequency
    ],
)
def test_published_variances(mechanism, frequencies, expected):
    """Those of Wang et al. for each user."""
    np.testing.assert_allclose(mechanism.variance(frequencies, 500), expected / 500)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: UnaryEncoding(1.0, 3, "best"), "variant"),
        (lambda: UnaryEncoding.symmetric(1.0, 13).channel(), "up to k=12"),
        (lambda: SummationHistogram(1.0, 9).channel(), "up to k=8"),
        (lambda: LocalHashing.optimal(25.0, 5), "use GRR for a larger epsilon"),
        (lambda: LocalHashing(1.0, 5, 1), "g=1"),
        (lambda: LocalHashing(1.0, 50, 2).channel(), "outputs"),
    ],
)
def test_mistakes(build, message):
    with pytest.raises(ValueError, match=message):
        build()
