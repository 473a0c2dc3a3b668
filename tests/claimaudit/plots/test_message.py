"""Messages: sentences whose numbers are counted from what a figure draws."""

import pandas as pd
import pytest
from drawing import numbers_of

from claimaudit.plots.message import fill
from claimaudit.styles import SettingError

ONE = {"y": ["mse_counts"], "panels": {"column": "n"}}


def filled(message, table, style, **changes):
    return fill(message, *numbers_of(table, style, **changes))


def test_wins_are_counted_in_every_setting_drawn(table, style):
    worse = (table["mechanism"] == "JRR") & (table["n"] == 200) & (table["epsilon"] == 1)
    table.loc[worse, ["mean", "theory"]] *= 10
    assert filled("{below[JRR|RR]}", table, style, **ONE) == "10 of 12"
    assert filled("{least[RR]} and {least[JRR]}", table, style, **ONE) == "2 of 12 and 10 of 12"


def test_what_chance_or_ours_leaves_is_not_counted(table, style):
    """As on the page, where differences within the errors are open, and settings of ours are no exhibit's."""
    close = table["mechanism"].eq("JRR") & table["n"].eq(200)
    table.loc[close, "mean"] *= 2.7  # 3 times the error, each within 5 %
    table["theory"] = float("nan")
    assert filled("{below[JRR|RR]} {least[JRR]}", table, style, **ONE) == "6 of 12 6 of 12"
    assert filled("{below[JRR|RR]} {below[RR|JRR]}", table, style, **ONE) == "6 of 12 0 of 12"
    printed = {**ONE, "prints": "n == 1000 and epsilon < 1"}
    assert filled("{below[JRR|RR]} {least[JRR]}", table, style, **printed) == "4 of 4 4 of 4"


def test_ratios_have_a_range_and_closed_forms_count_before_simulated_means(table, style):
    table.loc[table["mechanism"] == "JRR", "mean"] *= 100
    assert filled("{ratio[RR|JRR]} times, {below[JRR|RR]}", table, style, **ONE) == "3 times, 12 of 12"
    table.loc[(table["mechanism"] == "RR") & (table["n"] == 200), "theory"] *= 2
    assert filled("{ratio[RR|JRR]}", table, style, **ONE) == "3 to 6"


def test_a_reading_that_leaves_a_mechanism_as_it_is_has_its_first_numbers(table, style):
    other = table[table["mechanism"] == "JRR"].assign(reading="other")
    other[["mean", "theory"]] *= 10
    both = pd.concat([table, other], ignore_index=True)
    changes = {**ONE, "lines": None, "show": {"reading": ["strict", "other"]}, "where": "ones_fraction == 0.1"}
    assert filled("{below[JRR|RR]} {below[JRR|RR|other]}", both, style, **changes) == "6 of 6 0 of 6"


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("{below[JRR|GRR]}", "no mechanism 'GRR' is drawn; there are JRR, RR"),
        ("{below[JRR]}", "needs two mechanisms"),
        ("{below[JRR|RR|corner]}", "no reading 'corner' is drawn; there are strict"),
        ("{wins[JRR]}", "write {below\\[A|B\\]}"),
        ("{below}", "needs names in brackets"),
    ],
)
def test_unknown_names_are_errors(table, style, message, complaint):
    with pytest.raises(SettingError, match=complaint.replace("|", "\\|")):
        filled(message, table, style, **ONE)
