"""Choice of p and rho: the paper's search, the best corner, and plain randomized response (Section 4.4)."""

import math
from dataclasses import dataclass

from corrldp.arrays import plain_arguments
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.jrr.pairs import lowest_correlation, possible_peers
from corrldp.protocols.jrr.privacy import check_colluders

# Above this, 1 - p has fewer than three digits in double precision.
LARGEST_EPSILON = 30


@dataclass(frozen=True)
class Parameters:
    """Probability of the truth `p` and correlation parameter `rho` of JRR or k-JRR."""

    p: float
    rho: float


@plain_arguments
def rr_parameters(epsilon: float, k: int = 2) -> Parameters:
    """Parameters of plain randomized response: the largest p that satisfies epsilon, and no correlation."""
    _check_budget(epsilon)
    return Parameters(GRR(epsilon, k).p_support, 0.0)


@plain_arguments
def feasible_rho(p: float, epsilon: float, n: int, colluders: int, k: int = 2) -> tuple[float, float]:
    """Find the interval of rho that satisfies the constraints of Eq. 22, extended to k > 2, for a given p.

    The constraint `claimed_epsilon(...) <= epsilon` is linear in rho. With c = colluders / (n - 1) and r the
    correlation of truthfulness, it bounds two ratios by e^epsilon from above and by e^-epsilon from below: (p - c r p)
    / (q + c r p / (k - 1)) if all colluders lie, (p + c r (1 - p)) / (q - c r q) if none does. Of the four bounds on r,
    the one from the lower bound on the first ratio never binds. The interval is empty (lowest > highest) if and only if
    p exceeds that of plain randomized response.
    """
    check_colluders(n, colluders)
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


@plain_arguments
def algorithm1(
    n: int, epsilon: float, colluders: int, p_step: float = 1e-4, rho_step: float = 1e-4, k: int = 2
) -> Parameters:
    """Search p downwards and, for each p, rho upwards for the first pair that satisfies Eq. 22 (Algorithm 1).

    The search starts one step below the p of plain randomized response. The inner loop visits rho_lowest + i rho_step,
    i = 0, 1, ...; its first feasible point is computed directly, because the feasible rho form an interval; with
    `rho_step` 0 that is the smallest one. k > 2 selects k-JRR with the extension of Eq. 20. If the search returns Null,
    it is a ValueError.
    """
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
            return Parameters(p, rho)
        p -= p_step
    raise ValueError(
        f"epsilon={epsilon} is too small for p_step={p_step}, rho_step={rho_step}: no grid point with "
        f"p > 1/{k} is feasible; choose steps well below {best - 1 / k:.3g}"
    )


@plain_arguments
def corner(n: int, epsilon: float, colluders: int) -> Parameters:
    """Return the largest p at which the smallest rho, 1 - 1/p, satisfies Eq. 22, with that rho; RR if there is none.

    Section 4.4.2 assumes that n1/n lies outside the range of Lemma 1, where the best choice is a p with its smallest
    feasible rho. The corner p = P - c Q / (1 - c), with P, Q of plain randomized response and c = colluders / (n - 1),
    is that p unless RR itself is better, and it needs no n1.
    """
    check_colluders(n, colluders)
    plain = rr_parameters(epsilon)
    share = colluders / possible_peers(n)
    p = plain.p - share * (1 - plain.p) / (1 - share) if share < 1 else 0.0
    return Parameters(p, lowest_correlation(p)) if p > 0.5 else plain


def _check_budget(epsilon: float) -> None:
    check_epsilon(epsilon)
    if epsilon > LARGEST_EPSILON:
        raise ValueError(f"epsilon={epsilon} must be <= {LARGEST_EPSILON}: above, 1 - p has no digits left")
