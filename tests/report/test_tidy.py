import pytest

from corrldp.report import tidy
from corrldp.words.numbers import MINUS, TIMES


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "worst: JRR 1.085e+08 at n1=9, p_step=1.5e-05",
            f"worst: JRR 1.085{TIMES}10⁸ at n1 = 9, p step = 1.5{TIMES}10⁻⁵",
        ),
        ("p_y = 3, pair=2-3, ours -0.18 (z = -2)", f"p_y = 3, pair = 2-3, ours {MINUS}0.18 (z = {MINUS}2)"),
        ("figure_corr_rr <= d ** w", "figure corr rr ≤ d^w"),
        ("chi-square = 5182 (18 dof), p = 0", "chi-square = 5182 (18 dof), p < 0.001"),
        ("z = 2, p = 3e-09", "z = 2, p < 0.001"),
        ("z = 2, p = 0.65; p = 0.525", "z = 2, p = 0.65; p = 0.525"),
        ("0.053 (± 0.0033 in 1 runs), epsilon inf", "0.053 (± 0.0033 in 1 run), epsilon ∞"),
        ("n=23486, n1=1000, p=0.644725", "n = 23,486, n1 = 1000, p = 0.644725"),
        ("share of information", "share of information"),
    ],
)
def test_names_and_numbers_of_evidence_are_those_of_readers(text, told):
    assert tidy.evidence(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("13 satisfied, 2 violated, 0 undecided", ""),
        ("0 satisfied, 4 violated, 1 undecided", "4 violated, 1 undecided"),
        ("0 satisfied, 0 violated, 5 undecided; holds if it means: x", "5 undecided; holds if it means: x"),
        ("2 satisfied, 1 violated, 0 undecided; holds if it means: x", "holds if it means: x"),
        ("section_3b == table_2 is false for the printed section_3b = 1, table_2 = 2", "section 3b = table 2"),
        ("exact numbers", ""),
    ],
)
def test_a_reason_repeats_no_numbers(text, told):
    assert tidy.reason(text) == told


def test_each_answer_names_its_readings_in_a_sentence_of_its_own():
    assert tidy.sides("holds with a; or b; or 6 more; fails with c") == [
        "holds with: a; or b; or 6 more",
        "fails with c",
    ]
    assert tidy.sides("") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ours 0.3", "Ours 0.3."),
        ("printed: 1 of 5.", "Printed: 1 of 5."),
        ("corr_rr = 3", "corr_rr = 3."),
        ("n = 3", "n = 3."),
    ],
)
def test_a_sentence_starts_with_a_capital_unless_with_a_formula(text, told):
    assert tidy.sentence(text) == told
