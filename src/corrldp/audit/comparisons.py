"""Checks of inequalities, with three-valued logic: `ordering` and `monotone`.

Each comparison is *satisfied*, *violated* or *undecided*. Between exact numbers its sign decides; otherwise
it is satisfied or violated if it is so significantly, Bonferroni over all comparisons of the check (satisfied at
the passing, violated at the failing level), and else undecided.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import special

from corrldp.audit.evidence import EXACT, Evidence, Levels, critical, interval, place, record_at, relative, z_scores
from corrldp.audit.quantities import evaluate, pivot
from corrldp.results import axes_of


def ordering(claim: dict, rows: pd.DataFrame, levels: Levels) -> Evidence:
    """Check ``quantity relation against`` at every selected setting.

    ``share`` says at how many settings it must hold: ``every`` (default), ``some``, ``none``, ``{at_least:
    share}`` or ``{at_most: share}``. Holds if the satisfied settings suffice, fails if even all undecided
    ones would not help, and cannot tell in between. Exact numbers within 1e-9 of each other are equal:
    enough for ``<=``, not for ``<``.
    """
    quantity, against, relation = claim["quantity"], str(claim["against"]), claim["relation"]
    data = pivot(rows)
    frame = evaluate(data, f"({quantity}) - ({against})", claim.get("basis"))
    left, right = (
        evaluate(data, side, claim.get("basis"))["estimate"].reindex(frame.index) for side in (quantity, against)
    )
    comparisons = frame.rename(columns={"estimate": "difference"}).assign(
        reference=right, equal=np.isclose(left, right, rtol=EXACT, atol=0), strict=relation in ("<", ">")
    )
    sign = 1 if relation in (">", ">=") else -1
    settings, _ = axes_of(rows)
    return _decide(comparisons, sign, claim.get("share", "every"), levels, settings, rows["reading"].iloc[0])


def monotone(claim: dict, rows: pd.DataFrame, levels: Levels) -> Evidence:
    """Check that a quantity goes up (or down) along a setting column, in each group of the other settings.

    Every step between neighbours must go the right way or, for exact numbers, stay level; and each group's
    last value must strictly lie on the right side of its first.
    """
    along = claim["along"]
    frame = evaluate(rows, claim["quantity"], claim.get("basis"))
    settings, _ = axes_of(rows)
    found = list(groups(frame, settings, along, claim.get("by")))
    ordered = pd.concat(found)
    sizes = [len(group) for group in found]
    starts = np.cumsum([0, *sizes[:-1]])
    neighbours = [np.arange(start, start + size - 1) for start, size in zip(starts, sizes, strict=True) if size > 2]
    before = np.concatenate([*neighbours, starts])
    after = np.concatenate([*(step + 1 for step in neighbours), starts + np.array(sizes) - 1])
    strict = np.arange(len(before)) >= len(before) - len(found)
    sign = 1 if claim["direction"] == "increasing" else -1
    steps = _steps(ordered.iloc[before], ordered.iloc[after], along).assign(strict=strict)
    return _decide(steps, sign, "every", levels, settings, rows["reading"].iloc[0])


def groups(frame: pd.DataFrame, settings: list[str], along: str, by: list[str] | None) -> Iterator[pd.DataFrame]:
    """Group rows by the columns `by` (default: all but `along`), each group sorted along `along`."""
    by = [name for name in settings if name != along] if by is None else by
    unknown = [name for name in (along, *by) if name not in settings]
    if unknown:
        raise ValueError(f"unknown setting column {', '.join(unknown)}; there are: {', '.join(settings)}")
    found = [group for _, group in frame.groupby(by, sort=False, dropna=False)] if by else [frame]
    found = [group.sort_values(along) for group in found if len(group) > 1]
    if not found:
        raise ValueError(f"no two selected settings differ in {along} alone; name the grouping columns with `by`")
    if any(group[along].duplicated().any() for group in found):
        raise ValueError(f"two settings share one value of {along}; select with `rows` or group with `by`")
    return iter(found)


def _steps(before: pd.DataFrame, after: pd.DataFrame, along: str) -> pd.DataFrame:
    """Comparisons of rows of a group, pair by pair."""
    start, end = before["estimate"].to_numpy(), after["estimate"].to_numpy()
    return before.reset_index(drop=True).assign(
        **{along: [f"{low} -> {high}" for low, high in zip(before[along], after[along], strict=True)]},
        difference=end - start,
        reference=start,
        se=np.hypot(before["se"].to_numpy(), after["se"].to_numpy()),
        equal=np.isclose(end, start, rtol=EXACT, atol=0),
    )


def _decide(
    comparisons: pd.DataFrame, sign: int, share: str | dict, levels: Levels, settings: list[str], reading: str
) -> Evidence:
    """Three-valued outcome of comparisons of which ``sign * difference`` should be positive."""
    se = comparisons["se"].to_numpy()
    difference = comparisons["difference"].to_numpy()
    z = sign * z_scores(difference, se, comparisons["equal"].to_numpy())
    level_is_enough = np.where(comparisons["strict"], -np.inf, np.inf)
    z = np.where((se == 0) & comparisons["equal"], level_is_enough, z)
    count, simulated = len(comparisons), int((se != 0).sum())
    tests = max(simulated, 1)
    satisfied = int((z > critical(levels.passing, tests)).sum())
    violated = int((z < -critical(levels.failing, tests)).sum())
    undecided = count - satisfied - violated
    holds = _enough(satisfied / count, (satisfied + undecided) / count, share, count)
    reference = comparisons["reference"].to_numpy()
    with np.errstate(invalid="ignore"):
        margin = sign * difference / np.where(reference == 0, 1.0, np.abs(reference))
    at = int(np.lexsort((margin, z))[0])
    worst = relative(difference[at], reference[at]) + place(comparisons, at, settings)
    return Evidence(
        reading=reading,
        holds=holds,
        rows=count,
        effect=f"{satisfied} of {count} satisfied; worst: {worst}",
        reason=f"{satisfied} satisfied, {violated} violated, {undecided} undecided",
        statistic=z[at],
        p_value=float(min(1.0, tests * special.ndtr(z[at]))) if share == "every" else None,
        simulated=simulated,
        worst=record_at(comparisons, at, settings),
        **interval(difference[at], se[at]),
    )


def _enough(least: float, most: float, share: str | dict, count: int) -> bool | None:
    """Whether the share of satisfied comparisons, known to lie in [least, most], is what the claim says."""
    if share == "none":
        share = {"at_most": 0.0}
    elif isinstance(share, str):
        share = {"at_least": {"every": 1.0, "some": 1 / count}[share]}
    if "at_least" in share:
        certain, excluded = least >= share["at_least"], most < share["at_least"]
    else:
        certain, excluded = most <= share["at_most"], least > share["at_most"]
    return True if certain else False if excluded else None
