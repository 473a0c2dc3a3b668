"""Figures of small tables."""

import numpy as np
import pandas as pd

from claimaudit.plots.selection import drawn_numbers
from claimaudit.styles import Style


def numbers_of(table, style, published=None, **changes):
    """Return the numbers that a style draws, and the style."""
    built = Style.model_validate({**style, **changes}, strict=False)
    return drawn_numbers(table, built, published), built


def figure_of(draw, table, style, published=None, **changes):
    """Return a figure of some kind and its numbers."""
    numbers, built = numbers_of(table, style, published, **changes)
    return draw(numbers, built), numbers


def keys_of(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def exact(rows, columns, **constant):
    """Return a result table of exact numbers."""
    return pd.DataFrame(rows, columns=columns).assign(reading="strict", se=0.0, runs=0, theory=np.nan, **constant)
