import pytest
from written import LOOKS

from claimaudit.plots.style import PALETTE, lighter, looks, wrapped
from claimaudit.styles import Look


def test_a_mechanism_keeps_its_look_in_every_figure_and_newcomers_never_share_one():
    assert looks(["JRR", "RR"], LOOKS)["JRR"] == looks(["other", "JRR"], LOOKS)["JRR"] == LOOKS["JRR"]
    assert looks(["one"], {"one": Look("wine", "D")})["one"] == Look(PALETTE["wine"], "D")
    names = [f"mechanism {index}" for index in range(40)]
    chosen = looks(["RR", *names], LOOKS)
    assert len(set(chosen.values())) == 41
    assert chosen == looks(["RR", *reversed(names)], LOOKS)
    assert not {chosen[name] for name in names} & set(LOOKS.values())


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
