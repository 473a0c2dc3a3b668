"""Means over runs and their standard errors."""

import numpy as np
import pytest

from claimaudit.results import mean_and_se


def test_runs_that_agree_have_no_error():
    """In floating point the mean of three 0.1s is not 0.1."""
    assert np.mean([0.1] * 3) != 0.1
    assert mean_and_se([0.1] * 3) == (0.1, 0.0)
    assert mean_and_se([0.3, 0.1 + 0.2]) == (0.3, 0.0)


def test_mean_and_se_by_hand():
    mean, se = mean_and_se([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]])
    assert mean.tolist() == [3.0, 5.0]
    assert se == pytest.approx([2 / np.sqrt(3), 0.0])


def test_one_run_has_no_standard_error():
    with pytest.raises(ValueError, match="at least 2 runs"):
        mean_and_se([[1.0, 2.0]])
