"""Which protocol to choose at each budget: once from public facts alone, once from the table.

The second choice looks at the data. A deployment that publishes or follows it reveals something about them, which no
budget counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from claimaudit.results import mean_and_se
from corrldp.leakage.empirical import holm
from corrldp.mechanisms.validation import ROUNDING
from corrldp.metrics import NORMAL
from corrldp.protocols.records import average_error
from corrldp.randomness import rounded
from corrldp.study.contenders import Contender, Marginals, Users
from corrldp.study.errors import Error
from corrldp.study.output import frame
from corrldp.study.settings import BEST, CANNOT_TELL, EQUAL, LARGER, OPEN, PUBLIC, RECOMMENDED, TABLE, StudySettings

NEGLIGIBLE = 0.01
"""Relative difference of two errors that makes no difference to anyone."""


@dataclass(frozen=True)
class Candidate:
    """What can be chosen, and its error at each possibility that public facts leave open, or its only one.

    Candidates that share `behaviour` are one protocol, whose other names are in `same`.
    """

    protocol: str
    behaviour: str
    postprocess: str
    errors: tuple[float, ...]
    same: tuple[str, ...] = ()

    @property
    def worst(self) -> float:
        return max(self.errors)

    @property
    def rank(self) -> float:
        """The largest error, without the last digits: those of two formulas for one number differ."""
        return float(rounded(self.worst))


def compare(
    errors: Sequence[Error], contenders: Sequence[Contender], users: Users, settings: StudySettings
) -> pd.DataFrame:
    """Return all that can be chosen at each budget, the best first, from public facts and from the table.

    Columns `epsilon, basis, protocol, same, postprocess, mse, standing, margin, p_value`: `same` has other names under
    which a protocol does the same at this budget, `margin` is how much larger the error is, relative to the best, and
    `p_value` that of the difference, if it was simulated. The standing is "best";
    "equal" if the error surely differs by less than 1 %; "open" if the difference
    from the best may be chance or depends on facts that are not public; or "larger".
    """
    rows: list[dict[str, Any]] = []
    for epsilon in settings.epsilons:
        rows += _from_public_facts(epsilon, [one for one in contenders if one.epsilon == epsilon], users)
        rows += _from_table(epsilon, [error for error in errors if error.contender.epsilon == epsilon], users, settings)
    return frame("candidates", rows)


def recommend(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the recommendation for each budget and basis.

    Columns `epsilon, basis, protocol, same, postprocess, mse, verdict, runner_up, runner_up_postprocess, margin,
    p_value`: `runner_up` is the next best protocol that is not equal, `margin` how much larger its error is. The
    verdict is "cannot tell" if another protocol is open.
    """
    groups = candidates.groupby(["epsilon", "basis"], sort=False)
    return frame("recommendation", (_recommended(rows) for _, rows in groups))


def _recommended(rows: pd.DataFrame) -> dict[str, Any]:
    best = rows.iloc[0]
    others = rows[rows["protocol"] != best["protocol"]]
    second = others[others["standing"] != EQUAL].head(1).to_dict("records")
    runner_up = second[0] if second else {"protocol": "", "postprocess": "", "margin": np.nan, "p_value": np.nan}
    return {
        **best[["epsilon", "basis", "protocol", "same", "postprocess", "mse"]],
        "verdict": CANNOT_TELL if (others["standing"] == OPEN).any() else RECOMMENDED,
        "runner_up": runner_up["protocol"],
        "runner_up_postprocess": runner_up["postprocess"],
        "margin": runner_up["margin"],
        "p_value": runner_up["p_value"],
    }


def _from_public_facts(epsilon: float, contenders: Iterable[Contender], users: Users) -> Iterator[dict[str, Any]]:
    """Compare protocols whose error follows from the number of users and the domains, whatever the records are."""
    candidates = []
    for found in contenders:
        if found.closed and not found.needs_records:
            errors = (float(average_error(found.expected_mse(one))) for one in extremes(users.marginals))
            candidates.append(Candidate(found.name, found.behaviour(users), "none", tuple(errors)))
    if not candidates:
        return
    best, *others = sorted(merged(candidates), key=lambda one: one.rank)
    yield _row(epsilon, PUBLIC, best, best, BEST)
    for other in others:
        ratios = [mine / least for mine, least in zip(other.errors, best.errors, strict=True)]
        equal = all(abs(ratio - 1) <= NEGLIGIBLE for ratio in ratios)
        yield _row(epsilon, PUBLIC, other, best, EQUAL if equal else OPEN if min(ratios) <= 1 + ROUNDING else LARGER)


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


def _from_table(epsilon: float, errors: list[Error], users: Users, settings: StudySettings) -> Iterator[dict[str, Any]]:
    if not errors:
        return
    known = {(error.contender.name, error.postprocess): error for error in errors}
    candidates = merged([_candidate(error, users) for error in errors])
    first, *others = sorted(candidates, key=lambda one: one.rank)
    best, *worse = (known[one.protocol, one.postprocess] for one in (first, *others))
    differences = [difference(best, other) for other in worse]
    p_values = holm([p_value(*found) for found in differences]) if others else np.zeros(0)
    yield _row(epsilon, TABLE, first, first, BEST)
    for other, (mean, se), p in zip(others, differences, p_values, strict=True):
        equal = mean + NORMAL * se <= NEGLIGIBLE * best.mean
        standing = EQUAL if equal else OPEN if p >= settings.level else LARGER
        yield _row(epsilon, TABLE, other, first, standing, float(p))


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, those that do the same as one with several names, which is the first."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates:
        groups.setdefault((one.behaviour, one.postprocess), []).append(one)
    return [replace(first, same=tuple(one.protocol for one in rest)) for first, *rest in groups.values()]


def difference(one: Error, other: Error) -> tuple[float, float]:
    """Return how much larger the other error is, with its standard error; errors of the same runs are paired.

    Both are 0 where they come from rounding.
    """
    mean, se = other.mean - one.mean, float(np.hypot(one.se, other.se))
    if one.contender.law == other.contender.law and one.runs is not None and other.runs is not None:
        mean, se = map(float, mean_and_se(other.runs.mean(axis=1) - one.runs.mean(axis=1)))
    return (mean, se) if np.hypot(mean, se) > ROUNDING * one.mean else (0.0, 0.0)


def p_value(mean: float, se: float) -> float:
    """Return the p-value, two-sided, of the hypothesis that a difference with a standard error is 0."""
    if se == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * norm.sf(abs(mean) / se))


def _candidate(error: Error, users: Users) -> Candidate:
    return Candidate(error.contender.name, error.contender.behaviour(users), error.postprocess, (error.mean,))


def _row(
    epsilon: float, basis: str, one: Candidate, best: Candidate, standing: str, p: float = np.nan
) -> dict[str, Any]:
    return {
        "epsilon": epsilon,
        "basis": basis,
        "protocol": one.protocol,
        "same": one.same,
        "postprocess": one.postprocess,
        "mse": one.worst,
        "standing": standing,
        "margin": one.worst / best.worst - 1 if best.worst else np.nan,
        "p_value": p,
    }
