"""Expressions of claims and figures: what they may say, and that nothing else reaches an evaluator."""

import ast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimaudit.expressions import (
    FUNCTIONS,
    LARGEST_LENGTH,
    LARGEST_SIZE,
    evaluate,
    names_in,
    parse,
    require_known,
    select,
)

BAD = [
    "__import__('os').system('true')",
    "mechanism.str.len() > 2",
    "().__class__.__bases__[0].__subclasses__()",
    "(lambda: n)()",
    "n if n else n",
    "f'{n}'",
    "n[0]",
    "{'n': n}",
    "n; n",
    "abs(x=n)",
    "'x' * 10 ** 9 == dataset",
    "n > -'x'",
    "log('x') > 1",
    "'x' or n == 1",
    "'x'",
    "dataset == ['adult']",
    "n in 'adult'",
    "log(n, n)",
    "1e999",
    "True + None",
    "n % 2",
    "",
]


@pytest.mark.parametrize("expression", BAD)
def test_anything_else_is_refused_in_one_line(expression):
    with pytest.raises(ValueError, match=r"\A.*expression.*\Z"):
        parse(expression)


def test_a_name_is_only_a_name():
    """`exec` alone names a column that no table has."""
    with pytest.raises(ValueError, match="unknown exec in 'exec'; there are: epsilon, n"):
        require_known("exec", ["n", "epsilon"])


def test_functions_are_no_variables():
    assert names_in("log(mse_rr) / sqrt(n)") == {"mse_rr", "n"}
    with pytest.raises(ValueError, match=r"lgo\(\) is not a function; .*did you mean log\?"):
        parse("lgo(n)")


@pytest.mark.parametrize(
    ("expression", "bound"),
    [
        ("n + " * LARGEST_LENGTH + "n", f"at most {LARGEST_LENGTH} characters"),
        ("n+" * LARGEST_SIZE + "n", f"at most {LARGEST_SIZE} parts"),
        ("-" * LARGEST_SIZE + "n", f"at most {LARGEST_SIZE} parts"),
    ],
)
def test_size_is_bounded(expression, bound):
    with pytest.raises(ValueError, match=bound):
        parse(expression)


VALUES = {"n": np.array([1, 4, 10**18]), "w": 3, "dataset": np.array(["adult", None, "nursery"], dtype=object)}


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("1 / 2", 0.5),
        ("n / 2 - -w ** 2", [9.5, 11, 5e17 + 9]),
        ("minimum(n, w) * sqrt(4)", [2, 6, 6]),
        ("n * n * n", [1, 64, 1e54]),
        ("((((9**10)**10)**10)**10)**10", np.inf),
        ("9 ** 9 ** 9 - 9 ** 9 ** 9", np.nan),
        ("1 < n < 10 and not w == 2", [False, True, False]),
        ("dataset == 'adult' or n in [4, w]", [True, True, False]),
        ("dataset not in ('adult', 'credit')", [False, True, True]),
        ("dataset != n", [True, True, True]),
        ("n in []", False),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_expression_is_evaluated(expression, found):
    np.testing.assert_array_equal(evaluate(expression, VALUES), found)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("dataset * 3 == 'x'", "'adult' is text; arithmetic needs numbers"),
        ("dataset < 3", "text and numbers have no order"),
        ("n < 'adult'", "text and numbers have no order"),
        ("m == 10", "unknown m in 'm == 10'; there are: dataset, n, w"),
    ],
)
def test_a_condition_that_cannot_be_evaluated_is_refused(condition, words):
    with pytest.raises(ValueError, match=words):
        select(pd.DataFrame(VALUES), condition)


def test_rows_are_selected():
    table = pd.DataFrame(VALUES)
    assert select(table, None) is table
    assert select(table, "n > 1 and dataset == 'nursery'").index.tolist() == [2]
    assert len(select(table, "1 < 2")) == 3
    assert select(table, "1 in []").empty


@pytest.mark.thorough
@given(st.text(max_size=40))
def test_no_text_passes_with_a_part_that_can_reach_python(text):
    """Whatever is accepted has neither attributes, subscripts, comprehensions nor unlisted calls."""
    try:
        tree = parse(text)
    except ValueError:
        return
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Attribute | ast.Subscript | ast.Lambda | ast.ListComp | ast.JoinedStr)
        assert not isinstance(node, ast.Call) or node.func.id in FUNCTIONS
