"""RS+RFD: report one sampled attribute, draw the others from priors (Arcolezi et al., 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corrldp.arrays import Floats, as_rows, check_choice
from corrldp.mechanisms.validation import check_laws
from corrldp.protocols.estimates import Tally
from corrldp.protocols.postprocess import METHODS, postprocess
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, within
from corrldp.protocols.reports import ADAPTIVE, variance
from corrldp.protocols.rs_fd import FAKED_ORACLES, FakeDataProtocol, FakedOracle, faked_grr, sampled_budget, simulate
from corrldp.protocols.two_phase import PHASE1_FRACTION, TwoPhase, first_users

REPAIR = "clip_normalise"


@dataclass(frozen=True)
class RSRFD(FakeDataProtocol):
    """Random sampling plus realistic fake data with known priors (Corr-RR paper, Section 2.4.3, with GRR).

    The `priors`, of each attribute the distribution of its fake values, have the lengths of the domains; for the other
    parameters see `FakeDataProtocol`. Empty fakes would make no use of the priors: RS+FD has them.
    """

    name = "RS+RFD"
    oracles = (*(name for name in FAKED_ORACLES if not name.endswith("-z")), ADAPTIVE)
    adaptive_choice = ("GRR", "OUE-r")

    epsilon: float
    priors: tuple[tuple[float, ...], ...]
    amplify: bool = False
    oracle: str = "GRR"

    def __post_init__(self) -> None:
        super().__post_init__()
        for prior in self.priors:
            check_laws([prior], "priors")

    @classmethod
    def build(
        cls,
        epsilon: float,
        sizes: tuple[int, ...],
        oracle: str = "GRR",
        amplify: bool = False,
        priors: Sequence[Sequence[float]] | None = None,
        phase1_fraction: float = PHASE1_FRACTION,
        repair: str = REPAIR,
    ) -> RSRFD | TwoPhaseRSRFD:
        """Return the protocol with known `priors`, or with priors that a first phase estimates."""
        if priors is not None:
            protocol = cls(epsilon, as_rows(priors, "priors"), amplify, oracle)
            if protocol.sizes != sizes:
                raise ValueError(f"priors of {protocol.sizes} values must fit sizes={sizes}")
            return protocol
        if oracle != "GRR":
            raise ValueError(f"RS+RFD[{oracle}] needs known priors: pass priors=..., or use GRR to estimate them first")
        return TwoPhaseRSRFD(epsilon, sizes, phase1_fraction, amplify, repair)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.priors))

    @property
    def fakes(self) -> Floats:
        laws = np.zeros((len(self.sizes), max(self.sizes)))
        laws[within(self.sizes)] = np.concatenate(self.priors)
        return laws


@dataclass(frozen=True)
class TwoPhaseRSRFD(TwoPhase[Population]):
    """RS+RFD with priors estimated in a first phase of SPL (Corr-RR paper, Section 4.2.2).

    The estimates of the first phase become priors by `repair`, a method of `postprocess` that normalises them and does
    not need their errors. For the other parameters see `TwoPhase` and `FakeDataProtocol`.
    """

    name = "RS+RFD"
    needs = "marginals"
    error_of = "bound"
    second_kind = RSRFD

    amplify: bool = False
    repair: str = REPAIR

    def __post_init__(self) -> None:
        super().__post_init__()
        alone = [name for name, method in METHODS.items() if method.normalises and not method.needs_errors]
        check_choice(self.repair, "repair", alone)
        _ = self._faked(
            np.ones((self.d, max(self.sizes)))
        )  # a parameter out of range is refused here, not at first use

    def guarantee(self) -> Guarantee:
        """Assume the worst, as `TwoPhase` does: an attribute spends what a record does in the second phase."""
        record = sampled_budget(self.epsilon, self.d, self.amplify)
        return Guarantee(record, (record,) * self.d)

    def simulate_second(self, table: Population, learned: Floats, rng: np.random.Generator) -> Floats:
        priors = np.nan_to_num(postprocess(learned, self.repair))
        return simulate(table, self._faked(priors), len(priors), rng)

    def error_bound(self, n: int) -> Floats:
        """Return an upper bound (d, K) of the expected squared errors with `n` users, whatever they have.

        The worst frequency in each phase, and in the second one the worst prior. The error is linear in the frequency
        and concave of degree 2 in the prior of the value.
        """
        n1 = first_users(n, self.phase1_fraction)
        known = within(self.sizes)
        ends = np.stack([np.where(known, f, np.nan) for f in (0.0, 1.0)])
        first = self.spl.variance(ends, n1)
        at = [variance(ends, n - n1, self._faked(np.full(ends.shape, r)), self.sizes) for r in (0.0, 0.5, 1.0)]
        linear, square = 4 * at[1] - 3 * at[0] - at[2], 2 * (at[0] + at[2] - 2 * at[1])
        prior = np.clip(-linear / (2 * square), 0, 1)
        second = at[0] + linear * prior + square * prior**2
        return (n1 / n) ** 2 * first.max(axis=0) + (1 - n1 / n) ** 2 * second.max(axis=0)

    def learn(self, first: Tally, users: int) -> RSRFD:
        priors = postprocess(self.spl.estimate_from(first).frequencies, self.repair)
        laws = (tuple(law[:k]) for law, k in zip(priors.tolist(), self.sizes, strict=True))
        return RSRFD(self.epsilon, tuple(laws), self.amplify)

    def _faked(self, priors: Floats) -> list[FakedOracle[Any]]:
        return faked_grr(sampled_budget(self.epsilon, self.d, self.amplify), priors, self.sizes)
