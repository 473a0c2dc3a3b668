"""The tables that the page of a study shows in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from corrldp.report.markup import number, p_value
from corrldp.report.sheets import Cell, Column, Sheet, from_csv
from corrldp.study.errors import ALL
from corrldp.study.figures import middle
from corrldp.study.output import Tables
from corrldp.study.words import HEADINGS, METHODS

MOST_ROWS = 15
P_VALUES = ("p_value", "holm", "fdr")
OF_POPULATION = (
    "The leakage is that in the table. The interval is for the population that the records come from; it corrects for "
    "leakage that few records feign, so it may lie below."
)


@dataclass(frozen=True)
class ShownTable:
    """A table on the page, and the name of the file that has all of it, if there is one."""

    id: str
    file: str
    section: str
    title: str
    caption: str
    numbers: Sheet


def shown(tables: Tables, about: dict[str, Any]) -> list[ShownTable]:
    """Return the tables of the page."""
    epsilon = middle(about)
    at_middle = f"At epsilon = {epsilon:g}"
    error = tables["error"].query(f"attribute == '{ALL}'")
    ranked = error[error["epsilon"] == epsilon].sort_values("mse", kind="stable")
    leakage = tables["leakage"]
    leaks = leakage[leakage["epsilon"] == epsilon].drop(columns=["epsilon", "rare"])
    leaks = leaks.sort_values(["column", "measure", "leakage"], ascending=[True, True, False], kind="stable")
    exact = tables["privacy"][tables["privacy"]["epsilon"] == epsilon].drop(columns="epsilon")
    columns = pd.DataFrame(about["facts"]["columns"])
    collected = about["collected"]
    data = pd.DataFrame(
        {
            "column": columns["name"],
            "role": ["reported" if name in collected else "sensitive" for name in columns["name"]],
            "domain": ["public" if public else "taken from the data" for public in columns["public"]],
            "missing values": columns["missing"],
            "they": ["drop the record" if one == "drop" else "are a value" for one in columns["treatment"]],
        }
    )
    parts = [
        ("recommendation", "protocol", "Recommendation for each budget", "", _choices(tables["recommendation"])),
        ("error", "error", "Protocols by error", _first(ranked, at_middle), _brief(ranked).head(MOST_ROWS)),
        (
            "leakage",
            "leakage",
            "Leakage with intervals",
            f"{_first(leaks, at_middle)} {OF_POPULATION}",
            leaks.head(MOST_ROWS),
        ),
        ("budget", "budget", "Largest budgets", "", tables["budget"]),
        (
            "dependence",
            "dependence",
            "Strongest pairs",
            _first(tables["dependence"], ""),
            tables["dependence"].head(MOST_ROWS),
        ),
        ("privacy", "privacy", "Exact privacy of every protocol", f"{at_middle}.", exact),
        ("columns", "data", "Columns", "", data),
        ("left_out", "data", "What was left out, and why", "", tables["left_out"]),
    ]
    return [
        ShownTable(
            f"table-{name}", f"{name}.csv" if name in tables else "", section, title, caption, _sheet(name, table)
        )
        for name, section, title, caption, table in parts
        if len(table)
    ]


def _choices(recommendation: pd.DataFrame) -> pd.DataFrame:
    frame = recommendation.assign(
        typical=100 * recommendation["mse"] ** 0.5,
        margin=[f"{number(100 * margin)} %" for margin in recommendation["margin"]],
    )
    for column in ("runner_up", "open"):
        for name, words in METHODS.items():
            frame[column] = frame[column].str.replace(f"({name})", f"({words})", regex=False)
    return frame[
        ["epsilon", "basis", "verdict", "protocol", "postprocess", "typical", "runner_up", "margin", "p_value", "open"]
    ]


def _brief(error: pd.DataFrame) -> pd.DataFrame:
    rounded = error.assign(typical=error["mse"] ** 0.5)
    return rounded[["protocol", "postprocess", "mse", "low", "high", "typical", "runs"]]


def _first(table: pd.DataFrame, where: str) -> str:
    more = f"the first {MOST_ROWS} of {len(table)} rows" if len(table) > MOST_ROWS else ""
    text = ", ".join(filter(None, [where, more]))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _sheet(name: str, table: pd.DataFrame) -> Sheet:
    table = table.replace({column: METHODS for column in ("postprocess",) if column in table})
    sheet = from_csv(table.to_csv(index=False), HEADINGS.get(name, {}))
    # A column that is constant by chance is shown all the same.
    columns = [Column(column.name, column.heading, column.numeric) for column in sheet.columns]
    rows = [
        [
            Cell(p_value(float(cell.value or "nan")), cell.value) if column.name in P_VALUES else cell
            for column, cell in pairs
        ]
        for pairs in (zip(columns, row, strict=True) for row in sheet.rows)
    ]
    return Sheet(columns, rows)
