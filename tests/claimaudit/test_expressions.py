"""Expressions of claims and figures: what they may say, and that nothing else reaches an evaluator."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimaudit.expressions import FUNCTIONS, LARGEST_LENGTH, names_in, parse, require_known

GOOD = [
    "epsilon == 0.1 and dataset in ['adult', 'credit']",
    "1 - mse_corr_rr / mse_spl",
    "abs(f_j + f_k - 1) < 0.000001",
    "(dataset == 'adult' and w == 6) or not n >= 10000",
    "maximum(log(n), -epsilon ** 2)",
    "along not in ['cpl']",
    "storage_castell / k ** w",
    "abs(high - low - n ** -0.5) < 0.000001",
]
BAD = [
    "__import__('os').system('true')",
    "mechanism.str.len() > 2",
    "n.__class__",
    "().__class__.__bases__[0].__subclasses__()",
    "[x for x in n]",
    "(lambda: n)()",
    "open('file')",
    "eval('n')",
    "n if n else n",
    "f'{n}'",
    "n := 1",
    "n[0]",
    "{'n': n}",
    "@n",
    "`n`",
    "n; n",
    "exec",
    "abs(x=n)",
    "9 ** 9 ** 9",
    "n ** epsilon ** n",
    "2 ** 99",
    "True + None",
    "b'n'",
    "1j",
    "...",
    "n @ n",
    "n % 2",
    "n << 99",
    "await n",
    "*n",
    "",
    "n ==",
]


@pytest.mark.parametrize("expression", GOOD)
def test_what_claims_say_is_accepted(expression):
    assert isinstance(parse(expression), ast.expr)


@pytest.mark.parametrize("expression", [bad for bad in BAD if bad != "exec"])
def test_anything_else_is_refused_in_one_line(expression):
    with pytest.raises(ValueError, match="expression") as caught:
        parse(expression)
    assert "\n" not in str(caught.value)


def test_a_name_is_only_a_name():
    """`exec` alone names a column that no table has."""
    with pytest.raises(ValueError, match="unknown exec in 'exec'; there are: epsilon, n"):
        require_known("exec", ["n", "epsilon"])


def test_functions_are_no_variables():
    assert names_in("log(mse_rr) / sqrt(n)") == {"mse_rr", "n"}
    with pytest.raises(ValueError, match=r"lgo\(\) is not a function; .*did you mean log\?"):
        parse("lgo(n)")


def test_length_is_bounded():
    with pytest.raises(ValueError, match=f"at most {LARGEST_LENGTH} characters"):
        parse("n + " * LARGEST_LENGTH + "n")


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
