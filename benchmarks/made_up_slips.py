"""Authors with code of their own, and the slips that they make in it; `hidden_slips` searches for these.

The list was written for this benchmark from the texts of two papers alone, without a look at guide words or axes; of
each slip that it calls highly or fairly plausible, the first variant is here. Both protocols are simulated anew, by
counts of users; without a slip they do as their text says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from jrr.runners.population import optimum

Made = Callable[[str], bool]
"""Whether authors made a slip."""

Numbers = Iterator[tuple[str, np.ndarray]]
"""The name of a mechanism, and the error of each run, or the number that is printed for all of them, (1,)."""

CHANCE = {"few runs": 20, "one seed for all runs": 1, "a tenth of the runs": 100, "ten seeds": 10}
"""Slips that change no expectation, and the runs that they leave."""

CORR_RR = {
    "high": (
        "RS methods amplified; Phase I at the whole budget; d = 4 in the split; a lie can be the truth; a non-copy "
        "can be the copy; the last attribute is no pivot; p_y from true marginals; sign of p_y; one p_y a pair; p_y "
        "transposed; n for n2 in p_y; p_y from repaired estimates; Phase II alone; prior averaged; all estimates "
        "repaired; true marginals as prior; data copy too often; another n1; one data set; truth of the model; sum "
        "over values; few runs; best n1 for ours"
    ),
    "medium": (
        "Corr-RR amplified; SPL not split; Phase I debiased at the whole budget; raw pivot copied; pivot fixed; Phase "
        "II on everybody; p_y at the split budget; general weights in p_y; mean p_y; p_y one half outside; p_y = rho; "
        "p_y of the first run; mean of phases; n for n2 in Phase II; fakes not taken out; RS+RFD debiased by 1/k; "
        "uniform root; data of SynB; rho of another figure; n of the main figures; first attribute alone; last value "
        "dropped; median; one seed for all runs"
    ),
}

JRR = {
    "high": (
        "parameters of n = 10,000; no colluders; coarse grid; sorted neighbours paired; clipped to 0..n; random ones; "
        "formula printed; variance printed; a tenth of the runs; formula for RR; strongest correlation; colluders in "
        "percent; RR at JRR's p; frequencies; sum over values"
    ),
    "medium": (
        "n - M others; negative rho is free; search ends at RR; optimum for the true n1; p rounded; groups drawn "
        "once; same sign in a pair; no square root; second member half right; last pair skipped; a lie is a coin; "
        "colluders left out; estimator at RR's p; rounded estimate; one 1 too few; formula misprinted; half the "
        "values; ten seeds"
    ),
}
"""Slips by plausibility, separated by semicolons."""


def corr_rr(point: Mapping[str, Any], runs: int, rng: np.random.Generator, made: Made) -> Numbers:
    """Yield the squared errors (runs,) of SPL, RS+FD, RS+RFD and Corr-RR on SynA."""
    shares = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5) if made("best n1 for ours") else (0.2 if made("another n1") else 0.1,)
    found = [dict(_four_protocols(point, share, runs, rng, made)) for share in shares]
    ours = min(found, key=lambda one: one["Corr-RR"].mean())
    yield from {**found[shares.index(0.1) if len(shares) > 1 else 0], "Corr-RR": ours["Corr-RR"]}.items()


def _four_protocols(point: Mapping[str, Any], share: float, runs: int, rng: np.random.Generator, made: Made) -> Numbers:
    n, d, k, epsilon = 20_000 if made("n of the main figures") else point["n"], point["d"], point["k"], point["epsilon"]
    n1, everybody = round(share * n), made("Phase II on everybody")
    rho = 0.9 if made("rho of another figure") else point["rho"]
    law = _syn_a(rho, k, rng.integers(2, size=(runs, 1)) if made("data of SynB") else np.zeros((runs, 1)), made)
    if made("one data set"):
        whole = rng.multinomial(n, law[0])
        first = rng.multivariate_hypergeometric(whole, n1, size=runs)
        rest = whole - first
    else:
        first, rest = rng.multinomial(n1, law), rng.multinomial(n - n1, law)
    users, second = first + rest, first + rest if everybody else rest
    n2 = n if everybody else n - n1
    truth = _marginals(law if made("truth of the model") else users / n, k)
    larger = np.log(d * np.expm1(epsilon) + 1)
    split = epsilon / (4 if made("d = 4 in the split") else d)

    def perturbed(counts: np.ndarray, budget: float) -> np.ndarray:
        p, _ = _grr(budget, k)
        lie = np.full((k, k), (1 - p) / k) if made("a lie can be the truth") else (1 - np.eye(k)) * (1 - p) / (k - 1)
        return rng.multinomial(counts, lie + p * np.eye(k)).sum(axis=-2)

    def debiased(reports: np.ndarray, total: int, budget: float) -> np.ndarray:
        p, q = _grr(budget, k)
        return (reports / total - q) / (p - q)

    def by_sampled(counts: np.ndarray) -> list[np.ndarray]:
        """Divide users by the attribute that each samples; return the marginals of each group."""
        chances = np.full(d, 1 / d)
        if made("the last attribute is no pivot"):
            chances = np.append(np.full(d - 1, 1 / (d - 1)), 0)
        return [_marginals(group, k) for group in np.moveaxis(rng.multinomial(counts, chances), -1, 0)]

    def with_fakes(counts: np.ndarray, total: int, prior: np.ndarray, subtracted: np.ndarray | float) -> np.ndarray:
        budget = larger if made("RS methods amplified") else epsilon
        reports = np.empty(truth.shape)
        for j, group in enumerate(by_sampled(counts)):
            fakes = rng.multinomial(total - group[:, j].sum(axis=-1), prior[:, j])
            reports[:, j] = perturbed(group[:, j], budget) + fakes
        return debiased(d * reports - (d - 1) * total * subtracted, total, budget)

    def combined(one: np.ndarray, two: np.ndarray) -> np.ndarray:
        return (n1 * one + n2 * two) / (n1 + n2)

    whole_budget = made("Phase I at the whole budget")
    f1_budget = epsilon if whole_budget else split
    debiasing = epsilon if made("Phase I debiased at the whole budget") else f1_budget
    f1 = debiased(perturbed(_marginals(first, k), f1_budget), n1, debiasing)
    spl_budget = epsilon if made("SPL not split") else split
    estimates = {"SPL": debiased(perturbed(_marginals(users, k), spl_budget), n, spl_budget)}

    uniform = np.full(truth.shape, 1 / k)
    estimates["RS+FD"] = with_fakes(users, n, uniform, 1 / k)
    if made("fakes not taken out"):
        p, q = _grr(epsilon, k)
        estimates["RS+FD"] = (estimates["RS+FD"] + (d - 1) * (1 / k - q) / (p - q)) / d
    prior = truth if made("true marginals as prior") else _repaired(f1)
    f2 = with_fakes(second, n2, prior, 1 / k if made("RS+RFD debiased by 1/k") else prior)
    estimates["RS+RFD"] = combined(prior if made("prior averaged") else f1, f2)

    budget = larger if made("Corr-RR amplified") else epsilon
    known = truth if made("p_y from true marginals") else _repaired(f1) if made("p_y from repaired estimates") else f1
    p_y = _p_y(known, n if made("n for n2 in p_y") else n2, split if made("p_y at the split budget") else budget, made)
    p_y = np.full(p_y.shape, rho) if made("p_y = rho") else p_y
    reports = np.zeros(truth.shape)
    groups = [_marginals(second, k)] if made("pivot fixed") else by_sampled(second)
    for s, group in enumerate(groups):
        pivot = perturbed(group[:, s], budget)
        reports[:, s] += pivot
        copied = group[:, s] if made("raw pivot copied") else pivot
        for j in {*range(d)} - {s}:
            copy = p_y[:, s, j, None, None] * np.eye(k)
            other = np.full((k, k), 1 / k) if made("a non-copy can be the copy") else (1 - np.eye(k)) / (k - 1)
            reports[:, j] += rng.multinomial(copied, copy + (1 - p_y[:, s, j, None, None]) * other).sum(axis=-2)
    f2 = debiased(reports, n if made("n for n2 in Phase II") else n2, budget)
    alone = f2 if made("Phase II alone") else (f1 + f2) / 2
    estimates["Corr-RR"] = alone if made("Phase II alone") or made("mean of phases") else combined(f1, f2)

    for mechanism, estimate in estimates.items():
        final = _repaired(estimate) if made("all estimates repaired") else estimate
        squares = (final - truth) ** 2
        squares = squares[:, :1] if made("first attribute alone") else squares
        squares = squares * (np.arange(k) < k - 1) if made("last value dropped") else squares
        errors = squares.mean(axis=(1, 2)) * (k if made("sum over values") else 1)
        yield mechanism, errors


def _grr(epsilon: float, k: int) -> tuple[float, float]:
    total = np.exp(epsilon) + k - 1
    return float(np.exp(epsilon) / total), float(1 / total)


def _repaired(estimates: np.ndarray) -> np.ndarray:
    kept = np.maximum(estimates, 0)
    return kept / kept.sum(axis=-1, keepdims=True)


def _syn_a(rho: float, k: int, parent: np.ndarray, made: Made) -> np.ndarray:
    """Return the law (runs, k^3) of records whose third attribute copies the first one, or the second if `parent`."""
    root = np.full(k, 1 / k) if made("uniform root") else np.arange(k, 0, -1) / np.arange(k + 1).sum()
    often = np.full((k, k), 1 / k) if made("data copy too often") else (1 - np.eye(k)) / (k - 1)
    copy = rho * np.eye(k) + (1 - rho) * often
    laws = [np.einsum("a,ab,ac->abc", root, copy, copy), np.einsum("a,ab,bc->abc", root, copy, copy)]
    return np.where(parent, laws[1].ravel(), laws[0].ravel())


def _marginals(counts: np.ndarray, k: int) -> np.ndarray:
    cube = counts.reshape(len(counts), k, k, k)
    return np.stack([cube.sum(axis=(2, 3)), cube.sum(axis=(1, 3)), cube.sum(axis=(1, 2))], axis=1)


def _p_y(f: np.ndarray, n2: int, budget: float, made: Made) -> np.ndarray:
    """Return the copy probabilities (runs, pivot, follower) that the appendix's Eq. 9 chooses."""
    d, k = f.shape[1:]
    p, q = _grr(budget, k)
    own = 1 / d if made("general weights in p_y") else 1 / 2
    f_j, f_s = f[:, None], f[:, :, None]
    c0, c1 = own * f_j + (1 - own) * (1 - f_s) / (k - 1), (1 - own) * (k * f_s - 1) / (k - 1)
    alpha, beta = 1 - 1 / n2, -2 * f_j + (1 - 2 * q) / (n2 * (p - q))
    square, linear = alpha * (c1**2 + 0 * c0).sum(axis=-1), (c1 * (2 * alpha * c0 + beta)).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        best = (1 if made("sign of p_y") else -1) * linear / (2 * square)
    end = (square + linear < 0).astype(float)
    inside = (best >= 0) & (best <= 1)
    better = inside & (square * best**2 + linear * best <= square * end + linear * end)
    found = np.where(better, best, np.where(inside, end, 0.5) if made("p_y one half outside") else end)
    if made("one p_y a pair"):
        found = np.where(np.tri(d, k=-1, dtype=bool), found, found.swapaxes(1, 2))
    found = found.swapaxes(1, 2) if made("p_y transposed") else found
    if made("mean p_y"):
        found = np.broadcast_to(found[:, ~np.eye(d, dtype=bool)].mean(axis=1)[:, None, None], found.shape)
    return np.broadcast_to(found[:1], found.shape) if made("p_y of the first run") else found


def jrr(point: Mapping[str, Any], runs: int, rng: np.random.Generator, made: Made) -> Numbers:
    """Yield the squared errors (runs,) of the counts that RR and JRR estimate."""
    n, n1, epsilon = point["n"], point["n1"], point["epsilon"]
    plain = 1 / (1 + np.exp(-epsilon))
    p, rho = _chosen(n, n1, epsilon, made)
    for mechanism, used, correlation in (("RR", p if made("RR at JRR's p") else plain, 0.0), ("JRR", p, rho)):
        if made("formula printed") or made("formula misprinted") or (made("formula for RR") and mechanism == "RR"):
            peers = n if made("formula misprinted") else n - 1
            spread = n + correlation * ((2 * n1 - n) ** 2 - n) / peers
            yield mechanism, np.array([used * (1 - used) / (2 * used - 1) ** 2 * spread])
            continue
        ones = _reports_of_one(n, n1, used, correlation, runs, rng, made)
        reports = np.stack([n - ones - (5 if made("colluders left out") else 0), ones], axis=1)
        known = plain if made("estimator at RR's p") else used
        estimates = (reports - n * (1 - known)) / (2 * known - 1)
        estimates = np.clip(estimates, 0, n) if made("clipped to 0..n") else estimates
        estimates = np.round(estimates) if made("rounded estimate") else estimates
        errors = (estimates - estimates.mean(axis=0) if made("variance printed") else estimates - [n - n1, n1]) ** 2
        errors = errors[:, 1] / 2 if made("half the values") else errors.mean(axis=1)
        yield mechanism, errors * (2 if made("sum over values") else 1) / (n**2 if made("frequencies") else 1)


def _chosen(n: int, n1: int, epsilon: float, made: Made) -> tuple[float, float]:
    """Return the p and rho of JRR."""
    plain = float(1 / (1 + np.exp(-epsilon)))
    colluders = 0 if made("no colluders") else n // 20 if made("colluders in percent") else 5
    if made("strongest correlation"):
        return plain, 1 - 1 / plain
    if made("search ends at RR"):
        return plain, 0.0
    if made("optimum for the true n1"):
        best = optimum(n, n1, epsilon, colluders)
        return best.p, best.rho
    n = 10_000 if made("parameters of n = 10,000") else n
    others = n - (colluders if made("n - M others") else colluders + 1)
    step = 0.001 if made("coarse grid") else 0.0001
    p, rho = _algorithm_1(epsilon, colluders, others, step, made("negative rho is free"))
    return round(p, 2) if made("p rounded") else p, rho


@cache
def _algorithm_1(epsilon: float, colluders: int, others: int, step: float, free: bool) -> tuple[float, float]:
    """Return the first p, downwards, and rho, upwards, that satisfy the constraint of Eq. 22."""
    p = 1 / (1 + np.exp(-epsilon)) - step
    while p > 0.5:
        q, rho = 1 - p, np.arange(1 - 1 / p, 1, step)
        most, least = p + rho * q, (1 - rho) * q
        if not free:
            most, least = np.maximum(most, (1 - rho) * p), np.minimum(least, q + rho * p)
        met = colluders * most + others * p <= np.exp(epsilon) * (colluders * least + others * q)
        if met.any():
            return float(p), float(rho[met.argmax()])
        p -= step
    raise ValueError(f"Algorithm 1 finds nothing at epsilon={epsilon}")


def _reports_of_one(
    n: int, n1: int, p: float, rho: float, runs: int, rng: np.random.Generator, made: Made
) -> np.ndarray:
    """Draw the number of reports of 1, (runs,): of pairs in random order, whose truths have the correlation rho."""
    ones = np.full(runs, n1 - 1 if made("one 1 too few") else n1)
    ones = rng.binomial(n, n1 / n, size=runs) if made("random ones") else ones
    if made("colluders left out"):
        ones, n = rng.hypergeometric(ones, n - ones, n - 5), n - 5
    total, pairs, alone = n, n // 2, rng.hypergeometric(ones, n - ones, n % 2)
    ones, n = ones - alone, 2 * pairs
    first = rng.hypergeometric(ones, n - ones, pairs)
    both = rng.hypergeometric(ones - first, pairs - ones + first, first)
    if made("sorted neighbours paired"):
        first = (ones + 1) // 2
        both = ones // 2
    if made("groups drawn once"):
        first, both = np.full(runs, first[0]), np.full(runs, both[0])
    kinds = [both, first - both, ones - first - both, pairs - ones + both]
    if made("last pair skipped"):
        kinds = [*np.moveaxis(rng.multivariate_hypergeometric([one[0] for one in kinds], pairs - 1, size=runs), 1, 0)]
    q = 1 - p
    rho = -rho if made("same sign in a pair") else -(rho**2) * p * q if made("no square root") else rho
    law = np.array([p * (p + rho * q), p * q * (1 - rho), p * q * (1 - rho), q * (q + rho * p)])
    if made("second member half right"):
        law[2:] = q * p, q * q
    if made("a lie is a coin"):
        law = np.array([[4, 2, 2, 1], [0, 2, 0, 1], [0, 0, 2, 1], [0, 0, 0, 1]]) / 4 @ law
    told = np.array([[2, 1, 1, 0], [1, 2, 0, 1], [1, 0, 2, 1], [0, 1, 1, 2]])
    law = np.maximum(law, 0) / np.maximum(law, 0).sum()
    found = sum(rng.multinomial(pair, law) @ weights for pair, weights in zip(kinds, told, strict=True))
    return found + rng.binomial(total - n, np.where(alone, p, q))
