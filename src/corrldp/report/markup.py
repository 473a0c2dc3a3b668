"""Words and numbers as the report prints them."""

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

# Column names of result tables and verdicts, in words.
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
    "simulated": "of them simulated",
    "standin": "stand-in data",
    "theory": "closed form",
    "worst": "most extreme setting",
}


@dataclass(frozen=True)
class Verdict:
    """How a verdict is shown: its words, a short name for style sheets and links, a symbol, and what it means."""

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
            "the check holds only for named readings of a setting that the paper leaves open or states differently",
        ),
        Verdict(NOT_REPRODUCED, "not-reproduced", "✗", "the check fails under every reading tried"),
        Verdict(CONTRADICTORY, "self-contradictory", "≠", "the paper's own numbers disagree with the claim"),
        Verdict(UNTESTED, "untested", "?", "no check was possible, or it cannot tell; the reason says why"),
    )
}


def number(value: float | str | None) -> str:
    """Return a number with four significant digits; exact ones are not padded, absent ones are a dash.

    Digits before the decimal point are never rounded away below one million; from there on, and below 1/10000, a
    power of ten is used. Whole numbers keep all digits.
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
    """Return in words how many Monte-Carlo runs there were if the papers' numbers were multiplied by `factor`."""
    times = "as many as the papers state" if factor == 1 else f"{number(factor)} times as many as the papers state"
    return f"up to {times}, more where the strict reading has to decide; legends and records give the numbers"


def p_value(value: float | None) -> str:
    """Return a p-value with three decimals, or the bound that it is below."""
    if value is None or math.isnan(value):
        return DASH
    if value < SMALLEST_P_VALUE:
        return f"< {SMALLEST_P_VALUE}"
    return f"{value:.3f}"


def truth(value: bool | None) -> str:
    """Return the outcome of a check in words; None is a check that could not tell."""
    return {True: "yes", False: "no", None: "cannot tell"}[value]


def words(name: str, labels: dict[str, str] | None = None) -> str:
    """Return a column's heading: the figure's own label unless it is TeX, else the house's word for it."""
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
