"""The page of a study: answers first, then figures and tables, in one file that needs no network."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pandas.api.types import is_numeric_dtype

from claimaudit.plots import layers
from claimaudit.report.markup import data_tables, environment, inline_svg, pack
from claimaudit.report.sheets import Cell, Column, Sheet, of_texts
from claimaudit.storage import write_bytes
from claimaudit.words.names import heading
from claimaudit.words.numbers import number, p_value
from corrldp.formats import EXAMPLE, at_most, percent
from corrldp.study import collecting, words
from corrldp.study.contenders import of_broken, of_unknown
from corrldp.study.figures import StudyFigure, figures
from corrldp.study.tables import ALL, Accuracy, StudyFacts, Tables, inert, rows_of

OF_SHARES = (
    f"A share lies within the interval in 95 of 100 collections. From public facts: whatever the share is; "
    f"{percent(EXAMPLE)} is an example. From the table: the value with the largest error. The last column is the "
    "smallest share that is distinguished, with probability 95 %, from a value that nobody has."
)
OF_POPULATION = (
    "The leakage is that in the table. The interval is for the population that the records come from; it corrects for "
    "leakage that few records feign, so it may lie below."
)

MOST_ROWS, MOST_VALUES = 15, 12
P_VALUES = ("p_value", "holm", "fdr")


@dataclass(frozen=True)
class Shown:
    """A figure or a table on the page; of a table, the name of the file that has all of it, if there is one."""

    id: str
    section: str
    title: str
    caption: str
    numbers: Sheet
    file: str = ""
    drawing: layers.Drawing | None = None
    markup: str = ""
    theory: bool = False


def write(tables: Tables, about: StudyFacts, directory: Path) -> Path:
    """Draw the figures and write the page of a study's tables into their directory; return the page."""
    drawn = []
    for figure in figures(tables, about):
        drawing, contents = figure.drawn()
        for suffix, content in contents.items():
            write_bytes(directory / "figures" / f"{figure.name}.{suffix}", content)
        drawn.append(_shown(figure, drawing, contents["svg"].decode()))
    path, (why, files) = directory / "index.html", collecting.after_study(tables, about)
    for name in (collecting.PROTOCOL, collecting.PAGE):
        (directory / name).unlink(missing_ok=True)
    for name, text in {**files, "settings.yaml": collecting.settings_of(about)}.items():
        write_bytes(directory / name, text.encode())
    write_bytes(path, render(tables, about, drawn, why).encode())
    return path


def _shown(figure: StudyFigure, drawing: layers.Drawing, svg: str) -> Shown:
    cells = inert(figure.numbers)  # the page offers them as CSV, too
    texts = cells.astype(object).where(cells.notna(), "").map(str).to_numpy().tolist()
    numbers = of_texts([[*cells], *texts], figure.style.labels)
    markup = inline_svg(svg, f"svg-{figure.name}", figure.title)
    theory = bool(figure.rows["theory"].notna().any())
    own = f"figure-{figure.name}"
    return Shown(own, figure.section, figure.title, figure.caption, numbers, figure.name, drawing, markup, theory)


def render(tables: Tables, about: StudyFacts, drawn: list[Shown], why: str) -> str:
    """Return the page; the same tables and drawings always yield the same bytes."""
    sheets = [
        Shown(f"table-{name}", section, title, caption, _sheet(name, table), f"{name}.csv" if name in tables else "")
        for name, section, title, caption, table in shown(tables, about)
        if len(table)
    ]
    numbers = {
        "sheets": {item.id: item.numbers.packed() for item in (*drawn, *sheets)},
        "points": {item.id: item.drawing.values for item in drawn if item.drawing},
    }
    page = environment("corrldp.study").get_template("study.html")
    return page.render(
        title=f"A study of {about.facts.file or 'a table'}",
        lede=words.lede(about),
        about=about,
        answers=words.answers(tables, about),
        warnings={
            "A protocol is over its budget.": of_broken(tables["privacy"]),
            "Nobody knows how private a protocol is.": of_unknown(tables["privacy"]),
            "Many records are dropped.": words.of_records(about.facts) if words.many_dropped(about.facts) else [],
            "Bounds of bins were taken from the data.": words.of_bins(about.facts),
            "Domains were taken from the data.": words.of_domains(about.facts),
        },
        attacked=words.attacked(about),
        why=why,
        figures=drawn,
        sheets=sheets,
        present={item.section for item in (*drawn, *sheets)} | {"answers", "next", "data"},
        drawings=pack(json.dumps({item.id: item.markup for item in drawn})),
        measures=words.MEASURES,
        rare=words.rare(tables, about),
        packed=pack(json.dumps(numbers)),
        library=data_tables(),
    )


def shown(tables: Tables, about: StudyFacts) -> Iterator[tuple[str, str, str, str, pd.DataFrame]]:
    """Yield the name, section, title, caption and content of each table of the page."""
    at_middle = f"At epsilon = {about.middle:g}"
    chosen = {name: table[table["epsilon"] == about.middle] for name, table in tables.items() if "epsilon" in table}
    yield "recommendation", "protocol", "Recommendation for each budget", "", _choices(tables)
    yield "accuracy", "shares", "Each column", f"{at_middle}. {OF_SHARES}", _shares(chosen["accuracy"])
    error = _once(chosen["error"].query(f"attribute == '{ALL}'"), tables["candidates"])
    error = error.sort_values("mse", kind="stable").assign(typical=error["mse"] ** 0.5)
    brief = error[["protocol", "postprocess", "mse", "low", "high", "typical", "runs"]]
    yield "error", "error", "Protocols by error", *_first(brief, at_middle)
    leaks = chosen["leakage"].drop(columns=["epsilon", "rare"])
    leaks = leaks.sort_values(["column", "measure", "odds"], ascending=[True, True, False], kind="stable")
    leaks = leaks.assign(share=leaks["share"].map(percent), at_most=leaks["at_most"].map(at_most))
    caption, leaks = _first(leaks, at_middle)
    yield "leakage", "leakage", "Leakage with intervals", f"{caption} {OF_POPULATION}", leaks
    yield "budget", "budget", "Largest budgets", "", tables["budget"]
    yield "dependence", "dependence", "Strongest pairs", *_first(tables["dependence"], "")
    exact = chosen["privacy"].drop(columns="epsilon")
    yield "privacy", "privacy", "Exact privacy of every protocol", f"{at_middle}.", exact
    columns = [
        {
            "column": one.name,
            "role": "reported" if one.name in about.collected else "sensitive",
            "domain": one.origin,
            "values": _domain(one.values),
            "missing values": one.missing,
            "written": ", ".join(mark or "(empty)" for mark in one.marks),
            "they": "drop the record" if one.treatment == "drop" else "are a value",
        }
        for one in about.facts.columns
    ]
    yield "columns", "data", "Columns", "", pd.DataFrame(columns)
    yield "left_out", "data", "What was left out, and why", "", tables["left_out"]


def _domain(values: tuple[str, ...]) -> str:
    more = f" ... {len(values)} in all" if len(values) > MOST_VALUES else ""
    return f"{len(values)}: {', '.join(values[:MOST_VALUES])}{more}"


def _choices(tables: Tables) -> pd.DataFrame:
    chosen, candidates = tables["recommendation"], tables["candidates"]
    unsure = candidates[candidates["standing"] == "open"]
    together = {
        key: "; ".join(map(_named, rows["protocol"], rows["postprocess"]))
        for key, rows in unsure.groupby(["epsilon", "basis"])
    }
    frame = chosen.assign(
        protocol=[
            f"{name} (= {', '.join(same)})" if same else name
            for name, same in zip(chosen["protocol"], chosen["same"], strict=True)
        ],
        typical=100 * chosen["mse"] ** 0.5,
        runner_up=list(map(_named, chosen["runner_up"], chosen["runner_up_postprocess"])),
        margin=["" if pd.isna(margin) else f"{number(100 * margin)} %" for margin in chosen["margin"]],
        open=[together.get(key, "") for key in zip(chosen["epsilon"], chosen["basis"], strict=True)],
    )
    return frame[["epsilon", "basis", "verdict", "protocol", "postprocess", "typical", "runner_up", "margin", "open"]]


def _named(protocol: str, postprocess: str) -> str:
    return f"{protocol} ({words.METHOD_WORDS[postprocess]})" if protocol else ""


def _once(error: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of errors without those of protocols under a second name."""
    rows = candidates[["epsilon", "postprocess", "same"]].itertuples(index=False)
    second = {(epsilon, name, how) for epsilon, how, same in rows for name in same}
    keys = zip(error["epsilon"], error["protocol"], error["postprocess"], strict=True)
    return error.loc[pd.Series([key not in second for key in keys], index=error.index, dtype=bool)]


def _shares(accuracy: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy of each column, the worst first, in words."""
    accuracy = accuracy.sort_values(["column", "basis"], kind="stable")
    read = ["" if pd.isna(row.error) else words.read_by(row) for row in rows_of(Accuracy, accuracy)]
    found = accuracy.assign(read=read, smallest_share=accuracy["smallest_share"].map(percent))
    return found[["column", "values", "basis", "protocol", "value", "read", "smallest_share"]]


def _first(table: pd.DataFrame, where: str) -> tuple[str, pd.DataFrame]:
    """Return the first rows of a table, below a caption that says so."""
    more = f"the first {MOST_ROWS} of {len(table)} rows" if len(table) > MOST_ROWS else ""
    text = ", ".join(filter(None, [where, more]))
    return f"{text[:1].upper()}{text[1:]}." if text else "", table.head(MOST_ROWS)


def _sheet(name: str, table: pd.DataFrame) -> Sheet:
    headings = words.COMMON_HEADINGS | words.HEADINGS.get(name, {})
    columns = [Column(one, heading(one, headings), is_numeric_dtype(table[one])) for one in map(str, table)]
    return Sheet(columns, [[_cell(*pair) for pair in zip(columns, row, strict=True)] for row in table.to_numpy(object)])


def _cell(column: Column, value: float | str) -> Cell:
    if isinstance(value, str):
        return Cell(words.METHOD_WORDS.get(value, value) if column.name == "postprocess" else value, value)
    raw = "" if pd.isna(value) else str(value)
    return Cell(p_value(value) if column.name in P_VALUES else number(value), raw)
