"""Errors that Phase I decides, drawn with an exact second phase, are those of whole simulations of the protocols."""

import numpy as np
import pytest
from shared.runners.cases import Case

from corrldp.data.synthetic import syn_a
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, exact, pets_body
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD

FALLING, EQUAL = (0.4, 0.3, 0.2, 0.1), (0.25,) * 4
RUNS = 3000


def both(simulated, drawn):
    """Z-score of two independent means."""
    return (simulated.mean() - drawn.mean()) / np.hypot(*(x.std() / len(x) ** 0.5 for x in (simulated, drawn)))


# Sixteen comparisons: one exceeds 4.5 by chance with probability 1e-4, if means are normally distributed.
@pytest.mark.parametrize("marginal", [FALLING, EQUAL])
@pytest.mark.parametrize(("rho", "epsilon"), [(0.1, 0.3), (0.9, 2.0)])
def test_phase_1_drawn_and_phase_2_exact_is_a_whole_simulation(marginal, rho, epsilon):
    rng = np.random.default_rng(5)
    n, law = 18_000, syn_a(2, rho, marginal, "different").law
    table = RecordTable(np.indices(law.shape).reshape(2, -1).T, np.rint(n * law.ravel()).astype(int), law.shape)
    assert table.n == n
    case, truth = Case(n, 2, rho, epsilon, marginal), table.frequencies()
    for rule in (pets_body, exact, Fixed(1.0)):
        simulated = CorrRR(epsilon, law.shape, 0.1, rule).simulate(table, RUNS, rng)
        assert abs(both(((simulated - truth) ** 2).mean(axis=(1, 2)), case.corr_rr(rule, RUNS, rng))) < 4.5
    simulated = TwoPhaseRSRFD(epsilon, law.shape, 0.1).simulate(table, RUNS, rng)
    priors = postprocess(case.first_phase(RUNS, rng)[1], "clip_normalise")
    assert abs(both(((simulated - truth) ** 2).mean(axis=(1, 2)), case.rs_rfd(priors))) < 4.5
