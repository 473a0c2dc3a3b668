import numpy as np
import pytest

from claimaudit.digits import ERROR, Printed, error, interval, prints_as


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0.50", 0.5, 0.01),
        ("1.4340", 1.434, 1e-4),
        ("5.0e-1", 0.5, 0.01),
        ("3.853E+02", 385.3, 0.1),
        ("50 %", 0.5, 0.01),
        ("5.8%", 0.058, 0.001),
        ("10e3", 1e4, 1e3),
        ("10000", 1e4, 1),
        ("-0.07", -0.07, 0.01),
        ("0.", 0, 1),
        (".5", 0.5, 0.1),
    ],
)
def test_the_last_digit_is_the_last_one_printed(text, value, unit):
    number = Printed.read(text)
    assert (number.value, number.unit) == (pytest.approx(value), pytest.approx(unit))


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1,000", "0.5 ", "1e", "e5", "½", "1_000", "0x1", "1e400", "1e-400"]
)
def test_what_is_no_printed_number_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match="write its digits, such as 0") as refused:
        Printed.read(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("0.50", (0.495, 0.5, 0.5099), (0.4949, 0.51)),
        ("-0.07", (-0.0799, -0.065), (-0.08, -0.0649)),
        ("0.0", (-0.099, 0.099), (-0.1, 0.1)),
        ("12.9e3", (12_850, 12_999), (12_849, 13_000)),
        ("66 %", (2 / 3, 0.655), (0.654, 0.67)),
    ],
)
def test_the_interval_is_that_of_rounding_and_of_cutting_off(text, inside, outside):
    number = Printed.read(text)
    assert prints_as(inside, number.value, number.unit).all()
    assert not prints_as(outside, number.value, number.unit).any()
    low, high = number.interval
    assert low < number.value < high


def test_every_number_prints_as_its_digits():
    """Rounded or cut off to 0 to 5 decimals."""
    rng = np.random.default_rng(20251122)
    numbers, units = rng.normal(scale=3, size=600), 10.0 ** -np.repeat(np.arange(6), 100)
    for printed in (np.round(numbers / units) * units, np.trunc(numbers / units) * units):
        assert prints_as(numbers, printed, units).all()


def test_the_error_is_that_of_a_uniform_number_in_the_interval():
    (low, high), inside = interval(2.0, 0.1), np.linspace(-0.5, 1, 300_001)
    assert (float(low), float(high)) == pytest.approx((1.95, 2.1))
    assert error(0.1) == pytest.approx(0.1 * np.sqrt((inside**2).mean()), rel=1e-4)
    assert ERROR == 0.5


def test_a_number_in_percent_keeps_its_digits():
    assert Printed.read("0.50").shown() == "0.50"
    assert Printed.read("0.050").shown(percent=True) == "5.0 %"
    assert Printed.read("1e-2").shown(percent=True) == "1 %"
    assert Printed.read("5.0 %").shown(percent=True) == "5.0 %"
