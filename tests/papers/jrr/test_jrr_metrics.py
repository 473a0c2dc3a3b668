import pytest
from jrr.runners.errors import are, mse_counts


def test_mse_of_counts_by_hand():
    estimates = [[3.0, 7.0], [0.0, 12.0]]
    assert mse_counts(estimates, [4, 6]) == pytest.approx([1.0, (16 + 36) / 2])


def test_are_by_hand():
    assert are([[3.0, 7.0], [8.0, 6.0]], [4, 6]) == pytest.approx([(1 / 4 + 1 / 6) / 2, 0.5])


def test_are_readings_of_an_absent_value():
    """The absent value has the error 5 but no relative error; the readings differ by the factor k / values present."""
    estimates, counts = [5.0, 8.0, 3.0], [0, 10, 4]
    assert are(estimates, counts, zero="skip") == pytest.approx((0.2 + 0.25) / 2)
    assert are(estimates, counts, zero="domain") == pytest.approx((0.2 + 0.25) / 3)


def test_are_errors():
    with pytest.raises(ValueError, match="skip"):
        are([1.0], [1], zero="ignore")
    with pytest.raises(ValueError, match="at least one value"):
        are([1.0, 2.0], [0, 0])
