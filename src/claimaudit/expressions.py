"""Expressions in configuration: a small grammar and its evaluator, so that a file from a stranger cannot run code.

An expression has names, numbers, text, arithmetic, comparisons, ``and``, ``or``, ``not``, ``in`` with a list, and the
functions of `FUNCTIONS`. Text is only compared, numbers are floats.
"""

import ast
import operator
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.names import nearest

FUNCTIONS = {
    "abs": "absolute value",
    "exp": "exponential",
    "expm1": "exponential less 1",
    "log": "natural logarithm",
    "log1p": "natural logarithm of 1 more",
    "sqrt": "square root",
    "minimum": "smaller of two",
    "maximum": "larger of two",
}
LARGEST_LENGTH, LARGEST_SIZE = 1000, 200
"""Characters and parts (names, constants, operators) of an expression: what bounds its cost and its depth."""

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos},
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le},
    **{ast.Gt: operator.gt, ast.GtE: operator.ge},
    **{ast.And: np.logical_and, ast.Or: np.logical_or, ast.Not: np.logical_not},
}
_PARTS = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple, ast.Call, ast.In, ast.NotIn),
    *(ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, *_OPERATORS),
)


@cache
def parse(expression: str) -> ast.expr:
    """Parse an expression; if it is none, or has a part that the grammar lacks, a ValueError names the part."""
    text = expression.strip()
    if len(text) > LARGEST_LENGTH:
        raise ValueError(f"an expression has at most {LARGEST_LENGTH} characters, not {len(text)}: split the claim")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"cannot read the expression {expression!r}: {getattr(error, 'msg', error)}") from error
    parts = [*ast.walk(tree)]
    if len(parts) > LARGEST_SIZE:
        raise ValueError(f"an expression has at most {LARGEST_SIZE} parts, not {len(parts)}: split {expression!r}")
    for part in parts:
        if fault := _fault(part):
            raise ValueError(f"{fault} in the expression {expression!r}")
    return tree.body


def evaluate(expression: str | ast.expr, values: Mapping[str, object]) -> np.ndarray:
    """Evaluate an expression, or a part of a parsed one: numbers or truth values, in the shape of the `values`.

    Each name is a number or an array; arrays have one shape. Arithmetic on text, or an order of text and numbers, is a
    ValueError.
    """
    return np.asarray(_value(parse(expression) if isinstance(expression, str) else expression, values))


def _value(node: ast.expr, values: Mapping[str, object]) -> Any:  # noqa: ANN401
    of = partial(_value, values=values)
    match node:
        case ast.Constant(str() as text):
            return text
        case ast.Constant(int() | float() as number):
            return np.float64(number)
        case ast.Name(name):
            return np.asarray(values[name])
        case ast.List(items) | ast.Tuple(items):
            return [*map(of, items)]
        case ast.Call(ast.Name(name), operands):
            return getattr(np, name)(*(_number(of(operand)) for operand in operands))
        case ast.UnaryOp(ast.Not(), operand):
            return np.logical_not(of(operand))
        case ast.UnaryOp(sign, operand):
            return _OPERATORS[type(sign)](_number(of(operand)))
        case ast.BinOp(left, sign, right):
            return _OPERATORS[type(sign)](_number(of(left)), _number(of(right)))
        case ast.BoolOp(sign, parts):
            return reduce(_OPERATORS[type(sign)], map(of, parts))
        case ast.Compare(left, signs, rights):
            return reduce(np.logical_and, map(_compared, signs, pairwise(map(of, (left, *rights)))))


def select(table: pd.DataFrame, condition: str | ast.expr | None) -> pd.DataFrame:
    """Return the rows of a table that a condition on its columns selects, or all rows.

    If the table lacks a column, or its columns cannot be compared so, it is a ValueError.
    """
    return table if condition is None else table[chosen(condition, {**table}, len(table))]


def chosen(condition: str | ast.expr, columns: Mapping[str, Any], rows: int) -> np.ndarray:
    """Return which of some rows a condition on their columns selects, shape (rows,); see `select`."""
    names = require_known(condition, columns)
    with np.errstate(all="ignore"):
        found = evaluate(condition, {name: columns[name] for name in names})
    return np.broadcast_to(found, rows).astype(bool)


def _number(value: object) -> np.ndarray:
    numbers = np.asarray(value)
    if numbers.size and numbers.dtype.kind not in "biuf":
        raise ValueError(f"{str(numbers.flat[0])!r} is text; arithmetic needs numbers")
    return numbers.astype(float)


def _compared(sign: ast.cmpop, sides: tuple[Any, Any]) -> np.ndarray:
    left, right = sides
    if isinstance(right, list):
        among = np.asarray(reduce(np.logical_or, (left == item for item in right), np.False_))
        return among if isinstance(sign, ast.In) else np.logical_not(among)
    try:
        return np.asarray(_OPERATORS[type(sign)](left, right))
    except TypeError:
        raise ValueError("text and numbers have no order; compare them by == or in") from None


@cache
def names_in(expression: str | ast.expr) -> frozenset[str]:
    """Return the names of the variables in an expression, which functions such as ``log`` are not."""
    nodes = list(ast.walk(parse(expression) if isinstance(expression, str) else expression))
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions)


def require_known(expression: str | ast.expr, known: Iterable[str]) -> frozenset[str]:
    """Return the names in an expression, after checking that each is known."""
    names, known = names_in(expression), frozenset(known)
    if unknown := sorted(names - known):
        shown = expression if isinstance(expression, str) else ast.unparse(expression)
        raise ValueError(f"unknown {', '.join(unknown)} in {shown!r}; there are: {', '.join(sorted(known))}")
    return names


def require_condition(expression: str) -> ast.expr:
    """Parse an expression that is true or false: comparisons, joined by ``and``, ``or`` and ``not``.

    A number or text instead, or no expression, is a ValueError.
    """
    tree = parse(expression)
    if not _is_condition(tree):
        raise ValueError(f"{expression!r} is neither true nor false; write a comparison, such as n == 100")
    return tree


def _is_condition(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(map(_is_condition, node.values))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) and _is_condition(node.operand)
    return isinstance(node, ast.Compare)


def _fault(node: ast.AST) -> str:
    """Describe what the grammar does not allow in a node; empty if it is allowed."""
    if not isinstance(node, _PARTS):
        return f"{type(node).__name__} is not allowed; use names, numbers, comparisons and arithmetic"
    if isinstance(node, ast.Constant):
        return _fault_of_constant(node.value)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else type(node.func).__name__
        if name not in FUNCTIONS or node.keywords:
            return f"{name}() is not a function; there are {', '.join(FUNCTIONS)}{nearest(name, FUNCTIONS)}"
        if len(node.args) != (needed := getattr(np, name).nin):
            return f"{name}() has {len(node.args)} arguments instead of {needed}"
    operands = [*ast.iter_child_nodes(node)]
    if isinstance(node, ast.Compare):
        among = [isinstance(sign, ast.In | ast.NotIn) for sign in node.ops]
        if among != [isinstance(side, ast.List | ast.Tuple) for side in node.comparators]:
            return "a list stands after `in`, and nowhere else; a list elsewhere, or `in` without one, is not allowed"
        operands = [node.left]
    elif any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in operands):
        return "" if isinstance(node, ast.List | ast.Tuple) else "text outside of a comparison is not allowed"
    if any(isinstance(each, ast.List | ast.Tuple) for each in operands):
        return "a list elsewhere than after `in` is not allowed"
    return ""


def _fault_of_constant(value: object) -> str:
    if isinstance(value, str) or (isinstance(value, int | float) and abs(value) <= sys.float_info.max):
        return ""
    return f"the constant {str(value)[:20]} is not allowed; use a finite number or text"
