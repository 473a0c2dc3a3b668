"""The page of a study: answers first, then figures and tables, in one file that needs no network."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from claimaudit.plots import layers
from claimaudit.report.markup import data_tables, environment, inline_svg, pack
from claimaudit.report.sheets import Cell, Column, Sheet, of_texts
from claimaudit.results import write_bytes
from claimaudit.words.names import heading
from claimaudit.words.numbers import number, p_value
from corrldp.formats import EXAMPLE, at_most, percent
from corrldp.study import collecting
from corrldp.study.figures import figures
from corrldp.study.output import StudyFacts, Tables, inert
from corrldp.study.privacy import of_broken, of_unknown
from corrldp.study.settings import ALL, OPEN
from corrldp.study.words import (
    HEADINGS,
    MEASURES,
    METHOD_WORDS,
    answers,
    attacked,
    lede,
    many_dropped,
    of_bins,
    of_domains,
    of_records,
    rare,
    reading,
)

SECTIONS = {
    "answers": "Answers",
    "protocol": "Which protocol",
    "shares": "How exactly shares are read",
    "error": "How large is the error",
    "joint": "Tables of several columns",
    "leakage": "What leaks",
    "budget": "Which budget",
    "dependence": "Dependence",
    "privacy": "Exact privacy",
    "next": "Collect with it",
    "data": "Data",
}


OF_SHARES = (
    f"A share lies within the interval in 95 of 100 collections. From public facts: whatever the share is; "
    f"{percent(EXAMPLE)} is an example. From the table: the value with the largest error. The last column is the "
    "smallest share that is distinguished, with probability 95 %, from a value that nobody has."
)

MOST_ROWS, MOST_VALUES = 15, 12
P_VALUES = ("p_value", "holm", "fdr")
OF_POPULATION = (
    "The leakage is that in the table. The interval is for the population that the records come from; it corrects for "
    "leakage that few records feign, so it may lie below."
)


@dataclass(frozen=True)
class Shown:
    """A figure on the page; `theory` says whether it shows closed forms, which a reader may hide."""

    id: str
    name: str
    section: str
    title: str
    caption: str
    markup: str
    drawing: layers.Drawing
    numbers: Sheet
    theory: bool


@dataclass(frozen=True)
class ShownTable:
    """A table on the page, and the name of the file that has all of it, if there is one."""

    id: str
    file: str
    section: str
    title: str
    caption: str
    numbers: Sheet


def write(tables: Tables, about: StudyFacts, directory: Path) -> Path:
    """Draw the figures and write the page of a study's tables into their directory; return the page."""
    drawn = []
    for figure in figures(tables, about):
        drawing, contents = figure.drawn()
        for suffix, content in contents.items():
            write_bytes(directory / "figures" / f"{figure.name}.{suffix}", content)
        own = f"figure-{figure.name}"
        markup = inline_svg(contents["svg"].decode(), f"svg-{figure.name}", figure.title)
        shown = inert(figure.numbers)  # the page offers them as CSV, too
        texts = shown.astype(object).where(shown.notna(), "").map(str).to_numpy().tolist()
        numbers = of_texts([[*shown], *texts], figure.style.labels)
        theory = bool(figure.rows["theory"].notna().any())
        named = (own, figure.name, figure.section, figure.title, figure.caption)
        drawn.append(Shown(*named, markup, drawing, numbers, theory))
    path, following = directory / "index.html", collecting.after_study(tables, about)
    for name in collecting.FILES:
        (directory / name).unlink(missing_ok=True)
    files = {} if following is None else following.files()
    for name, text in {**files, collecting.SETTINGS: collecting.settings_of(about)}.items():
        write_bytes(directory / name, text.encode())
    write_bytes(path, render(tables, about, drawn, following).encode())
    return path


def render(tables: Tables, about: StudyFacts, drawn: list[Shown], following: collecting.Next | None) -> str:
    """Return the page; the same tables and drawings always yield the same bytes."""
    sheets = shown(tables, about)
    items: list[Shown | ShownTable] = [*drawn, *sheets]
    numbers = {
        "sheets": {item.id: item.numbers.packed() for item in items},
        "points": {item.id: item.drawing.values for item in drawn},
    }
    present = {item.section for item in items} | {"answers", "next", "data"}
    return (
        environment("corrldp.study")
        .get_template("study.html")
        .render(
            title=f"A study of {about.facts.file or 'a table'}",
            lede=lede(about),
            about=about,
            answers=answers(tables, about),
            warnings={
                "A protocol is over its budget.": of_broken(tables["privacy"]),
                "Nobody knows how private a protocol is.": of_unknown(tables["privacy"]),
                "Many records are dropped.": of_records(about.facts) if many_dropped(about.facts) else [],
                "Bounds of bins were taken from the data.": of_bins(about.facts),
                "Domains were taken from the data.": of_domains(about.facts),
            },
            attacked=attacked(about),
            next=following,
            limit=number(about.settings.odds_limit),
            figures=drawn,
            sheets=sheets,
            present=present,
            drawings=pack(json.dumps({item.id: item.markup for item in drawn})),
            sections=[(name, heading) for name, heading in SECTIONS.items() if name in present],
            measures=MEASURES,
            rare=rare(tables, about),
            packed=pack(json.dumps(numbers)),
            library=data_tables(),
        )
    )


def shown(tables: Tables, about: StudyFacts) -> list[ShownTable]:
    """Return the tables of the page."""
    epsilon = about.middle
    at_middle = f"At epsilon = {epsilon:g}"
    error = tables["error"].query(f"attribute == '{ALL}'")
    ranked = _once(error[error["epsilon"] == epsilon], tables["candidates"]).sort_values("mse", kind="stable")
    accuracy = tables["accuracy"][tables["accuracy"]["epsilon"] == epsilon]
    leakage = tables["leakage"]
    leaks = leakage[leakage["epsilon"] == epsilon].drop(columns=["epsilon", "rare"])
    leaks = leaks.sort_values(["column", "measure", "odds"], ascending=[True, True, False], kind="stable")
    leaks = leaks.assign(share=leaks["share"].map(percent), at_most=leaks["at_most"].map(at_most))
    exact = tables["privacy"][tables["privacy"]["epsilon"] == epsilon].drop(columns="epsilon")
    columns = pd.DataFrame(about.facts.columns)
    collected = about.collected
    data = pd.DataFrame(
        {
            "column": columns["name"],
            "role": ["reported" if name in collected else "sensitive" for name in columns["name"]],
            "domain": columns["origin"],
            "values": [_domain(values) for values in columns["values"]],
            "missing values": columns["missing"],
            "written": [", ".join(one or "(empty)" for one in marks) for marks in columns["marks"]],
            "they": ["drop the record" if one == "drop" else "are a value" for one in columns["treatment"]],
        }
    )
    parts = [
        ("recommendation", "protocol", "Recommendation for each budget", "", _choices(tables)),
        ("accuracy", "shares", "Each column", f"{at_middle}. {OF_SHARES}", _shares(accuracy)),
        (
            "error",
            "error",
            "Protocols by error",
            _first(ranked, at_middle),
            _brief(_once(ranked, tables["candidates"])).head(MOST_ROWS),
        ),
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


def _domain(values: list[str]) -> str:
    """Return the values of a column, the first of many."""
    more = f" ... {len(values)} in all" if len(values) > MOST_VALUES else ""
    return f"{len(values)}: {', '.join(values[:MOST_VALUES])}{more}"


def _choices(tables: Tables) -> pd.DataFrame:
    chosen, candidates = tables["recommendation"], tables["candidates"]
    unsure = candidates[candidates["standing"] == OPEN]
    together = {key: _words(rows) for key, rows in unsure.groupby(["epsilon", "basis"])}
    second = chosen[["runner_up", "runner_up_postprocess"]].set_axis(["protocol", "postprocess"], axis=1)
    frame = chosen.assign(
        protocol=[_also(*one) for one in zip(chosen["protocol"], chosen["same"], strict=True)],
        typical=100 * chosen["mse"] ** 0.5,
        runner_up=[_named(*one) for one in second.itertuples(index=False)],
        margin=["" if pd.isna(margin) else f"{number(100 * margin)} %" for margin in chosen["margin"]],
        open=[together.get(key, "") for key in zip(chosen["epsilon"], chosen["basis"], strict=True)],
    )
    return frame[["epsilon", "basis", "verdict", "protocol", "postprocess", "typical", "runner_up", "margin", "open"]]


def _also(protocol: str, same: tuple[str, ...]) -> str:
    return f"{protocol} (= {', '.join(same)})" if same else protocol


def _once(error: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of errors without those of protocols under a second name."""
    rows = candidates[["epsilon", "postprocess", "same"]].itertuples(index=False)
    second = {(epsilon, name, how) for epsilon, how, same in rows for name in same}
    keys = zip(error["epsilon"], error["protocol"], error["postprocess"], strict=True)
    return error.loc[pd.Series([key not in second for key in keys], index=error.index, dtype=bool)]


def _shares(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy of each column, the worst first, in words."""
    accuracy = accuracy.sort_values(["column", "basis"], kind="stable")
    rows: list[Any] = accuracy.to_dict("records")
    shown = accuracy.assign(
        read=[reading(row) if not pd.isna(row["error"]) else "" for row in rows],
        smallest_share=[percent(row["smallest_share"]) for row in rows],
    )
    return shown[["column", "values", "basis", "protocol", "value", "read", "smallest_share"]]


def _words(candidates: pd.DataFrame) -> str:
    pairs = candidates[["protocol", "postprocess"]].itertuples(index=False)
    return "; ".join(_named(*pair) for pair in pairs)


def _named(protocol: str, postprocess: str) -> str:
    return f"{protocol} ({METHOD_WORDS[postprocess]})" if protocol else ""


def _brief(error: pd.DataFrame) -> pd.DataFrame:
    rounded = error.assign(typical=error["mse"] ** 0.5)
    return rounded[["protocol", "postprocess", "mse", "low", "high", "typical", "runs"]]


def _first(table: pd.DataFrame, where: str) -> str:
    more = f"the first {MOST_ROWS} of {len(table)} rows" if len(table) > MOST_ROWS else ""
    text = ", ".join(filter(None, [where, more]))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _sheet(name: str, table: pd.DataFrame) -> Sheet:
    headings = HEADINGS.get(name, {})
    columns = [Column(one, heading(one, headings), is_numeric_dtype(table[one])) for one in map(str, table)]
    return Sheet(columns, [[_cell(*pair) for pair in zip(columns, row, strict=True)] for row in table.to_numpy(object)])


def _cell(column: Column, value: Any) -> Cell:  # noqa: ANN401 (any number or text)
    if not column.numeric:
        return Cell(METHOD_WORDS.get(value, value) if column.name == "postprocess" else value, value)
    raw = "" if pd.isna(value) else str(value)
    return Cell(p_value(value) if column.name in P_VALUES else number(value), raw)
