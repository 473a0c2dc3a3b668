"""RS+FD and RS+RFD as a reading has them: one phase or two, priors, and estimators that take fake values for others."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from shared.runners.two_phases import Estimator, Simulated, in_two_phases

from claimaudit.experiments.engine import Cell
from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols import rs_fd
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, within
from corrldp.protocols.reports import variance
from corrldp.protocols.rs_fd import FakedOracle, faked_grr, sampled_budget
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD

SECOND_PHASE = "second_phase_"  # of what is done to the estimates of Phase II alone


def with_fakes(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+FD, with its own estimator or with that of GRR: RS+RFD with a uniform prior."""
    return SinglePhaseRSRFD(cell["epsilon"], table.sizes, "uniform", amplify, cell["rs_fd_estimator"])


def with_realistic_fakes(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+RFD in two phases (PETS version) or in one with a known prior (preprint)."""
    epsilon, how, uniform = cell["epsilon"], cell["rs_rfd_postprocess"], cell["rs_rfd_estimator"] == "uniform"
    second_phase = how.startswith(SECOND_PHASE)
    if cell["rs_rfd"] == "single_phase" and not second_phase:
        estimator: Literal["unbiased", "grr", "uniform"] = "uniform" if uniform else cell["rs_fd_estimator"]
        protocol: Estimator = SinglePhaseRSRFD(epsilon, table.sizes, cell["prior"], amplify, estimator)
    else:
        two = TwoPhaseRSRFD(epsilon, table.sizes, cell["phase1_fraction"], amplify, cell["prior_repair"])

        def estimates(second: Floats, first: Floats, _: Population) -> Floats:
            if uniform:
                priors = np.nan_to_num(postprocess(first, two.repair))
                second = misread(second, priors, sampled_budget(epsilon, two.d, amplify), two.sizes, "uniform")
            return postprocess(second, how.removeprefix(SECOND_PHASE) if second_phase else "none")

        protocol = in_two_phases(cell, two, estimates)
    if how != "clip_normalise":
        return protocol
    return Simulated(lambda table, runs, rng: postprocess(protocol.simulate(table, runs, rng), how))


def misread(estimates: Floats, fakes: Floats, budget: float, sizes: tuple[int, ...], how: str) -> Floats:
    """Return what another estimator makes of the reports behind unbiased `estimates` (runs, d, K).

    The fake values have the laws `fakes`, (d, K) or (runs, d, K); GRR's estimator, "grr", treats them as reports, and
    that of RS+FD, "uniform", as uniform.
    """
    oracles = [GRR(budget, k) for k in sizes]
    q, gap = np.array([(each.q_support, each.gap) for each in oracles]).T[:, :, None]
    if how == "grr":
        return (estimates + (len(sizes) - 1) * (fakes - q) / gap) / len(sizes)
    uniform = np.where(within(sizes), 1 / np.asarray(sizes)[:, None], fakes)
    return estimates + (len(sizes) - 1) * (fakes - uniform) / gap


# Budget of the published statistics behind the prior "noisy", for all attributes together; our choice.
PRIOR_EPSILON = 0.1


@dataclass(frozen=True)
class SinglePhaseRSRFD:
    """All users report by RS+RFD; each run has the `prior` of its own data set.

    The law of the fake values is "true", the true marginals, "uniform", or "noisy", the true marginals with the
    Laplace noise of a trusted curator, then clipped and normalised. With `amplify` the sampled attribute gets the
    larger budget ln(d (e^epsilon - 1) + 1). The `estimator` is its own, "unbiased", or another one, see `misread`.
    """

    epsilon: float
    sizes: tuple[int, ...]
    prior: Literal["true", "uniform", "noisy"]
    amplify: bool = False
    estimator: Literal["unbiased", "grr", "uniform"] = "unbiased"

    def faked(self, laws: Floats) -> list[FakedOracle[Any]]:
        """Return GRR with fakes that have these laws, (..., d, K)."""
        return faked_grr(self.budget, laws, self.sizes)

    @property
    def budget(self) -> float:
        """Return the budget of the sampled attribute."""
        return sampled_budget(self.epsilon, len(self.sizes), self.amplify)

    @property
    def closed(self) -> bool:
        """Whether the expected error has a closed form: the prior is not random and the estimator not biased."""
        return self.prior != "noisy" and self.estimator == "unbiased"

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        fakes = np.broadcast_to(self.fakes(table, rng, runs), (runs, table.d, max(self.sizes)))
        estimates = rs_fd.simulate(table, self.faked(fakes), runs, rng)
        if self.estimator == "unbiased":
            return estimates
        return misread(estimates, fakes, self.budget, self.sizes, self.estimator)

    def expected_mse(self, table: Population) -> np.ndarray:
        """Exact expected squared errors, (d, K) or (runs, d, K), if it is `closed`."""
        return variance(table.frequencies(), table.n, self.faked(self.fakes(table)), self.sizes)

    def fakes(self, table: Population, rng: np.random.Generator | None = None, runs: int = 1) -> np.ndarray:
        """Law of the fake values of each attribute, (d, K) or (runs, d, K), 0 beyond a domain."""
        if self.prior == "uniform":
            return within(self.sizes) / np.asarray(self.sizes)[:, None]
        true = table.frequencies()
        if self.prior == "true":
            return np.nan_to_num(true)
        assert rng is not None
        scale = 2 * table.d / (PRIOR_EPSILON * table.n)
        noisy = true + rng.laplace(scale=scale, size=(runs, *true.shape[-2:]))
        return np.nan_to_num(postprocess(noisy, "clip_normalise"))
