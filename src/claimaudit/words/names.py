"""Names of columns, exhibits, papers, configuration values and readings in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from claimaudit.results import STRICT
from claimaudit.verdicts import Names, Source, Step
from claimaudit.words.numbers import MINUS, listed, number, plural

Pairs = tuple[tuple[str, Any], ...]
"""A setting: its columns, each with its value."""

PRINTED, STATED, RUN = "printed", "as stated", "as run"
"""Whose numbers: of the paper, with the settings that its text states, and with those that its numbers tell."""

BROKEN = "breaks a condition of the paper"
FITS_BROKEN = "fits, but breaks a condition"
"""In place of `RUN`, where a setting that the numbers tell breaks a condition of the paper."""

NUMBERED = {"fig": "Figure", "table": "Table", "eq": "Equation"}

# Headings for the columns of result tables and verdicts, and names in those of parts of exhibits.
WORDS = {
    "are": "averaged relative error",
    "celeba": "CelebA",
    "clave": "Clave",
    "d": "attributes d",
    "effect": "what was found",
    "holds": "check holds",
    "interval": "95 % interval",
    "k": "domain size k",
    "left": "number checked",
    "lopub": "LoPub",
    "meaning": "meaning of the sentence",
    "mse": "mean squared error",
    "mse_counts": "mean squared error of counts",
    "mushroom": "Mushroom",
    "n": "users n",
    "n1": "users holding 1, n₁",
    "nmi": "NMI",
    "nursery": "Nursery",
    "over": "ratio",
    "p_value": "p-value",
    "pcc": "PCC",
    "printed": "printed in the paper",
    "published": "published value",
    "rappor": "RAPPOR",
    "ratio_to": "compared with",
    "right": "compared with",
    "rows": "comparisons",
    "runs": "Monte-Carlo runs",
    "se": "standard error",
    "se_over": "error of the ratio, near 1",
    "simulated": "of which simulated",
    "standing": "may have been run",
    "standin": "stand-in data",
    "theory": "closed form",
    "worst": "most extreme setting",
}


NAMED = 3
"""Readings named in a sentence; the evidence has them all."""

NO_NAMES: Mapping[str, str] = {}
NAMELESS = Names()
"""What names have no words of the paper's own."""


def heading(name: str, labels: Mapping[str, str] | None = None) -> str:
    """Return a column's heading: its own label unless that is TeX or a format, else the report's standard one."""
    label = (labels or {}).get(name, "")
    return ("" if {"$", "{"} & {*label} else label) or WORDS.get(name) or name.replace("_", " ")


def plain(value: object) -> str:
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


def expression(text: str) -> str:
    """Return a name or an expression of a claims file for readers: ``d ** w <= mse[mean]`` is ``d^w ≤ mse (mean)``.

    ``minimum(A, B)`` is the lowest of A and B.
    """
    for function, extreme in (("minimum", "lowest"), ("maximum", "highest")):
        if text.startswith(f"{function}("):
            return f"the {extreme} of {listed(text.replace(f'{function}(', '').replace(')', '').split(', '))}"
    for written, shown in ((" ** ", "^"), (" == ", " = "), (" <= ", " ≤ "), (" >= ", " ≥ ")):
        text = text.replace(written, shown)
    text = re.sub(r"(?<=\w)\[(\w+)\]", r" (\1)", text)
    return re.sub(r"(?<=[a-z0-9])_(?=\w)", " ", text, flags=re.IGNORECASE)


def place(setting: Mapping[str, Any], called: Mapping[str, str] = NO_NAMES) -> str:
    """Return a setting in words, without what does not apply, such as ``n = 100, epsilon = 1``; `called` has names."""
    return ", ".join(equation(name, value, called) for name, value in setting.items() if value is not None)


def equation(name: str, value: object, called: Mapping[str, str] = NO_NAMES) -> str:
    """Return a setting with its value, as ``n = 100``; a value that has a name of its own says all."""
    if isinstance(value, str) and value in called:
        return called[value]
    text = step(value, called) if isinstance(value, tuple) else _value(value, called)
    return f"{called.get(name) or expression(name)} = {text}"


def together(settings: Iterable[Pairs], called: Mapping[str, str] = NO_NAMES) -> str:
    """Return settings of the same columns in words, what they share once: ``random, n = 100 and 200; sorted, n = 100``.

    Settings that differ in the last of the columns that vary are named together.
    """
    columns = [dict(pairs) for pairs in settings]
    several = {name for one in columns for name, value in one.items() if value != columns[0].get(name)}
    groups: dict[Pairs, list[str]] = {}
    for one in filter(None, columns):
        *others, (name, value) = sorted(one.items(), key=lambda pair: pair[0] in several)
        values = groups.setdefault(tuple(others), [])
        values.append(_value(value, called) if values else equation(name, value, called))
    return "; ".join(
        ", ".join([*(equation(*pair, called) for pair in others), listed(values)]) for others, values in groups.items()
    )


def step(ends: Step, called: Mapping[str, str] = NO_NAMES) -> str:
    """Return both ends of a step of a trend, as ``0.1 → 1``."""
    return " → ".join(_value(end, called) for end in ends)


def _value(value: object, called: Mapping[str, str]) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value, 6)  # settings are told apart
    return called.get(str(value)) or expression(str(value))


def label(name: str, names: Names = NAMELESS) -> str:
    """Return the name of an exhibit as the paper has it, if it follows the usual pattern: ``fig3`` is Figure 3.

    ``section3a`` is Section 3A, ``section_5_3_5`` Section 5.3.5, and ``appendix_b`` Appendix B. `names` has those that
    the paper numbers otherwise, as Table VI.
    """
    found = re.fullmatch(r"(fig|table|eq)([0-9]+)(?:_?([a-z]))?(?:_(.+))?", name)
    if found is None:
        place = re.fullmatch(r"(section|appendix)_?([0-9]*(?:_[0-9]+)*)_?([a-z]?)", name)
        if place is None:
            return heading(name)
        return f"{place[1].capitalize()} {place[2].replace('_', '.')}{place[3].upper()}"
    numbered = names.phrases.get("exhibit", {}).get(found[1] + found[2], f"{NUMBERED[found[1]]} {found[2]}")
    part = f"({found[3]})" if found[3] else ""
    more = f" ({heading(found[4])})" if found[4] else ""
    return f"{numbered}{part}{more}"


def exhibit_order(name: str) -> tuple[bool, str, int, str]:
    """Return a key that sorts exhibits by kind and number, and no exhibit last."""
    kind, digits, rest = re.match(r"(\D*)(\d*)(.*)", name).groups()  # type: ignore[union-attr]  # any name matches
    return (not name, kind, int(digits or 0), rest)


def labels(exhibits: Iterable[str], names: Names = NAMELESS) -> str:
    """Return the names of exhibits in words, those of one kind together: ``Figures 1 and 3 to 5 and Table 2``."""
    kinds: dict[str, list[str]] = {}
    for name in (label(exhibit, names) for exhibit in exhibits):
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


def title_with(short: str, title: str) -> str:
    """Return a title with the short name behind it unless it starts with that; two texts may share a title."""
    return title if title.startswith(f"{short}: ") else f"{title} ({short})"


TEXT = "the text as it stands"

SOURCES: dict[Source, str] = {
    "own": "its own printed numbers",
    "inferred": "the printed numbers of what shares its settings",
    "rejected": "no setting tried fits its printed numbers",
    "inadmissible": f"the printed numbers fit only what {BROKEN}",
    "none": "nothing printed says what was run",
}
"""Where the answer as run comes from."""


def reading(names: Names, experiment: str, name: str) -> str:
    """Return a reading in words: the text, with what it leaves us to choose, or the departures from it."""
    known = names.readings.get(experiment, {}).get(name)
    phrases = [choice(names, each.axis, each.value) for each in known.choices] if known else []
    if name == STRICT:
        return " and ".join([TEXT, *phrases])
    return (known and known.title) or ", ".join(phrases) or name


def taken(names: Names, experiment: str, instead: Sequence[str]) -> str:
    """Return in words what we took where the text states nothing, as far as other readings have something instead."""
    known = names.readings.get(experiment, {})
    axes = {each.axis for name in instead if name in known for each in known[name].choices}
    ours = known[STRICT].choices if STRICT in known else ()
    phrases = [choice(names, each.axis, each.value) for each in ours if each.axis in axes or not axes]
    return ", ".join(phrases) or "the values that we took"


def choice(names: Names, axis: str, value: str) -> str:
    """Return the value of an axis in words."""
    return names.phrases.get(axis, {}).get(value, f"{axis} = {value}")


def alternatives(names: Names, experiment: str, readings: Sequence[str], remark: str = "") -> list[str]:
    """Return the first readings in words, each with a remark, and if there are more, their number."""
    found = [f"{reading(names, experiment, name)}{remark}" for name in readings[:NAMED]]
    return found + ([plural(len(readings) - NAMED, "more setting")] if len(readings) > NAMED else [])


def value(names: Names, called: Mapping[str, str], experiment: str, column: str, text: str) -> str:
    """Return in words what a result table has in a column: a reading, a value of an axis, or another name."""
    if column == "reading":
        return reading(names, experiment, text)
    return names.phrases.get(column, {}).get(text) or called.get(text, text)
