"""Pages of the report that only the project has: a reader's case, a study, what an accepted version changed.

A page is one file, report/cases/NAME.html. Its script computes closed forms, which it repeats from the library, and
interpolates the errors of the experiments `cases` and `cases_of_n` of the promises; the points of `cases_between` tell
how far that is off.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from claimaudit import results, yaml_files
from claimaudit.report.markup import environment
from claimaudit.verdicts import Verdict, read
from claimaudit.words.evidence import effect
from claimaudit.words.names import equation
from claimaudit.words.numbers import number
from claimaudit.words.quoted import quoted
from claimaudit.words.verdicts import mark
from replication.report import PAGES, CaseJob, CasesFile, VersionsFile

SHOWN = ("n", "d", "epsilon", "rho", "ones_fraction", "colluders")
"""Settings of a case."""

ERROR_OF = ["mechanism", "marginal", "py_rule", "n"]
AXES = ["d", "epsilon", "rho"]


def case_files(
    job: CaseJob, *, verdicts: Sequence[Path], entries: Sequence[Path], tables: Sequence[Path] = ()
) -> Mapping[str, bytes]:
    """Return a page from the verdicts on its papers.

    Read are the `verdicts`, report/verdicts/PAPER.json, the `entries`, versions.yaml of the preprint for the comparison
    of versions, else config/cases.yaml, whose claims planning has checked to exist, and for Corr-RR the `tables`
    `RESULTS`. The example of a study rests on none.
    """
    [file] = entries
    known = {f"{claim.paper}/{claim.id}": claim for path in verdicts for claim in read(path).claims}
    facts: dict[str, Any] = {}
    if job.name == "versions":
        stated = yaml_files.load(file, VersionsFile)
        sides = {"preprint": file.parent.name, "accepted": stated.accepted}
        facts["changes"] = [
            {**change.model_dump(), "error": quoted(change.error, known), "moves": quoted(change.moves, known)}
            | {side: [known[f"{paper}/{claim}"] for claim in getattr(change, side)] for side, paper in sides.items()}
            for change in stated.changes
        ]
    elif job.name == "example":
        from replication import example

        facts = example.outcomes()
    else:
        claims = getattr(yaml_files.load(file, CasesFile), job.name)
        facts |= {"claims": [known[name] for name in claims], "ranges": list(claims.values())}
    if tables:
        facts["grid"] = _grid(*map(results.read, tables))
    templates = environment("replication")
    templates.filters |= {"mark": mark, "checked": checked, "effect": lambda claim: effect(claim, claim.stated)}
    page = templates.get_template(f"{job.name}.html")
    return {"page": page.render(page=PAGES[job.name], pages=job.pages, papers=job.papers, **facts).encode()}


def checked(claim: Verdict) -> str:
    """Return where a claim was compared, as stated: ``n = 20 to 200, epsilon = 1``."""
    found = []
    for name in filter(claim.stated.comparisons.__contains__, SHOWN):
        known = [value for value in claim.stated.comparisons[name] if isinstance(value, int | float)]
        if known:
            to = f" to {number(max(known))}" if max(known) > min(known) else ""
            found.append(f"{equation(name, min(known), claim.called)}{to}")
    return ", ".join(found)


def _grid(table: pd.DataFrame, others: pd.DataFrame, between: pd.DataFrame) -> dict[str, Any]:
    """Return the logarithms of errors (d, epsilon, rho) by what they are of, and how far off their interpolation is.

    `others` has the errors of the fewest and of the most users.
    """
    known = {name: table[name].iloc[0].item() for name in ("n", "k", "runs")}
    ends = sorted(others["n"].unique().tolist())
    table = pd.concat([table, others])
    table, between = (each.assign(mean=each["theory"].fillna(each["mean"])) for each in (table, between))
    grid: dict[str, Any] = {name: sorted(table[name].unique().tolist()) for name in AXES}
    off: dict[str, list[float]] = {}
    logs: dict[str, list[Any]] = {}
    for key, rows in table.groupby(ERROR_OF):
        errors = rows.sort_values(AXES)["mean"].to_numpy().reshape([len(grid[name]) for name in AXES])
        logs["|".join(map(str, key))] = np.log(errors).round(4).tolist()
        checked = between[(between[ERROR_OF] == list(key)).all(axis=1)]
        found = interpolated([grid[name] for name in AXES], np.log(errors), checked[AXES].to_numpy())
        off.setdefault(str(key[0]), []).extend(found / checked["mean"] - 1)
    return {
        **grid,
        **known,
        "ends": ends,
        "logs": logs,
        "checked": len(between[AXES].drop_duplicates()),
        "usual": {name: float(np.sqrt(np.mean(np.square(errors)))) for name, errors in off.items()},
        "worst": {name: float(np.max(np.abs(errors))) for name, errors in off.items()},
    }


def interpolated(knots: Sequence[Sequence[float]], logs: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return errors (m,) at `points` (m, 3), from logarithms at `knots`, linear in log d, log epsilon and rho."""
    d, epsilon, rho = knots
    at = np.column_stack([np.log(points[:, :2]), points[:, 2]])
    return np.exp(RegularGridInterpolator((np.log(d), np.log(epsilon), rho), logs)(at))
