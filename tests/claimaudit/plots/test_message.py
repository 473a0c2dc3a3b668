"""Messages: sentences whose numbers are taken from what a figure draws."""

import pytest
from drawing import numbers_of

from claimaudit.plots.message import fill
from claimaudit.styles import SettingError

ONE = {"y": ["mse_counts"], "panels": {"column": "n"}}


def filled(message, table, style, **changes):
    return fill(message, *numbers_of(table, style, **changes))


def test_ratios_have_a_range_and_closed_forms_count_before_simulated_means(table, style):
    table.loc[table["mechanism"] == "JRR", "mean"] *= 100
    assert filled("{ratio[RR|JRR]} times", table, style, **ONE) == "3 times"
    table.loc[(table["mechanism"] == "RR") & (table["n"] == 200), "theory"] *= 2
    assert filled("{ratio[RR|JRR]}", table, style, **ONE) == "3 to 6"


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("{ratio[JRR|GRR]}", "no such mechanism is drawn: 'GRR'; available: JRR, RR"),
        ("{ratio[JRR]}", "must be two mechanisms"),
        ("{wins[JRR]}", "write {ratio\\[A|B\\]}"),
        ("{ratio}", "needs names in brackets"),
    ],
)
def test_unknown_names_are_errors(table, style, message, complaint):
    with pytest.raises(SettingError, match=complaint.replace("|", "\\|")):
        filled(message, table, style, **ONE)
