"""The page of a study: answers first, then figures and tables, in one file that needs no network."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from claimaudit.report.markup import data_tables, environment, pack
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.storage import write_bytes
from claimaudit.words.names import heading
from claimaudit.words.numbers import listed, number, p_value
from corrldp.formats import EXAMPLE, at_most, percent
from corrldp.study import collecting, words
from corrldp.study.contenders import of_broken, of_unknown
from corrldp.study.figures import EXHIBITS, figures, said
from corrldp.study.tables import ALL, Accuracy, StudyFacts, Tables, rows_of

MOST_VALUES = 12
P_VALUES = ("p_value", "holm", "fdr")


def write(tables: Tables, about: StudyFacts, directory: Path) -> Path:
    """Draw the figures and write the page of a study's tables into their directory; return the page."""
    drawn = []
    for figure in figures(tables, about):
        shown, contents = figure.drawn()
        for suffix, content in contents.items():
            write_bytes(directory / "figures" / f"{figure.name}.{suffix}", content)
        drawn.append(shown)
    path, (why, files) = directory / "index.html", collecting.after_study(tables, about)
    for name in (collecting.PROTOCOL, collecting.PAGE):
        (directory / name).unlink(missing_ok=True)
    for name, text in {**files, "settings.yaml": collecting.settings_of(about)}.items():
        write_bytes(directory / name, text.encode())
    write_bytes(path, render(tables, about, drawn, why).encode())
    return path


def render(tables: Tables, about: StudyFacts, drawn: list[dict[str, Any]], why: str) -> str:
    """Return the page; the same tables and drawings always yield the same bytes."""
    sheets = list(_sheets(tables, about))
    numbers = {
        "sheets": {item["id"]: item["numbers"].packed() for item in (*drawn, *sheets)},
        "points": {item["id"]: item["drawing"].values for item in drawn},
    }
    page = environment("corrldp.study").get_template("study.html")
    return page.render(
        title=f"A study of {about.facts.file or 'a table'}",
        about=about,
        answers=words.answers(tables, about),
        warnings={
            "A protocol is over its budget.": of_broken(tables["privacy"]),
            "Nobody knows how private a protocol is.": of_unknown(tables["privacy"]),
            "Many records are dropped.": words.of_records(about.facts) if words.many_dropped(about.facts) else [],
            "Bounds of bins were taken from the data.": words.of_bins(about.facts),
            "Domains were taken from the data.": words.of_domains(about.facts),
        },
        why=why,
        figures=drawn,
        sheets=sheets,
        present={item["section"] for item in (*drawn, *sheets)} | {"answers", "next", "data"},
        drawings=pack(json.dumps({item["id"]: item["markup"] for item in drawn})),
        rare=tables["leakage"].groupby("column", sort=False)["rare"].max().to_dict(),
        packed=pack(json.dumps(numbers)),
        library=data_tables(),
        listed=listed,
    )


def _sheets(tables: Tables, about: StudyFacts) -> Iterator[dict[str, Any]]:
    """Yield each table of the page that has a row, in order; its `file` has all of them, if there is one."""
    found = _contents(tables, about)
    for name, exhibit in EXHIBITS["tables"].items():
        table, rows = found[name], exhibit.get("rows", len(found[name]))
        more = len(table) > rows
        facts = {"rows": rows, "all": len(table), "cut": f", the first {rows} of {len(table)} rows" * more}
        texts = said(exhibit, more, epsilon=f"{about.middle:g}", example=percent(EXAMPLE), **facts)
        numbers = _sheet(table.head(rows), EXHIBITS["headings"] | exhibit.get("headings", {}))
        if len(table):
            yield {"id": f"table-{name}", "file": f"{name}.csv" if name in tables else "", "numbers": numbers, **texts}


def _contents(tables: Tables, about: StudyFacts) -> Tables:
    """Return the tables as the page has them, all rows of each."""
    chosen = {name: table[table["epsilon"] == about.middle] for name, table in tables.items() if "epsilon" in table}
    error = _once(chosen["error"].query(f"attribute == '{ALL}'"), tables["candidates"])
    error = error.sort_values("mse", kind="stable").assign(typical=error["mse"] ** 0.5)
    leaks = chosen["leakage"].drop(columns=["epsilon", "rare"])
    leaks = leaks.sort_values(["column", "measure", "odds"], ascending=[True, True, False], kind="stable")
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
    return {
        **tables,
        "recommendation": _choices(tables),
        "accuracy": _shares(chosen["accuracy"]),
        "error": error[["protocol", "postprocess", "mse", "low", "high", "typical", "runs"]],
        "leakage": leaks.assign(share=leaks["share"].map(percent), at_most=leaks["at_most"].map(at_most)),
        "privacy": chosen["privacy"].drop(columns="epsilon"),
        "columns": pd.DataFrame(columns),
    }


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


def _sheet(table: pd.DataFrame, headings: dict[str, str]) -> Sheet:
    columns = [Column(one, heading(one, headings), is_numeric_dtype(table[one])) for one in map(str, table)]
    return Sheet(columns, [[_cell(*pair) for pair in zip(columns, row, strict=True)] for row in table.to_numpy(object)])


def _cell(column: Column, value: float | str) -> Cell:
    if isinstance(value, str):
        return Cell(words.METHOD_WORDS.get(value, value) if column.name == "postprocess" else value, value)
    raw = "" if pd.isna(value) else str(value)
    return Cell(p_value(value) if column.name in P_VALUES else number(value), raw)
