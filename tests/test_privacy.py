import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from corrldp.privacy import epsilon_between, epsilon_of_channel


def test_the_worst_output_and_pair_of_inputs_count():
    """Largest ratios by column: 0.5/0.1 = 5, 0.6/0.3 = 2, 0.3/0.2 = 1.5."""
    assert epsilon_of_channel([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.4, 0.3, 0.3]]) == pytest.approx(np.log(5))


def test_excluded_outputs():
    assert epsilon_of_channel([[1.0, 0.0], [0.5, 0.5]]) == np.inf
    assert epsilon_of_channel([[0.7, 0.0, 0.3], [0.3, 0.0, 0.7]]) == pytest.approx(np.log(7 / 3))
    assert epsilon_of_channel([[0.4, 0.6], [0.4, 0.6]]) == 0


@pytest.mark.thorough
@given(
    arrays(float, (3, 4), elements=st.floats(0.01, 1)),
    arrays(float, 4, elements=st.floats(0.01, 1)),
)
def test_agrees_with_the_definition_and_ignores_common_factors(rows, factors):
    worst = max(np.log(a / b) for column in rows.T for a in column for b in column)
    assert epsilon_between(rows) == pytest.approx(worst, abs=1e-12)
    assert epsilon_between(rows * factors) == pytest.approx(worst, abs=1e-9)


@pytest.mark.parametrize("rows", [[], [0.5, 0.5], [[-0.1, 1.1]], [[np.nan, 1.0]]])
def test_not_a_matrix_of_likelihoods(rows):
    with pytest.raises(ValueError, match="matrix of finite numbers"):
        epsilon_between(rows)


def test_not_stochastic():
    with pytest.raises(ValueError, match="sum to 1"):
        epsilon_of_channel([[0.5, 0.4], [0.5, 0.5]])
