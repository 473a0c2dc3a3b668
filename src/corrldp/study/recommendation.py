"""Which protocol to choose at each budget: once from public facts alone, once from the table.

The second choice looks at the data. A deployment that publishes or follows it reveals something about them, which no
budget counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from corrldp.leakage.empirical import holm
from corrldp.metrics import mean_and_se
from corrldp.protocols.records import average_error
from corrldp.study.contenders import Contender, Users, contenders
from corrldp.study.errors import NORMAL, Error
from corrldp.study.populations import Marginals
from corrldp.study.settings import Settings

NEGLIGIBLE = 0.01
"""Relative difference of two errors that makes no difference to anyone."""

PUBLIC, TABLE = "public facts", "the table"
RECOMMENDED, CANNOT_TELL = "recommended", "cannot tell"


@dataclass(frozen=True)
class Candidate:
    """What can be chosen, and its error at each possibility that public facts leave open, or its only one."""

    protocol: str
    postprocess: str
    errors: tuple[float, ...]

    @property
    def worst(self) -> float:
        """The largest error."""
        return max(self.errors)

    @property
    def words(self) -> str:
        """Name it."""
        return f"{self.protocol} ({self.postprocess})"


def recommend(errors: Sequence[Error], users: Users, settings: Settings) -> pd.DataFrame:
    """Return the recommendation for each budget, from public facts and from the table.

    Columns `epsilon, basis, verdict, protocol, postprocess, mse, runner_up, margin, p_value, equal, open`: `runner_up`
    is the next best protocol, `margin` how much larger its error is, relative to the best, and `p_value` that of the
    difference. `equal` lists what surely differs by less than 1 %, `open` what cannot be told from the best: the
    difference may be chance, or depends on facts that are not public. The verdict is "cannot tell" if the latter
    names another protocol.
    """
    rows = []
    for epsilon in settings.epsilons:
        rows.append(_from_public_facts(epsilon, users, settings))
        rows.append(_from_table(epsilon, [error for error in errors if error.contender.epsilon == epsilon], settings))
    return pd.DataFrame([row for row in rows if row is not None])


def _from_public_facts(epsilon: float, users: Users, settings: Settings) -> dict[str, Any] | None:
    """Compare protocols whose error follows from the number of users and the domains, whatever the records are."""
    candidates = []
    for found in contenders(settings.protocols, epsilon, users.table.sizes):
        if isinstance(found, Contender) and found.closed and not found.needs_records:
            errors = (float(average_error(found.expected_mse(one))) for one in extremes(users.marginals))
            candidates.append(Candidate(found.name, "none", tuple(errors)))
    if not candidates:
        return None
    best, *others = sorted(candidates, key=lambda one: one.worst)
    ratios = {other: [mine / least for mine, least in zip(other.errors, best.errors, strict=True)] for other in others}
    equal = [other for other in others if all(abs(ratio - 1) <= NEGLIGIBLE for ratio in ratios[other])]
    unsure = [other for other in others if other not in equal and min(ratios[other]) <= 1]
    return _row(epsilon, PUBLIC, best, others, equal, unsure, {})


def extremes(marginals: Marginals) -> Iterable[Marginals]:
    """Yield users of the same number and domains with equal frequencies, and users who all agree.

    The error of each protocol in closed form, averaged over an attribute's values, lies between those of the two: it
    depends on the frequencies through the sum of their squares only, if at all.
    """
    n, sizes = marginals.n, marginals.sizes
    equal, agreed = (np.zeros((len(sizes), max(sizes)), dtype=np.int64) for _ in range(2))
    for j, k in enumerate(sizes):
        equal[j, :k] = n // k
        equal[j, : n % k] += 1
    agreed[:, 0] = n
    return Marginals(equal, sizes), Marginals(agreed, sizes)


def _from_table(epsilon: float, errors: list[Error], settings: Settings) -> dict[str, Any] | None:
    if not errors:
        return None
    best, *others = sorted(errors, key=lambda error: error.mean)
    differences = [difference(best, other) for other in others]
    p_values = holm([p_value(*found) for found in differences]) if others else np.zeros(0)
    equal, unsure = [], []
    for other, (mean, se), p in zip(others, differences, p_values, strict=True):
        if mean + NORMAL * se <= NEGLIGIBLE * best.mean:
            equal.append(_candidate(other))
        elif p >= settings.level:
            unsure.append(_candidate(other))
    found = {_candidate(other): float(p) for other, p in zip(others, p_values, strict=True)}
    return _row(epsilon, TABLE, _candidate(best), list(found), equal, unsure, found)


def difference(one: Error, other: Error) -> tuple[float, float]:
    """Return how much larger the other error is, with its standard error; errors of the same runs are paired."""
    if one.contender.law == other.contender.law and one.runs is not None and other.runs is not None:
        mean, se = mean_and_se(other.runs.mean(axis=1) - one.runs.mean(axis=1))
        return float(mean), float(se)
    return other.mean - one.mean, float(np.hypot(one.se, other.se))


def p_value(mean: float, se: float) -> float:
    """Return the p-value, two-sided, of the hypothesis that a difference with a standard error is 0."""
    if se == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * norm.sf(abs(mean) / se))


def _candidate(error: Error) -> Candidate:
    return Candidate(error.contender.name, error.postprocess, (error.mean,))


def _row(
    epsilon: float,
    basis: str,
    best: Candidate,
    others: list[Candidate],
    equal: list[Candidate],
    unsure: list[Candidate],
    p_values: dict[Candidate, float],
) -> dict[str, Any]:
    second = next((one for one in others if one.protocol != best.protocol and one not in equal), None)
    doubt = any(one.protocol != best.protocol for one in unsure)
    return {
        "epsilon": epsilon,
        "basis": basis,
        "verdict": CANNOT_TELL if doubt else RECOMMENDED,
        "protocol": best.protocol,
        "postprocess": best.postprocess,
        "mse": best.worst,
        "runner_up": second.words if second else "",
        "margin": second.worst / best.worst - 1 if second and best.worst else np.nan,
        "p_value": p_values.get(second, np.nan) if second else np.nan,
        "equal": "; ".join(one.words for one in equal),
        "open": "; ".join(one.words for one in unsure),
    }
