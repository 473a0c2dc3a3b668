"""Leakage of the reports themselves, checked by exact enumeration of all reports."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from listed_mechanisms import BUILDERS

from corrldp.leakage.cpl import leakage_of_channel, leakage_of_reports
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection


def laws_of(seed, m, t, zeros):
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(np.full(t, 0.5), size=(3, m)) * (rng.random((3, m, t)) >= zeros)
    laws[..., 0] += laws.sum(axis=-1) == 0
    return laws / laws.sum(axis=-1, keepdims=True)


MECHANISMS = {name: BUILDERS[name] for name in sorted({*BUILDERS} - {"OLH", "SHE"})}
MECHANISMS |= {f"SS {n}": lambda epsilon, t, n=n: SubsetSelection(epsilon, t, min(n, t - 1)) for n in (1, 2, 3, 4)}


@pytest.mark.parametrize("name", MECHANISMS)
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    m=st.integers(2, 4),
    t=st.integers(2, 5),
    epsilon=st.floats(0.05, 4),
    zeros=st.sampled_from([0, 0.4]),
)
def test_it_is_the_supremum_over_all_reports(name, seed, m, t, epsilon, zeros):
    mechanism, laws = MECHANISMS[name](epsilon, t), laws_of(seed, m, t, zeros)
    enumerated = leakage_of_channel(laws, mechanism.channel())
    np.testing.assert_allclose(leakage_of_reports(mechanism, laws), enumerated, rtol=1e-9, atol=1e-12)


def test_extreme_reports_of_she_attain_the_bound():
    """Noisy components at or beyond 1 on a set S and at or below 0 elsewhere have the ratio e^epsilon."""
    epsilon, laws = 1.7, laws_of(1, 2, 4, 0.0)
    scale = 2 / epsilon
    reports = np.array([[float(bit) for bit in f"{y:04b}"] for y in range(16)])
    likelihoods = np.exp(-np.abs(reports[None] - np.eye(4)[:, None]).sum(axis=-1) / scale)
    seen = laws @ likelihoods
    largest = np.log(seen.max(axis=-2) / seen.min(axis=-2)).max(axis=-1)
    np.testing.assert_allclose(leakage_of_reports(SummationHistogram(epsilon, 4), laws), largest, rtol=1e-9)


def test_unknown_mechanism():
    with pytest.raises(TypeError, match="leakage_of_channel"):
        leakage_of_reports(object(), laws_of(0, 2, 2, 0.0))
