# ruff: noqa: RUF001 (characters in the report)
"""Words of numbers, settings and readings."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimaudit.verdicts import Choice, Departures, Names
from claimaudit.words.names import alternatives, choice, label, labels, place, reading, value
from claimaudit.words.numbers import measured, number, p_value, p_words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.058123, "0.05812"),
        (0.01, "0.01"),
        (1e-4, "0.0001"),
        (0.00012344, "0.0001234"),
        (12345.678, "12,346"),
        (9.99996, "10.00"),
        (10000, "10,000"),
        (2_000_000_000, "2,000,000,000"),
        (-3499.5, "−3,500"),
        (98765432.1, "98,765,432"),
        (9876543210.9, "9.877×10⁹"),
        (1.5e-5, "1.5×10⁻⁵"),
        (0.0, "0"),
        ("1000.0", "1,000"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_number_has_four_significant_digits(value, text):
    assert number(value) == text


@given(st.integers(1, 10**9 - 1), st.integers(2, 6))
def test_noise_of_arithmetic_changes_no_digit_before_the_point(whole, digits):
    assert number(np.nextafter(whole, 0), digits) == number(whole) == number(np.nextafter(whole, math.inf), digits)


def parsed(text):
    mantissa, _, exponent = text.replace(",", "").replace("−", "-").partition("×10")
    digits = exponent.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(f"{mantissa}e{digits or 0}")


@given(st.floats(min_value=1e-12, max_value=1e15) | st.floats(min_value=-1e15, max_value=-1e-12))
def test_number_is_within_half_a_unit_of_the_fourth_digit(value):
    assert parsed(number(value)) == pytest.approx(value, rel=5.1e-4)


@pytest.mark.parametrize(
    ("value", "text", "equation"),
    [
        (0.0009999, "< 0.001", "p < 0.001"),
        (0.001, "0.001", "p = 0.001"),
        (0.4234, "0.423", "p = 0.423"),
        (1.0, "> 0.5", "p > 0.5"),
    ],
)
def test_p_values_below_a_thousandth_are_a_bound(value, text, equation):
    assert (p_value(value), p_words(value), p_value(None)) == (text, equation, "–")


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100 % (standard error 3.29 %)"), (0.0, "0 % (standard error 3.29 %)"), (0.99, "(99 ± 3.3) %")],
)
def test_a_share_with_its_error_stays_within_its_bounds(share, text):
    assert measured(share, 0.0329, "percent") == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fig3", "Figure 3"),
        ("fig9_b", "Figure 9(b)"),
        ("table6_lopub", "Table 6 (LoPub)"),
        ("appendix_b", "Appendix B"),
        ("section_5_3_5", "Section 5.3.5"),
        ("known_values", "known values"),
    ],
)
def test_exhibits_have_the_names_of_the_paper(name, text):
    assert label(name) == text


def test_exhibits_of_one_kind_are_listed_together():
    assert labels(["fig3", "table2", "fig5", "appendix_b"]) == "Figures 3 and 5, Table 2 and Appendix B"
    assert labels(["table4"]) == "Table 4"
    assert labels(["fig11", "fig3", "fig4", "fig5", "fig9_b"]) == "Figures 3 to 5, 11 and 9(b)"


def test_tables_with_roman_numbers_keep_them():
    roman = Names(phrases={"exhibit": {"table5": "Table V", "table6": "Table VI"}})
    assert label("table6_lopub", roman) == "Table VI (LoPub)"
    assert labels(["table5", "table6", "fig3", "table4"], roman) == "Tables 4, V and VI and Figure 3"


def test_a_setting_has_the_names_of_the_paper_where_it_gives_some():
    setting = {"dataset": "kosarak", "epsilon": 0.1, "ones_fraction": 0.5, "n1": None}
    assert place(setting) == "dataset = kosarak, epsilon = 0.1, ones fraction = 0.5"
    assert place(setting, {"kosarak": "Kosarak", "epsilon": "ε", "n1": "n₁"}) == "Kosarak, ε = 0.1, ones fraction = 0.5"


def test_a_step_of_a_trend_has_both_values_as_numbers_are_written():
    step = {"rho": (-0.9607843137254901, 1.0), "data": ("clave", "mush_room")}
    assert place(step) == "rho = −0.960784 → 1, data = clave → mush room"
    assert place(step, {"clave": "Clave"}) == "rho = −0.960784 → 1, data = Clave → mush room"


NAMES = Names(
    {
        "fig3": {
            "strict": Departures((Choice("copies", "25"),)),
            "clipped": Departures((Choice("clip", "True"), Choice("share", "0.2"))),
            "named": Departures((Choice("clip", "True"),), title="as in the code"),
        }
    },
    {
        "copies": {"25": "25 copies"},
        "clip": {"True": "estimates clipped to [0, 1]"},
        "share": {"0.2": "20 %, in Phase I"},
    },
)


def test_a_reading_is_the_phrases_of_its_choices_commas_or_not_and_what_has_no_words_has_its_name():
    assert reading(NAMES, "fig3", "clipped") == "estimates clipped to [0, 1], 20 %, in Phase I"
    assert reading(NAMES, "fig3", "strict") == "the text as it stands and 25 copies"
    assert reading(NAMES, "fig3", "named") == "as in the code"
    assert reading(NAMES, "fig4", "other") == "other"
    assert choice(NAMES, "step", "0.1") == "step = 0.1"
    assert alternatives(NAMES, "fig4", [*"abcd"], "?") == ["a?", "b?", "c?", "1 more setting"]


def test_a_value_in_a_table_is_a_reading_a_value_of_an_axis_or_has_a_name_of_the_papers():
    called = {"kosarak": "Kosarak", "True": "never"}
    cells = {"reading": "named", "clip": "True", "dataset": "kosarak", "mechanism": "JRR"}
    found = [value(NAMES, called, "fig3", column, text) for column, text in cells.items()]
    assert found == ["as in the code", "estimates clipped to [0, 1]", "Kosarak", "JRR"]
