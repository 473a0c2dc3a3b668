"""Results that no runner computes: numbers in a CSV file, which somebody gives or a command makes.

The columns of the file may have any names and order. A row has one number of a metric of a mechanism, or one of each of
several metrics (a column each). Rows that agree in everything else are single runs, from which the mean and its
standard error follow.
"""

import hashlib
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from annotated_types import Ge, MinLen
from pydantic import Field

from claimaudit.configuration import Text
from claimaudit.experiments.runner import BaseSetting, Runner
from claimaudit.fingerprint import numeric_versions
from claimaudit.names import ConfigurationError, known_names
from claimaudit.published import LineFault, cells_of, refuse_lines, typed, values_of
from claimaudit.results import MEASURES, STRICT, mean_and_se, with_record
from claimaudit.task import plain

OUT = "{out}"  # what a command has in place of the CSV file that it writes

Names = Annotated[tuple[Text, ...], MinLen(1)]


class Columns(BaseSetting):
    """Which columns of a CSV file have what; a column with the name of its role need not be listed.

    `mean` are the numbers. If there is no column `metric`, its column is the name of the metric, and there may be
    several. `se` are their standard errors, one for each column of `mean`, or 0 for exact numbers, and `runs` the
    number of runs behind each row (a column, or the number). Without both, rows that only differ in `run` are single
    runs. All other columns are settings unless `settings` lists them.
    """

    mechanism: Text = "mechanism"
    metric: Text = "metric"
    mean: Text | Names = "mean"
    se: Text | Names | Literal[0] = "se"
    runs: Text | Annotated[int, Ge(1)] = "runs"
    run: Text = "run"
    settings: tuple[Text, ...] | None = Field(default=None)


class GivenSetting(Columns):
    """The setting of an experiment without a runner: the columns of its file, and `by`, who gave it."""

    by: Text = ""

    @property
    def columns(self) -> Columns:
        return Columns(**{name: getattr(self, name) for name in self.model_fields_set - {"by"}})


Source = Literal["given", "command"]


@dataclass(frozen=True)
class GivenJob:
    """An experiment without a runner: the file or command from which its results come, whose they are, and columns."""

    paper: str
    experiment: str
    source: Source
    origin: str
    by: str
    columns: Columns


results = Runner(lambda cell: (), GivenSetting, mechanisms=(), metrics=())
"""What stands for a runner where there is none."""


def convert(path: Path, columns: Columns, name: str) -> pd.DataFrame:
    """Return the result table that a CSV file contains.

    The mechanism is `name` if no column has it. Unless the numbers are exact, `se` and `runs` are NaN where the file
    does not tell them. A ConfigurationError has a line for each fault, with the line and column of the file.
    """
    return _Table(path, columns, name).result()


class _Table:
    """A CSV file with what its columns mean; `text` has its cells, by line and column."""

    def __init__(self, path: Path, columns: Columns, name: str) -> None:
        self.path, self.columns, self.name = path, columns, name
        self.text = cells_of(path, path.name)
        self.wide = not self._has("metric")
        self.means = [columns.mean] if isinstance(columns.mean, str) else [*columns.mean]
        self.errors = self._errors()
        self._require_columns()

    def refuse(self, *faults: LineFault) -> None:
        refuse_lines(self.path.name, faults)

    def _has(self, role: str) -> bool:
        return getattr(self.columns, role) in self.text

    def _errors(self) -> dict[str, str]:
        if self.columns.se == 0:
            return {}
        stated = [self.columns.se] if isinstance(self.columns.se, str) else [*self.columns.se]
        if "se" not in self.columns.model_fields_set and stated[0] not in self.text:
            return {}
        if len(stated) != len(self.means):
            self.refuse((1, "", f"se names {len(stated)} columns and mean {len(self.means)}; name one for each"))
        return dict(zip(self.means, stated, strict=True))

    def _require_columns(self) -> None:
        named = {
            role: getattr(self.columns, role) for role in self.columns.model_fields_set - {"mean", "se", "settings"}
        }
        wanted = [name for name in named.values() if isinstance(name, str)]
        wanted += [*self.means, *self.errors.values(), *(self.columns.settings or ())]
        missing = [name for name in dict.fromkeys(wanted) if name not in self.text]
        words = "no column {!r}{}; name the columns of the file in the setting, or with --column"
        self.refuse(*((1, "", words.format(name, known_names(name, [*self.text]))) for name in missing))
        if len(self.means) > 1 and not self.wide:
            self.refuse((1, "", f"the column {self.columns.metric} names metrics, so mean is one column; name one"))
        taken = [name for name in self.settings if name in {"reading", *MEASURES}]
        self.refuse(*((1, "", f"a setting cannot be called {name!r}; rename the column") for name in taken))

    @property
    def settings(self) -> list[str]:
        if self.columns.settings is not None:
            return [*self.columns.settings]
        roles = {self.columns.mechanism, self.columns.metric, self.columns.runs, self.columns.run}
        return [name for name in map(str, self.text) if name not in {*roles, *self.means, *self.errors.values()}]

    def numbers(self, column: str) -> pd.Series:
        """Return a column of numbers; an empty cell is NaN."""
        found = [typed(text) if text else np.nan for text in self.text[column].str.strip()]
        wrong = ((line, value) for line, value in zip(self.text.index, found, strict=True) if isinstance(value, str))
        self.refuse(*((line, column, f"{value!r} is no number") for line, value in wrong))
        return pd.Series(found, self.text.index, dtype=float)

    def rows(self) -> pd.DataFrame:
        """Return the numbers one by one, by their lines: settings, mechanism, metric, mean, se and runs."""
        stated = self.columns.runs
        rows = pd.DataFrame({name: values_of(self.text[name]) for name in self.settings}, self.text.index).assign(
            mechanism=self.text[self.columns.mechanism] if self._has("mechanism") else self.name,
            runs=float(stated) if isinstance(stated, int) else self.numbers(stated) if self._has("runs") else np.nan,
        )
        rows = pd.concat(
            rows.assign(
                metric=mean if self.wide else self.text[self.columns.metric],
                mean=self.numbers(mean),
                se=self.numbers(self.errors[mean]) if mean in self.errors else np.nan,
            )
            for mean in self.means
        )
        empty = rows["mean"].isna()
        if not self.wide:
            self.refuse(*((line, self.means[0], "the number is missing") for line in rows.index[empty]))
        return rows[~empty]  # a mechanism may lack a metric of its own

    def _require_once(self, named: pd.DataFrame) -> None:
        """Refuse a second number of the same name; a row that is there twice would count as two runs."""
        first: dict[tuple[Any, ...], int] = {}
        for line, *place in named.itertuples():
            if (before := first.setdefault(tuple(place), line)) != line:
                shown = ", ".join(f"{name} {value}" for name, value in zip(named, place, strict=True))
                self.refuse((line, "", f"a second number for {shown}, as in line {before}; keep one"))

    def result(self) -> pd.DataFrame:
        rows, keys = self.rows(), [*self.settings, "mechanism", "metric"]
        wrong = rows[(rows["se"] < 0) | ((rows["runs"] < 1) | (rows["runs"] % 1 != 0)) & rows["runs"].notna()]
        self.refuse(
            *((line, "", "an error is 0 or more, and runs are a whole number of 1 or more") for line in wrong.index)
        )
        repeated = rows.duplicated(keys).any()
        summarised = bool(self.errors) or not isinstance(self.columns.runs, str) or self._has("runs")
        if repeated and (summarised or self.columns.se == 0):
            self._require_once(rows[keys])
        elif repeated and self._has("run"):
            others = self.text.drop(columns={*self.means, *self.errors.values(), "metric"}, errors="ignore")
            self._require_once(rows[["metric"]].join(others))
        if self.columns.se == 0:
            if "se" in self.text or rows["runs"].notna().any():
                self.refuse(
                    (1, "", "numbers with standard errors or runs are not exact; remove `se: 0` or these columns")
                )
            rows = rows.assign(se=0.0, runs=0)
        elif repeated:
            rows = _over_runs(rows, keys)
        rows = rows.assign(reading=STRICT, theory=np.nan, standin=False)
        whole = rows["runs"].notna().all()
        rows = rows.astype({"runs": int}) if whole else rows
        return rows[[*self.settings, "reading", *MEASURES]].reset_index(drop=True)


def _over_runs(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    found = []
    for place, runs in rows.groupby(keys, sort=False, dropna=False):
        mean, se = (runs["mean"].iloc[0], np.nan) if len(runs) == 1 else mean_and_se(runs["mean"].to_numpy())
        found.append({**dict(zip(keys, place, strict=True)), "mean": float(mean), "se": float(se), "runs": len(runs)})
    return pd.DataFrame(found)


def inputs_of(command: str, folder: Path) -> tuple[str, ...]:
    """Return the files of a folder that a command reads: those among its words, and those behind a ``#``.

    A quotation mark without its second one is a ConfigurationError.
    """
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        found = [*words]
    except ValueError as error:
        raise ConfigurationError(f"the command {command!r} cannot be read: {error}") from None
    named = found[found.index("#") + 1 :] if "#" in found else []
    there = [word for word in found if not Path(word).is_absolute() and (folder / word).is_file()]
    return tuple(dict.fromkeys([*there, *named]))


def call(command: str, directory: str, files: Sequence[Path]) -> dict[str, bytes]:
    """Run a command in a paper's folder, of which it reads some `files`: the ``file`` that it writes to `OUT`.

    If it fails or writes nothing, a ValueError has the last line that it says.
    """
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "results.csv"
        done = subprocess.run(
            command.replace(OUT, shlex.quote(str(made))),
            shell=True,
            cwd=directory,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        said = [*(done.stderr or done.stdout).strip().splitlines(), "it says nothing"]
        if done.returncode:
            raise ValueError(f"the command {command!r} fails with status {done.returncode}: {said[-2:][0]}")
        if not made.is_file():
            raise ValueError(f"the command {command!r} does not write {OUT}")
        return {"file": made.read_bytes()}


def convert_file(job: GivenJob, file: Sequence[Path]) -> dict[str, bytes]:
    """Make the ``table`` and the ``record`` of results that somebody gives or a command has written."""
    (path,) = file
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    record = {**plain(job), "source_sha256": digest, "standin": [], "versions": numeric_versions()}
    table = convert(path, job.columns, job.experiment)
    return with_record({str(name): values for name, values in table.items()}, record)
