"""Errors that have no closed form because Phase I decides p_y or the prior: Phase I is drawn, Phase II is exact.

The users are `n` whose attributes are distributed exactly as SynA is (PETS version, Section 4.2.3): the first has a
given law, each other one copies it with probability rho and else takes another value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from shared.runners import axes
from shared.runners.data import marginal_of
from shared.runners.mechanisms import RULES

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from claimaudit.experiments.setting import BaseSetting, Swept
from corrldp.arrays import Floats, Integers
from corrldp.data.synthetic import syn_a
from corrldp.mechanisms.grr import GRR
from corrldp.protocols import rs_fd
from corrldp.protocols.corr_rr.rules import Rule
from corrldp.protocols.fakes import faked_grr
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.two_phase import first_users
from corrldp.runners import Attributes, DomainSize, Epsilon, Probability, Users, runner


@dataclass(frozen=True)
class Case:
    """Users and a budget: `marginal` (k,) is the law of the first attribute, `share` that of the users in Phase I."""

    n: int
    d: int
    rho: float
    epsilon: float
    marginal: tuple[float, ...]
    share: float = 0.1

    @property
    def n1(self) -> int:
        """Users of Phase I."""
        return first_users(self.n, self.share)

    @cached_property
    def transition(self) -> Floats:
        """Pr[child = v | first = u], (k, k)."""
        return syn_a(2, self.rho, self.marginal, "different").transition

    @cached_property
    def frequencies(self) -> Floats:
        """Frequencies (d, k)."""
        first = np.array(self.marginal)
        return np.stack([first, *[first @ self.transition] * (self.d - 1)])

    @cached_property
    def covariances(self) -> Floats:
        """Covariances (k, d, d) of whether attributes take the same value."""
        d, first, f = self.d, np.array(self.marginal), self.frequencies
        both = np.broadcast_to((first @ self.transition**2)[:, None, None], (len(first), d, d)).copy()
        both[:, 0, :] = both[:, :, 0] = (first * np.diagonal(self.transition))[:, None]
        both[:, range(d), range(d)] = f.T
        return both - f.T[:, :, None] * f.T[:, None, :]

    def first_phase(self, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw the frequencies (runs, d, k) of the users of Phase I and their estimates.

        The users are drawn with replacement, and deviations shrunk to what they are without, which is exact to second
        order.
        """
        first = rng.multinomial(self.n1, self.marginal, size=runs)
        others = [rng.multinomial(first, self.transition).sum(axis=-2) for _ in range(self.d - 1)]
        counts: Integers = np.stack([first, *others], axis=1)
        reports = GRR(self.epsilon / self.d, len(self.marginal))
        noise = reports.unbias(reports.perturb_counts(counts, rng), self.n1) - counts / self.n1
        drawn = (self.n - self.n1) / (self.n - 1)
        frequencies = self.frequencies + np.sqrt(drawn) * (counts / self.n1 - self.frequencies)
        return frequencies, frequencies + noise

    def first_variance(self) -> Floats:
        """Variance (d, k) of the estimates of Phase I, given its users."""
        return GRR(self.epsilon / self.d, len(self.marginal)).variance(self.frequencies, self.n1)

    def corr_rr(self, rule: Rule, runs: int, rng: np.random.Generator) -> Floats:
        """Draw the mean squared error (runs,) of Corr-RR that is expected after Phase I.

        Of the users of Phase II, the joint frequencies of two attributes are taken as those of all users.
        """
        n, n1, n2, grr = self.n, self.n1, self.n - self.n1, GRR(self.epsilon, len(self.marginal))
        users, estimates = self.first_phase(runs, rng)
        copied = (grr.k * rule(estimates, n2, grr) - 1) / (grr.k - 1)
        weights = np.swapaxes(copied, -1, -2) / self.d  # [follower, pivot]
        constant = (1 / self.d - weights).sum(axis=-1)[..., None] / grr.k
        others = (n * self.frequencies - n1 * users) / n2
        bias = weights @ others + constant - others
        spread = np.einsum("rjs,vst,rjt->rjv", weights, self.covariances, weights)
        reported = grr.q_support + grr.gap * (weights @ self.frequencies + constant)
        variance = (reported * (1 - reported) / grr.gap**2 - spread) / n2
        errors = (n1 / n * (estimates - users) + n2 / n * bias) ** 2 + (n2 / n) ** 2 * variance
        return errors.mean(axis=(1, 2))

    def rs_rfd(self, priors: Floats) -> Floats:
        """Return the mean squared error (...) of RS+RFD with given `priors` (..., d, k); both phases are unbiased."""
        n, n1, n2, k = self.n, self.n1, self.n - self.n1, len(self.marginal)
        second = rs_fd.variance(
            np.broadcast_to(self.frequencies, priors.shape), n2, faked_grr(self.epsilon, [k] * self.d), priors
        )
        return ((n1 / n) ** 2 * self.first_variance() + (n2 / n) ** 2 * second).mean(axis=(-2, -1))


class Cases(BaseSetting):
    """Users of every kind, and every budget."""

    n: Swept[Users]
    k: Swept[DomainSize]
    d: Swept[Attributes]
    rho: Swept[Probability]
    epsilon: Swept[Epsilon]


@runner(
    Cases,
    mechanisms=("Corr-RR", "RS+RFD"),
    metrics=("mse",),
    axes={name: (axes.DATA | axes.MECHANISMS)[name] for name in ("marginal", "py_rule", "phase1_fraction")},
    simulates=True,
)
def mse(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared errors of Corr-RR and of RS+RFD, whose p_y and priors Phase I estimates."""
    case = Case(
        cell["n"],
        cell["d"],
        cell["rho"],
        cell["epsilon"],
        marginal_of(cell["marginal"], cell["k"]),
        cell["phase1_fraction"],
    )
    rng = cell.rng(point=dict(cell.point), marginal=cell["marginal"])
    yield Measure.of_runs("Corr-RR", "mse", case.corr_rr(RULES[cell["py_rule"]], cell.runs, rng))
    _, estimates = case.first_phase(cell.runs, rng)
    yield Measure.of_runs("RS+RFD", "mse", case.rs_rfd(postprocess(estimates, "clip_normalise")))
