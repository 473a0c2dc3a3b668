"""RS+RFD in a single phase with priors from outside; the Corr-RR preprint runs it without stating the priors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from corrldp.protocols import rs_fd
from corrldp.protocols.fakes import PlainFakes, faked_grr
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, within
from corrldp.protocols.rs_fd import sampled_budget

# Budget of the published statistics behind the prior "noisy", for all attributes together; our choice.
PRIOR_EPSILON = 0.1


@dataclass(frozen=True)
class SinglePhaseRSRFD:
    """All users report by RS+RFD; each run has the `prior` of its own data set.

    The law of the fake values is "true", the true marginals, "uniform", or "noisy", the true marginals with the
    Laplace noise of a trusted curator, then clipped and normalised. With `amplify` the sampled attribute gets the
    larger budget ln(d (e^epsilon - 1) + 1). The `estimator` is its own, "unbiased", or that of GRR, "grr", which
    treats fake values as reports.
    """

    epsilon: float
    sizes: tuple[int, ...]
    prior: Literal["true", "uniform", "noisy"]
    amplify: bool = False
    estimator: Literal["unbiased", "grr"] = "unbiased"

    @property
    def faked(self) -> list[PlainFakes]:
        return faked_grr(sampled_budget(self.epsilon, len(self.sizes), self.amplify), self.sizes)

    @property
    def closed(self) -> bool:
        """Whether the expected error has a closed form: the prior is not random and the estimator not biased."""
        return self.prior != "noisy" and self.estimator == "unbiased"

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        fakes = np.broadcast_to(self.fakes(table, rng, runs), (runs, table.d, max(self.sizes)))
        reports = rs_fd.simulate_support(table, self.faked, fakes, rng)
        estimates = rs_fd.unbias(reports, table.n, self.faked, fakes)
        if self.estimator == "unbiased":
            return estimates
        p, q = np.array([(each.oracle.p_support, each.oracle.q_support) for each in self.faked]).T[:, :, None]
        real = 1 / table.d
        return real * estimates + (1 - real) * (fakes - q) / (p - q)

    def expected_mse(self, table: Population) -> np.ndarray:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K).

        Raises
        ------
        ValueError
            The prior is random, or the estimator is biased.
        """
        if not self.closed:
            raise ValueError(f"prior={self.prior!r} and estimator={self.estimator!r} have no closed form here")
        return rs_fd.variance(table.frequencies(), table.n, self.faked, self.fakes(table))

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
