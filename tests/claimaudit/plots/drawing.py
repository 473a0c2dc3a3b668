"""Figures of small tables."""

import numpy as np
import pandas as pd

from claimaudit.plots.selection import drawn_numbers
from claimaudit.styles import Style


def numbers_of(table, style, published=None, **changes):
    built = Style.model_validate({**style, **changes}, strict=False)
    return drawn_numbers(table, built, published), built


def figure_of(draw, table, style, published=None, **changes):
    numbers, built = numbers_of(table, style, published, **changes)
    return draw(numbers, built), numbers


def keys_of(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def exact(rows, columns, **constant):
    return pd.DataFrame(rows, columns=columns).assign(reading="strict", se=0.0, runs=0, theory=np.nan, **constant)
