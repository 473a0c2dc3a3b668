"""Expressions in configuration: a small grammar, so that a file from a stranger cannot run code.

An expression has names, numbers, text, arithmetic, comparisons, ``and``, ``or``, ``not``, ``in`` with a list, and the
functions of `FUNCTIONS`. Only what this module accepts reaches the libraries that evaluate it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

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
LARGEST_POWER = 10
LARGEST_LENGTH = 1000

_PARTS = (
    *(ast.Expression, ast.Name, ast.Load, ast.Constant, ast.List, ast.Tuple, ast.Call),
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.UAdd),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
)


@cache
def parse(expression: str) -> ast.expr:
    """Parse an expression.

    Raises
    ------
    ValueError
        If it is not one, or has a part that the grammar lacks; the message names the part.
    """
    text = expression.strip()
    if len(text) > LARGEST_LENGTH:
        raise ValueError(f"an expression has at most {LARGEST_LENGTH} characters, not {len(text)}: split the claim")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"cannot read the expression {expression!r}: {getattr(error, 'msg', error)}") from error
    for node in ast.walk(tree):
        if fault := _fault(node):
            raise ValueError(f"{fault} in the expression {expression!r}")
    return tree.body


def names_in(expression: str) -> set[str]:
    """Return the names of the variables in an expression, which functions such as ``log`` are not."""
    nodes = list(ast.walk(parse(expression)))
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in functions}


def require_known(expression: str, known: Iterable[str]) -> set[str]:
    """Return the names in an expression, after checking that each is known."""
    names, known = names_in(expression), sorted(known)
    if unknown := sorted(names.difference(known)):
        raise ValueError(f"unknown {', '.join(unknown)} in {expression!r}; there are: {', '.join(known)}")
    return names


def require_condition(expression: str) -> ast.expr:
    """Parse an expression that is true or false: comparisons, joined by ``and``, ``or`` and ``not``.

    Raises
    ------
    ValueError
        If it is a number or text instead, or no expression.
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
    if isinstance(node, ast.Constant) and not isinstance(node.value, int | float | str):
        return f"the constant {node.value!r} is not allowed; use a number or text"
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS or node.keywords:
            return f"{name}() is not a function; there are {', '.join(FUNCTIONS)}{nearest(name, FUNCTIONS)}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        power = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
        small = (
            isinstance(power, ast.Constant) and isinstance(power.value, int | float) and power.value <= LARGEST_POWER
        )
        if not small and not isinstance(power, ast.Name):
            return f"a power other than a name or a number up to {LARGEST_POWER} is not allowed"
    return ""
