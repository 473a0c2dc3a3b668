"""How many planted errors the audit detects, and how many true claims it passes; see docs/benchmarks.md.

The printed numbers of a synthetic paper are results of the project's own runners with another seed. Its claims are true
and drawn at random; each has a false twin, in which an inequality is flipped, a direction reversed, or a number, a
formula or a quarter of the cells changed by half or more of its size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from tabulate import tabulate

from claimaudit.audit.arrays import Result, variable
from claimaudit.audit.claims import Claim
from claimaudit.audit.judging.cases import prepare
from claimaudit.audit.judging.decide import Known, judge
from claimaudit.experiments.engine import Experiment, ExperimentJob, join, run
from claimaudit.published import read_files
from claimaudit.results import STRICT
from claimaudit.verdicts import NOT_REPRODUCED, REPRODUCED, UNDECIDED, Levels

PAPERS, CLAIMS_PER_KIND = 20, 5
LEVEL, FAMILY_LEVEL = 0.001, 0.01
PRINTED_RUNS, RUNS = {"jrr": 1000, "corr_rr": 100}, {"jrr": 5000, "corr_rr": 400}
CLEAR = 0.8  # a text calls an error "lower" if it is lower by a fifth or more
SETTINGS: dict[str, dict[str, Any]] = {
    "jrr": {"n": [1000, 4000], "ones_fraction": [0.1, 0.25, 0.5], "epsilon": [0.1, 0.2, 0.5, 1]},
    "corr_rr": {
        "dataset": ["syn_a"],
        "n": [20_000],
        "d": [4],
        "k": [4],
        "rho": [0.1, 0.5, 0.9],
        "epsilon": [0.1, 0.2, 0.3, 0.4, 0.5],
        "phase1_fraction": [0.1],
        "mechanisms": ["SPL", "RS+FD", "RS+RFD", "Corr-RR"],
    },
    "laws": {
        "p": [0.525, 0.6, 0.9],
        "rho_share": [0.1, 1],
        "n": [2, 4],
        "k": [2, 3],
        "positive_rho": [0.2],
        "examples": [0.8, -0.1875],
    },
}
RUNNERS = {
    "jrr": "jrr.runners.errors:means",
    "corr_rr": "shared.runners.errors:mse",
    "laws": "jrr.runners.laws:equations",
}
METRIC = {"jrr": "mse_counts", "corr_rr": "mse", "laws": "value"}


@dataclass(frozen=True)
class Paper:
    """Our tables, those that the synthetic paper prints, and a directory for published files."""

    ours: dict[str, pd.DataFrame]
    prints: dict[str, pd.DataFrame]
    published: Path


@dataclass(frozen=True)
class Case:
    """A claim with the tables and published numbers against which it is checked."""

    claim: dict[str, Any]
    tables: dict[str, pd.DataFrame]
    published: Path


def table(name: str, seed: int, runs: int = 0) -> pd.DataFrame:
    """Return the result table of one of the project's runners."""
    job = ExperimentJob("planted", name, RUNNERS[name], SETTINGS[name], seed=seed, runs=runs)
    experiment = Experiment.load(job, {})
    return pd.DataFrame(join(experiment, [run(experiment)]))


def paper(seed: int, published: Path) -> Paper:
    """Return a synthetic paper; its runs and ours are independent of each other and of those of other papers."""
    ours = {name: table(name, 2 * seed, runs) for name, runs in RUNS.items()} | {"laws": table("laws", 0)}
    return Paper(ours, {name: table(name, 2 * seed + 1, runs) for name, runs in PRINTED_RUNS.items()}, published)


def moved(number: float, rng: np.random.Generator) -> float:
    """Change a number by half or more of its size, up or down."""
    factor = rng.uniform(1.5, 2.5)
    return number * factor if rng.random() < 0.5 else number / (1 + factor / 1.5)


def ordering(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim that one error is lower than another at every epsilon; the twin claims that it is higher."""
    while True:
        rho = rng.choice(SETTINGS["corr_rr"]["rho"])
        rows = paper.ours["corr_rr"].query("rho == @rho").pivot(index="epsilon", columns="mechanism", values="mean")
        lower, higher = rng.choice(rows.columns, 2, replace=False)
        if (rows[lower] < CLEAR * rows[higher]).all():
            break
    claim = {"table": "corr_rr", "where": f"rho == {rho}", "quantity": variable("mse", lower)}
    claim |= {"against": variable("mse", higher)}
    return _twins(paper, claim, {"relation": "<"}, {"relation": ">"})


def monotone(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim that an error decreases with epsilon or increases with n; the twin reverses the direction."""
    if rng.random() < 0.5:
        mechanism = rng.choice(SETTINGS["corr_rr"]["mechanisms"])
        claim = {"table": "corr_rr", "quantity": variable("mse", mechanism), "along": "epsilon"}
        return _twins(paper, claim, {"direction": "decreasing"}, {"direction": "increasing"})
    quantity = variable("mse_counts", rng.choice(["RR", "JRR"]))
    claim = {"table": "jrr", "quantity": quantity, "along": "n", "by": ["ones_fraction", "epsilon"]}
    claim |= {"basis": "simulation"}
    return _twins(paper, claim, {"direction": "increasing"}, {"direction": "decreasing"})


def flat(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim that RR's error is independent of the share of ones; the twin's quantity varies with it by half or more."""
    epsilon, slope = rng.choice(SETTINGS["jrr"]["epsilon"]), rng.uniform(2, 4)
    claim = {"table": "jrr", "where": f"epsilon == {epsilon}", "along": "ones_fraction", "by": ["n"]}
    claim |= {"basis": "simulation"}
    quantity = "mse_counts_rr"
    return _twins(paper, claim, {"quantity": quantity}, {"quantity": f"{quantity} * (1 + {slope} * ones_fraction)"})


def value(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim a ratio of two errors at one setting, to two digits; the twin claims a different number."""
    rho, epsilon = (rng.choice(SETTINGS["corr_rr"][name]) for name in ("rho", "epsilon"))
    rows = f"rho == {rho} and epsilon == {epsilon}"
    errors = paper.prints["corr_rr"].query(rows).set_index("mechanism")["mean"]
    above, below = rng.choice(errors.index, 2, replace=False)
    claim = {"table": "corr_rr", "where": rows, "runs": PRINTED_RUNS["corr_rr"], "basis": "simulation"}
    claim |= {"quantity": f"{variable('mse', above)} / {variable('mse', below)}"}
    ratio = errors[above] / errors[below]
    return _twins(paper, claim, {"printed": _printed(ratio)}, {"printed": _printed(moved(ratio, rng))})


def agreement(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim that simulation or enumeration agrees with a formula; the twin scales the formula."""
    if rng.random() < 0.5:
        rows = f"mechanism == '{rng.choice(['RR', 'JRR'])}' and metric == 'mse_counts'"
        name = "jrr"
    else:
        rows = f"identity == '{rng.choice(['theorem_1', 'theorem_3', 'theorem_5', 'eq_83', 'eq_84'])}'"
        name = "laws"
    true = Case({"table": name, "where": rows}, paper.ours, paper.published)
    broken = paper.ours[name].assign(theory=paper.ours[name]["theory"] * moved(1, rng))
    return true, Case(true.claim, {**paper.ours, name: broken}, paper.published)


def cells(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim a printed curve, or a whole table; in the twin a quarter of the cells are changed."""
    name = rng.choice(list(PRINTED_RUNS))
    printed = paper.prints[name].query("metric == @METRIC[@name]").rename(columns={"mean": "value"})
    printed = printed.drop(columns=["reading", "se", "theory", "standin"])
    if rng.random() < 0.5:
        printed = printed[printed["mechanism"] == rng.choice(printed["mechanism"].unique())]
    changed = rng.choice(len(printed), len(printed) // 4, replace=False)
    wrong = printed["value"].to_numpy().copy()
    wrong[changed] = [moved(number, rng) for number in wrong[changed]]
    files = [f"{name}-{rng.integers(10**9)}" for _ in range(2)]
    for file, numbers in zip(files, (printed, printed.assign(value=wrong)), strict=True):
        numbers.to_csv(paper.published / f"{file}.csv", index=False)
    return _twins(paper, {"table": name, "metric": METRIC[name]}, *({"published": file} for file in files))


def contradiction(paper: Paper, rng: np.random.Generator) -> tuple[Case, Case]:
    """Claim the share that follows from two printed errors; the twin claims a different share."""
    table = paper.prints["jrr"].query("metric == 'mse_counts'")
    point = table[table["mechanism"] == "JRR"].sample(random_state=rng).iloc[0]
    pair = table[(table[["n", "n1", "epsilon"]] == point[["n", "n1", "epsilon"]]).all(axis=1)]
    jrr, rr = (float(pair.set_index("mechanism")["mean"][name]) for name in ("JRR", "RR"))
    numbers = {"jrr": f"{jrr:.3e}", "rr": f"{rr:.3e}"}
    return _twins(
        paper,
        {"relation": "jrr / rr == share"},
        {"printed": numbers | {"share": f"{jrr / rr:.2f}"}},
        {"printed": numbers | {"share": f"{moved(round(jrr / rr, 2), rng):.2f}"}},
    )


def _printed(number: float) -> dict[str, str]:
    """Format a number to two digits."""
    return {"value": f"{number:.1e}"}


def _twins(paper: Paper, claim: dict[str, Any], true: dict[str, Any], false: dict[str, Any]) -> tuple[Case, Case]:
    return tuple(Case({**claim, **fields}, paper.ours, paper.published) for fields in (true, false))


KINDS: dict[str, Callable[[Paper, np.random.Generator], tuple[Case, Case]]] = {
    "ordering": ordering,
    "monotone": monotone,
    "flat": flat,
    "value": value,
    "agreement": agreement,
    "cells": cells,
    "contradiction": contradiction,
}


def outcome(kind: str, case: Case, levels: Levels) -> str:
    """Judge one case: "reproduced", "undecided", or "not reproduced" (which includes contradictions)."""
    results = {name: Result(rows) for name, rows in case.tables.items()}
    claim = {"id": kind, "place": "", "states": "", "kind": kind, **case.claim}
    known = Known((STRICT,), "none") if "table" in claim else Known((), "none")
    verdict = judge(
        prepare(Claim.of(claim), results, read_files(case.published.glob("*.csv"))), "planted", levels, known
    ).verdict
    return verdict if verdict in (REPRODUCED, UNDECIDED) else NOT_REPRODUCED


def trial(seed: int, claims_per_kind: int = CLAIMS_PER_KIND) -> pd.DataFrame:
    """Judge the claims of one synthetic paper and their twins: columns kind, true, verdict."""
    rng = np.random.default_rng(seed)
    levels = Levels(LEVEL, FAMILY_LEVEL / (claims_per_kind * len(KINDS)))
    rows = []
    with TemporaryDirectory() as directory:
        printed = paper(seed, Path(directory))
        for kind, draw in KINDS.items():
            for _ in range(claims_per_kind):
                for true, case in zip((True, False), draw(printed, rng), strict=True):
                    rows.append({"kind": kind, "true": true, "verdict": outcome(kind, case, levels)})
    return pd.DataFrame(rows)


def summary(judged: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a row per kind, and one for all, with the numbers of claims by verdict, true and planted."""
    rows = []
    for kind, group in [*judged.groupby("kind", sort=False), ("all", judged)]:
        true, false = (Counter(group.loc[group["true"] == truth, "verdict"]) for truth in (True, False))
        shares = {
            "true: pass": true[REPRODUCED],
            "undecided": true[UNDECIDED],
            "fail": true[NOT_REPRODUCED],
            "planted: detected": false[NOT_REPRODUCED],
            "undecided ": false[UNDECIDED],
            "missed": false[REPRODUCED],
        }
        rows.append({"kind": kind, "claims": true.total()} | shares)
    return rows


def main() -> None:
    """Print the verdicts on the claims of all synthetic papers, and the number of papers with a false alarm."""
    trials = [trial(seed) for seed in range(PAPERS)]
    print(tabulate(summary(pd.concat(trials)), headers="keys", tablefmt="github"), end="\n\n")
    alarms = sum((judged["true"] & (judged["verdict"] == NOT_REPRODUCED)).any() for judged in trials)
    print(f"Papers with a false alarm: {alarms} of {PAPERS}")


if __name__ == "__main__":
    main()
