"""Quantities: expressions over the numbers of a result table, with their Monte-Carlo errors.

The variables of an expression are ``{metric}_{mechanism}`` in lower case with every other character
replaced by ``_`` (``mse_counts_k_jrr``) and the numeric setting columns (``n``, ``epsilon``); beside pandas' functions
there are ``maximum`` and ``minimum`` of two. Errors follow the delta method. Mechanisms are simulated independently of
each other, so their errors add in quadrature; two metrics of one mechanism come from the same runs, so their errors
add in full, which is never too small.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from corrldp.results import axes_of

FUNCTIONS = {"maximum": np.maximum, "minimum": np.minimum}


@dataclass(frozen=True)
class Pivot:
    """One reading of a result table, one row per setting; frames share an index, variables are columns."""

    settings: pd.DataFrame
    mean: pd.DataFrame
    se: pd.DataFrame
    runs: pd.DataFrame
    theory: pd.DataFrame
    mechanism: dict[str, str]


def variable(metric: str, mechanism: str) -> str:
    """Name under which a metric of a mechanism enters expressions."""
    return re.sub(r"[^a-z0-9]", "_", f"{metric}_{mechanism}".lower())


def names_in(expression: str) -> set[str]:
    """Names of the variables that an expression uses (functions such as ``log`` are not variables)."""
    try:
        nodes = list(ast.walk(ast.parse(expression.strip(), mode="eval")))
    except SyntaxError as error:
        raise ValueError(f"cannot read the expression {expression!r}: {error.msg}") from error
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions}


def require_known(expression: str, known: list[str]) -> set[str]:
    """Names in an expression, after checking that each is known."""
    names = names_in(expression)
    unknown = sorted(names - set(known))
    if unknown:
        raise ValueError(f"unknown {', '.join(unknown)} in {expression!r}; there are: {', '.join(sorted(known))}")
    return names


def select(table: pd.DataFrame, query: str | None) -> pd.DataFrame:
    """Rows of a table that a pandas query selects (all rows when there is none)."""
    if query is None:
        return table
    require_known(query, list(table.columns))
    try:
        return table.query(query.strip(), engine="python")
    except (TypeError, NotImplementedError, SyntaxError) as error:
        raise ValueError(f"cannot select rows by {query!r}: {error}") from error


def pivot(rows: pd.DataFrame) -> Pivot:
    """Turn the rows of one reading into one row per setting."""
    settings, _ = axes_of(rows)
    setting = (rows.groupby(settings, sort=False, dropna=False).ngroup() if settings else rows["runs"] * 0).to_numpy()
    pairs = list(zip(rows["metric"], rows["mechanism"], strict=True))
    name_of = {pair: variable(*pair) for pair in set(pairs)}
    codes, names = pd.factorize(np.array([name_of[pair] for pair in pairs], dtype=object), sort=True)
    places = setting * len(names) + codes
    if len(np.unique(places)) < len(rows):
        clash = int(np.flatnonzero(pd.Series(places).duplicated())[0])
        raise ValueError(f"two rows give {names[codes[clash]]} at {rows.iloc[clash][settings].to_dict()}")

    def spread(column: str) -> pd.DataFrame:
        wide = np.full((setting.max() + 1, len(names)), np.nan)
        wide[setting, codes] = rows[column]
        return pd.DataFrame(wide, columns=names)

    first = rows.loc[~pd.Series(setting, index=rows.index).duplicated(), settings].reset_index(drop=True)
    wide = {column: spread(column) for column in ("mean", "se", "runs", "theory")}
    return Pivot(first, **wide, mechanism={name: mechanism for (_, mechanism), name in name_of.items()})


def evaluate(
    rows: pd.DataFrame | Pivot, expression: str, basis: str | None = None, paper_runs: int | None = None
) -> pd.DataFrame:
    """Value of an expression at every setting, with its standard errors.

    Parameters
    ----------
    rows
        Rows of one reading of a result table, or their pivot. Settings at which a variable of the expression has no
        row are left out.
    expression
        A pandas expression over the variables, see the module's docstring.
    basis
        ``theory`` takes the closed forms (no error), ``simulation`` the Monte-Carlo means. Default: theory
        at the settings where every variable used has it. An exact row (``runs = 0``) counts as its own
        theory.
    paper_runs
        Runs behind the paper's number. Its Monte-Carlo error follows from the standard deviation of one run
        of our simulation, through the same expression.

    Returns
    -------
    DataFrame
        The setting columns, ``estimate``, ``se`` (ours) and ``se_paper`` (0 without `paper_runs`), indexed
        by setting.
    """
    data = rows if isinstance(rows, Pivot) else pivot(rows)
    numbers = data.settings.select_dtypes("number").astype(float)
    names = require_known(expression, [*data.mechanism, *numbers.columns])
    used = [name for name in data.mean.columns if name in names]
    present = data.runs[used].notna().all(axis=1)
    if not present.any():
        raise ValueError(f"no selected setting has all of {', '.join(used)}")
    mean, se, runs, theory, numbers, settings = (
        frame.loc[present]
        for frame in (
            data.mean[used],
            data.se[used],
            data.runs[used],
            data.theory[used],
            numbers,
            data.settings,
        )
    )
    theory = theory.where(theory.notna() | (runs > 0), mean)
    known = theory.notna().all(axis=1)
    if basis == "theory" and not known.all():
        lacking = ", ".join(theory.columns[theory.isna().any()])
        raise ValueError(f"basis theory, but {lacking} has no closed form at {(~known).sum()} settings")
    exact = known & (basis != "simulation")
    point = mean.where(~exact, theory)
    se_ours = se.where(~exact, 0.0)
    se_paper = se * np.sqrt(runs / paper_runs) if paper_runs else se * 0.0

    formula = re.sub(rf"\b({'|'.join(FUNCTIONS)})\(", r"@\1(", expression.strip())

    def value(variables: pd.DataFrame) -> np.ndarray:
        try:
            frame = pd.concat([numbers, variables], axis=1)
            result = frame.eval(formula, engine="python", local_dict=FUNCTIONS)
        except (TypeError, NotImplementedError, SyntaxError) as error:
            raise ValueError(f"cannot evaluate {expression!r}: {error}") from error
        return np.broadcast_to(np.asarray(result, dtype=float), len(settings))

    spread = np.fmax(se_ours, se_paper)
    uncertain = (spread != 0).any()  # an exact variable propagates no error, so its slope is not needed
    slopes = pd.DataFrame(
        {name: _slope(value, point, spread[name]) if uncertain[name] else 0.0 for name in used}, index=settings.index
    )
    return settings.assign(
        estimate=value(point),
        se=_propagate(slopes, se_ours, data.mechanism),
        se_paper=_propagate(slopes, se_paper, data.mechanism),
    )


def _slope(value: Callable[[pd.DataFrame], np.ndarray], point: pd.DataFrame, spread: pd.Series) -> np.ndarray:
    """Central-difference derivative in one variable, on the scale of that variable's error."""
    step = np.fmax(1e-3 * spread, 1e-7 * point[spread.name].abs())
    step = step.where((step > 0) & np.isfinite(step), 1.0)
    upper = value(point.assign(**{spread.name: point[spread.name] + step}))
    lower = value(point.assign(**{spread.name: point[spread.name] - step}))
    with np.errstate(invalid="ignore"):  # infinite numbers have no slope, and no error to propagate
        return (upper - lower) / (2 * step.to_numpy())


def _propagate(slopes: pd.DataFrame, se: pd.DataFrame, mechanism: dict[str, str]) -> np.ndarray:
    """Delta-method error: in full within a mechanism, in quadrature between mechanisms."""
    parts = np.where(se != 0, slopes.abs() * se, 0.0)
    owner = np.array([mechanism[name] for name in slopes.columns])
    return np.sqrt(sum(parts[:, owner == name].sum(axis=1) ** 2 for name in dict.fromkeys(owner)))
