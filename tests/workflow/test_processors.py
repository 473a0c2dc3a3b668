"""Processors with other instruction sets draw the same numbers: results agree to nine digits, and so do verdicts.

Numpy does without some instructions if it is told so, as do the C library and BLAS. Whatever the processor, results of
exp, log and power can be moved to a neighbouring number (`nudge`), which is more than processors differ.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from claimaudit import yaml_files
from claimaudit.fingerprint import arithmetic
from claimaudit.results import read_numbers
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import list_protocols, protocol
from corrldp.randomness import generator, rounded

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
OLDER = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Sandybridge",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F",
}
OLDEST = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA",
}
NUDGED = {"CORRLDP_TEST_NUDGE": "1", "PYTHONPATH": str(ROOT / "tests")}
EXPERIMENTS = {
    "corr_rr": ["fig7", "fig9"],
    "jrr": ["fig3", "fig6"],
    "cpl": ["privacy", "table3"],
    "castell": ["fig9", "laws", "synthetic"],
}
PROGRAM = """
import json, os, sys
if "CORRLDP_TEST_NUDGE" in os.environ:
    import nudge
from dataclasses import replace
from pathlib import Path
import pandas as pd
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.fingerprint import arithmetic
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
out = Path(sys.argv[1])
for paper, names in json.loads(sys.argv[2]).items():
    entry = validation.load(Folder(Path("papers", paper).resolve()))
    for name in names:
        experiment = Experiment.load(replace(entry.computed(name), seed=1, runs=3), {})
        points = [*experiment.setting.points(experiment.readings["strict"])]
        kept = points[:: max(1, len(points) // 5)]
        experiment = replace(experiment, only=lambda point: point in kept)
        pd.DataFrame(join(experiment, [run(experiment)])).to_csv(out / f"{paper}.{name}.csv", index=False)
(out / "arithmetic").write_text(arithmetic())
"""
HAS_OLDER = arithmetic().startswith("x86_64-X86_V3")


def start(program, environment, *arguments, cwd=ROOT):
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program, *map(str, arguments)],
        env={name: value for name, value in os.environ.items() if name not in OLDER}
        | {"OPENBLAS_NUM_THREADS": "1", **environment},
        cwd=cwd,
    )


def run(out, environment):
    out.mkdir()
    assert start(PROGRAM, environment, out, json.dumps(EXPERIMENTS)).wait() == 0
    return {path.name: read_numbers(path) for path in out.glob("*.csv")}, (out / "arithmetic").read_text()


def disagreements(there, here):
    """Return the rows whose numbers differ in nine digits, or errors, which may rest on the tail of a law, in eight."""
    assert len(there) == len(here)
    digits = {"mean": 9, "se": 8, "theory": 9}
    agree = [np.isclose(there[name], here[name], 10.0**-n, 1e-12, equal_nan=True) for name, n in digits.items()]
    return here[~np.logical_and.reduce(agree)]


def test_results_agree_to_nine_digits(tmp_path):
    """On the oldest processor, whose exp, log and power are off as well."""
    tables, name_here = run(tmp_path / "here", {})
    there, name_there = run(tmp_path / "there", NUDGED | (OLDEST if HAS_OLDER else {}))
    assert (name_there != name_here) is HAS_OLDER
    assert there.keys() == tables.keys()
    for name, table in tables.items():
        assert disagreements(there[name], table).empty, name


# Runs the experiments and searches of some papers of a finished project again, and judges their claims.
AGAIN = """
import os, sys
from dataclasses import replace
from pathlib import Path
if "CORRLDP_TEST_NUDGE" in os.environ:
    import nudge
sys.path[:0] = ["workflow", "papers"]
from claimaudit import yaml_files
from claimaudit.stages import STAGES
from claimaudit.tool import execute
from replication.jobs import Jobs
from replication.validation import read
out, *papers = sys.argv[1:]
config = yaml_files.read(Path("config/config.yaml"))
plan = replace(Jobs(Path(), config, *read(Path(), config)).plan, out=out)
timing = ("castell", "timing")  # times differ anyway
kept = lambda items: [item for item in items(plan) if item[0] in papers and item != timing]
for stage in STAGES:
    if stage.stem.startswith("results/") or stage.name in ("search", "verdicts"):
        execute(replace(stage, chosen=lambda plan, items=stage.items: kept(items)), plan)
"""


def judged(path):
    """Return what is decided on each claim: its verdict, the answer as stated, and whether each reading holds."""
    return {
        claim["id"]: (claim["verdict"], claim["as_stated"], {one["reading"]: one["holds"] for one in claim["evidence"]})
        for claim in json.loads(path.read_text())["claims"]
    }


@pytest.mark.end_to_end
@pytest.mark.slow
def test_all_results_and_verdicts_agree(complete, tmp_path):
    """On an older processor whose exp, log and power are off as well, which no single processor is."""
    papers, there = yaml_files.read(complete.root / "config/config.yaml")["papers"], tmp_path / "other"
    shutil.copytree(complete.root / "results/castell", there / "results/castell")
    environment = NUDGED | (OLDER if HAS_OLDER else {})
    halves = (papers[:2], papers[2:])  # of about the same time
    started = [start(AGAIN, environment, there, *half, cwd=complete.root) for half in halves]
    assert [one.wait() for one in started] == [0, 0]
    tables = {path: there / path.relative_to(complete.root) for path in complete.root.glob("results/*/*.csv")}
    found = {path: disagreements(read_numbers(other), read_numbers(path)) for path, other in tables.items()}
    assert [str(rows.assign(path=path.name).head()) for path, rows in found.items() if len(rows)] == []
    for verdicts in sorted((complete.root / "report/verdicts").glob("*.json")):
        assert judged(there / "report/verdicts" / verdicts.name) == judged(verdicts)


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


def test_rounding_keeps_what_simulations_resolve():
    p = np.geomspace(1e-300, 1, 10_000)
    assert np.max(np.abs(rounded(p) / p - 1)) < 1e-9
    assert np.array_equal(rounded([0, 0.25, 0.5, 1]), [0, 0.25, 0.5, 1])
    assert rounded(p).max() <= 1


ROWS = np.stack(np.unravel_index(np.arange(24), (2, 4, 3)), axis=1)


@pytest.mark.parametrize("name", [name for name in list_protocols() if name != "JRR"])
def test_the_last_bits_of_a_budget_change_no_draw(name):
    """Nor do those of exp, on which the probabilities of reports depend."""
    sizes, table = (2, 4, 3), RecordTable(ROWS, np.arange(1, 25) * 5, (2, 4, 3))
    records = np.repeat(table.rows, table.counts, axis=0)
    found = []
    for epsilon in (0.9, np.nextafter(0.9, 0), np.nextafter(0.9, 1)):
        one = protocol(name, float(epsilon), sizes)
        found.append([one.simulate(table, 4, generator(7)), one.estimate(one.privatize(records, generator(8)))])
    for other in found[1:]:
        for one, same in zip(other, found[0], strict=True):
            np.testing.assert_allclose(one, same, rtol=1e-9, atol=1e-12)
