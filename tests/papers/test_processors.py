"""Processors with other instruction sets draw the same numbers, so that results agree to nine digits."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from claimaudit.fingerprint import arithmetic
from claimaudit.results import read_numbers
from corrldp.randomness import generator, rounded

pytestmark = pytest.mark.thorough

OLDER = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Sandybridge"}
OLDEST = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Nehalem"}
EXPERIMENTS = {
    "corr_rr": ["fig7", "fig9"],
    "jrr": ["fig3", "fig6"],
    "cpl": ["privacy", "table3"],
    "castell": ["fig9", "laws", "synthetic"],
}
PROGRAM = """
import json, sys
from dataclasses import replace
from pathlib import Path
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.fingerprint import arithmetic
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
out = Path(sys.argv[1])
for paper, names in json.loads(sys.argv[2]).items():
    entry = validation.load(Folder(Path("papers", paper).resolve()))
    for name in names:
        experiment = Experiment.load(replace(entry.computed(name), seed=1, runs=3), {})
        points = [*experiment.setting.points(experiment.readings[0].values)]
        kept = points[:: max(1, len(points) // 5)]
        experiment = replace(experiment, only=lambda point: point in kept)
        join(experiment, [run(experiment)]).to_csv(out / f"{paper}.{name}.csv", index=False)
(out / "arithmetic").write_text(arithmetic())
"""
X86 = pytest.mark.skipif(not arithmetic().startswith("x86_64-X86_V3"), reason="needs a processor with AVX2")


def run(out, environment):
    out.mkdir()
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(out), json.dumps(EXPERIMENTS)],
        env={name: value for name, value in os.environ.items() if name not in OLDER}
        | {"OPENBLAS_NUM_THREADS": "1", **environment},
        check=True,
    )
    return {path.name: read_numbers(path) for path in out.glob("*.csv")}, (out / "arithmetic").read_text()


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return run(tmp_path_factory.mktemp("here") / "out", {})


@X86
@pytest.mark.parametrize("environment", [OLDER, OLDEST], ids=["older", "oldest"])
def test_results_agree_to_nine_digits(here, tmp_path, environment):
    (tables, name_here), (there, name_there) = here, run(tmp_path / "out", environment)
    assert name_there != name_here
    assert there.keys() == tables.keys()
    for name, table in tables.items():
        for column in ("mean", "se", "theory"):
            np.testing.assert_allclose(there[name][column], table[column], rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("k", [2, 3, 10, 1000])
def test_the_last_bits_of_probabilities_decide_nothing(k):
    """With numpy's own generator other last bits of 1/2 give other draws."""
    law = np.full(k, 1 / k)
    noisy = law * (1 + np.where(np.arange(k) % 2, 2.0**-52, -(2.0**-52)))
    for n in (99, 10_001, 10**6):
        draws = [generator(1, n).multinomial(n, p, size=50) for p in (law, noisy)]
        assert np.array_equal(*draws)
        draws = [generator(1, n).binomial(n, p, size=50) for p in (law[0], noisy[0])]
        assert np.array_equal(*draws)
        draws = [generator(1, n).choice(k, size=50, p=p) for p in (law, noisy / noisy.sum())]
        assert np.array_equal(*draws)


def test_numpys_own_generator_decides_by_the_last_bit():
    draws = [np.random.default_rng(1).binomial(10_001, p, size=50) for p in (0.5, np.nextafter(0.5, 1))]
    assert not np.array_equal(*draws)


def test_rounding_keeps_what_simulations_resolve():
    p = np.geomspace(1e-300, 1, 10_000)
    assert np.max(np.abs(rounded(p) / p - 1)) < 1e-9
    assert np.array_equal(rounded([0, 0.25, 0.5, 1]), [0, 0.25, 0.5, 1])
    assert rounded(p).max() <= 1
