"""What JRR reveals to a collector with m colluders, as the paper claims and exactly, and the choice of p and rho by it.

A collector who knows whether a user's report is true learns something about the user's peer; the identity of
the peer stays secret. Every epsilon is the largest absolute log-ratio of Pr[y | x] and Pr[y | x'] over
all outputs, inputs and observations of the colluders; `k` is the domain size and `rho` the parameter of
Table 2 or, for k > 2, of Eq. 27. If n is odd, the user left alone has a dummy as peer, see `possible_peers`.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, plain
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation, possible_peers, token_shift


def claimed_epsilon(law: JointRandomizedResponse, n: int, m: int) -> float:
    """Epsilon of Theorem 2 (Eq. 20), extended to k values.

    It assumes that the peer is a given colluder with probability 1/(n - 1), whatever the colluders' truthfulness,
    so it is exact only for m <= 1; see `exact_epsilon`.
    """
    n, m = check_colluders(n, m)
    share = m / possible_peers(n)
    truths, lies = np.transpose([law.given_truth, law.given_lie])
    return _largest_ratio((1 - share) * law.p + share * truths, (1 - share) * law.lie + share * lies, law.k)


def exact_epsilon(law: JointRandomizedResponse, n: int, m: int) -> float:
    """Exact worst case over the colluders' truthfulness T_C, with the posterior of the pairs given T_C.

    Pr[T_C] differs between pairings of the colluders, so T_C is evidence about who is paired with whom. Given
    m colluders of whom a tell the truth, the odds that the user tells the truth are
    W(a + 1, m - a) / W(a, m - a + 1), where W(a, b) is the probability that a given users tell the truth and
    b given others lie. Truthfulness is exchangeable, so W depends only on the distribution of the number of
    truthful users: W(a, b) = sum_t C(n - a - b, t) w(a + t) with w(A) = Pr[A are truthful] / C(n, A).
    """
    n, m = check_colluders(n, m)
    odds = truth_log_odds(law, n, m) + np.log(law.k - 1)
    return float(np.max(np.abs(odds)))


def token_epsilon(law: JointRandomizedResponse, n: int, m: int) -> float:
    """Exact epsilon when `m` colluders reveal the tokens that the server dealt them (Section 4.5.1); rho <= 0.

    Exactly half of all tokens are +1. If the colluders have a of these, the user's token is +1 with probability P =
    (N/2 - a) / (N - m), where N is n rounded up to even, and the truth has probability p + s (2 P - 1), s = sqrt(-rho p
    q). The extremes of 2 P - 1 are -d and d with d = min(1, m / (N - m)). The colluders' own truthfulness adds nothing
    to their tokens.
    """
    n, m = check_colluders(n, m)
    if law.rho > 0:
        raise ValueError(f"rho={law.rho} must be <= 0: opposite tokens give only negative correlation")
    moved = token_shift(law.p, law.correlation) * token_advantage(n, m) * np.array([-1, 1])
    return _largest_ratio(law.p + moved, law.lie - moved, law.k)


def token_advantage(n: int, m: int) -> float:
    """Largest Pr[R_i = +1] - Pr[R_i = -1] given the tokens of `m` colluders, min(1, m / (N - m))."""
    seats = possible_peers(n) + 1
    return min(1.0, m / (seats - m))


def truth_log_odds(law: JointRandomizedResponse, n: int, m: int) -> Floats:
    """Log-odds that a user tells the truth, for each possible number of truthful colluders in increasing order.

    Numbers of truthful colluders with probability zero are omitted, so there are at most m + 1 entries.
    """
    seats = possible_peers(n) + 1
    totals = np.arange(seats + 1)
    log_pattern = _log_law_of_total(law, seats // 2) - _log_binomial(seats, totals)
    others = seats - m - 1
    log_ways = _log_binomial(others, np.arange(others + 1))
    log_joint = np.array([_log_of_sum(log_ways + log_pattern[a : a + others + 1]) for a in range(m + 2)])
    lie, truth = log_joint[:-1], log_joint[1:]
    possible = np.maximum(lie, truth) > -np.inf
    return truth[possible] - lie[possible]


def check_colluders(n: int, m: int) -> tuple[int, int]:
    """Return the numbers of users and of colluders, or raise ValueError unless `m` of `n` can collude against one."""
    n, m = plain((n, m))
    if n < 1 or not 0 <= m <= n - 1:
        raise ValueError(f"m={m} colluders among n={n} users: must be 0 to n - 1, one user is the target")
    return n, m


def _largest_ratio(truth: ArrayLike, lie: ArrayLike, k: int) -> float:
    """Largest |log| of the probability of the truth over that of one of the k - 1 lies."""
    with np.errstate(divide="ignore"):
        return float(np.max(np.abs(np.log(truth) - np.log(lie) + np.log(k - 1))))


def _log_of_sum(logarithms: Floats) -> float:
    # scipy's logsumexp takes fifty microseconds more for each call, and there are a hundred thousand.
    largest = logarithms.max()
    return largest + np.log(np.exp(logarithms - largest).sum()) if largest > -np.inf else -np.inf


def _log_binomial(n: int, choose: ArrayLike) -> Floats:
    from scipy.special import gammaln  # here, since most programs never need it and it takes long to import

    choose = np.asarray(choose)
    return gammaln(n + 1) - gammaln(choose + 1) - gammaln(n - choose + 1)


def _log_law_of_total(law: JointRandomizedResponse, pairs: int) -> Floats:
    """Log-probabilities of 0, ..., 2 pairs truthful users: coefficients of a power of a trinomial."""
    low = _log_lower_coefficients(law.neither, 2 * law.one, law.both, pairs)
    high = _log_lower_coefficients(law.both, 2 * law.one, law.neither, pairs)
    return np.concatenate([low, high[-2::-1]])


def _log_lower_coefficients(c0: float, c1: float, c2: float, power: int) -> Floats:
    """Take the logs of the coefficients of x^0, ..., x^power in (c0 + c1 x + c2 x^2)^power.

    With f the polynomial and g its power, f g' = power f' g yields a recursion whose terms are all
    non-negative up to this degree, so there is no cancellation.
    """
    with np.errstate(divide="ignore"):
        if c0 == 0:
            return np.append(np.full(power, -np.inf), power * np.log(c1))
        logs = np.empty(power + 1)
        scale = logs[0] = power * np.log(c0)
        before, current = 0.0, 1.0
        for degree in range(power):
            following = (power - degree) * c1 * current + (2 * power - degree + 1) * c2 * before
            before, current = current, following / (c0 * (degree + 1))
            largest = max(before, current)
            before, current, scale = before / largest, current / largest, scale + np.log(largest)
            logs[degree + 1] = scale + np.log(current)
    return logs


# Above this, 1 - p has fewer than three digits in double precision.
LARGEST_EPSILON = 30


def rr_parameters(epsilon: float, k: int = 2) -> JointRandomizedResponse:
    """Plain randomized response: the largest p that satisfies epsilon, and no correlation."""
    if check_epsilon(epsilon) > LARGEST_EPSILON:
        raise ValueError(f"epsilon={epsilon} must be <= {LARGEST_EPSILON}: above, 1 - p has no digits left")
    return JointRandomizedResponse(GRR(epsilon, k).p_support, 0.0, k)


def feasible_rho(p: float, epsilon: float, n: int, colluders: int, k: int = 2) -> tuple[float, float]:
    """Find the interval of rho that satisfies the constraints of Eq. 22, extended to k > 2, for a given p.

    The constraint `claimed_epsilon(...) <= epsilon` is linear in rho. With c = colluders / (n - 1) and r the
    correlation of truthfulness, it bounds two ratios by e^epsilon from above and by e^-epsilon from below: (p - c r p)
    / (q + c r p / (k - 1)) if all colluders lie, (p + c r (1 - p)) / (q - c r q) if none does. Of the four bounds on r,
    the one from the lower bound on the first ratio never binds. The interval is empty (lowest > highest) if and only if
    p exceeds that of plain randomized response.
    """
    (n, colluders), p = check_colluders(n, colluders), plain(p)
    best = rr_parameters(epsilon, k).p
    if p > best:
        return math.inf, -math.inf
    lowest, highest = lowest_correlation(p), 1.0
    share = colluders / possible_peers(n)
    if share > 0:
        odds, q = math.exp(epsilon), (1 - p) / (k - 1)
        slack = (best - p) / GRR(epsilon, k).q_support / (k - 1)  # odds q - p, without cancellation
        reverse = odds * p - q
        all_lie, all_truthful = p * (1 + odds / (k - 1)), 1 - p + odds * q
        lowest = max(lowest, -slack / all_lie / share, -reverse / (q + odds * (1 - p)) / share)
        highest = min(highest, slack / all_truthful / share)
    return (k - 1) * lowest, (k - 1) * highest


def algorithm1(
    n: int, epsilon: float, colluders: int, p_step: float = 1e-4, rho_step: float = 1e-4, k: int = 2
) -> JointRandomizedResponse:
    """Search p downwards and, for each p, rho upwards for the first pair that satisfies Eq. 22 (Algorithm 1).

    The search starts one step below the p of plain randomized response. The inner loop visits rho_lowest + i rho_step,
    i = 0, 1, ...; its first feasible point is computed directly, because the feasible rho form an interval; with
    `rho_step` 0 that is the smallest one. k > 2 selects k-JRR with the extension of Eq. 20. If the search returns Null,
    it is a ValueError.
    """
    p_step, rho_step = plain((p_step, rho_step))
    if not (p_step > 0 and rho_step >= 0):
        raise ValueError(f"p_step={p_step} must be > 0 and rho_step={rho_step} >= 0")
    best = rr_parameters(epsilon, k).p
    p = best - p_step
    while p > 1 / k:
        lowest, highest = feasible_rho(p, epsilon, n, colluders, k)
        rho = lowest
        if rho_step > 0:
            start = (k - 1) * lowest_correlation(p)
            rho = start + rho_step * math.ceil((lowest - start) / rho_step)
        if rho <= highest:
            return JointRandomizedResponse(p, rho, k)
        p -= p_step
    raise ValueError(
        f"epsilon={epsilon} is too small for p_step={p_step}, rho_step={rho_step}: no grid point with "
        f"p > 1/{k} is feasible; choose steps well below {best - 1 / k:.3g}"
    )


def corner(n: int, epsilon: float, colluders: int) -> JointRandomizedResponse:
    """Return the largest p at which the smallest rho, 1 - 1/p, satisfies Eq. 22, with that rho; RR if there is none.

    Section 4.4.2 assumes that n1/n lies outside the range of Lemma 1, where the best choice is a p with its smallest
    feasible rho. The corner p = P - c Q / (1 - c), with P, Q of plain randomized response and c = colluders / (n - 1),
    is that p unless RR itself is better, and it needs no n1.
    """
    n, colluders = check_colluders(n, colluders)
    alone = rr_parameters(epsilon)
    share = colluders / possible_peers(n)
    p = alone.p - share * (1 - alone.p) / (1 - share) if share < 1 else 0.0
    return JointRandomizedResponse(p, lowest_correlation(p)) if p > 0.5 else alone
