"""The language of checks: what it reads and refuses."""

import re

import pytest

from claimaudit.audit.checks import CHECKS, parse

ORDERING = {"kind": "ordering", "quantity": "mse_a", "relation": "<", "against": "mse_b"}
FLAT = {"kind": "flat", "quantity": "mse_a", "along": "d"}
VALUE = {"kind": "value", "quantity": "rho"}
READ = [
    ("mse_a < mse_b", ORDERING),
    ("1 - mse_a / mse_b >= 0.7", {**ORDERING, "quantity": "1 - mse_a / mse_b", "relation": ">=", "against": 0.7}),
    ("mse_a < 1 .. 2 * mse_b", {**ORDERING, "against": {"strict": 1, "generous": "2 * mse_b"}}),
    ("mse_a < mse_b, where d in [2, 4] and set == 'a, b'", {**ORDERING, "where": "d in [2, 4] and set == 'a, b'"}),
    ("mse_a < mse_b, in some settings", {**ORDERING, "share": "some"}),
    ("mse_a < mse_b, in no setting", {**ORDERING, "share": "none"}),
    (
        "mse_a < mse_b, in at least 1 .. 0.8 of the settings",
        {**ORDERING, "share": {"at_least": {"strict": 1, "generous": 0.8}}},
    ),
    ("mse_a < mse_b, in at most 0.05 of the settings", {**ORDERING, "share": {"at_most": 0.05}}),
    ("mse_a < mse_b, in theory", {**ORDERING, "basis": "theory"}),
    ("mse_a < mse_b, simulated", {**ORDERING, "basis": "simulation"}),
    ('mse_a < mse_b, for "all, or so"', {**ORDERING, "word": "all, or so"}),
    ("mse_a < mse_b, as RR's error, squared [%]", {**ORDERING, "measure": "RR's error, squared", "unit": "percent"}),
    ("mse_a < mse_b, as [nats]", {**ORDERING, "unit": "nats"}),
    (
        "mse_a falls along n, by d and rho",
        {"kind": "monotone", "quantity": "mse_a", "along": "n", "direction": "decreasing", "by": ["d", "rho"]},
    ),
    (
        "mse_a grows along n, in one group",
        {"kind": "monotone", "quantity": "mse_a", "along": "n", "direction": "increasing", "by": []},
    ),
    ("mse_a is flat along d", FLAT),
    ("mse_a is flat along d within 0.05 .. 0.25", {**FLAT, "tolerance": {"strict": 0.05, "generous": 0.25}}),
    ("mse_a is flat along d, resolving 3", {**FLAT, "resolving": 3}),
    ('rho is "0.370"', {**VALUE, "printed": {"value": "0.370"}}),
    ('rho is "0.370", over 100 runs', {**VALUE, "printed": {"value": "0.370"}, "runs": 100}),
    ('largest rho is "80 %"', {**VALUE, "printed": {"value": "80 %"}, "extreme": "largest"}),
    ("rho is 0.8 within 0.03", {**VALUE, "printed": {"value": 0.8, "tolerance": 0.03}}),
    ("rho is from -1 to 0.5", {**VALUE, "printed": {"interval": [-1, 0.5]}}),
    ("mse is as printed", {"kind": "cells", "metric": "mse"}),
    (
        "mse is as printed in table4 within 0.005",
        {"kind": "cells", "metric": "mse", "published": "table4", "reading_error": 0.005},
    ),
    ("simulation agrees with theory", {"kind": "agreement"}),
]


@pytest.mark.parametrize(("text", "fields"), READ, ids=[text for text, _ in READ])
def test_a_check_is_read(text, fields):
    assert parse(text) == fields


def test_a_condition_on_printed_numbers_is_no_comparison_of_results():
    fields = {"kind": "contradiction", "relation": "a / b == c and not a > b", "word": "half", "measure": "share"}
    assert parse('a / b == c and not a > b, for "half", as share', printed=True) == fields


def test_every_kind_has_a_sentence():
    assert {fields["kind"] for _, fields in READ} | {"contradiction"} == {*CHECKS}


def test_lines_are_folded_and_qualifiers_have_any_order():
    text = "mse_a  <\n mse_b,\n in some\n settings, where d == 2"
    assert parse(text) == {**ORDERING, "share": "some", "where": "d == 2"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mse_a", "cannot read 'mse_a'; a check is one of: A < B; A grows along COLUMN"),
        ("mse_a <", "cannot read 'mse_a <'"),
        ("mse_a == mse_b", "cannot read 'mse_a == mse_b'"),
        ("mse_a increases along n", "cannot read 'mse_a increases along n'"),
        ("rho is 0.37", 'say how near: is 0.37 within 0.05; or, as printed with its digits, is "0.37"'),
        ("mse_a < 1 .. 2 .. 3", "cannot read the threshold '1 .. 2 .. 3'; write 0.05, or for a vague word"),
        ("mse_a < 1 .. ", "cannot read the threshold '1 ..'"),
        ("mse_a < mse_b, in some setting", "cannot read 'in some setting' after a comma; did you mean in some"),
        ("mse_a < mse_b, somewhere", 'there may be: for "close", where d == 2 and epsilon <= 1'),
        ("mse_a < mse_b, simulated, in theory", "'in theory' says the basis twice; keep one"),
    ],
)
def test_a_mistake_names_the_part_and_what_is_allowed(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse(text)
