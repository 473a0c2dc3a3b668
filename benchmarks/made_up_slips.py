"""Authors with code of their own, and the slips that they make in it; `hidden_slips` searches for these.

The list was written for this benchmark from the texts of two papers alone, blind to guide words, axes and an earlier
list: what their authors may have run otherwise than the text says, without noticing. Both protocols are simulated anew,
by counts of users; without a slip they do as their text says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

Made = Callable[[str], bool]
"""Whether authors made a slip."""

Numbers = Iterator[tuple[str, np.ndarray]]
"""The name of a mechanism, and the error of each run; what is printed is their mean."""

CHANCE = {"one seed for all runs": 1}
"""Slips that change no expectation, and the runs that they leave."""

RUNS = 100
"""The runs of a figure of Corr-RR, which its authors average if they do so before squaring."""

CORR_RR = {
    "high": (
        "data copy too often; data from the root's law; one data set; another n1; Phase I at the whole budget; RS "
        "methods amplified; a lie can be the truth; a non-copy can be the copy; p_y transposed; sign of p_y; p_y from "
        "repaired estimates; one p_y a pair; n for n2 in p_y; fakes not taken out; all estimates clipped; true "
        "marginals as prior; both without Phase I; sum over values"
    ),
    "medium": (
        "truth of the model; four attributes; Phase II at the split budget; SPL not split; raw pivot copied; fakes "
        "lack the last value; the last attribute is no pivot of ours; one pivot a run; p_y of the first pair; p_y on a "
        "grid; p_y from true marginals; RS+RFD debiased by 1/k; all estimates repaired; n times q in Phase II; Phase "
        "II on everybody; one seed for all runs; errors averaged before squaring; root"
    ),
}

JRR = {
    "high": (
        "sorted neighbours paired; n - M others; coarse steps of rho; coarse steps of p; no square root; estimator at "
        "RR's p; clipped to 0..n; RR at JRR's p; sum over values"
    ),
    "medium": (
        "random ones; groups drawn once; ten colluders; no colluders; rho from -1; parameters of n = 10,000; "
        "parameters rounded; own sign for each; a new draw in each branch; one draw for a pair; same sign in a pair; "
        "RR at half the budget; half the values; frequencies; one seed for all runs"
    ),
}
"""Slips by plausibility, separated by semicolons."""


def corr_rr(point: Mapping[str, Any], runs: int, rng: np.random.Generator, made: Made) -> Numbers:
    """Yield the squared errors (runs,) of SPL, RS+FD, RS+RFD and Corr-RR on SynA."""
    n, d, k, epsilon = point["n"], 4 if made("four attributes") else point["d"], point["k"], point["epsilon"]
    n1, everybody = round((0.2 if made("another n1") else 0.1) * n), made("Phase II on everybody")
    law = np.broadcast_to(_syn_a(point["rho"], k, d, made), (runs, k**d))
    if made("one data set"):
        whole = rng.multinomial(n, law[0])
        first = rng.multivariate_hypergeometric(whole, n1, size=runs)
        rest = whole - first
    else:
        first, rest = rng.multinomial(n1, law), rng.multinomial(n - n1, law)
    users, second = first + rest, first + rest if everybody else rest
    n2 = n if everybody else n - n1
    truth = _marginals(law if made("truth of the model") else users / n, d, k)
    larger, split = np.log(d * np.expm1(epsilon) + 1), epsilon / d

    def perturbed(counts: np.ndarray, budget: float) -> np.ndarray:
        p, _ = _grr(budget, k)
        lie = np.full((k, k), (1 - p) / k) if made("a lie can be the truth") else (1 - np.eye(k)) * (1 - p) / (k - 1)
        return rng.multinomial(counts, lie + p * np.eye(k)).sum(axis=-2)

    def debiased(reports: np.ndarray, total: int, budget: float) -> np.ndarray:
        p, q = _grr(budget, k)
        return (reports / total - q) / (p - q)

    def by_sampled(counts: np.ndarray, chances: np.ndarray) -> list[np.ndarray]:
        """Divide users by the attribute that each samples; return the marginals of each group."""
        return [_marginals(group, d, k) for group in np.moveaxis(rng.multinomial(counts, chances), -1, 0)]

    evenly = np.full(d, 1 / d)

    def with_fakes(counts: np.ndarray, total: int, prior: np.ndarray, subtracted: np.ndarray | float) -> np.ndarray:
        budget = larger if made("RS methods amplified") else epsilon
        reports = np.empty(truth.shape)
        for j, group in enumerate(by_sampled(counts, evenly)):
            fakes = rng.multinomial(total - group[:, j].sum(axis=-1), prior[:, j])
            reports[:, j] = perturbed(group[:, j], budget) + fakes
        return debiased(d * reports - (d - 1) * total * subtracted, total, budget)

    def combined(one: np.ndarray, two: np.ndarray) -> np.ndarray:
        return two if made("both without Phase I") else (n1 * one + n2 * two) / (n1 + n2)

    f1_budget = epsilon if made("Phase I at the whole budget") else split
    f1 = debiased(perturbed(_marginals(first, d, k), f1_budget), n1, f1_budget)
    spl_budget = epsilon if made("SPL not split") else split
    estimates = {"SPL": debiased(perturbed(_marginals(users, d, k), spl_budget), n, spl_budget)}

    drawn = k - 1 if made("fakes lack the last value") else k
    uniform = np.broadcast_to((np.arange(k) < drawn) / drawn, truth.shape)
    estimates["RS+FD"] = with_fakes(users, n, uniform, 1 / k)
    if made("fakes not taken out"):
        p, q = _grr(epsilon, k)
        estimates["RS+FD"] = (estimates["RS+FD"] + (d - 1) * (1 / k - q) / (p - q)) / d
    prior = truth if made("true marginals as prior") else _repaired(f1)
    f2 = with_fakes(second, n2, prior, 1 / k if made("RS+RFD debiased by 1/k") else prior)
    estimates["RS+RFD"] = combined(f1, f2)

    budget = split if made("Phase II at the split budget") else epsilon
    known = truth if made("p_y from true marginals") else _repaired(f1) if made("p_y from repaired estimates") else f1
    p_y = _p_y(known, n if made("n for n2 in p_y") else n2, budget, made)
    pivots = evenly
    if made("the last attribute is no pivot of ours"):
        pivots = np.append(np.full(d - 1, 1 / (d - 1)), 0)
    if made("one pivot a run"):
        pivots = np.eye(d)[rng.choice(d, size=(runs, 1), p=pivots)]
    reports = np.zeros(truth.shape)
    for s, group in enumerate(by_sampled(second, pivots)):
        pivot = perturbed(group[:, s], budget)
        reports[:, s] += pivot
        copied = group[:, s] if made("raw pivot copied") else pivot
        for j in {*range(d)} - {s}:
            copy = p_y[:, s, j, None, None] * np.eye(k)
            other = np.full((k, k), 1 / k) if made("a non-copy can be the copy") else (1 - np.eye(k)) / (k - 1)
            reports[:, j] += rng.multinomial(copied, copy + (1 - p_y[:, s, j, None, None]) * other).sum(axis=-2)
    reports -= (n - n2) * _grr(budget, k)[1] if made("n times q in Phase II") else 0
    estimates["Corr-RR"] = combined(f1, debiased(reports, n2, budget))

    for mechanism, estimate in estimates.items():
        final = _repaired(estimate) if made("all estimates repaired") else estimate
        final = np.clip(final, 0, 1) if made("all estimates clipped") else final
        differences, figure = final - truth, min(runs, RUNS)
        squares = differences**2
        if made("errors averaged before squaring"):
            means = differences.reshape(-1, figure, d, k).mean(axis=1).repeat(figure, axis=0)
            squares = means * (2 * differences - means)  # of each run, with the square of the mean as their mean
        errors = squares.mean(axis=(1, 2)) * (k if made("sum over values") else 1)
        root = np.sqrt(errors.mean())
        yield mechanism, (errors / root + root) / 2 if made("root") else errors  # with the root as their mean


def _grr(epsilon: float, k: int) -> tuple[float, float]:
    total = np.exp(epsilon) + k - 1
    return float(np.exp(epsilon) / total), float(1 / total)


def _repaired(estimates: np.ndarray) -> np.ndarray:
    kept = np.clip(estimates, 0, 1)
    return kept / kept.sum(axis=-1, keepdims=True)


def _syn_a(rho: float, k: int, d: int, made: Made) -> np.ndarray:
    """Return the law (k^d,) of records whose other attributes copy the first one."""
    root = np.arange(k, 0, -1) / np.arange(k + 1).sum()
    other = np.full((k, k), 1 / k) if made("data copy too often") else (1 - np.eye(k)) / (k - 1)
    other = np.tile(root, (k, 1)) if made("data from the root's law") else other
    law = root[:, None]
    for _ in range(d - 1):
        law = (law[:, :, None] * (rho * np.eye(k) + (1 - rho) * other)[:, None]).reshape(k, -1)
    return law.ravel()


def _marginals(counts: np.ndarray, d: int, k: int) -> np.ndarray:
    cube = counts.reshape(len(counts), *[k] * d)
    return np.stack([cube.sum(axis=tuple({*range(1, d + 1)} - {j + 1})) for j in range(d)], axis=1)


def _p_y(f: np.ndarray, n2: int, budget: float, made: Made) -> np.ndarray:
    """Return the copy probabilities (runs, pivot, follower) that the appendix's Eq. 9 chooses."""
    d, k = f.shape[1:]
    p, q = _grr(budget, k)
    f_j, f_s = f[:, None], f[:, :, None]
    c0, c1 = (f_j + (1 - f_s) / (k - 1)) / 2, (k * f_s - 1) / (k - 1) / 2
    alpha, beta = 1 - 1 / n2, -2 * f_j + (1 - 2 * q) / (n2 * (p - q))
    square, linear = alpha * (c1**2 + 0 * c0).sum(axis=-1), (c1 * (2 * alpha * c0 + beta)).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        best = (1 if made("sign of p_y") else -1) * linear / (2 * square)
    end = (square + linear < 0).astype(float)
    inside = (best >= 0) & (best <= 1)
    better = inside & (square * best**2 + linear * best <= square * end + linear * end)
    found = np.where(better, best, end)
    if made("p_y on a grid"):
        grid = np.linspace(0, 1, 11)
        found = grid[(square[..., None] * grid**2 + linear[..., None] * grid).argmin(axis=-1)]
    if made("one p_y a pair"):
        found = np.where(np.tri(d, k=-1, dtype=bool), found, found.swapaxes(1, 2))
    found = found.swapaxes(1, 2) if made("p_y transposed") else found
    return np.broadcast_to(found[:, :1, 1:2], found.shape) if made("p_y of the first pair") else found


def jrr(point: Mapping[str, Any], runs: int, rng: np.random.Generator, made: Made) -> Numbers:
    """Yield the squared errors (runs,) of the counts that RR and JRR estimate."""
    n, n1, epsilon = point["n"], point["n1"], point["epsilon"]
    plain, half = 1 / (1 + np.exp(-epsilon)), 1 / (1 + np.exp(-epsilon / 2))
    p, rho = _chosen(n, epsilon, made)
    rr = p if made("RR at JRR's p") else half if made("RR at half the budget") else plain
    for mechanism, used, correlation in (("RR", rr, 0.0), ("JRR", p, rho)):
        ones = _reports_of_one(n, n1, used, correlation, runs, rng, made)
        reports = np.stack([n - ones, ones], axis=1)
        known = plain if made("estimator at RR's p") and mechanism == "JRR" else used
        estimates = (reports - n * (1 - known)) / (2 * known - 1)
        estimates = np.clip(estimates, 0, n) if made("clipped to 0..n") else estimates
        errors = (estimates - [n - n1, n1]) ** 2
        errors = errors[:, 1] / 2 if made("half the values") else errors.mean(axis=1)
        yield mechanism, errors * (2 if made("sum over values") else 1) / (n**2 if made("frequencies") else 1)


def _chosen(n: int, epsilon: float, made: Made) -> tuple[float, float]:
    """Return the p and rho of JRR."""
    colluders = 0 if made("no colluders") else 10 if made("ten colluders") else 5
    n = 10_000 if made("parameters of n = 10,000") else n
    others = n - (colluders if made("n - M others") else colluders + 1)
    steps = 0.001 if made("coarse steps of p") else 0.0001, 0.01 if made("coarse steps of rho") else 0.0001
    p, rho = _algorithm_1(epsilon, colluders, others, *steps, made("rho from -1"))
    return (round(p, 3), round(rho, 2)) if made("parameters rounded") else (p, rho)


@cache
def _algorithm_1(
    epsilon: float, colluders: int, others: int, step: float, rho_step: float, from_minus_one: bool
) -> tuple[float, float]:
    """Return the first p, downwards, and rho, upwards, that satisfy the constraint of Eq. 22."""
    p = 1 / (1 + np.exp(-epsilon)) - step
    while p > 0.5:
        q, rho = 1 - p, np.arange(-1 if from_minus_one else 1 - 1 / p, 1, rho_step)
        most, least = np.maximum(p + rho * q, (1 - rho) * p), np.minimum((1 - rho) * q, q + rho * p)
        met = colluders * most + others * p <= np.exp(epsilon) * (colluders * least + others * q)
        if met.any():
            return float(p), float(rho[met.argmax()])
        p -= step
    raise ValueError(f"Algorithm 1 finds nothing at epsilon={epsilon}")


def _reports_of_one(
    n: int, n1: int, p: float, rho: float, runs: int, rng: np.random.Generator, made: Made
) -> np.ndarray:
    """Draw the number of reports of 1, (runs,): of pairs in random order, whose truths have the correlation rho."""
    ones = rng.binomial(n, n1 / n, size=runs) if made("random ones") else np.full(runs, n1)
    pairs = n // 2
    first = rng.hypergeometric(ones, n - ones, pairs)
    both = rng.hypergeometric(ones - first, pairs - ones + first, first)
    if made("sorted neighbours paired"):
        first = (ones + 1) // 2
        both = ones // 2
    if made("groups drawn once"):
        first, both = np.full(runs, first[0]), np.full(runs, both[0])
    kinds = [both, first - both, ones - first - both, pairs - ones + both]
    q = 1 - p
    rho = -rho if made("same sign in a pair") else -(rho**2) * p * q if made("no square root") else rho
    rho = 0.0 if made("own sign for each") else rho
    law = np.array([p * (p + rho * q), p * q * (1 - rho), p * q * (1 - rho), q * (q + rho * p)])
    # RR, whose rho is 0, has no pairs to slip in.
    if made("one draw for a pair") and rho:
        apart = np.sqrt(abs(rho) * p * q)
        law = np.array([p - apart, apart, apart, q - apart])
    if made("a new draw in each branch") and rho:
        law = law.cumsum() * np.cumprod([1, *(1 - law.cumsum()[:3])])
    told = np.array([[2, 1, 1, 0], [1, 2, 0, 1], [1, 0, 2, 1], [0, 1, 1, 2]])
    law = np.maximum(law, 0) / np.maximum(law, 0).sum()
    return sum(rng.multinomial(pair, law) @ weights for pair, weights in zip(kinds, told, strict=True))
