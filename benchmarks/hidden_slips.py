"""How often guide words find slips that no paper's file lists, and how often authors who made none are accused.

See docs/benchmarks.md. A made-up paper is one figure of Corr-RR or JRR, whose authors (`made_up_slips`) made one slip,
two, or none. The audit's search looks for what they ran; what it leaves is run in full and judged by the audit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from hidden_readings import FAILS, HOLDS, LEVELS, share, show
from made_up_claims import adversarial_claims
from made_up_papers import FAMILIES, Family, Panel, Paper, World, evidence
from made_up_slips import CHANCE, CORR_RR, JRR, corr_rr, jrr

from claimaudit.audit.arrays import Result
from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.exhibits import compare, score
from claimaudit.audit.fitting.settings import CLOSE
from claimaudit.audit.fitting.standing import FINAL
from claimaudit.audit.judging.audit import audit
from claimaudit.audit.judging.cases import prepare
from claimaudit.audit.search import search
from claimaudit.audit.trials import Repeated, with_guide_words
from claimaudit.experiments.engine import Experiment, ExperimentJob, join, run
from claimaudit.experiments.guidewords import Proposal, proposals
from claimaudit.papers.jobs import Outline, PaperExhibit
from claimaudit.results import MEASURES, STRICT
from claimaudit.verdicts import ANSWERS, LEVEL

FIGURE, TRUTH = "figure", "truth"
EXHIBIT = PaperExhibit(FIGURE, FIGURE, FIGURE)

TWO, NONE = 15, 40
"""Papers of each text whose authors made two slips, and none; each slip has a paper of its own."""

CLAIMS = 4
"""Claims on each paper with slips, whose thresholds are at numbers of a reading drawn at random."""


@dataclass(frozen=True)
class Text:
    """What a paper states, and the code of its authors, with the slips that they may make in it by plausibility.

    `strict` are the stated values of axes that are not the default ones, `runs` ours of the settings that a search
    leaves; those of the search are the family's.
    """

    name: str
    family: Family
    runs: int
    strict: dict[str, Any]
    code: Callable[..., Iterable[tuple[str, np.ndarray]]]
    slips: dict[str, str]

    @cached_property
    def searched(self) -> tuple[Experiment, tuple[Proposal, ...]]:
        """The experiment under the text's reading, and what guide words propose.

        The text states elsewhere what `made_up_papers` varies.
        """
        setting, runs = self.family.panels[FIGURE].setting, self.family.ours
        job = ExperimentJob("made up", FIGURE, self.family.runner, setting, strict=self.strict, seed=3, runs=runs)
        loaded = Experiment.load(job, {})
        stated: dict[str, list[Any]] = {}
        for panel in (*FAMILIES[self.name].panels.values(), self.family.panels[FIGURE]):
            for name, values in panel.setting.items():
                stated.setdefault(name, []).extend(values)
        asked = tuple(proposals(loaded.runner, loaded.setting, self.strict, stated, {}))
        return with_guide_words(loaded), asked

    @cached_property
    def table(self) -> pd.DataFrame:
        """Our result table under the text's reading."""
        experiment, _ = self.searched
        return pd.DataFrame(join(experiment, [run(experiment)]))

    def written(self, slips: Collection[str], runs: int, seed: int, printed: bool = True) -> pd.DataFrame:
        """Return a result table of the authors; if not `printed`, what they would have with as many runs as stated."""
        left = min([runs, *(CHANCE[slip] for slip in slips if printed and slip in CHANCE)])
        rng, rows = np.random.default_rng(seed), []
        experiment, _ = self.searched
        for point in experiment.setting.points(experiment.readings[STRICT]):
            for mechanism, errors in self.code(point, left, rng, slips.__contains__):
                mean = errors.mean()
                # The square of one normal error, if only its expectation is known.
                deviation = errors.std(ddof=1) if len(errors) > 1 else 2**0.5 * mean
                measures = (mechanism, self.family.metrics[0], mean, deviation / runs**0.5, runs, np.nan, False)
                rows.append({**point, "reading": STRICT, **dict(zip(MEASURES, measures, strict=True))})
        return pd.DataFrame(rows)

    def with_found(self, found: pd.DataFrame) -> pd.DataFrame:
        """Return our result table under the text's reading and those that a search left, named by their departures."""
        experiment, asked = self.searched
        strict, typed = experiment.readings[STRICT], {(one.point, str(one.value)): one.value for one in asked}
        readings = {STRICT: strict}
        left = found[(found["stage"] == FINAL) & (found["p_value"] >= LEVEL)]
        for departures in map(json.loads, left["departures"]):
            own = {name.removesuffix(f" of {FIGURE}"): value for name, value in departures.items()}
            name = "; ".join(f"{axis}: {value}" for axis, value in own.items()) or STRICT
            readings[name] = {**strict, **{axis: typed[axis, value] for axis, value in own.items()}}
        axes = tuple(axis for axis in strict if len({values[axis] for values in readings.values()}) > 1)
        chosen = replace(experiment, readings=readings, job=replace(experiment.job, axes=axes, runs=self.runs))
        return pd.DataFrame(join(chosen, [run(chosen)]))


def _text(name: str, metric: str, columns: tuple[str, ...], setting: dict[str, Any], ours: int, *more: Any) -> Text:  # noqa: ANN401
    panel = Panel(setting, "epsilon", columns, ())
    return Text(name, replace(FAMILIES[name], ours=ours, metrics=(metric,), panels={FIGURE: panel}), *more)


_CORR_RR = {"dataset": ["syn_a"], "n": [2000], "d": [3], "k": [4], "rho": [0.5], "epsilon": [0.3, 0.6, 1.2]}
_CORR_RR["mechanisms"] = ["SPL", "RS+FD", "RS+RFD", "Corr-RR"]
_JRR = {"n": [1000, 4000], "ones_fraction": [0.1, 1], "epsilon": [0.05, 0.2, 1]}

TEXTS = (
    _text("corr_rr", "mse", ("epsilon",), _CORR_RR, 1500, 1200, {"py_rule": "appendix"}, corr_rr, CORR_RR),
    _text("jrr", "mse_counts", ("n", "ones_fraction", "epsilon"), _JRR, 4000, 2000, {}, jrr, JRR),
)


def trial(text: Text, slips: Collection[str], seed: int) -> dict[str, Any]:
    """Search what authors ran, judge claims with what was found, and compare both with the truth."""
    numbers = text.written(slips, text.family.runs, 10_000 + seed)
    truth = text.written(slips, text.family.ours, 20_000 + seed, printed=False)
    paper = Paper("slips", (), {FIGURE: {}}, {FIGURE: 1.0}, (), {FIGURE: 0.0}, numbers={FIGURE: numbers})
    experiment, asked = text.searched
    with TemporaryDirectory() as directory:
        first = evidence(World(text.family, {FIGURE: text.table}, {FIGURE: {STRICT: {}}}), paper, Path(directory))
        printed = first.published[FIGURE]
        runs = first.fits[FIGURE].runs
        repeated = Repeated(EXHIBIT, printed, runs, experiment, asked)
        table = text.with_found(search(first, {FIGURE: repeated}))
        outline = Outline((EXHIBIT,), proposed={FIGURE: len(asked)})
        last = replace(first, results={FIGURE: Result(table)}, outline=outline)
        world = World(text.family, {FIGURE: table}, {FIGURE: {name: {} for name in table["reading"].unique()}})
        rng = np.random.default_rng([7, seed])
        claims = [Claim.of(entry) for entry in adversarial_claims(world, paper, rng, CLAIMS if slips else 0)]
        judged = audit("made up", LEVELS, claims, last).claims
        cases = [prepare(claim, {FIGURE: Result(truth)}, first.published) for claim in claims]
    true = [ANSWERS[case.run[STRICT](LEVELS).holds] for case in cases]
    false = [one for one, answer in zip(judged, true, strict=True) if {answer, one.as_stated.answer} == {FAILS}]
    cells = compare(EXHIBIT, pd.concat([table, truth.assign(reading=TRUTH)]), printed)
    fit = score(cells, last.fits[FIGURE].runs)

    def likely(reading: str) -> bool:
        """Whether the printed numbers do not make a reading less likely than the truth."""
        behind = fit.log_likelihoods[TRUTH] - fit.log_likelihoods[reading]
        return bool(behind <= max(CLOSE, fit.error_between(reading, TRUTH)))

    standing = last.standing[FIGURE].readings if last.pools.all else ()
    named = standing[0] if standing else "nothing"
    price = last.pools.all[0].price * len(slips) if standing else 0.0
    return {
        "text": text.name,
        "slips": " and ".join(slips),
        "asked": len(asked),
        "visible": not likely(STRICT),
        "stands": any(map(likely, standing)),
        "first": bool(standing) and likely(named),
        "named": named,
        "unearned": named == STRICT and fit.log_likelihoods[TRUTH] - fit.log_likelihoods[STRICT] <= price,
        "false": len(false),
        "rescued": sum(one.as_run.answer == HOLDS for one in false),
    }


def papers_of(text: Text) -> dict[str, list[tuple[str, ...]]]:
    """Return the slips of the papers of a text, by kind of paper."""
    rng, found = np.random.default_rng(5), {kind: slips.split("; ") for kind, slips in text.slips.items()}
    every = [slip for slips in found.values() for slip in slips]
    two = [tuple(rng.choice(every, 2, replace=False).tolist()) for _ in range(TWO)]
    return {**{kind: [(slip,) for slip in slips] for kind, slips in found.items()}, "two": two, "none": [()] * NONE}


def main() -> None:
    """Print how often slips are proposed, stand and are named, how often what is named instead, and what is missed."""
    rows = []
    for text in TEXTS:
        papers = [(kind, slips) for kind, found in papers_of(text).items() for slips in found]
        rows += [{"kind": kind, **trial(text, slips, seed)} for seed, (kind, slips) in enumerate(papers)]
    report(pd.DataFrame(rows))


def report(rows: pd.DataFrame) -> None:
    """Print the tables of docs/benchmarks.md."""
    rows = rows.assign(everything=True, accused=rows["named"] != STRICT)
    show(summary(kind, group) for kind, group in rows.groupby("kind", sort=False))
    visible = rows[rows["visible"]]
    show(summary(kind, group) for kind, group in visible.groupby("kind", sort=False))
    show(rows[~rows["first"]][["kind", "text", "slips", "visible", "stands", "named", "unearned"]].to_dict("records"))


def summary(kind: str, rows: pd.DataFrame) -> dict[str, Any]:
    """Return the rates of papers of a kind."""
    missed = rows[~rows["first"]]
    return {
        "slips": kind,
        "told from the text": share(rows["visible"], rows["everything"]),
        "stands": share(rows["stands"], rows["everything"]),
        "named": share(rows["first"], rows["everything"]),
        "else the text": int((missed["named"] == STRICT).sum()),
        "of these within the price": int(missed["unearned"].sum()),
        "nothing": int((missed["named"] == "nothing").sum()),
        "another": int((~missed["named"].isin([STRICT, "nothing"])).sum()),
        "accused": share(rows["accused"], rows["everything"]),
        "rescued": f"{rows['rescued'].sum()} of {rows['false'].sum()}",
    }


if __name__ == "__main__":
    main()
