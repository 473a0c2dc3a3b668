"""`epsilon` is the budget of a whole record, checked against exact channels where a domain is small."""

import numpy as np
import pytest

from corrldp.protocols.bloom import BloomResponse
from corrldp.protocols.castell import IndependentRR
from corrldp.protocols.corr_rr.alignment import Aligned
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import exact
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL

SIZES = (2, 3)
CORR_RR = CorrRR(1.2, (3, 3), 0.1, exact)
FILTERS = [np.eye(k, dtype=bool) for k in SIZES]


def test_lopub_spends_epsilon_on_a_record_when_filters_do_not_overlap():
    protocol = BloomResponse(0.6, FILTERS, 1)
    assert protocol.epsilon == pytest.approx(sum(protocol.exact_epsilons())) == pytest.approx(1.2)
    assert protocol != BloomResponse(0.6, FILTERS[::-1], 1)


def test_what_runs_another_protocol_has_its_epsilon_and_its_own_domains():
    aligned = Aligned(CORR_RR, ((0, 1, 2), (0, 1, 1, 2)))
    assert (aligned.epsilon, aligned.sizes, aligned.d) == (1.2, (3, 4), 2)


def test_the_budget_of_an_attribute_and_of_a_record_are_two_names():
    assert SPL(1.2, SIZES).epsilon_per_attribute == IndependentRR(0.6, SIZES).epsilon_per_attribute == 0.6
    assert IndependentRR(epsilon_per_attribute=0.6, sizes=SIZES).epsilon == SPL(epsilon=1.2, sizes=SIZES).epsilon


@pytest.mark.parametrize(
    ("build", "name"),
    [
        *((lambda value, kind=kind: kind(value, SIZES), "epsilon") for kind in (SPL, SMP, RSFD)),
        (lambda value: RSRFD(value, ((0.5, 0.5),)), "epsilon"),
        (lambda value: TwoPhaseRSRFD(value, SIZES, 0.5), "epsilon"),
        (lambda value: IndependentRR(value, SIZES), "epsilon_per_attribute"),
        (lambda value: BloomResponse(value, FILTERS, 1), "epsilon_per_attribute"),
    ],
)
def test_a_budget_out_of_range_is_refused_under_its_parameter_s_name(build, name):
    for value in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=rf"^{name}={value} must be finite and > 0"):
            build(value)


@pytest.mark.parametrize("sizes", [(), (2, 1)])
@pytest.mark.parametrize(
    "protocol", [SPL, SMP, RSFD, IndependentRR, lambda epsilon, sizes: TwoPhaseRSRFD(epsilon, sizes, 0.1)]
)
def test_domains_out_of_range_are_refused(protocol, sizes):
    with pytest.raises(ValueError, match=r"at least|k=1"):
        protocol(1.0, sizes)
