import re

import pytest
import seaborn as sns
from written import LOOKS

from claimaudit.plots.style import COLORS, PALETTE, RC, SHADES, SMALL, WIDTH, lighter, looks, wrapped
from claimaudit.styles import Look


def test_colours_are_those_of_the_palette_that_they_are_copied_from_and_no_shade_is_one():
    assert set(COLORS) - {PALETTE["black"], PALETTE["wine"]} < set(sns.color_palette("colorblind").as_hex())
    assert not set(SHADES) & set(COLORS)


def test_a_mechanism_keeps_its_look_in_every_figure_and_newcomers_never_share_one():
    assert looks(["JRR", "RR"], LOOKS)["JRR"] == looks(["other", "JRR"], LOOKS)["JRR"] == LOOKS["JRR"]
    assert looks(["one"], {"one": Look("wine", "D")})["one"] == Look(PALETTE["wine"], "D")
    names = [f"mechanism {index}" for index in range(40)]
    chosen = looks(["RR", *names], LOOKS)
    assert len(set(chosen.values())) == 41
    assert chosen == looks(["RR", *reversed(names)], LOOKS)
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


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("most pairs leak little; a few leak much", ["most pairs", "leak little; a", "few leak much"]),
        ("a largest error of RR-Ind-Joint", ["a largest error", "of RR-Ind-Joint"]),
        ("against Algorithm 2 and n = 2,000 users", ["against", "Algorithm 2 and", "n = 2,000 users"]),
        ("a line\n \nanother", ["a line", " ", "another"]),
        ("figures/a_long_name.csv", ["figures/a_long_n", "ame.csv"]),
    ],
)
def test_lines_are_even_and_keep_names_and_numbers_whole(text, lines):
    assert wrapped(text, 16).split("\n") == lines
