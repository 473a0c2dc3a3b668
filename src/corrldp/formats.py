"""Numbers for people, with as many digits as matter; and numbers and cells of tables as people write them."""

import csv
import math
import re
from typing import TypeVar

from corrldp.arrays import in_short

Number = TypeVar("Number", int, float)

SEPARATORS = ",;\t|"  # what may stand between the cells of a CSV file

EXAMPLE = 0.12  # a share that serves as an example where none is given

THOUSANDS = {".": re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?"), ",": re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?")}


def number_in(text: str, decimal: str) -> float:
    """Return a finite number as people write it, with marks of thousands; NaN if the text is none."""
    if THOUSANDS[decimal].fullmatch(text):
        text = text.replace("." if decimal == "," else ",", "")
    try:
        value = math.nan if "_" in text else float(text.replace(",", ".") if decimal == "," else text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def number_of(text: str, option: str, kind: type[Number]) -> Number:
    """Return the number of an option as people write it: 1e5 and 100_000 are integers, 2 % is 0.02."""
    digits, percents, rest = text.partition("%")
    try:
        number = float(digits) / (100 if percents else 1)
        if rest.strip() or (kind is int and not number.is_integer()):
            raise ValueError(number)
        return kind(number)
    except ValueError:
        what = "an integer, such as 50000" if kind is int else "a number, such as 0.02"
        raise ValueError(f"{option}: {in_short(text)} must be {what}") from None


def cells(line: str, separator: str = ",") -> list[str]:
    """Return the cells of a line of a CSV file, without blanks around them."""
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def digits(number: float, upwards: bool = False) -> str:
    """Return a number with three significant digits, if need be rounded up, so that a budget is enough."""
    if upwards and math.isfinite(number) and number > 0:
        step = 10.0 ** (math.floor(math.log10(number)) - 2)
        steps = number / step
        number = step * (round(steps) if abs(steps - round(steps)) < 1e-9 * steps else math.ceil(steps))
    return f"{number:.3g}"


def rounded(number: float) -> str:
    """Return a number with two significant digits, 0 included; more before the decimal point are kept."""
    return f"{number:.0f}" if abs(number) >= 99.5 else f"{number:#.2g}".rstrip(".")


def points(error: float) -> str:
    """Return half of an interval of a share in percentage points: ``±1.9``."""
    return f"±{rounded(100 * error)}"


def percent(share: float | None) -> str:
    """Return a share in percent, ``12 %``; none if there is none."""
    return "none" if share is None or math.isnan(share) else f"{rounded(100 * share)} %"


def at_most(share: float) -> str:
    """Return an upper bound of a share in percent: two digits, never rounded down."""
    step = 1.0 if share >= 0.1 else 0.1 if share >= 0.01 else 0.01
    return f"{math.ceil(round(100 * share / step, 6)) * step:.3g} %"


def read_as(share: float, error: float) -> str:
    """Return how a share will be read: ``12 % is read as 12 % ± 1.9``."""
    return f"{percent(share)} is read as {percent(share)} ± {rounded(100 * error)}"


def duration(seconds: float) -> str:
    """Return a duration in words, such as 8 min 40 s."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s" if seconds >= 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
