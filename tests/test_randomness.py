import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest

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


def test_same_key_gives_same_stream_however_it_is_spelt():
    assert stream(7, 1, [2, 3]) == stream(np.int64(7), np.float64(1.0), (2.0, np.int32(3)))
    assert stream(7, "jrr", {"n": 10, "epsilon": 0.1}) == stream(7, "jrr", {"epsilon": 0.1, "n": 10})


@pytest.mark.parametrize("other", [(8, "a", 1), (7, "b", 1), (7, "a", 2), (7, "a1"), (7, ["a", 1]), (7, "a", "1")])
def test_different_keys_give_different_streams(other):
    assert stream(7, "a", 1) != stream(*other)


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


@pytest.mark.thorough
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
