"""Formatting of words and numbers in the report."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corrldp.audit.words import (
    ANSWERS,
    AS_RUN,
    CONTRADICTED,
    NO_DATA,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
)
from corrldp.report.wording import listed, percent, plural

SMALLEST_P_VALUE = 0.001
FIXED_POINT = (1e-4, 1e6)
LARGEST_WHOLE = 1e12
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"
DASH = "\N{EN DASH}"

NUMBERED = {"fig": "Figure", "table": "Table"}

# Headings for the columns of result tables and verdicts.
WORDS = {
    "are": "averaged relative error",
    "d": "attributes d",
    "effect": "what was found",
    "holds": "check holds",
    "interval": "95 % interval",
    "k": "domain size k",
    "left": "number checked",
    "meaning": "meaning of the sentence",
    "mse_counts": "mean squared error of counts",
    "n": "users n",
    "n1": "users holding 1, n1",
    "p_value": "p-value",
    "printed": "printed in the paper",
    "published": "published value",
    "right": "compared with",
    "rows": "comparisons",
    "runs": "Monte-Carlo runs",
    "se": "standard error",
    "simulated": "of which simulated",
    "standing": "may have been run",
    "standin": "stand-in data",
    "theory": "closed form",
    "worst": "most extreme setting",
}


@dataclass(frozen=True)
class Verdict:
    """How a verdict or an answer is shown: its words, a name for style sheets and links, a symbol and its meaning."""

    name: str
    slug: str
    symbol: str
    meaning: str


# In the order of the scoreboard.
VERDICTS = {
    verdict.name: verdict
    for verdict in (
        Verdict(
            REPRODUCED, "reproduced", "✓", "holds as stated: under the strict reading, within the errors of both sides"
        ),
        Verdict(
            AS_RUN,
            "as-run",
            "⇄",
            "fails as stated, and holds under every reading that the printed numbers leave standing; all of them keep "
            "the conditions that the paper itself imposes",
        ),
        Verdict(
            NOT_REPRODUCED,
            "not-reproduced",
            "✗",
            "fails as stated and under every standing reading or, where nothing says what was run, under every "
            "admissible reading",
        ),
        Verdict(
            CONTRADICTED,
            "contradicted",
            "≠",
            "is refuted by the paper's own printed numbers, with their own noise, whatever we compute",
        ),
        Verdict(
            UNDECIDED,
            "undecided",
            "?",
            "was tested, but chance, a vague word, a character that may be misread or readings that disagree leave it "
            "open; the claim says which, and what would decide",
        ),
        Verdict(NO_DATA, "no-data", "○", "was not tested, because its data could not be obtained"),
    )
}

# What a check answers in one of the three columns.
ANSWERED = {
    answer.name: answer
    for answer in (
        Verdict(ANSWERS[True], "holds", "✓", "the check holds"),
        Verdict(ANSWERS[False], "fails", "✗", "the check fails"),
        Verdict(ANSWERS[None], "open", "?", "the check cannot tell, or the readings disagree"),
        Verdict(UNTESTED, "not-tested", DASH, "nothing to judge by"),
    )
}

COLUMNS = {
    "as_stated": ("as stated", "under the strict reading of the text"),
    "as_run": ("as run", "under the readings that the printed numbers leave standing"),
    "own_numbers": ("by the paper's own numbers", "by what the paper prints, whatever we compute"),
}
"""The columns in which every claim is judged, each with its heading and what it means."""


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


def p_words(value: float | None) -> str:
    """Return a p-value as an equation: ``p = 0.048`` or ``p < 0.001``."""
    text = p_value(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


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


def label(name: str) -> str:
    """Return the name of an exhibit as the paper has it, if it follows the usual pattern: ``fig3`` is Figure 3.

    ``section3a`` is Section 3A, ``section_5_3_5`` Section 5.3.5, and ``appendix_b`` Appendix B.
    """
    found = re.fullmatch(r"(fig|table)([0-9]+)(?:_?([a-z]))?(?:_(.+))?", name)
    if found is None:
        place = re.fullmatch(r"(section|appendix)_?([0-9]*(?:_[0-9]+)*)_?([a-z]?)", name)
        if place is None:
            return words(name)
        return f"{place[1].capitalize()} {place[2].replace('_', '.')}{place[3].upper()}"
    part = f"({found[3]})" if found[3] else ""
    more = f" ({words(found[4])})" if found[4] else ""
    return f"{NUMBERED[found[1]]} {found[2]}{part}{more}"


def exhibit_order(name: str) -> tuple[bool, str, int, str]:
    """Return a key that sorts exhibits by kind and number, and no exhibit last."""
    kind, digits, rest = re.match(r"(\D*)(\d*)(.*)", name).groups()  # type: ignore[union-attr]  # any name matches
    return (not name, kind, int(digits or 0), rest)


def labels(names: Iterable[str]) -> str:
    """Return the names of exhibits in words, those of one kind together: ``Figures 1 and 3 to 5 and Table 2``."""
    kinds: dict[str, list[str]] = {}
    for name in map(label, names):
        kind, _, place = name.partition(" ")
        numbered = kind in NUMBERED.values()
        kinds.setdefault(kind if numbered else "", []).append(place if numbered else name)
    parts = [
        f"{kind}{'s' * (len(places) > 1)} {listed(_ranges(places))}" if kind else listed(places)
        for kind, places in kinds.items()
    ]
    return listed(parts)


def _ranges(places: list[str]) -> list[str]:
    """Sort numbers of exhibits, and join three or more that follow each other."""
    numbers = sorted(int(place) for place in places if place.isdigit())
    runs: list[list[int]] = []
    for place in numbers:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    joined = [[f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(place) for place in run] for run in runs]
    return [*(text for run in joined for text in run), *(place for place in places if not place.isdigit())]


def anchor(kind: str, *names: str) -> str:
    """Return the id of a part of the page, such as ``claim-jrr-mse-at-low-epsilon``, for deep links."""
    return "-".join((kind, *names))


def slug(name: str) -> str:
    """Return a name for addresses: ``RS+FD`` is ``rs-fd``."""
    return re.sub(r"\W+", "-", name).strip("-").lower()


FILTERS = {
    "anchor": anchor,
    "label": label,
    "labels": labels,
    "number": number,
    "p_value": p_value,
    "percent": percent,
    "plain": plain,
    "plural": plural,
    "slug": slug,
    "times_stated": times_stated,
}
