"""Small pictures of the record of a claim: what was compared, as bars, dots or pairs of numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from markupsafe import Markup, escape

from claimaudit.verdicts import Cells, Evidence, Verdict
from claimaudit.words.names import RUN, STATED, expression
from claimaudit.words.numbers import amount, plural

WIDTH, HEIGHT, EDGE = 240, 64, 8
MOST = 200
"""Comparisons drawn, at most; of more, every second, third ... one."""

PAIRS = 4
"""Comparisons that are drawn as pairs of bars, at most."""


def picture(verdict: Verdict) -> Markup:
    """Return a drawing of what decides a claim, with its legend in words; empty if nothing was compared.

    A few comparisons are pairs of bars. More are dots, in the order of the record: the number checked divided by the
    other one, or the number itself where it is held against one threshold. Printed numbers have a row of dots as
    stated and one as run.
    """
    if not verdict.evidence or not _pairs(verdict.stated):
        return Markup()
    if isinstance(verdict.stated.found, Cells):
        run = verdict.under(verdict.as_run.deciding) if verdict.as_run.deciding else None
        rows = [(STATED, verdict.stated)] + ([(RUN, run)] if run and run is not verdict.stated else [])
        return _figure("".join(_ratios(one, place, len(rows)) for place, (_, one) in enumerate(rows)), _of_cells(rows))
    pairs = _pairs(verdict.stated)
    if len(pairs) <= PAIRS:
        return _figure(_bars(pairs), f"{_legend(verdict, 'bar')}, {plural(len(pairs), 'setting')}")
    if len({right for _, right in pairs}) == 1:
        return _figure(_against(pairs), f"{_legend(verdict, 'dot')}, {plural(len(pairs), 'setting')}")
    return _figure(_ratios(verdict.stated, 0, 1), f"{_legend(verdict, 'ratio')}, {plural(len(pairs), 'setting')}")


def _pairs(evidence: Evidence) -> list[tuple[float, float]]:
    sides = (evidence.comparisons.get(name, ()) for name in ("left", "right"))
    return [(x, y) for x, y in zip(*sides, strict=True) if isinstance(x, int | float) and isinstance(y, int | float)]


def _thinned(pairs: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    return pairs[:: math.ceil(len(pairs) / MOST) or 1]


def _figure(drawn: str, legend: str) -> Markup:
    shapes = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(legend)}">{drawn}</svg>'
    return Markup(f'<figure class="small">{shapes}<figcaption>{escape(legend)}</figcaption></figure>')


def _bars(pairs: Sequence[tuple[float, float]]) -> str:
    """Draw each number above the one that it is compared with, from zero."""
    least, most = (choose(0.0, *itertools.chain(*pairs)) for choose in (min, max))
    scale = (WIDTH - 2 * EDGE) / ((most - least) or 1)
    height = HEIGHT / (2 * len(pairs) + 1)
    drawn = []
    for place, pair in enumerate(pairs):
        for side, (name, number) in enumerate(zip(("left", "right"), pair, strict=True)):
            start, width = EDGE + scale * (min(number, 0) - least), scale * abs(number)
            top = height * (2 * place + side + 0.5 * (place + 1) / len(pairs))
            size = f'width="{max(width, 1):.1f}" height="{height:.1f}"'
            drawn.append(f'<rect class="{name}" x="{start:.1f}" y="{top:.1f}" {size}/>')
    return "".join(drawn)


def _against(pairs: Sequence[tuple[float, float]]) -> str:
    """Draw numbers as dots over a line, their common threshold."""
    chosen = _thinned(pairs)
    values = [*(left for left, _ in chosen), chosen[0][1]]
    low, high = min(values), max(values)
    *heights, line = (1 - (value - low) / ((high - low) or 1) for value in values)
    return _dots(heights, line)


def _ratios(evidence: Evidence, row: int, rows: int) -> str:
    """Draw ratios as dots over the line of equality, on a logarithmic scale from a tenth to ten, in one of the rows."""
    pairs = [(left, right) for left, right in _pairs(evidence) if left * right > 0]
    logs = [max(-1.0, min(1.0, math.log10(left / right))) for left, right in _thinned(pairs)]
    return _dots([0.5 - log / 2 for log in logs], 0.5, row, rows)


def _dots(heights: Sequence[float], line: float, row: int = 0, rows: int = 1) -> str:
    """Draw dots at heights from 0 (top) to 1, and a line."""
    room = HEIGHT / rows
    y = [row * room + 4 + (room - 8) * height for height in (*heights, line)]
    step = (WIDTH - 2 * EDGE) / max(len(heights) - 1, 1)
    dots = (f'<circle cx="{EDGE + step * place:.1f}" cy="{each:.1f}" r="2.5"/>' for place, each in enumerate(y[:-1]))
    return f'<path d="M0 {y[-1]:.1f}H{WIDTH}"/>{"".join(dots)}'


def _of_cells(rows: Sequence[tuple[str, Evidence]]) -> str:
    counts = [f"{one.found.inside} of {one.rows} fit {name}" for name, one in rows if isinstance(one.found, Cells)]
    places = " above, ".join(counts) + " below" if len(counts) > 1 else counts[0]
    return f"Our number divided by the printed one; the line is where they agree: {places}"


def _legend(verdict: Verdict, kind: str) -> str:
    """Say what is drawn, with the paper's names where the record has them."""
    found = verdict.stated.found
    left, right = (expression(getattr(found, name, "")) for name in ("left_name", "right_name"))
    left = left or verdict.measure or "the number checked"
    threshold = amount(_pairs(verdict.stated)[0][1], verdict.unit)
    match kind:
        case "ratio":
            return (
                f"Dots: {left} divided by {right or 'what it is compared with'}; line: equal; from a tenth to ten times"
            )
        case "dot":
            return f"Dots: {left}; line: {right or threshold}"
    return f"Dark: {left}; light: {right or threshold}"
