"""Numbers, counts and lists as text."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")

SMALLEST_P_VALUE, LARGEST_P_VALUE = 0.001, 0.5
FIXED_POINT = (1e-4, 1e9)
LARGEST_WHOLE = 1e12
MOST_DIGITS = 12
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NOISE = 1e-12  # of floating-point arithmetic, relative
MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
DASH = "\N{EN DASH}"


def number(value: float | str | None, digits: int = 4) -> str:
    """Return a number with four (or other) significant digits; exact numbers are not padded, missing ones are a dash.

    Below 10^9, digits before the decimal point are never rounded away; from there on, and below 1/10000, the
    number is written with a power of ten. Whole numbers keep all digits.
    """
    value = math.nan if value is None else float(value)
    if math.isnan(value):
        return DASH
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if value.is_integer() and abs(value) < LARGEST_WHOLE:
        return f"{value:,.0f}".replace("-", MINUS)
    rounded = f"{value:.{digits - 1}e}"
    mantissa, e, exponent = rounded.partition("e")
    power = e + exponent
    if FIXED_POINT[0] <= abs(value) < FIXED_POINT[1]:
        mantissa, power = f"{value:,.{max(0, digits - 1 - int(exponent))}f}", ""
    if "." in mantissa and math.isclose(float(rounded), value, rel_tol=NOISE):
        mantissa = mantissa.rstrip("0").rstrip(".")
    return as_numbers_are(mantissa + power)


def as_numbers_are(text: str) -> str:
    """Return a formatted number as all numbers are written: with a minus sign, and a power of ten for an exponent."""
    mantissa, e, exponent = text.partition("e")
    power = f"{TIMES}10{str(int(exponent)).translate(SUPERSCRIPTS)}" if e else ""
    return (mantissa + power).replace("-", MINUS)


def amount(value: float | None, unit: str = "", more: int = 0) -> str:
    """Return a number in a unit, with some more digits than usual; ``percent`` multiplies by 100."""
    if unit == "percent":
        return f"{number(None if value is None else _percent(value), 3 + more)} %"
    return f"{number(value, 4 + more)} {unit}".rstrip()


def apart(first: float | None, second: float | None, unit: str = "") -> tuple[str, str]:
    """Return two numbers in a unit, with as many digits as tell them apart."""
    pairs = ((amount(first, unit, more), amount(second, unit, more)) for more in range(MOST_DIGITS))
    return next((pair for pair in pairs if pair[0] != pair[1]), (amount(first, unit), amount(second, unit)))


def measured(estimate: float | None, se: float | None, unit: str = "") -> str:
    """Return an estimate with its standard error, in a unit."""
    if not se or estimate is None:
        return amount(estimate, unit)
    if unit == "percent" and estimate in (0, 1):  # beyond which a share cannot lie
        return f"{amount(estimate, unit)} (standard error {amount(se, unit)})"
    if unit == "percent":
        return f"({number(_percent(estimate), 3)} ± {number(_percent(se), 2)}) %"
    return f"{number(estimate)} ± {number(se, 2)} {unit}".rstrip()


def _percent(value: float) -> float:
    return float(f"{100 * value:.12g}")


def relative(difference: float, reference: float) -> str:
    """Return a difference with its sign: in percent of the reference, or absolute if the reference is 0 or infinite."""
    if reference == 0 or not math.isfinite(reference):
        return number(difference)
    change = 100 * difference / abs(reference)
    return f"{'+' if change > 0 else ''}{number(change, 3)} %"


def times_stated(factor: float) -> str:
    """Describe the number of Monte-Carlo runs if the papers' numbers are multiplied by `factor`."""
    times = "as many as the papers state" if factor == 1 else f"{number(factor)} times as many as the papers state"
    return f"up to {times}, more where the strict reading needs them; legends and records state the numbers"


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, or the bound beyond which it lies: by Bonferroni, large ones are bounds."""
    if value is None or math.isnan(value):
        return DASH
    if value < SMALLEST_P_VALUE:
        return f"< {SMALLEST_P_VALUE}"
    return f"{value:.3f}" if value <= LARGEST_P_VALUE else f"> {LARGEST_P_VALUE}"


def p_words(value: float | None) -> str:
    """Return a p-value as an equation: ``p = 0.048``, ``p < 0.001`` or ``p > 0.5``."""
    text = p_value(value)
    return f"p {text}" if text.startswith(("<", ">")) else f"p = {text}"


def percent(share: float) -> str:
    """Format a share in percent."""
    return f"{100 * share:.0f} %"


def plural(count: int, singular: str, several: str | None = None) -> str:
    """Format a count with its noun: ``1 claim``, ``2 claims``; `several` is an irregular plural."""
    return f"{count:,} {singular if count == 1 else several or f'{singular}s'}"


def listed(items: list[str], limit: int | None = None, rest: str = "") -> str:
    """Format a list: ``a, b and c``, or the first `limit` items and the number of the `rest`."""
    if limit is not None and len(items) > limit:
        items = [*items[:limit], plural(len(items) - limit, f"more {rest}")]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def gathered(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return the items of each key together, in the order in which they come."""
    found: dict[Key, list[Item]] = {}
    for key, item in pairs:
        found.setdefault(key, []).append(item)
    return found
