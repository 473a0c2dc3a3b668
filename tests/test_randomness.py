import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare, kstest

from corrldp.protocols.registry import list_protocols
from corrldp.randomness import bernoulli, deployment_rng, generator

FORKED = """
import json, os, sys
import corrldp
from corrldp import Client
rng = corrldp.deployment_rng()
rng.random()
if os.fork():
    os.wait()
for name in sys.argv[1:]:
    sizes = (4,) if name == "JRR" else (4, 4)
    protocol = corrldp.protocol(name, 1.0, sizes)
    token = protocol.deal(2, rng)[0] if name == "JRR" else None
    print(json.dumps([name, [Client(protocol, token).report([1] * len(sizes), rng) for _ in range(64)]]))
"""


def stream(*arguments):
    return generator(*arguments).integers(2**63, size=4).tolist()


def test_same_key_gives_same_stream():
    assert stream(7, "jrr", {"n": 10, "epsilon": 0.1}) == stream(7, "jrr", {"epsilon": 0.1, "n": 10})


def test_spelling_of_a_number_does_not_matter():
    assert stream(7, 1, [2, 3]) == stream(np.int64(7), np.float64(1.0), (2.0, np.int32(3)))


@pytest.mark.parametrize("other", [(8, "a", 1), (7, "b", 1), (7, "a", 2), (7, "a1"), (7, ["a", 1]), (7, "a", "1")])
def test_different_keys_give_different_streams(other):
    assert stream(7, "a", 1) != stream(*other)


def test_stream_is_the_documented_one():
    """Changing the derivation would silently change every published result."""
    assert stream(1, "jrr", "fig3", {"n": 10000}) == [
        2057271329552854250,
        8179085013338476073,
        8820569896106453300,
        2265419777382519739,
    ]


@given(st.floats(0, 1, exclude_min=True), st.floats(0, 1, exclude_min=True))
def test_streams_of_neighbouring_settings_differ(first, second):
    assert (stream(0, first) == stream(0, second)) == (first == second)


@pytest.mark.parametrize("seed", [-1, 1.5, True, None])
def test_bad_seed(seed):
    with pytest.raises(ValueError, match="must be an integer >= 0"):
        generator(seed)


def test_keys_must_be_expressible():
    with pytest.raises(TypeError):
        generator(0, object())
    with pytest.raises(ValueError, match="JSON"):
        generator(0, float("nan"))


DEVICES = [name for name in list_protocols() if name not in ("RS+RFD", "Corr-RR", "Cond-RR")]


@pytest.fixture(scope="module")
def forked():
    """Reports by name that two copies of a process draw from a generator made before they parted."""
    done = subprocess.run([sys.executable, "-c", FORKED, *DEVICES], capture_output=True, text=True, check=True)
    found = {}
    for name, reports in map(json.loads, done.stdout.splitlines()):
        found.setdefault(name, []).append(reports)
    return found


@pytest.mark.parametrize("name", DEVICES)
def test_no_state_of_a_device_foretells_its_reports(forked, name):
    """What a report shows is no output of a state: with the same one, 64 reports differ (but once in 1e12)."""
    one, other = forked[name]
    assert len(one) == len(other) == 64
    assert one != other


def test_the_draws_of_devices_are_uniform():
    """Kolmogorov-Smirnov on new draws in each run: a false alarm in 1e9 of each of four tests."""
    rng = deployment_rng()
    words = rng.integers(2**64, size=20_000, dtype=np.uint64)
    halves = rng.integers(2**32, size=20_000, dtype=np.uint32)
    for draws in (rng.random(20_000), rng.random(20_000, dtype=np.float32), words / 2**64, halves / 2**32):
        assert kstest(draws, "uniform").pvalue > 1e-9


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
