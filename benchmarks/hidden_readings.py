"""Does the audit find what was run, and judge as the truth would? See docs/benchmarks.md.

The claims of made-up papers (`made_up_papers`), realistic and adversarial ones (`made_up_claims`), are judged by the
audit, and under the true reading on the same result tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from made_up_claims import ADVERSARY, PLANTED, adversarial_claims, authors_claims, source_of
from made_up_papers import FAMILIES, KINDS, Paper, World, as_true, build, draw, evidence
from tabulate import tabulate

from claimaudit.audit.arrays import Result
from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.settings import CLOSE
from claimaudit.audit.fitting.standing import Material, readings_of
from claimaudit.audit.judging.audit import audit
from claimaudit.audit.judging.cases import prepare
from claimaudit.results import STRICT
from claimaudit.verdicts import ANSWERS, Levels, Verdict

PAPERS = {"hidden": 50, "departing": 15, "missing": 15}
"""Papers of each family, by kind."""

WORLD_SEED, FIRST_PAPER = 2, 1000
"""Seeds that were not used to choose any rule of the audit; those below were."""

CLAIMS = 5
"""Claims that the authors of a paper make, and as many adversarial ones."""

LEVELS = Levels(0.001, 0.01)
HOLDS, FAILS, UNDECIDED = ANSWERS[True], ANSWERS[False], ANSWERS[None]


def under_the_truth(world: World, paper: Paper, claim: Claim, levels: Levels, found: Material) -> str:
    """Judge a claim under the true reading, with the true number of runs."""
    panel = claim.table
    results = {panel: Result(as_true(world, paper, panel))}
    test = prepare(claim, results, found.published, paper.runs[panel]).run[STRICT]
    return ANSWERS[test(levels).holds]


def knowable(world: World, paper: Paper, claim: Claim, levels: Levels, found: Material, truth: str) -> bool:
    """Return whether the truth's answer follows from what printed numbers can tell.

    It does if all readings that are about as likely as the truth, or likelier, give it. Without printed numbers that
    speak of the exhibit, these are all readings. A truth that was not tried is not knowable.
    """
    panel = claim.table
    likelihood, true = likelihoods(panel, found), world.name(panel, paper.truth[panel])
    if true not in likelihood:
        return False
    tests = prepare(claim, found.results, found.published, paper.runs[panel]).run
    likely = [name for name, value in likelihood.items() if value >= likelihood[true] - CLOSE]
    return all(ANSWERS[tests[name](levels).holds] == truth for name in likely)


def likelihoods(panel: str, found: Material) -> dict[str, float]:
    """Return the log-likelihood of each reading of an exhibit, joint over the printed numbers that speak of it."""
    pools = found.pools
    total = dict.fromkeys(readings_of(found.tables[panel]), 0.0)
    for parts in pools.of(panel):
        best = dict.fromkeys(total, -np.inf)
        for pool in parts:
            for setting in pool.settings:
                for name in pools.agreeing_with(panel, setting):
                    value, _ = setting.likelihood
                    if panel in setting.readings:
                        own = pools.variables.fits[panel].log_likelihoods
                        value += own[name] - own[setting.readings[panel]]
                    best[name] = max(best[name], value)
        total = {name: value + best[name] for name, value in total.items()}
    return total


def trial(world: World, kind: str, seed: int, count: int = CLAIMS) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Audit one made-up paper; see `of_claims`, `of_exhibits` and `of_pools` for the columns."""
    paper = draw(world, kind, seed)
    rng = np.random.default_rng([7, KINDS.index(kind), seed])
    with TemporaryDirectory() as directory:
        found = evidence(world, paper, Path(directory))
        made = authors_claims(world, paper, rng, count) + adversarial_claims(world, paper, rng, count)
        drawn = [Claim.of(entry) for entry in made]
        records = audit("made-up", LEVELS, drawn, found).claims
        failing = max(record.level for record in records)
        levels = Levels(LEVELS.passing, failing or LEVELS.passing)
        truths = [under_the_truth(world, paper, claim, levels, found) for claim in drawn]
        judged = of_claims(paper, records, truths, seed)
        judged["unknowable"] = [
            answer != truth and not knowable(world, paper, claim, levels, found, truth)
            for claim, truth, answer in zip(drawn, truths, judged["as_run"], strict=True)
        ]
        return judged, of_exhibits(world, paper, found, seed), of_pools(world, paper, found, seed)


def of_claims(paper: Paper, records: Sequence[Verdict], truths: list[str], seed: int) -> pd.DataFrame:
    """Return a row per claim: the answers as stated, under the truth and as run, and the verdict."""
    return pd.DataFrame(
        {
            "kind": paper.kind,
            "paper": seed,
            "claim": record.id,
            "made_by": source_of(record.id),
            "exhibit": record.table,
            "stated": record.as_stated.answer,
            "truth": truth,
            "as_run": record.as_run.answer,
            "source": record.as_run.source,
            "verdict": record.verdict,
            "counted": record.counted,
            "why": record.why,
        }
        for record, truth in zip(records, truths, strict=True)
    )


def of_exhibits(world: World, paper: Paper, found: Material, seed: int) -> pd.DataFrame:
    """Return a row per exhibit: whether the truth stands, how many readings stand, and of how many."""
    rows = []
    for panel, item in found.standing.items():
        rows.append(
            {
                "kind": paper.kind,
                "paper": seed,
                "exhibit": panel,
                "source": item.record.source,
                "apart": bool(item.record.apart),
                "passage": panel in paper.quoted,
                "contained": world.name(panel, paper.truth[panel]) in item.readings,
                "standing": _distinct(found.tables[panel], item.readings),
                "competed": _distinct(found.tables[panel], tuple(found.tables[panel]["reading"].unique())),
                "runs": item.fit.runs.factor if item.fit else np.nan,
                "true_runs": paper.runs[panel],
            }
        )
    return pd.DataFrame(rows)


def of_pools(world: World, paper: Paper, found: Material, seed: int) -> pd.DataFrame:
    """Return a row per pool: whether the setting named first is the truth, and whether the truth is about as likely."""
    rows = []
    for pool in found.pools.all:
        pools = found.pools
        ran = {
            panel: pools.variables.readings[panel].get(world.name(panel, paper.truth[panel]), {})
            for panel in pool.record.exhibits
        }
        run = {
            (pools.variables.names[panel, axis], str(values.get(axis)))
            for panel, values in ran.items()
            for axis in pools.variables.axes_of[panel]
        }
        true = [setting for setting in pool.settings if all(item in run for item in setting.values.items())]
        named = pool.settings[0]
        rows.append(
            {
                "kind": paper.kind,
                "paper": seed,
                "exhibits": len(pool.record.exhibits),
                "apart": bool(pool.record.apart),
                "numbers": pool.record.numbers,
                "settings": len(pool.settings),
                "truth": named in true,
                "about_as_likely": any(setting.record.stands and setting.record.about_as_likely for setting in true),
                "stands": any(setting.record.stands for setting in true),
                "departures": len(named.departures) - min((len(one.departures) for one in true), default=0),
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


def rates(claims: pd.DataFrame, exhibits: pd.DataFrame, pools: pd.DataFrame) -> pd.DataFrame:
    """Return the rates that docs/benchmarks.md promises of `hidden` papers, with standard errors, for papers/corrldp.

    Two successes and two failures are added for the error, so that a rate of 0 or 1 has one, too (Agresti and Coull).
    """
    claims, exhibits, pools = (rows[rows["kind"] == "hidden"] for rows in (claims, exhibits, pools))
    spoken = exhibits[exhibits["source"] != "none"]
    decided = claims[(claims["as_run"] != UNDECIDED) & (claims["truth"] != UNDECIDED)]
    found = {
        "truth_stands": spoken["contained"],
        "named_first": pools["truth"] | pools["about_as_likely"],
        "same_where_decided": decided["as_run"] == decided["truth"],
        "false_passed": claims.loc[claims["truth"] == FAILS, "as_run"] == HOLDS,
    }
    rows = []
    for name, hits in found.items():
        part, trials = int(hits.astype(bool).sum()), len(hits)
        shrunk = (part + 2) / (trials + 4)
        error = np.sqrt(shrunk * (1 - shrunk) / (trials + 4))
        rows.append({"what": name, "rate": f"{part / trials:.4f}", "se": f"{error:.4f}", "trials": trials})
    return pd.DataFrame(rows)


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


def named_first(pools: pd.DataFrame) -> dict[str, Any]:
    """Return how often the setting that a pool names first is the truth, or cannot be told from it."""
    everything = pd.Series(True, pools.index)
    return {
        "pools": len(pools),
        "of several exhibits": int((pools["exhibits"] > 1).sum()),
        "split": int(pools["apart"].sum()),
        "truth stands": share(pools["stands"], everything),
        "named first": share(pools["truth"], everything),
        "or about as likely": share(pools["truth"] | pools["about_as_likely"], everything),
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


def by_evidence(judged: pd.DataFrame) -> list[dict[str, Any]]:
    """Compare the answers as run with those under the truth, by who made the claim and what is known of its exhibit.

    ``opposite`` and ``left undecided`` are parts of those that differ; ``unknowable`` ones differ where a
    reading about as likely as the truth answers otherwise.
    """
    adversarial = judged["made_by"] == ADVERSARY
    known = judged["source"].isin(["own", "inferred"])
    rows = []
    for maker, made in (("authors", ~adversarial), ("adversary", adversarial)):
        evidence = {name: judged["source"] == name for name in ("own", "inferred", "none", "rejected")}
        for name, chosen in {"own or inferred": known, **evidence}.items():
            group = judged[made & chosen]
            answer, truth, everything = group["as_run"], group["truth"], pd.Series(True, group.index)
            decided = (answer != UNDECIDED) & (truth != UNDECIDED)
            rows.append(
                {
                    "claims of": maker,
                    "evidence": name,
                    "same": share(answer == truth, everything),
                    "same where knowable": share(answer == truth, ~group["unknowable"]),
                    "left undecided": int(((answer == UNDECIDED) & (truth != UNDECIDED)).sum()),
                    "of these unknowable": int(group["unknowable"].sum()),
                    "truth undecided": int(((truth == UNDECIDED) & (answer != truth)).sum()),
                    "opposite": int((decided & (answer != truth)).sum()),
                }
            )
    return rows


def main(arguments: list[str] | None = None) -> None:
    """Print how often the truth stands, and how the verdicts compare with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, nargs=3, default=PAPERS.values(), help=f"of each of {', '.join(KINDS)}")
    parser.add_argument("--rates", type=Path, help="CSV file with the rates that papers/corrldp judges")
    options = parser.parse_args(arguments)
    found: list[tuple[pd.DataFrame, ...]] = []
    for name in FAMILIES:
        world = build(name, seed=WORLD_SEED)
        for kind, papers in zip(KINDS, options.papers, strict=True):
            for seed in range(FIRST_PAPER, FIRST_PAPER + papers):
                found.append(tuple(rows.assign(family=name) for rows in trial(world, kind, seed)))
    claims, exhibits, pools = (pd.concat(rows, ignore_index=True) for rows in zip(*found, strict=True))
    if options.rates:
        rates(claims, exhibits, pools).to_csv(options.rates, index=False)
    show([{"papers": kind, **readings_found(group)} for kind, group in exhibits.groupby("kind", sort=False)])
    show([{"papers": kind, **named_first(group)} for kind, group in pools.groupby("kind", sort=False)])
    columns = {"as stated": "stated", "as run": "as_run"}
    show(
        {"papers": kind, "rule": rule, **answers_given(group, column)}
        for kind, group in claims.groupby("kind", sort=False)
        for rule, column in columns.items()
    )
    hidden = claims[claims["kind"] == "hidden"]
    show(by_evidence(hidden))
    authors = hidden[hidden["made_by"] != ADVERSARY]
    print(f"Planted errors that hold as run: {share(authors['as_run'] == HOLDS, authors['made_by'] == PLANTED)}")


def show(rows: Iterable[dict[str, Any]]) -> None:
    """Print rows as a Markdown table."""
    print(tabulate(list(rows), headers="keys", tablefmt="github"), end="\n\n")


if __name__ == "__main__":
    main()
