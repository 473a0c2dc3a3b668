"""CPL estimated from perturbed records: the three-stage workflow of Section III-B and its significance.

Each record is repeated `expansion` times, its neighbour's value is perturbed, and the attack of Appendix B infers a
value from the report; the leakage is computed from the contingency table of the attacked attribute and the inferred
value. At the count level the table is drawn from its exact distribution. Pairs are drawn independently here, whereas in
the paper one perturbed data set serves all pairs; the distribution for each pair, hence every mean, is the same.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, check_choice
from corrldp.leakage.cpl import conditional, leakage_limit
from corrldp.mechanisms.validation import ROUNDING, check_laws

Zeros = Literal["skip", "infinite", "add_half"]
FEW = 2  # values up to which it costs less to spread the users with each pair of them alone


def sampled_tables(counts: ArrayLike, channel: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
    """Draw tables (runs, ..., m, t) of the attacked attribute and the value inferred for its neighbour.

    The users with each pair of values, `counts` (..., m, t), of which the paper has 50 copies, are spread multinomially
    by the effective `channel` (t, t) from the true to the inferred value.

    If all wrong values are equally likely, an inferred value is the true one with some probability, and else follows
    one law whatever the true one is, so that the others can be spread together: t draws for a row, not t^2.
    """
    laws, users = check_laws(channel), np.asarray(counts)
    users = np.broadcast_to(users, (runs, *users.shape))
    common = laws.min(axis=0)
    if len(laws) <= FEW or np.count_nonzero(laws - common > ROUNDING) > len(laws):
        return rng.multinomial(users, laws).sum(axis=-2)
    kept = rng.binomial(users, 1 - common.sum())
    return kept + rng.multinomial((users - kept).sum(axis=-1), common / common.sum())


def estimated_leakage(tables: ArrayLike, zeros: Zeros) -> Floats:
    """CPL (...) of the conditional frequencies of tables (..., m, t), computed as in stage 3.

    The paper does not say how it treats empty cells: left out (skip), made to give their column infinite leakage, or
    avoided by adding half a user to every cell of the values that occur (add_half).
    """
    tables = np.asarray(tables, dtype=float)
    if check_choice(zeros, "zeros", ("skip", "infinite", "add_half")) == "add_half":
        tables = tables + 0.5 * (tables.sum(axis=-1, keepdims=True) > 0)
    laws = conditional(tables)
    if zeros == "skip":
        highest = laws.max(axis=-2)
        lowest = np.where(laws > 0, laws, np.inf).min(axis=-2)
        return np.log(np.divide(highest, lowest, out=np.ones_like(highest), where=highest > 0)).max(axis=-1)
    return leakage_limit(laws)


def surrogate_tables(table: ArrayLike, surrogates: int, rng: np.random.Generator) -> Integers:
    """Draw random tables (surrogates, ..., m, t) with the margins of a table (..., m, t) of fewer than 10^9 users.

    They have the law of tables of records whose second column is permuted. The cells are drawn in turn, each
    hypergeometric given those before it.
    """
    table = np.moveaxis(np.asarray(table), (-2, -1), (0, 1))
    rows, columns, *stack = table.shape
    drawn = np.zeros((rows, columns, surrogates, *stack), dtype=np.int64)  # each cell's draws together: faster
    left = np.broadcast_to(table.sum(axis=0)[:, None], drawn.shape[1:])
    for x in range(rows - 1):
        missing = np.broadcast_to(table[x].sum(axis=0), drawn.shape[2:])
        later = left.sum(axis=0)
        for y in range(columns - 1):
            later = later - left[y]
            drawn[x, y] = rng.hypergeometric(left[y], later, missing)
            missing = missing - drawn[x, y]
        drawn[x, -1] = missing
        left = left - drawn[x]
    drawn[-1] = left
    return np.moveaxis(drawn, (0, 1), (-2, -1))


def p_values(observed: ArrayLike, surrogates: ArrayLike) -> Floats:
    """Share (...) of the surrogates' leakages (S, ...) that reach the observed one (...), itself counted as one."""
    surrogates = np.asarray(surrogates, dtype=float)
    return (1 + (surrogates >= np.asarray(observed)).sum(axis=0)) / (1 + len(surrogates))


def holm(p: ArrayLike) -> Floats:
    """Correct p-values (q,) by Holm's method: family-wise error rate under any dependence.

    For the false discovery rate, use `scipy.stats.false_discovery_control`. With S surrogates no p-value is
    below 1 / (S + 1), so Holm's correction of q pairs can reach a level only if q <= level (S + 1).
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p)
    corrected = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return np.minimum(corrected, 1)[np.argsort(order)]
