"""Does the audit find what was run, and judge as the truth would? See docs/benchmarks.md.

The claims of made-up papers (`made_up_papers`) are drawn from templates, with thresholds at the numbers of readings
drawn at random, so that readings disagree about them. Each is judged by the audit, by the rule before standing readings
(`judged_before`), and under the true reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from made_up_papers import FAMILIES, KINDS, Paper, World, as_true, build, draw, evidence, tried
from tabulate import tabulate

from corrldp.audit.audit import Evidence, audit
from corrldp.audit.cases import Result, prepare
from corrldp.audit.evidence import Claim, Levels
from corrldp.audit.quantities import variable
from corrldp.audit.words import ANSWERS
from corrldp.results import STRICT

PAPERS = {"hidden": 50, "departing": 15, "missing": 15}
"""Papers of each family, by kind."""

CLAIMS = 6
OWN = 0.5
"""Share of the claims that authors make from their own numbers; the others are made from those of any reading."""
LEVELS = Levels(0.001, 0.01)
HOLDS, FAILS, UNDECIDED = ANSWERS[True], ANSWERS[False], ANSWERS[None]


def claims(world: World, paper: Paper, rng: np.random.Generator, count: int = CLAIMS) -> list[Claim]:
    """Draw claims on the exhibits of a paper, printed or not."""
    found: list[Claim] = []
    for place in range(count):
        panel, kind = str(rng.choice(list(paper.truth))), str(rng.choice(list(TEMPLATES)))
        metric, rows = str(rng.choice(world.family.metrics)), _rows(world, paper, panel, rng)
        columns = list(world.family.panels[panel].columns)
        numbers = rows[rows["metric"] == metric].pivot(index=columns, columns="mechanism", values="mean")
        one, other = (str(name) for name in rng.permutation(numbers.columns)[:2])
        drawn = Numbers(world, panel, metric, numbers, one, other)
        known = {"id": f"{kind}-{place}", "where": "", "states": "", "kind": CHECK[kind], "table": panel}
        found.append({**known, **TEMPLATES[kind](drawn, rng)})
    return found


def _rows(world: World, paper: Paper, panel: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the numbers that a claim is made from: the authors' own or, for a false claim, those of some reading."""
    if rng.random() < OWN:
        return paper.numbers[panel]
    rows = tried(world, paper, panel)
    return rows[rows["reading"] == rng.choice(rows["reading"].unique())]


@dataclass(frozen=True)
class Numbers:
    """Numbers that a claim is made from, a row per setting and a column per mechanism, and two mechanisms."""

    world: World
    panel: str
    metric: str
    table: pd.DataFrame
    one: str
    other: str

    @property
    def along(self) -> dict[str, Any]:
        """Fields of a claim on the exhibit's main setting."""
        panel = self.world.family.panels[self.panel]
        return {"along": panel.along, "by": [name for name in panel.columns if name != panel.along]}

    @property
    def ratio(self) -> str:
        """The ratio of the errors of both mechanisms, as an expression."""
        return f"{self.error(self.one)} / {self.error(self.other)}"

    def error(self, mechanism: str) -> str:
        """Return the name of a mechanism's error."""
        return variable(self.metric, mechanism)

    def anywhere(self, rng: np.random.Generator) -> tuple[str, float]:
        """Return the condition that selects a setting, drawn at random, and the ratio of the errors there."""
        place = rng.integers(len(self.table))
        values = self.table.index.to_frame().iloc[place]
        there = self.table.iloc[place]
        condition = " and ".join(f"{name} == {value:.10g}" for name, value in values.items())
        return condition, float(there[self.one] / there[self.other])


def below(numbers: Numbers, rng: np.random.Generator) -> Claim:
    """Claim that one error is below another at every setting of an exhibit."""
    one, other = sorted((numbers.one, numbers.other), key=lambda name: float(numbers.table[name].mean()))
    return {"quantity": numbers.error(one), "relation": "<", "against": numbers.error(other)}


def gain(numbers: Numbers, rng: np.random.Generator) -> Claim:
    """Claim that one error is below another by some percent, at one setting or at all."""
    rows, ratio = numbers.anywhere(rng)
    share = round(1 - ratio * rng.uniform(0.85, 1.15), 2)
    claim = {"quantity": f"1 - {numbers.ratio}", "relation": str(rng.choice([">", "<"])), "against": share}
    return claim | ({"rows": rows} if rng.random() < 0.7 else {})


def monotone(numbers: Numbers, rng: np.random.Generator) -> Claim:
    """Claim that an error, or a ratio of two, increases or decreases along a setting."""
    series, quantity = numbers.table[numbers.one], numbers.error(numbers.one)
    if rng.random() < 0.5:
        series, quantity = series / numbers.table[numbers.other], numbers.ratio
    ends = series.groupby(numbers.along["along"]).mean()
    direction = "increasing" if ends.iloc[-1] > ends.iloc[0] else "decreasing"
    return {"quantity": quantity, **numbers.along, "direction": direction}


def flat(numbers: Numbers, rng: np.random.Generator) -> Claim:
    """Claim that a ratio of two errors hardly changes along a setting."""
    return {"quantity": numbers.ratio, **numbers.along, "tolerance": float(rng.choice([0.05, 0.2, 0.5]))}


def value(numbers: Numbers, rng: np.random.Generator) -> Claim:
    """Claim a ratio of two errors at one setting, to two digits."""
    rows, ratio = numbers.anywhere(rng)
    printed = {"value": float(f"{ratio:.2g}"), "resolution": float(10.0 ** (np.floor(np.log10(ratio)) - 1))}
    claim = {"quantity": numbers.ratio, "rows": rows, "basis": "simulation", "printed": printed}
    return {**claim, "runs": numbers.world.family.runs}


TEMPLATES: dict[str, Callable[[Numbers, np.random.Generator], Claim]] = {
    "below": below,
    "gain": gain,
    "monotone": monotone,
    "flat": flat,
    "value": value,
}
CHECK = {"below": "ordering", "gain": "ordering", "monotone": "monotone", "flat": "flat", "value": "value"}


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
            "counted": record["counted"],
            "why": record["why"],
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


def share(chosen: pd.Series, among: pd.Series) -> str:
    """Return what share of some rows is chosen, in percent, with both counts."""
    part, whole = int((chosen & among).sum()), int(among.sum())
    return f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "none"


def readings_found(exhibits: pd.DataFrame) -> dict[str, Any]:
    """Return how often the truth stands where printed numbers say what was run, and how many readings stand."""
    spoken = exhibits["source"] != "none"
    standing = exhibits[spoken & (exhibits["source"] != "rejected")]
    return {
        "exhibits": len(exhibits),
        "no evidence": int((~spoken).sum()),
        "rejected": share(exhibits["source"] == "rejected", spoken),
        "truth stands": share(exhibits["contained"], spoken),
        "standing": f"{standing['standing'].mean():.1f} of {standing['competed'].mean():.1f}",
    }


def answers_given(judged: pd.DataFrame, column: str) -> dict[str, Any]:
    """Compare the answers in a column with those under the truth.

    ``same`` counts undecided as an answer of its own; ``opposite`` is holding for failing or the reverse; ``false
    passed`` are claims that fail under the truth and hold in the column; ``rescued`` those of them that fail as stated.
    """
    answer, truth = judged[column], judged["truth"]
    everything = pd.Series(True, judged.index)
    decided = (answer != UNDECIDED) & (truth != UNDECIDED)
    false = truth == FAILS
    return {
        "claims": len(judged),
        "same": share(answer == truth, everything),
        "same where decided": share(answer == truth, decided),
        "left undecided": share((answer == UNDECIDED) & (truth != UNDECIDED), everything),
        "false passed": share(answer == HOLDS, false),
        "rescued": share(answer == HOLDS, false & (judged["stated"] == FAILS)),
    }


def main() -> None:
    """Print how often the truth stands, and how the verdicts compare with it, before and after."""
    judged, exhibits = [], []
    for name in FAMILIES:
        world = build(name, seed=1)
        for kind, papers in PAPERS.items():
            for seed in range(papers):
                claims_of, exhibits_of = trial(world, kind, seed)
                judged.append(claims_of)
                exhibits.append(exhibits_of)
    all_claims, all_exhibits = pd.concat(judged, ignore_index=True), pd.concat(exhibits, ignore_index=True)
    found = [{"papers": kind, **readings_found(group)} for kind, group in all_exhibits.groupby("kind", sort=False)]
    print(tabulate(found, headers="keys", tablefmt="github"), end="\n\n")
    columns = {"as stated": "stated", "any reading (before)": "before", "as run": "as_run"}
    compared = [
        {"papers": kind, "rule": rule, **answers_given(group, column)}
        for kind, group in all_claims.groupby("kind", sort=False)
        for rule, column in columns.items()
    ]
    print(tabulate(compared, headers="keys", tablefmt="github"))


if __name__ == "__main__":
    main()
