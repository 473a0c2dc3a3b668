"""The figures of a study, drawn by the same plots as those of the papers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import matplotlib.style
import pandas as pd

from claimaudit import yaml_files
from claimaudit.plots import layers
from claimaudit.plots.draw import KINDS
from claimaudit.plots.figure import lay_out, render
from claimaudit.plots.figure import name as name_figure
from claimaudit.plots.selection import drawn_numbers
from claimaudit.plots.style import RC
from claimaudit.styles import Conventions, Style
from corrldp.deployment.curves import INTERVAL
from corrldp.protocols.names import label
from corrldp.runners import CONVENTIONS
from corrldp.study.leakage import RESAMPLES
from corrldp.study.tables import ALL, ANY, PAIR, SUM, StudyFacts, Tables, inert
from corrldp.study.words import METHOD_WORDS, SCALES

MOST_COLUMNS = 10  # of the table that one figure shows, so that their names are legible
MOST_PANELS = 6
MSE = "mean squared error of a frequency"
ODDS = "factor of odds"
BUDGET = "budget of a record, epsilon"


@dataclass(frozen=True)
class StudyFigure:
    """A figure: what it shows, in which style, and which kind of plot draws it."""

    name: str
    section: str
    title: str
    caption: str
    rows: pd.DataFrame
    style: Style

    @cached_property
    def numbers(self) -> pd.DataFrame:
        return drawn_numbers(self.rows, self.style)

    def drawn(self) -> tuple[layers.Drawing, dict[str, bytes]]:
        """Return the drawing, and the files of the figure; see `claimaudit.plots.figure.render`."""
        style = self.style.model_copy(update={"looks": yaml_files.load(CONVENTIONS, Conventions).looks})
        with matplotlib.style.context(["default", RC]):
            figure = KINDS[style.plot](self.numbers, style)
            name_figure(figure, self.title, f"Source: own study, study/{self.name}")
            lay_out(figure)
            return layers.describe(figure), render(figure, f"study/{self.name}", self.title, inert(self.numbers))


def results(table: pd.DataFrame, mechanism: str, metric: str, settings: list[str]) -> pd.DataFrame:
    """Return rows as the plots read them; closed forms, which took no runs, are theory, too."""
    half = (table["high"] - table["low"]) / (2 * INTERVAL) if {"low", "high"} <= set(table) else 0.0
    return (
        table[settings]
        .assign(
            reading="strict",
            mechanism=table[mechanism].map(label) if mechanism == "protocol" else table[mechanism],
            metric=metric,
            mean=table[metric],
            se=table.get("se", half),
            runs=table.get("runs", 0),
            theory=table[metric].where(table["runs"] == 0) if "runs" in table else float("nan"),
            standin=False,
        )
        .reset_index(drop=True)
    )


def figures(tables: Tables, about: StudyFacts) -> Iterator[StudyFigure]:
    """Yield the figures that the tables allow."""
    for figure in (by_budget, by_column, by_postprocess, of_joint, of_curve, of_neighbours, of_dependence):
        found = figure(tables, about)
        if found is not None and not found.rows.empty:
            yield found


def along_budget(metric: str, panels: str, shown: list[str], **more: Any) -> Style:  # noqa: ANN401 (of a style)
    """Return the style of lines along the budget, with a panel for each of the values shown."""
    labels = {**more.pop("labels"), "panel": f"{{{panels}}}", "epsilon": BUDGET}
    show = {panels: tuple(shown), **more.pop("show", {})}
    more |= {"panels": {"column": panels}, "show": show, "labels": labels}
    return Style(x="epsilon", y=(metric,), scale={"x": "log", "y": "log"}, **more)


def errors_by(column: str, **labels: str) -> Style:
    """Return the style of a point for the error of each protocol, side by side along a column."""
    return Style(plot="points", x=column, y=("mse",), scale={"y": "log"}, labels={**labels, "mse": MSE})


def by_budget(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of every protocol along the budget, raw and with the best post-processing."""
    error = tables["error"].query(f"attribute == '{ALL}'")
    medians = error.query("postprocess != 'none'").groupby("postprocess")["mse"].median()
    shown = ["none"] if (error["postprocess"] == "none").any() else []
    if len(medians):
        shown.append(str(medians.idxmin()))
    rows = results(error[error["postprocess"].isin(shown)], "protocol", "mse", ["postprocess", "epsilon"])
    style = along_budget("mse", "postprocess", shown, share_y=True, labels={**METHOD_WORDS, "mse": MSE})
    caption = (
        "Averaged over the values of each column, then over columns. Lines are closed forms, bands 95 % intervals of "
        "simulations."
    )
    if len(shown) > 1:
        caption += (
            " The right panel shows the post-processing that helps most protocols most; it changes nothing that a "
            "report reveals."
        )
    return StudyFigure("error", "error", "Error of every protocol along the budget", caption, rows, style)


def by_column(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of every protocol for each column, at one budget."""
    epsilon, how = about.middle, about.settings.postprocess[0]
    error = tables["error"].query(f"attribute != '{ALL}' and value == '{ALL}'")
    error = error[(error["epsilon"] == epsilon) & (error["postprocess"] == how)]
    largest = error.groupby("attribute")["mse"].median().nlargest(MOST_COLUMNS).index
    rows = results(error[error["attribute"].isin(largest)], "protocol", "mse", ["attribute"])
    left = error["attribute"].nunique() - len(largest)
    caption = f"At epsilon = {epsilon:g}, {'without' if how == 'none' else METHOD_WORDS[how] + ' as'} post-processing."
    if left:
        caption += f" The {len(largest)} columns with the largest errors; error.csv has the other {left}."
    style = errors_by("attribute", attribute="column")
    return StudyFigure("columns", "error", "Error of each column", caption, rows, style)


def by_postprocess(tables: Tables, about: StudyFacts) -> StudyFigure | None:
    """Draw what each post-processing does to the error of every protocol, at one budget."""
    epsilon = about.middle
    error = tables["error"].query(f"attribute == '{ALL}'")
    error = error[error["epsilon"] == epsilon]
    if error["postprocess"].nunique() < 2:
        return None
    rows = results(error, "protocol", "mse", ["postprocess"])
    caption = (
        f"At epsilon = {epsilon:g}, averaged over all columns. Simplex and norm-sub differ only if "
        "positive estimates sum to less than 1."
    )
    style = errors_by("postprocess", **METHOD_WORDS, postprocess="post-processing")
    return StudyFigure("postprocess", "error", "What post-processing does", caption, rows, style)


def of_joint(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the error of each scheme for joint tables, a panel for each set of columns."""
    chosen = tables["joint"].query("metric == 'mse'").rename(columns={"mean": "mse"})
    sets = list(chosen["columns"].unique())[:MOST_PANELS]
    rows = results(chosen[chosen["columns"].isin(sets)], "scheme", "mse", ["columns", "epsilon"])
    style = along_budget("mse", "columns", sets, labels={"mse": "mean squared error of a cell"})
    caption = (
        f"The sets of columns that depend on each other most. All {len(about.collected)} columns are collected "
        "once, each with an equal part of the budget."
    )
    return StudyFigure("joint", "joint", "Error of joint tables", caption, rows, style)


def of_curve(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw the leakage along the budget, a panel for each attacked column."""
    curve = tables["curve"]
    last = curve[(curve["epsilon"] == curve["epsilon"].max()) & (curve["measure"] == SUM)]
    worst = list(last.sort_values("odds", ascending=False, kind="stable")["column"][:MOST_PANELS])
    rows = results(curve[curve["column"].isin(worst)], "measure", "odds", ["column", "epsilon"])
    show, labels = {"mechanism": (SUM, ANY)}, {**SCALES, "odds": ODDS}
    style = along_budget("odds", "column", worst, share_y=True, show=show, labels=labels)
    title = "Leakage along the budget" + (f" about {worst[0]}" if len(worst) == 1 else "")
    return StudyFigure("leakage", "leakage", title, SCALES["caption"], rows, style)


def of_neighbours(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw what leaks through each column alone: with intervals for sensitive columns, else as a matrix."""
    epsilon = about.middle
    leakage = tables["leakage"]
    pairs = leakage[(leakage["measure"] == PAIR) & (leakage["epsilon"] == epsilon)]
    labels = {"column": "column attacked", "through": "through the column", "odds": ODDS}
    caption = f"By SPL at epsilon = {epsilon:g} for a record, whatever the oracle."
    by = "through" if about.settings.sensitive else "column"
    strongest = pairs.groupby(by)["odds"].max().nlargest(MOST_COLUMNS).index
    chosen = pairs[pairs["through"].isin(strongest)]
    if about.settings.sensitive:
        rows = results(chosen, "column", "odds", ["through"]).assign(runs=RESAMPLES)
        caption += " The runs of which the errors are shown are resampled tables."
        style = Style(plot="points", x="through", y=("odds",), labels=labels, show={"through": tuple(strongest)})
    else:
        chosen = chosen[chosen["column"].isin(strongest)].assign(scheme="SPL")
        rows = results(chosen, "scheme", "odds", ["column", "through"])
        order = tuple(name for name in about.collected if name in strongest)
        style = Style(plot="heatmap", x="through", y=("odds",), lines="column", labels=labels, show={"column": order})
    return StudyFigure("neighbours", "leakage", "What leaks through each column alone", caption, rows, style)


def of_dependence(tables: Tables, about: StudyFacts) -> StudyFigure:
    """Draw Cramer's V of every two columns."""
    pairs = tables["dependence"]
    swapped = pairs.rename(columns={"one": "other", "other": "one"})
    both = pd.concat([pairs, swapped])
    strongest = both.groupby("one")["cramers_v"].max().nlargest(MOST_COLUMNS).index
    both = both[both["one"].isin(strongest) & both["other"].isin(strongest)].assign(scheme="table")
    rows = results(both, "scheme", "cramers_v", ["one", "other"])
    order = tuple(name for name in dict.fromkeys([*pairs["one"], *pairs["other"]]) if name in strongest)
    labels = {"one": " ", "other": " ", "cramers_v": "Cramer's V"}
    style = Style(plot="heatmap", x="other", y=("cramers_v",), lines="one", labels=labels, show={"one": order})
    caption = (
        f"The {len(order)} columns that depend on another one most. dependence.csv has all pairs, with NMI and "
        "corrected p-values."
    )
    return StudyFigure("dependence", "dependence", "Dependence of columns", caption, rows, style)
