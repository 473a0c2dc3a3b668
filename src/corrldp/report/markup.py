"""Formatting of words and numbers in the report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from corrldp.audit.words import CONTRADICTORY, NOT_REPRODUCED, OTHER_READING, REPRODUCED, UNTESTED
from corrldp.report.wording import plural

SMALLEST_P_VALUE = 0.001
FIXED_POINT = (1e-4, 1e6)
LARGEST_WHOLE = 1e12
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
DASH = "\N{EN DASH}"

# Headings for the columns of result tables and verdicts.
WORDS = {
    "are": "averaged relative error",
    "d": "attributes d",
    "effect": "what was found",
    "holds": "check holds",
    "interval": "95 % interval",
    "k": "domain size k",
    "mse_counts": "mean squared error of counts",
    "n": "users n",
    "n1": "users holding 1, n1",
    "p_value": "p-value",
    "printed": "printed in the paper",
    "published": "published value",
    "rows": "comparisons",
    "runs": "Monte-Carlo runs",
    "se": "standard error",
    "simulated": "of which simulated",
    "standin": "stand-in data",
    "theory": "closed form",
    "worst": "most extreme setting",
}


@dataclass(frozen=True)
class Verdict:
    """How a verdict is shown: its words, a short name for style sheets and links, a symbol and its meaning."""

    name: str
    slug: str
    symbol: str
    meaning: str


# In the order of the scoreboard.
VERDICTS = {
    verdict.name: verdict
    for verdict in (
        Verdict(
            REPRODUCED,
            "reproduced",
            "✓",
            "the check holds under the strict reading of the text, within the Monte-Carlo error of both sides",
        ),
        Verdict(
            OTHER_READING,
            "other-reading",
            "⇄",
            "the check holds only under the named readings of a setting that the paper leaves open or states otherwise",
        ),
        Verdict(NOT_REPRODUCED, "not-reproduced", "✗", "the check fails under every reading tried"),
        Verdict(CONTRADICTORY, "self-contradictory", "≠", "the paper's own numbers disagree with the claim"),
        Verdict(UNTESTED, "untested", "?", "no check was possible, or the check cannot tell; the reason is given"),
    )
}


def number(value: float | str | None) -> str:
    """Return a number with four significant digits; exact numbers are not padded, missing ones are a dash.

    Below one million, digits before the decimal point are never rounded away; from there on, and below 1/10000, the
    number is written with a power of ten. Whole numbers keep all digits.
    """
    value = math.nan if value is None else float(value)
    if math.isnan(value):
        return DASH
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if value.is_integer() and abs(value) < LARGEST_WHOLE:
        return f"{value:,.0f}".replace("-", MINUS)
    mantissa, exponent = f"{value:.3e}".split("e")
    power = ""
    if FIXED_POINT[0] <= abs(value) < FIXED_POINT[1]:
        mantissa = f"{value:,.{max(0, 3 - int(exponent))}f}"
    else:
        power = f"{TIMES}10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    if float(f"{value:.3e}") == value:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return (mantissa + power).replace("-", MINUS)


def times_stated(factor: float) -> str:
    """Describe the number of Monte-Carlo runs if the papers' numbers are multiplied by `factor`."""
    times = "as many as the papers state" if factor == 1 else f"{number(factor)} times as many as the papers state"
    return f"up to {times}, more where the strict reading needs them; legends and records state the numbers"


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, or the bound below which it lies."""
    if value is None or math.isnan(value):
        return DASH
    if value < SMALLEST_P_VALUE:
        return f"< {SMALLEST_P_VALUE}"
    return f"{value:.3f}"


def truth(value: bool | None) -> str:
    """Return the outcome of a check in words; None means that it cannot tell."""
    return {True: "yes", False: "no", None: "cannot tell"}[value]


def words(name: str, labels: dict[str, str] | None = None) -> str:
    """Return a column's heading: the figure's own label unless it is TeX, else the report's standard one."""
    label = (labels or {}).get(name, "")
    return ("" if "$" in label else label) or WORDS.get(name) or name.replace("_", " ")


def plain(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    """Return a configuration value in words: lists with commas, mappings as ``name = value``, numbers as printed."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {plain(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(plain(item) for item in value)
    return str(value).replace("-", MINUS) if isinstance(value, int | float) else str(value)


def anchor(kind: str, *names: str) -> str:
    """Return the id of a part of the page, such as ``claim-jrr-mse-at-low-epsilon``, for deep links."""
    return "-".join((kind, *names))


FILTERS = {
    "anchor": anchor,
    "number": number,
    "plain": plain,
    "plural": plural,
    "times_stated": times_stated,
}
