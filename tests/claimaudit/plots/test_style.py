import re

import pytest
import seaborn as sns

from claimaudit.plots.style import BLACK, COLORS, LOOKS, RC, SHADES, SMALL, WIDTH, WINE, lighter, looks


def test_colours_are_those_of_the_palette_that_they_are_copied_from():
    assert set(COLORS) - {BLACK, WINE} < set(sns.color_palette("colorblind").as_hex())


def test_known_mechanisms_have_distinct_looks():
    assert len(set(LOOKS.values())) == len(LOOKS)


@pytest.mark.parametrize(
    "together",
    [
        ("RR", "JRR", "GRR", "k-JRR"),
        ("OUE", "JRR-OUE", "OLH", "JRR-OLH"),
        ("SPL", "RS+FD", "RS+RFD", "Corr-RR", "Cond-RR", "SMP"),
        ("SPL", "Corr-RR", "Corr-RR joint", "Corr-RR iterative", "Corr-RR two pivots", "Cond-RR"),
        ("SPL", "RS+FD", "RS+RFD", "SMP", "Uniform", "Corr-RR aligned", "Corr-RR grouped"),
        ("SPL-ANL", "GRF 0.2", "GRF 0.4", "ITS", "CBP", "GRR-ANL", "EXP-ANL"),
        ("RR-Ind-Joint", "RR-Independent", "RR-Joint", "RR-Clusters", "LoPub", "hybrid", "truncated"),
        ("naive", "reduced", "castell"),
    ],
)
def test_mechanisms_of_one_paper_differ_in_colour_and_in_marker(together):
    chosen = looks(together)
    assert len({look.color for look in chosen.values()}) == len(together)
    assert len({look.marker for look in chosen.values()}) == len(together)


def test_a_mechanism_keeps_its_look_in_every_figure():
    assert looks(["JRR", "RR"])["JRR"] == looks(["Corr-RR", "JRR"])["JRR"] == LOOKS["JRR"]
    assert looks(["Newcomer"])["Newcomer"] == looks(["RR", "Newcomer", "JRR"])["Newcomer"]


def test_newcomers_never_share_a_look():
    names = [f"mechanism {index}" for index in range(40)]
    chosen = looks(["RR", *names])
    assert len(set(chosen.values())) == 41
    assert chosen == looks(["RR", *reversed(names)])
    assert not {chosen[name] for name in names} & set(LOOKS.values())


def test_no_text_is_below_six_points_at_the_width_of_a_column():
    sizes = {key: value for key, value in RC.items() if re.search(r"(font.?|label|title)size$", key)}
    assert len(sizes) > 4
    assert min(sizes.values()) >= SMALL == 6
    assert WIDTH <= 3.5


def test_a_colour_becomes_lighter_up_to_white():
    assert lighter("#000000", 0) == "#000000"
    assert lighter("#000000", 1) == lighter("#0173b2", 1) == "#ffffff"
    assert lighter("#ff0000", 0.2) == "#ff3333"


def test_no_shade_is_the_colour_of_a_mechanism():
    assert not set(SHADES) & {look.color for look in LOOKS.values()}
