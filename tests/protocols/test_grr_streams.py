"""GRR, the default oracle, has the random streams it had when protocols knew no other, so that results stay the same.

The numbers are those of the code before oracles were introduced, with numpy's PCG64.
"""

import numpy as np
import pytest

from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

SIZES = (2, 4, 3)
PRIORS = ((0.5, 0.5), (0.1, 0.2, 0.3, 0.4), (0.2, 0.3, 0.5))
ROWS = np.stack(np.unravel_index(np.arange(24), SIZES), axis=1)
TABLE = RecordTable(ROWS, np.arange(1, 25) * 5, SIZES)

# Protocol; the last frequency of each attribute in the second of two simulated runs, and from the reports of users.
GOLDEN = {
    "SPL": (
        (0.7014977548106044, 0.2997327346161616, 0.27588400689015175),
        (0.6388095644250829, 0.21684484358922612, 0.454615244713383),
    ),
    "SMP": (
        (0.7313576484854399, 0.4385628385590345, 0.27564762741846643),
        (0.7437818590446149, 0.2849061635711102, 0.5064700175688515),
    ),
    "RS+FD": (
        (0.881667233737408, 0.38011734270338765, 0.2928905073236132),
        (0.7796950720518405, 0.38777130403888105, 0.3636654528406236),
    ),
    "RS+RFD": (
        (0.9171614481425631, 0.14526681195463872, 0.23148822495949917),
        (0.8223520281101628, 0.36221413004860076, 0.29870599648622975),
    ),
    "TwoPhaseRSRFD": (
        (0.7640980496447503, 0.2902632255271334, 0.32123077953346063),
        (0.7861285692796376, 0.36077236147276504, 0.2712659799729949),
    ),
}


PROTOCOLS = {
    "SPL": SPL(0.9, SIZES),
    "SMP": SMP(0.9, SIZES),
    "RS+FD": RSFD(0.9, SIZES, amplify=True),
    "RS+RFD": RSRFD(0.9, PRIORS),
    "TwoPhaseRSRFD": TwoPhaseRSRFD(2.0, SIZES, 0.3),
}


def last_frequencies(estimates):
    return [estimates[j, k - 1] for j, k in enumerate(SIZES)]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_estimates_are_as_before(name):
    protocol, records = PROTOCOLS[name], np.repeat(ROWS, TABLE.counts, axis=0)
    simulated = protocol.simulate(TABLE, 2, np.random.default_rng(7))[1]
    reports = protocol.privatize(records, np.random.default_rng(8))
    counted, perturbed = GOLDEN[name]
    np.testing.assert_allclose(last_frequencies(simulated), counted, rtol=1e-12)
    np.testing.assert_allclose(last_frequencies(protocol.estimate(reports)), perturbed, rtol=1e-12)
