"""The page of a study: answers first, then figures and tables, in one file that needs no network.

Figures and tables are those that `exhibits.yaml` describes; figures are drawn by the same plots as those of the papers.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib.style
import pandas as pd
from pandas.api.types import is_numeric_dtype

from claimaudit import yaml_files
from claimaudit.configuration import parse
from claimaudit.plots import layers
from claimaudit.plots.draw import KINDS
from claimaudit.plots.figure import lay_out
from claimaudit.plots.figure import name as name_figure
from claimaudit.plots.figure import render as render_figure
from claimaudit.plots.selection import drawn_numbers
from claimaudit.plots.style import RC
from claimaudit.report.markup import data_tables, environment, inline_svg, pack
from claimaudit.report.sheets import Cell, Column, Sheet, of_texts
from claimaudit.storage import write_bytes
from claimaudit.styles import Conventions, Style
from claimaudit.words.names import NO_NAMES, heading
from claimaudit.words.numbers import listed, number, p_value
from corrldp.deployment.plan import INTERVAL
from corrldp.formats import EXAMPLE, at_most, percent
from corrldp.protocols.names import label
from corrldp.runners import CONVENTIONS
from corrldp.study import collecting, words
from corrldp.study.contenders import of_broken, of_unknown
from corrldp.study.leakage import RESAMPLES
from corrldp.study.tables import ALL, ANY, PAIR, SUM, Accuracy, StudyFacts, Tables, inert, rows_of

MOST_COLUMNS = 10  # of the table that one figure shows, so that their names are legible
MOST_PANELS, MOST_VALUES = 6, 12
P_VALUES = ("p_value", "holm", "fdr")

EXHIBITS = yaml_files.read(Path(__file__).with_name("templates") / "exhibits.yaml")


def write(tables: Tables, about: StudyFacts, directory: Path) -> Path:
    """Draw the figures and write the page of a study's tables into their directory; return the page."""
    drawn = []
    for shown, contents in figures(tables, about):
        for suffix, content in contents.items():
            write_bytes(directory / "figures" / f"{shown['file']}.{suffix}", content)
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


def said(exhibit: Mapping[str, str], more: bool, **facts: object) -> dict[str, str]:
    """Return the section, title and caption of an exhibit, in which the facts stand for names in braces."""
    caption = " ".join(filter(None, [exhibit.get("caption"), exhibit.get("more") if more else ""])).format(**facts)
    return {"section": exhibit["section"], "title": exhibit["title"].format(**facts), "caption": caption}


Drawn = tuple[dict[str, Any], dict[str, bytes]]
"""A figure as the page has it, and its files by suffix."""


def _drawn(name: str, said: dict[str, str], rows: pd.DataFrame, style: Style) -> Drawn:
    numbers = drawn_numbers(rows, style)
    cells = inert(numbers)  # the page offers them as CSV, too
    style = style.model_copy(update={"looks": yaml_files.load(CONVENTIONS, Conventions).looks})
    with matplotlib.style.context(["default", RC]):
        figure = KINDS[style.plot](numbers, style)
        name_figure(figure, said["title"], f"Source: own study, study/{name}")
        lay_out(figure)
        drawing = layers.describe(figure)
        files = render_figure(figure, f"study/{name}", said["title"], cells)
    texts = cells.astype(object).where(cells.notna(), "").map(str).to_numpy().tolist()
    shown = {
        "id": f"figure-{name}",
        "file": name,
        "drawing": drawing,
        "markup": inline_svg(files["svg"].decode(), f"svg-{name}", said["title"]),
        "numbers": of_texts([[*cells], *texts], style.labels),
        "theory": bool(rows["theory"].notna().any()),
    }
    return {**said, **shown}, files


def figures(tables: Tables, about: StudyFacts) -> Iterator[Drawn]:
    """Yield the figures that the tables allow."""
    for figure in (by_budget, by_column, by_postprocess, of_joint, of_curve, of_neighbours, of_dependence):
        if found := figure(tables, about):
            yield found


def _figure(
    name: str,
    table: pd.DataFrame,
    facts: Mapping[str, object],
    more: bool = False,
    labels: Mapping[str, str] = NO_NAMES,
    mechanism: str = "protocol",
    **changes: Any,  # noqa: ANN401 (of a style)
) -> Drawn | None:
    """Draw a table unless it is empty, with the facts for title and caption, more labels and changes of the style.

    The column `mechanism` has what is compared. Closed forms, which took no runs, are theory, too.
    """
    exhibit = EXHIBITS["figures"][name]
    style = parse(exhibit["style"], Style)
    style = style.model_copy(update={"labels": {**labels, **style.labels}, **changes})
    [metric] = style.y
    half = (table["high"] - table["low"]) / (2 * INTERVAL) if {"low", "high"} <= set(table) else 0.0
    rows = table[[*style.panels.values(), *filter(None, [style.lines]), style.x]].assign(
        reading="strict",
        mechanism=table[mechanism].map(label) if mechanism == "protocol" else table[mechanism],
        metric=metric,
        mean=table[metric],
        se=table.get("se", half),
        runs=table.get("runs", 0),
        theory=table[metric].where(table["runs"] == 0) if "runs" in table else float("nan"),
        standin=False,
    )
    return _drawn(name, said(exhibit, more, **facts), rows.reset_index(drop=True), style) if len(rows) else None


def by_budget(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw the error of every protocol along the budget, raw and with the best post-processing."""
    error = tables["error"].query(f"attribute == '{ALL}'")
    medians = error.query("postprocess != 'none'").groupby("postprocess")["mse"].median()
    shown = ["none"] if (error["postprocess"] == "none").any() else []
    if len(medians):
        shown.append(str(medians.idxmin()))
    error = error[error["postprocess"].isin(shown)]
    return _figure("error", error, {}, len(shown) > 1, words.METHOD_WORDS, show={"postprocess": tuple(shown)})


def by_column(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw the error of every protocol for each column, at one budget."""
    epsilon, how = about.middle, about.settings.postprocess[0]
    error = tables["error"].query(f"attribute != '{ALL}' and value == '{ALL}'")
    error = error[(error["epsilon"] == epsilon) & (error["postprocess"] == how)]
    largest = error.groupby("attribute")["mse"].median().nlargest(MOST_COLUMNS).index
    left = error["attribute"].nunique() - len(largest)
    said_of = "without" if how == "none" else f"{words.METHOD_WORDS[how]} as"
    facts = {"epsilon": f"{epsilon:g}", "how": said_of, "shown": len(largest), "left": left}
    return _figure("columns", error[error["attribute"].isin(largest)], facts, left > 0)


def by_postprocess(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw what each post-processing does to the error of every protocol, at one budget; nothing if there is one."""
    error = tables["error"].query(f"attribute == '{ALL}'")
    error = error[error["epsilon"] == about.middle]
    several = error["postprocess"].nunique() > 1
    facts = {"epsilon": f"{about.middle:g}"}
    return _figure("postprocess", error if several else error.head(0), facts, labels=words.METHOD_WORDS)


def of_joint(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw the error of each scheme for joint tables, a panel for each set of columns."""
    joint = tables["joint"].query("metric == 'mse'").rename(columns={"mean": "mse"})
    sets, facts = tuple(joint["columns"].unique())[:MOST_PANELS], {"collected": len(about.collected)}
    return _figure("joint", joint[joint["columns"].isin(sets)], facts, mechanism="scheme", show={"columns": sets})


def of_curve(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw the leakage along the budget, a panel for each attacked column."""
    curve = tables["curve"]
    last = curve[(curve["epsilon"] == curve["epsilon"].max()) & (curve["measure"] == SUM)]
    worst = tuple(last.sort_values("odds", ascending=False, kind="stable")["column"][:MOST_PANELS])
    facts, show = {"about": f" about {worst[0]}" if len(worst) == 1 else ""}, {"column": worst, "mechanism": (SUM, ANY)}
    return _figure("leakage", curve[curve["column"].isin(worst)], facts, mechanism="measure", show=show)


def of_neighbours(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw what leaks through each column alone: with intervals for sensitive columns, else as a matrix."""
    leakage, facts, sensitive = tables["leakage"], {"epsilon": f"{about.middle:g}"}, bool(about.settings.sensitive)
    pairs = leakage[(leakage["measure"] == PAIR) & (leakage["epsilon"] == about.middle)]
    strongest = tuple(pairs.groupby("through" if sensitive else "column")["odds"].max().nlargest(MOST_COLUMNS).index)
    pairs = pairs[pairs["through"].isin(strongest)].assign(scheme="SPL")
    if sensitive:
        pairs, show = pairs.assign(runs=RESAMPLES), {"through": strongest}
        return _figure("neighbours", pairs, facts, True, mechanism="column", show=show, plot="points", lines=None)
    order = tuple(name for name in about.collected if name in strongest)
    pairs = pairs[pairs["column"].isin(strongest)]
    return _figure("neighbours", pairs, facts, mechanism="scheme", show={"column": order})


def of_dependence(tables: Tables, about: StudyFacts) -> Drawn | None:
    """Draw Cramer's V of every two columns."""
    pairs = tables["dependence"]
    both = pd.concat([pairs, pairs.rename(columns={"one": "other", "other": "one"})]).assign(scheme="table")
    strongest = both.groupby("one")["cramers_v"].max().nlargest(MOST_COLUMNS).index
    both = both[both["one"].isin(strongest) & both["other"].isin(strongest)]
    order = tuple(name for name in dict.fromkeys([*pairs["one"], *pairs["other"]]) if name in strongest)
    return _figure("dependence", both, {"shown": len(order)}, mechanism="scheme", show={"one": order})
