"""`epsilon` is the budget of a whole record, checked against exact channels where a domain is small."""

import numpy as np
import pytest

from corrldp.protocols.bloom import BloomResponse
from corrldp.protocols.castell import IndependentRR
from corrldp.protocols.smp import SPL

SIZES = (2, 3)


def test_the_budget_of_an_attribute_and_of_a_record_are_two_names():
    assert SPL(1.2, SIZES).epsilon_per_attribute == IndependentRR(0.6, SIZES).epsilon_per_attribute == 0.6
    assert IndependentRR(epsilon_per_attribute=0.6, sizes=SIZES).epsilon == SPL(epsilon=1.2, sizes=SIZES).epsilon


@pytest.mark.parametrize("build", [lambda e: IndependentRR(e, SIZES), lambda e: BloomResponse(e, [np.eye(2) > 0], 1)])
def test_a_budget_out_of_range_is_refused_under_its_parameter_s_name(build):
    for value in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=rf"^epsilon_per_attribute={value} must be finite and > 0"):
            build(value)
