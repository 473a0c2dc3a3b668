"""Text in lines of about equal length."""

import pytest

from claimaudit.plots.wrap import wrapped


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("most pairs leak little; a few leak much", ["most pairs", "leak little; a", "few leak much"]),
        ("a largest error of RR-Ind-Joint", ["a largest error", "of RR-Ind-Joint"]),
        ("against Algorithm 2 and n = 2,000 users", ["against", "Algorithm 2 and", "n = 2,000 users"]),
        ("a line\n \nanother", ["a line", " ", "another"]),
    ],
)
def test_lines_are_even_and_keep_names_and_numbers_whole(text, lines):
    assert wrapped(text, 16).split("\n") == lines


def test_a_word_longer_than_a_line_is_broken():
    assert wrapped("figures/a_long_name.csv", 16) == "figures/a_long_n\name.csv"
