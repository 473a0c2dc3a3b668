"""Pages of the report that only the project has: where a reader's case lies, what an accepted version changed.

A page is one file, report/cases/NAME.html. What it needs besides verdicts are closed forms, which its script repeats
from the library, and the table of errors that have none (the experiments `cases` and `cases_between` of `corrldp`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import RootModel
from scipy.interpolate import RegularGridInterpolator

from claimaudit import configuration, results
from claimaudit.configuration import Entry
from claimaudit.names import ConfigurationError, known_names
from claimaudit.report.markup import anchor, environment
from claimaudit.verdicts import Verdict, read
from claimaudit.words.evidence import effect
from claimaudit.words.quoted import quoted
from claimaudit.words.verdicts import Badge, mark

PAGES = {
    "jrr": "Where is my case? JRR against RR",
    "corr_rr": "Where is my case? Corr-RR against SPL, SMP and RS+RFD",
    "versions": "Corr-RR: preprint against accepted version",
}
"""Titles of the pages, in the order of their contents."""

PAPERS = {
    "jrr": ("jrr",),
    "corr_rr": ("corr_rr", "corr_rr_preprint", "corrldp"),
    "versions": ("corr_rr", "corr_rr_preprint"),
}
"""The papers without which there is no such page."""

RESULTS = ("cases", "cases_between")
LAWS = {"pi": (0.4, 0.3, 0.2, 0.1), "uniform": (0.25,) * 4}
MARGINALS = {"pi": "falling (0.4, 0.3, 0.2, 0.1)", "uniform": "all equal"}
RULES = {"body": "estimated, by the paper's rule", "exact": "estimated, by the best rule"}
KINDS = {"formula": "formulas", "claim": "claims", "setting": "settings", "data": "data sets"}

Ranges = dict[str, tuple[float | None, float | None]]


class CasesFile(RootModel[dict[str, dict[str, Ranges]]]):
    """config/cases.yaml: for each page the claims it shows, and the least and the largest value of their cases."""


class Change(Entry):
    """What changed between two versions, in words that may quote numbers, and the claims of both."""

    about: str
    kind: Literal["formula", "claim", "setting", "data"]
    changed: str
    error: str
    preprint: tuple[str, ...]
    accepted: tuple[str, ...]


class VersionsFile(Entry):
    """versions.yaml in the folder of a preprint: the id of the accepted version, and the changes."""

    accepted: str
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Shown:
    """A claim on a page."""

    verdict: Verdict

    @property
    def badge(self) -> Badge:
        """How it is marked."""
        return mark(self.verdict)

    @property
    def address(self) -> str:
        """Where its card is."""
        return f"../{self.verdict.paper}.html#{anchor('claim', self.verdict.paper, self.verdict.id)}"

    @property
    def effect(self) -> str:
        """The numbers as stated; nothing without data."""
        return effect(self.verdict, self.verdict.stated) if self.verdict.evidence else ""


def case_files(
    page: str,
    *,
    verdicts: Sequence[Path],
    tables: Sequence[Path] = (),
    cases: Sequence[Path] = (),
    versions: Sequence[Path] = (),
) -> Mapping[str, bytes]:
    """Return a page.

    Parameters
    ----------
    page
        One of `PAGES`.
    verdicts
        report/verdicts/PAPER.json of its `PAPERS`.
    tables
        The results `RESULTS`, for Corr-RR.
    cases
        config/cases.yaml, for a page with controls.
    versions
        versions.yaml, for the comparison of versions.

    Raises
    ------
    ConfigurationError
        A file names a claim or a case that there is not.
    """
    known = {f"{each.paper}/{each.id}": each for path in verdicts for each in read(path).claims}
    facts = _of_versions(versions[0], known) if versions else _of_case(page, cases[0], known)
    if tables:
        grid = _grid(*(results.read(path) for path in tables))
        facts |= {"grid": grid, "marginals": MARGINALS, "rules": RULES}
        facts["facts"]["grid"] = grid
    shared = {"name": page, "heading": PAGES[page], "pages": PAGES}
    template = environment("replication").get_template("versions.html" if versions else f"{page}.html")
    return {"page": template.render(**shared, **facts).encode()}


def _of_case(page: str, file: Path, known: Mapping[str, Verdict]) -> dict[str, Any]:
    """Return what a page with controls shows of the claims, and the ranges of their cases."""
    entries = configuration.load(file, CasesFile).root[page]
    claims = [Shown(_named(name, known, file)) for name in entries]
    columns = ("Mechanism", "Mean squared error", "95 % interval of the share of ones")
    if page == "corr_rr":
        columns = ("Mechanism", "Typical error of a share", "Mean squared error")
    return {"claims": claims, "columns": columns, "facts": {"claims": list(entries.values())}}


def _of_versions(file: Path, known: Mapping[str, Verdict]) -> dict[str, Any]:
    """Return the changes with their claims, and with the numbers that their sentences quote."""
    stated, preprint = configuration.load(file, VersionsFile), file.parent.name
    changes = [
        {
            **change.model_dump(),
            "error": quoted(change.error, known),
            "sides": {
                title: [Shown(_named(f"{paper}/{claim}", known, file)) for claim in claims]
                for title, paper, claims in (
                    ("Preprint", preprint, change.preprint),
                    ("Accepted version", stated.accepted, change.accepted),
                )
            },
        }
        for change in stated.changes
    ]
    return {"changes": changes, "kinds": KINDS.values()}


def _named(name: str, known: Mapping[str, Verdict], file: Path) -> Verdict:
    if name not in known:
        raise ConfigurationError(f"{file}: no claim {name!r}{known_names(name, known)}")
    return known[name]


def _grid(table: pd.DataFrame, between: pd.DataFrame) -> dict[str, Any]:
    """Return the tables of logarithms of errors (epsilon, rho), and how far off their interpolation is."""
    keys = ["mechanism", "marginal", "py_rule", "d"]
    grid: dict[str, Any] = {name: sorted(table[name].unique().tolist()) for name in ("epsilon", "rho", "d")}
    tables: dict[str, Any] = {}
    off: dict[str, list[float]] = {}
    for key, rows in table.groupby(keys):
        mechanism, marginal, rule, d = (str(key[0]), *key[1:])
        logs = np.log(rows.pivot(index="epsilon", columns="rho", values="mean").to_numpy())
        tables.setdefault(mechanism, {}).setdefault(marginal, {}).setdefault(rule, {})[d] = logs.round(5).tolist()
        checked = between[(between[keys] == [mechanism, marginal, rule, d]).all(axis=1)]
        found = interpolated(grid["epsilon"], grid["rho"], logs, checked[["epsilon", "rho"]].to_numpy())
        off.setdefault(mechanism, []).extend(np.abs(found / checked["mean"].to_numpy() - 1))
    [n], [k], [runs] = table["n"].unique().tolist(), table["k"].unique().tolist(), table["runs"].unique().tolist()
    return grid | {
        **{"n": n, "k": k, "runs": runs, "share": 0.1, "laws": LAWS, "tables": tables},
        "checked": len(next(iter(off.values()))),
        "usual": {name: float(np.sqrt(np.mean(np.square(errors)))) for name, errors in off.items()},
        "worst": {name: float(np.max(errors)) for name, errors in off.items()},
    }


def interpolated(epsilon: Sequence[float], rho: Sequence[float], logs: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return errors (m,) at `points` (m, 2), from logarithms (epsilon, rho) linear in log epsilon and rho."""
    at = np.column_stack([np.log(points[:, 0]), points[:, 1]])
    return np.exp(RegularGridInterpolator((np.log(epsilon), rho), logs)(at))
