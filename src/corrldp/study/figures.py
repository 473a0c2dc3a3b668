"""The figures of a study, as `exhibits.yaml` describes them, drawn by the same plots as those of the papers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.style
import pandas as pd

from claimaudit import yaml_files
from claimaudit.configuration import parse
from claimaudit.plots import layers
from claimaudit.plots.draw import KINDS
from claimaudit.plots.figure import lay_out, render
from claimaudit.plots.figure import name as name_figure
from claimaudit.plots.selection import drawn_numbers
from claimaudit.plots.style import RC
from claimaudit.report.markup import inline_svg
from claimaudit.report.sheets import of_texts
from claimaudit.styles import Conventions, Style
from claimaudit.words.names import NO_NAMES
from corrldp.deployment.curves import INTERVAL
from corrldp.protocols.names import label
from corrldp.runners import CONVENTIONS
from corrldp.study.leakage import RESAMPLES
from corrldp.study.tables import ALL, ANY, PAIR, SUM, StudyFacts, Tables, inert
from corrldp.study.words import METHOD_WORDS

MOST_COLUMNS = 10  # of the table that one figure shows, so that their names are legible
MOST_PANELS = 6


EXHIBITS = yaml_files.read(Path(__file__).with_name("templates") / "exhibits.yaml")


def said(exhibit: Mapping[str, str], more: bool, **facts: object) -> dict[str, str]:
    """Return the section, title and caption of an exhibit, in which the facts stand for names in braces."""
    caption = " ".join(filter(None, [exhibit.get("caption"), exhibit.get("more") if more else ""])).format(**facts)
    return {"section": exhibit["section"], "title": exhibit["title"].format(**facts), "caption": caption}


@dataclass(frozen=True)
class StudyFigure:
    """A figure: its name, what is said of it, the rows of which it shows a part, and its style."""

    name: str
    said: dict[str, str]
    rows: pd.DataFrame
    style: Style

    def drawn(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return the figure as the page has it, and its files; see `claimaudit.plots.figure.render`."""
        numbers = drawn_numbers(self.rows, self.style)
        cells = inert(numbers)  # the page offers them as CSV, too
        style = self.style.model_copy(update={"looks": yaml_files.load(CONVENTIONS, Conventions).looks})
        with matplotlib.style.context(["default", RC]):
            figure = KINDS[style.plot](numbers, style)
            name_figure(figure, self.said["title"], f"Source: own study, study/{self.name}")
            lay_out(figure)
            drawing = layers.describe(figure)
            files = render(figure, f"study/{self.name}", self.said["title"], cells)
        texts = cells.astype(object).where(cells.notna(), "").map(str).to_numpy().tolist()
        shown = {
            "id": f"figure-{self.name}",
            "file": self.name,
            "drawing": drawing,
            "markup": inline_svg(files["svg"].decode(), f"svg-{self.name}", self.said["title"]),
            "numbers": of_texts([[*cells], *texts], style.labels),
            "theory": bool(self.rows["theory"].notna().any()),
        }
        return {**self.said, **shown}, files


def figures(tables: Tables, about: StudyFacts) -> Iterator[StudyFigure]:
    """Yield the figures that the tables allow."""
    for figure in (by_budget, by_column, by_postprocess, of_joint, of_curve, of_neighbours, of_dependence):
        found = figure(tables, about)
        if not found.rows.empty:
            yield found


def _figure(
    name: str,
    table: pd.DataFrame,
    facts: Mapping[str, object],
    more: bool = False,
    labels: Mapping[str, str] = NO_NAMES,
    mechanism: str = "protocol",
    **changes: Any,  # noqa: ANN401 (of a style)
) -> StudyFigure:
    """Return a figure of a table, with the facts for its title and caption, more labels and changes of its style.

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
    return StudyFigure(name, said(exhibit, more, **facts), rows.reset_index(drop=True), style)


def by_budget(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of every protocol along the budget, raw and with the best post-processing."""
    error = tables["error"].query(f"attribute == '{ALL}'")
    medians = error.query("postprocess != 'none'").groupby("postprocess")["mse"].median()
    shown = ["none"] if (error["postprocess"] == "none").any() else []
    if len(medians):
        shown.append(str(medians.idxmin()))
    error = error[error["postprocess"].isin(shown)]
    return _figure("error", error, {}, len(shown) > 1, METHOD_WORDS, show={"postprocess": tuple(shown)})


def by_column(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of every protocol for each column, at one budget."""
    epsilon, how = about.middle, about.settings.postprocess[0]
    error = tables["error"].query(f"attribute != '{ALL}' and value == '{ALL}'")
    error = error[(error["epsilon"] == epsilon) & (error["postprocess"] == how)]
    largest = error.groupby("attribute")["mse"].median().nlargest(MOST_COLUMNS).index
    left = error["attribute"].nunique() - len(largest)
    words = "without" if how == "none" else f"{METHOD_WORDS[how]} as"
    facts = {"epsilon": f"{epsilon:g}", "how": words, "shown": len(largest), "left": left}
    return _figure("columns", error[error["attribute"].isin(largest)], facts, left > 0)


def by_postprocess(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw what each post-processing does to the error of every protocol, at one budget; nothing if there is one."""
    error = tables["error"].query(f"attribute == '{ALL}'")
    error = error[error["epsilon"] == about.middle]
    several = error["postprocess"].nunique() > 1
    facts = {"epsilon": f"{about.middle:g}"}
    return _figure("postprocess", error if several else error.head(0), facts, labels=METHOD_WORDS)


def of_joint(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of each scheme for joint tables, a panel for each set of columns."""
    joint = tables["joint"].query("metric == 'mse'").rename(columns={"mean": "mse"})
    sets, facts = tuple(joint["columns"].unique())[:MOST_PANELS], {"collected": len(about.collected)}
    return _figure("joint", joint[joint["columns"].isin(sets)], facts, mechanism="scheme", show={"columns": sets})


def of_curve(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the leakage along the budget, a panel for each attacked column."""
    curve = tables["curve"]
    last = curve[(curve["epsilon"] == curve["epsilon"].max()) & (curve["measure"] == SUM)]
    worst = tuple(last.sort_values("odds", ascending=False, kind="stable")["column"][:MOST_PANELS])
    facts, show = {"about": f" about {worst[0]}" if len(worst) == 1 else ""}, {"column": worst, "mechanism": (SUM, ANY)}
    return _figure("leakage", curve[curve["column"].isin(worst)], facts, mechanism="measure", show=show)


def of_neighbours(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw what leaks through each column alone: with intervals for sensitive columns, else as a matrix."""
    leakage, facts, sensitive = tables["leakage"], {"epsilon": f"{about.middle:g}"}, bool(about.settings.sensitive)
    pairs = leakage[(leakage["measure"] == PAIR) & (leakage["epsilon"] == about.middle)]
    strongest = tuple(pairs.groupby("through" if sensitive else "column")["odds"].max().nlargest(MOST_COLUMNS).index)
    pairs = pairs[pairs["through"].isin(strongest)].assign(scheme="SPL")
    if sensitive:
        changes = {"show": {"through": strongest}, "plot": "points", "lines": None}
        return _figure("neighbours", pairs.assign(runs=RESAMPLES), facts, True, mechanism="column", **changes)
    order = tuple(name for name in about.collected if name in strongest)
    pairs = pairs[pairs["column"].isin(strongest)]
    return _figure("neighbours", pairs, facts, mechanism="scheme", show={"column": order})


def of_dependence(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw Cramer's V of every two columns."""
    pairs = tables["dependence"]
    both = pd.concat([pairs, pairs.rename(columns={"one": "other", "other": "one"})]).assign(scheme="table")
    strongest = both.groupby("one")["cramers_v"].max().nlargest(MOST_COLUMNS).index
    both = both[both["one"].isin(strongest) & both["other"].isin(strongest)]
    order = tuple(name for name in dict.fromkeys([*pairs["one"], *pairs["other"]]) if name in strongest)
    return _figure("dependence", both, {"shown": len(order)}, mechanism="scheme", show={"one": order})
