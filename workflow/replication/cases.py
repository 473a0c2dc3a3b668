"""Pages of the report that only the project has: a reader's case, a study, what an accepted version changed.

A page is one file, report/cases/NAME.html. Its script computes closed forms, which it repeats from the library, and
interpolates the errors of experiments of the promises; the points of `cases_between` tell how far that is off.
"""

from bisect import bisect
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
from replication.report import CaseJob, CasesFile, VersionsFile

SHOWN = ("n", "d", "epsilon", "rho", "ones_fraction", "colluders")
"""Settings of a case."""

OWN = "Corr-RR"
STATED = {"marginal": "pi", "py_rule": "body"}
"""The values of axes of experiments, and of mechanisms, that do not have them."""

ERROR_OF = ["mechanism", "marginal", "py_rule"]
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
        facts = _example()
    else:
        claims = getattr(yaml_files.load(file, CasesFile), job.name)
        facts |= {"claims": [known[name] for name in claims], "ranges": list(claims.values())}
    if tables:
        facts["grid"] = _grid(*map(results.read, tables))
    templates = environment("replication")
    templates.filters |= {"mark": mark, "checked": checked, "effect": lambda claim: effect(claim, claim.stated)}
    facts |= {"page": job.pages[job.name], "pages": job.pages.values(), "papers": job.papers}
    return {"page": templates.get_template(f"{job.name}.html").render(facts).encode()}


def _example() -> dict[str, Any]:
    """Return the lines of a plan, and the answers of a study of made-up people, both those of docs/study.md."""
    from corrldp.data.table import Table  # only here, since other pages need no study, whose import takes long
    from corrldp.deployment.plan import plan
    from corrldp.deployment.plan_command import in_words
    from corrldp.study.study import Study

    rng = np.random.default_rng(1)
    smokes = rng.random(20_000) < 0.3
    coughs = rng.random(20_000) < np.where(smokes, 0.6, 0.2)
    ill = rng.random(20_000) < np.where(coughs, 0.3, 0.05)
    codes = np.column_stack([smokes, coughs, ill]).astype(int)
    table = Table(codes, ("smokes", "coughs", "ill"), (("no", "yes"),) * 3)
    study = Study(table, epsilons=(1.0,), protocols=("SPL", "SMP"), sensitive=("ill",))
    planned = in_words(plan((2, 4, 8, 3), users=3000, epsilon=1), most=3)
    lines = [table.names, *np.where(codes[:4], "yes", "no")]
    return {"lines": lines, "planned": planned.split("\n\n")[:2], "studied": [one.text for one in study.answers()]}


def checked(claim: Verdict) -> str:
    """Return where a claim was compared, as stated: ``n = 20 to 200, epsilon = 1``."""
    found = []
    for name in filter(claim.stated.comparisons.__contains__, SHOWN):
        known = [value for value in claim.stated.comparisons[name] if isinstance(value, int | float)]
        if known:
            to = f" to {number(max(known))}" if max(known) > min(known) else ""
            found.append(f"{equation(name, min(known), claim.called)}{to}")
    return ", ".join(found)


def _grid(*tables: pd.DataFrame) -> dict[str, Any]:
    """Return the logarithms of errors (d, epsilon, rho) by what they are of and by n, and how far off the page is.

    The first of the `tables` has the usual number of users, the last the points between, and the rest other numbers.
    """
    of_users = {name: tables[0][name].iloc[0].item() for name in ("n", "k", "runs")}
    *found, between = (each.assign(mean=each["theory"].fillna(each["mean"])) for each in tables)
    table = pd.concat(found).fillna({"marginal": STATED["marginal"]})
    table = table[(table["mechanism"] == OWN) | (table["py_rule"] == STATED["py_rule"])]
    knots = {name: sorted(table[name].unique().tolist()) for name in AXES}
    logs: dict[str, dict[int, Any]] = {}
    off: dict[str, list[float]] = {}
    for key, rows in table.groupby(ERROR_OF):
        known = {n: _logarithms(rows[rows["n"] == n], knots) for n in rows["n"].unique().tolist()}
        logs["|".join(map(str, key))] = {n: values.round(4).tolist() for n, values in known.items()}
        fixed = str(key[2]).endswith("copy")
        checked = between[(between[ERROR_OF] == list(key)).all(axis=1)]
        for n in checked["n"].unique().tolist():
            points = checked[checked["n"] == n]
            errors = {users: interpolated(knots, values, points[AXES]) for users, values in known.items()}
            off.setdefault(str(key[0]), []).extend(with_users(errors, n, fixed=fixed) / points["mean"] - 1)
    return {
        **knots,
        **of_users,
        "ends": [table["n"].min().item(), table["n"].max().item()],
        "logs": logs,
        "checked": len(between[[*AXES, "n"]].drop_duplicates()),
        "usual": {name: float(np.sqrt(np.mean(np.square(errors)))) for name, errors in off.items()},
        "worst": {name: float(np.max(np.abs(errors))) for name, errors in off.items()},
    }


def _logarithms(rows: pd.DataFrame, knots: Mapping[str, Sequence[float]]) -> np.ndarray:
    return np.log(rows.sort_values(AXES)["mean"].to_numpy()).reshape([len(knots[name]) for name in AXES])


def interpolated(knots: Mapping[str, Sequence[float]], logs: np.ndarray, points: pd.DataFrame) -> np.ndarray:
    """Return errors (m,) at m `points`, from logarithms (d, epsilon, rho), linear in log d, log epsilon and rho."""
    scaled = [np.asarray(knots[name]) if name == "rho" else np.log(knots[name]) for name in AXES]
    at = [points[name] if name == "rho" else np.log(points[name]) for name in AXES]
    return np.exp(RegularGridInterpolator(scaled, logs)(np.column_stack(at)))


def with_users(errors: Mapping[int, np.ndarray], n: int, *, fixed: bool) -> np.ndarray:
    """Return errors with n users, from those with other numbers of them.

    From one number, they fall as 1/n. Else they are linear in 1/n if p_y is `fixed`; if not, their logarithms in log n.
    """
    users = sorted(errors)
    if len(users) == 1:
        return errors[users[0]] * users[0] / n
    end = min(max(bisect(users, n), 1), len(users) - 1)
    low, high = users[end - 1], users[end]
    if fixed:
        share = (1 / n - 1 / low) / (1 / high - 1 / low)
        return errors[low] * (1 - share) + errors[high] * share
    share = np.log(n / low) / np.log(high / low)
    return errors[low] ** (1 - share) * errors[high] ** share
