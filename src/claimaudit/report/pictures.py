"""Small pictures of numbers against others: bars for a few, else dots on a scale that shows its ends."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence

import pandas as pd
from markupsafe import Markup, escape

from claimaudit.verdicts import Cells, Evidence, Verdict
from claimaudit.words import findings, names
from claimaudit.words.names import RUN, STATED, expression
from claimaudit.words.numbers import measured, number
from claimaudit.words.runs import fitting

WIDTH, EDGE = 200, 12
LINE, ROW, LANES = 12, 13, 5
"""Heights of a line of text and of a row of dots, and the heights at which its dots lie in turn, not to hide others."""

BAR, LETTER = 9, 5.4
"""Height of a bar, and width of a letter of the number beside it."""

MOST = 200
"""Dots in a row, at most; of more, every second, third ... one."""

PAIRS = 5
"""Comparisons that are drawn as bars, at most."""

REACHES = (2, 4, *(10**power for power in range(1, 13)))
"""Largest ratios on a scale: the smallest of them that no ratio exceeds."""

LONG = 10
"""Ratio of numbers from which on their scale is logarithmic."""

LABELLED, SHORT = 2, 5
"""Powers of ten on a side of a scale that are all labelled, and characters of a label that fits within the edge."""

Pair = tuple[float, float, str]
"""Two numbers, and the outcome of their comparison, which is the class of its dot."""

NUMBERS = ["left", "right", "se", "outcome"]
"""The columns of comparisons that are not settings."""


def picture(verdict: Verdict) -> Markup:
    """Return a drawing of what decides a claim, with its legend in words; empty if nothing was compared.

    A few comparisons are bars. More are dots: the number checked divided by the other one, or the number itself where
    it is held against one threshold. Printed numbers have a row of dots for each column, and are divided by ours. Those
    that contradict a claim are drawn in place of ours.
    """
    own = verdict.own_numbers.points if verdict.because == "points" else None
    if not verdict.evidence or not (pairs := _pairs(shown := own or verdict.stated)):
        return Markup()
    if isinstance(verdict.stated.found, Cells):
        run = verdict.under(verdict.as_run.deciding) if verdict.as_run.deciding else verdict.stated
        rows = {STATED: verdict.stated} | ({} if run is verdict.stated else {RUN: run})
        whose = {str(name) for name in verdict.stated.comparisons.get("mechanism", [])}
        of = f"{findings.place(verdict)}{f', {whose.pop()}' if len(whose) == 1 else ''}. "
        return _figure(ratios(_of_cells(rows)), f"{of}Printed numbers / ours; line: equal")
    left, right = (expression(getattr(verdict.stated.found, name, "")) for name in ("left_name", "right_name"))
    metric = _metric(verdict, left)
    left, unit = left or verdict.measure or "the number checked", verdict.unit
    printed = ", as printed" if own else ""
    one, few = len({other for _, other, _ in pairs}) == 1, len(pairs) <= PAIRS
    column = shown.comparisons.get("se", []) if one and few else []
    errors = [se if isinstance(se, float) else None for se in column]
    settings = _settings(shown, verdict.called) if few else []
    drawn = _bars(pairs, errors, unit, settings) if few else _against(pairs, unit) if one else ratios({"": pairs})
    other = right or (_short(pairs[0][1], unit) if one else "the other")
    of = f"{left}, {unit}" if one and unit not in ("", "percent") else left
    pair = f"upper: {of}; lower: {other}" if few else f"{of} / {other}; line: equal"
    legend = f"{of}; line: {other}" if one else pair
    at = _shared(verdict, shown) if few else ""
    return _figure(drawn, f"{metric}{legend}{printed}{'; ± standard error' if any(errors) else ''}{at and f'; {at}'}")


def _metric(verdict: Verdict, mechanism: str) -> str:
    """Return what is compared, before the names of two mechanisms; empty if the check's quantity is none of theirs."""
    quantity, ending = verdict.check.get("quantity", ""), re.sub(r"\W+", "_", mechanism.lower())
    metric = quantity.removesuffix(f"_{ending}")
    return "" if metric == quantity or not metric.isidentifier() else f"{names.heading(metric, verdict.called)}: "


def _settings(shown: Evidence, called: Mapping[str, str]) -> list[str]:
    """Return the setting of each comparison in words, as far as it takes to tell it from the others."""
    known = pd.DataFrame(shown.comparisons, dtype=object)
    telling: list[str] = []
    for name in known.columns.drop(NUMBERS, errors="ignore"):
        if known[name].astype(str).nunique() > 1 and (not telling or known.astype(str).duplicated(telling).any()):
            telling.append(name)
    rows = known[telling].to_dict("records")
    return [names.place({str(name): value for name, value in row.items()}, called) for row in rows]


def _shared(verdict: Verdict, shown: Evidence) -> str:
    """Return in words the setting of all comparisons, as far as the claim's condition names it."""
    named = re.findall(r"\w+", verdict.check.get("where", ""))
    same = {name: known[0] for name, known in shown.comparisons.items() if known.count(known[0]) == len(known)}
    return names.place({name: value for name, value in same.items() if name in named}, verdict.called)


def ratios(rows: Mapping[str, Sequence[Pair]]) -> Markup:
    """Draw the first number of each pair over the second, in rows with names, on one logarithmic scale around 1."""
    logs = {name: [(_log(left, right), look) for left, right, look in pairs] for name, pairs in rows.items()}
    farthest = max((abs(log) for dots in logs.values() for log, _ in dots if math.isfinite(log)), default=0.0)
    reach = next((reach for reach in REACHES if math.log10(reach) >= farthest), REACHES[-1])
    half = 2 * math.log10(reach)
    places = {name: [(0.5 + log / half, look) for log, look in dots] for name, dots in logs.items()}
    base = min(reach, LONG)
    steps = round(math.log(reach, base))
    ticks = {0.5 + step / (2 * steps): base ** float(step) for step in range(-steps, steps + 1)}
    shown = ticks if steps <= LABELLED else (0.0, 0.5, 1.0)
    return _scale(places, 0.5, {place: number(ticks[place]) if place in shown else "" for place in ticks})


def _log(left: float, right: float) -> float:
    if left == right:
        return 0.0
    return math.log10(left / right) if left * right > 0 else math.copysign(math.inf, left - right)


def _pairs(evidence: Evidence) -> list[Pair]:
    left, right, outcome = (evidence.comparisons.get(name, []) for name in ("left", "right", "outcome"))
    sides = itertools.zip_longest(left, right, outcome, fillvalue="")
    return [(x, y, str(look)) for x, y, look in sides if isinstance(x, int | float) and isinstance(y, int | float)]


def _of_cells(rows: Mapping[str, Evidence]) -> dict[str, list[Pair]]:
    return {
        fitting(one.found.inside, one.rows, name): [(printed, ours, look) for ours, printed, look in _pairs(one)]
        for name, one in rows.items()
        if isinstance(one.found, Cells)
    }


def _bars(pairs: Sequence[Pair], errors: Sequence[float | None], unit: str, settings: Sequence[str]) -> Markup:
    """Draw numbers from zero, under their settings, with those that they are compared with, or errors and a line."""
    line = pairs[0][1] if len({right for _, right, _ in pairs}) == 1 else None
    bars = [
        [("left", left, None), ("right", right, None)] if line is None else [("left", left, se)]
        for (left, right, _), se in itertools.zip_longest(pairs, errors)
    ]
    room = LETTER * max(len(_short(value, unit, se)) for sides in bars for _, value, se in sides)
    ends = [0.0, *(value for pair in pairs for value in pair[:2])]
    least, scale = min(ends), (WIDTH - EDGE - room) / ((max(ends) - min(ends)) or 1)
    place = EDGE + scale * ((line or 0) - least)
    drawn, texts, top = [], [], 2.0
    for setting, sides in zip(settings, bars, strict=True):
        if setting:
            texts.append(_text(0, top + LINE - 4, setting))
            top += LINE
        for side, value, se in sides:
            start, width = EDGE + scale * (min(value, 0) - least), max(scale * abs(value), 1)
            drawn.append(f'<rect class="{side}" x="{start:.1f}" y="{top:.1f}" width="{width:.1f}" height="{BAR}"/>')
            drawn.append(f'<path d="M{place:.1f} {top:.1f}v{BAR}"/>')
            clear = max(start + width, place if line else 0)  # the line strikes no number
            texts.append(_text(clear + 3, top + BAR - 1, _short(value, unit, se)))
            top += BAR
        top += 4
    return _svg("".join([*drawn, *texts]), top)


def _against(pairs: Sequence[Pair], unit: str) -> Markup:
    """Draw numbers as dots on a scale, with a line at their common threshold."""
    line, values = pairs[0][1], [left for left, _, _ in pairs]
    low, high = min(line, *values), max(line, *values)
    form = math.log if low > 0 and high > LONG * low else float

    def place(value: float) -> float:
        return (form(value) - form(low)) / ((form(high) - form(low)) or 1)

    ticks = {place(value): _short(value, unit) for value in (low, high) if abs(place(value) - place(line)) > 0.2}
    ticks[place(line)] = _short(line, unit)
    return _scale({"": [(place(left), look) for left, _, look in pairs]}, place(line), ticks)


def _scale(rows: Mapping[str, Sequence[tuple[float, str]]], line: float, ticks: Mapping[float, str]) -> Markup:
    """Draw dots at places from 0 to 1, in rows under their names, with a line across them, ticks and labels below."""
    drawn, top = [], 0.0
    for name, dots in rows.items():
        if name:
            drawn.append(_text(0, top + LINE - 3, name))
            top += LINE
        marks = "".join(f"M{_x(place):.1f} {top + ROW:.0f}v-3" for place in ticks)
        drawn.append(f'<path d="M{_x(line):.1f} {top:.0f}v{ROW}M0 {top + ROW:.0f}H{WIDTH}{marks}"/>')
        for lane, (place, look) in enumerate(dots[:: math.ceil(len(dots) / MOST) or 1]):
            y = top + 2.5 + 2 * (lane % LANES)
            drawn.append(f'<circle class="{look}" cx="{_x(place):.1f}" cy="{y:.1f}" r="1.8"/>')
        top += ROW + 2
    labels = (_text(_x(place), top + LINE - 4, text, _side(place, text)) for place, text in ticks.items() if text)
    return _svg("".join([*drawn, *labels]), top + LINE - 1)


def _side(place: float, text: str) -> str:
    """Return where a label lies beside its tick: in the middle, but not beyond the edges."""
    inside = len(text) <= SHORT or 0.1 <= place <= 0.9
    return "middle" if inside else "start" if place < 0.5 else "end"


def _short(value: float, unit: str, se: float | None = None) -> str:
    """Return a number without its unit, which the legend names; a percentage would be another number without it."""
    return measured(value, se, unit if unit == "percent" else "")


def _x(place: float) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * min(max(place, 0.0), 1.0)


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(drawn: str, height: float) -> Markup:
    return Markup(f'<svg class="small" viewBox="0 0 {WIDTH} {height:.0f}">{drawn}</svg>')


def _figure(drawn: Markup, legend: str) -> Markup:
    return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(drawn, legend)
