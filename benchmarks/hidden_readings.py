"""Does the audit find what was run, and judge as the truth would? See docs/benchmarks.md.

The claims of made-up papers (`made_up_papers`) are drawn from templates, with thresholds at the numbers of readings
drawn at random, so that readings disagree about them. Each is judged by the audit, by the rule before standing readings
(`judged_before`), and under the true reading.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from made_up_papers import FAMILIES, KINDS, Paper, World, as_true, draw, evidence, tried, world
from tabulate import tabulate

from corrldp.audit.audit import Evidence, audit
from corrldp.audit.cases import Result, prepare
from corrldp.audit.evidence import Claim, Levels
from corrldp.audit.quantities import variable
from corrldp.audit.words import ANSWERS, AS_RUN, REPRODUCED, UNTESTED
from corrldp.results import STRICT

PAPERS = {"hidden": 100, "departing": 30, "missing": 30}
"""Papers of each family, by kind."""

CLAIMS = 8
LEVELS = Levels(0.001, 0.01)
HOLDS, FAILS, UNDECIDED = ANSWERS[True], ANSWERS[False], ANSWERS[None]


def claims(world: World, paper: Paper, rng: np.random.Generator, count: int = CLAIMS) -> list[Claim]:
    """Draw claims on the exhibits of a paper, printed or not."""
    found: list[Claim] = []
    while len(found) < count:
        panel = str(rng.choice(list(paper.truth)))
        kind = str(rng.choice(list(TEMPLATES)))
        claim = TEMPLATES[kind](world, paper, panel, rng)
        if claim is not None:
            known = {"id": f"{kind}-{len(found)}", "where": "", "states": "", "table": panel}
            found.append({**known, **claim})
    return found


def _numbers(world: World, paper: Paper, panel: str, metric: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the numbers of a reading, drawn at random: a row per setting, a column per mechanism."""
    rows = tried(world, paper, panel)
    return _wide(world, panel, metric, rows[rows["reading"] == rng.choice(rows["reading"].unique())])


def _wide(world: World, panel: str, metric: str, rows: pd.DataFrame) -> pd.DataFrame:
    columns = list(world.family.panels[panel].columns)
    return rows[rows["metric"] == metric].pivot(index=columns, columns="mechanism", values="mean")


def _at(numbers: pd.DataFrame, rng: np.random.Generator) -> tuple[str, pd.Series]:
    """Return the condition that selects one setting, drawn at random, and the numbers there."""
    place = rng.integers(len(numbers))
    values = numbers.index.to_frame().iloc[place].tolist()
    names = numbers.index.names
    return " and ".join(f"{name} == {value:.10g}" for name, value in zip(names, values, strict=True)), numbers.iloc[place]


def _pair(numbers: pd.DataFrame, rng: np.random.Generator) -> tuple[str, str]:
    one, other = rng.permutation(numbers.columns)[:2]
    return str(one), str(other)


def below(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> Claim:
    """Claim that one error is below another at every setting of an exhibit."""
    metric = str(rng.choice(world.family.metrics))
    numbers = _numbers(world, paper, panel, metric, rng)
    one, other = _pair(numbers, rng)
    if numbers[one].mean() > numbers[other].mean():
        one, other = other, one
    return {
        "kind": "ordering",
        "quantity": variable(metric, one),
        "relation": "<",
        "against": variable(metric, other),
    }


def gain(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> Claim:
    """Claim that one error is below another by some percent at one setting or at all."""
    metric = str(rng.choice(world.family.metrics))
    numbers = _numbers(world, paper, panel, metric, rng)
    one, other = _pair(numbers, rng)
    rows, there = _at(numbers, rng)
    share = round(1 - float(there[one] / there[other]) * rng.uniform(0.85, 1.15), 2)
    claim = {"kind": "ordering", "quantity": f"1 - {variable(metric, one)} / {variable(metric, other)}"}
    claim |= {"relation": str(rng.choice([">", "<"])), "against": share}
    return claim | ({"rows": rows} if rng.random() < 0.7 else {})


def monotone(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> Claim:
    """Claim that an error, or a ratio of two, increases or decreases along a setting."""
    metric = str(rng.choice(world.family.metrics))
    numbers = _numbers(world, paper, panel, metric, rng)
    one, other = _pair(numbers, rng)
    series, quantity = numbers[one], variable(metric, one)
    if rng.random() < 0.5:
        series, quantity = numbers[one] / numbers[other], f"{quantity} / {variable(metric, other)}"
    along = world.family.panels[panel].along
    ends = series.groupby(along).mean()
    direction = "increasing" if ends.iloc[-1] > ends.iloc[0] else "decreasing"
    return {"kind": "monotone", "quantity": quantity, "along": along, "by": _groups(world, panel)} | {
        "direction": direction
    }


def flat(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> Claim:
    """Claim that a ratio of two errors hardly changes along a setting."""
    metric = str(rng.choice(world.family.metrics))
    one, other = _pair(_numbers(world, paper, panel, metric, rng), rng)
    claim = {"kind": "flat", "quantity": f"{variable(metric, one)} / {variable(metric, other)}"}
    claim |= {"along": world.family.panels[panel].along, "by": _groups(world, panel)}
    return claim | {"tolerance": float(rng.choice([0.05, 0.2, 0.5]))}


def value(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> Claim:
    """Claim a ratio of two errors at one setting: the authors' own, or that of a reading drawn at random."""
    metric = str(rng.choice(world.family.metrics))
    numbers = _wide(world, panel, metric, paper.numbers[panel])
    if rng.random() < 0.4:
        numbers = _numbers(world, paper, panel, metric, rng)
    one, other = _pair(numbers, rng)
    rows, there = _at(numbers, rng)
    ratio = float(there[one] / there[other])
    unit = 10.0 ** (np.floor(np.log10(ratio)) - 1)
    claim = {"kind": "value", "rows": rows, "runs": world.family.runs, "basis": "simulation"}
    claim |= {"quantity": f"{variable(metric, one)} / {variable(metric, other)}"}
    return claim | {"printed": {"value": float(f"{ratio:.2g}"), "resolution": float(unit)}}


def _groups(world: World, panel: str) -> list[str]:
    found = world.family.panels[panel]
    return [name for name in found.columns if name != found.along]


TEMPLATES: dict[str, Callable[[World, Paper, str, np.random.Generator], Claim]] = {
    "below": below,
    "gain": gain,
    "monotone": monotone,
    "flat": flat,
    "value": value,
}


def judged_before(record: dict[str, Any]) -> str:
    """Judge by the old rule: a claim that fails as stated holds if it does under any reading.

    The strict reading decides if it holds or cannot tell; the claim fails if it does so under all readings.
    """
    strict, *others = (item["holds"] for item in record["evidence"])
    if strict is None or strict:
        return ANSWERS[strict]
    return HOLDS if any(others) else UNDECIDED if None in others else FAILS


def under_the_truth(world: World, paper: Paper, claim: Claim, levels: Levels, published: Path) -> str:
    """Judge a claim under the true reading, with the true number of runs."""
    panel = claim["table"]
    results = {panel: Result(as_true(world, paper, panel))}
    test = prepare(claim, results, published, paper.runs[panel]).run[STRICT]
    return ANSWERS[test(levels).holds]


def trial(world: World, kind: str, seed: int, count: int = CLAIMS) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Audit one made-up paper; see `of_claims` and `of_exhibits` for the columns."""
    paper = draw(world, kind, seed)
    rng = np.random.default_rng([7, KINDS.index(kind), seed])
    with TemporaryDirectory() as directory:
        found = evidence(world, paper, Path(directory))
        drawn = claims(world, paper, rng, count)
        records = audit("made-up", LEVELS, drawn, found)["claims"]
        failing = max(record["level"] for record in records)
        levels = Levels(LEVELS.passing, failing or LEVELS.passing)
        truths = [under_the_truth(world, paper, claim, levels, Path(directory)) for claim in drawn]
        return of_claims(paper, records, truths, seed), of_exhibits(world, paper, found, seed)


def of_claims(paper: Paper, records: list[dict[str, Any]], truths: list[str], seed: int) -> pd.DataFrame:
    """Return a row per claim: the answers as stated, under the truth, as run and by the old rule, and the verdict."""
    return pd.DataFrame(
        {
            "kind": paper.kind,
            "paper": seed,
            "claim": record["id"],
            "exhibit": record["table"],
            "stated": record["as_stated"]["answer"],
            "truth": truth,
            "as_run": record["as_run"]["answer"],
            "source": record["as_run"]["source"],
            "verdict": record["verdict"],
            "before": judged_before(record),
        }
        for record, truth in zip(records, truths, strict=True)
    )


def of_exhibits(world: World, paper: Paper, found: Evidence, seed: int) -> pd.DataFrame:
    """Return a row per exhibit: whether the truth stands, how many readings stand, and of how many."""
    rows = []
    for panel, item in found.standing.items():
        rows.append(
            {
                "kind": paper.kind,
                "paper": seed,
                "exhibit": panel,
                "source": item.source,
                "conflict": item.conflict,
                "contained": world.name(panel, paper.truth[panel]) in item.readings,
                "standing": _distinct(found.tables[panel], item.readings),
                "competed": _distinct(found.tables[panel], tuple(found.tables[panel]["reading"].unique())),
                "runs": item.fit.runs.factor if item.fit else np.nan,
                "true_runs": paper.runs[panel],
            }
        )
    return pd.DataFrame(rows)


def _distinct(table: pd.DataFrame, readings: tuple[str, ...]) -> int:
    """Count readings; those that differ in no number count as one."""
    chosen = table[table["reading"].isin(readings)]
    return len({group.to_numpy().tobytes() for _, group in chosen.groupby("reading")["mean"]})
