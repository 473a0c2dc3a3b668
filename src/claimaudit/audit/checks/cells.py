"""The kind of check `cells`: a published table or figure."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
import pandas as pd

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.checks.base import OfRows, Resolving, Runs, evidence
from claimaudit.audit.checks.comparing import OUTCOMES
from claimaudit.audit.checks.sentences import NUMBER, Fields, matched, number
from claimaudit.audit.fitting.exhibits import compared, scored
from claimaudit.audit.statistics import INSIDE, chi_square, extreme, fitted, notices
from claimaudit.configuration import Text
from claimaudit.papers.claims import Metric, Positive
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.verdicts import RESOLVING, Cells, Evidence, Levels, Threshold


class PublishedCells(OfRows):
    """A published table or figure agrees with our results, cell by cell.

    Our number is the closed form where there is one, else the Monte-Carlo mean with its error. The error of a
    published number combines the standard deviation of one run of our simulation, scaled by the published ``runs`` (or
    the claim's), the relative ``reading_error`` of digitising, and its last digit. Scores are those of
    `claimaudit.audit.fitting.likelihood`.
    """

    name = "cells"
    family = "tables and curves"
    says = ("METRIC is as printed in FILE",)
    counts_runs = True
    sides: ClassVar[Mapping[str, str]] = {"left": "ours", "right": "printed"}

    resolving: Resolving = RESOLVING
    published: Text
    metric: Metric
    reading_error: Positive = 0.0
    runs: Runs = None

    @classmethod
    def read(cls, statement: str) -> Fields | None:
        """Read ``METRIC is as printed``, which may name the file and an error of digitising."""
        file, error = r"(?: in (?P<published>\w+))?", rf"(?: within (?P<reading_error>{NUMBER}))?"
        return matched(rf"(?P<metric>\w+) is as printed{file}{error}", statement, reading_error=number)

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Compare cells: a row each with ``ours``, the printed ``value``, their combined ``se`` and the score ``z``.

        Raises ValueError if a published cell matches no row or several rows of the result table; the message names the
        cell.
        """
        assert published is not None
        exhibit = PaperExhibit("", "", self.published, reading_error=self.reading_error, runs=self.runs)
        cells = compared(exhibit, rows, published, self.metric, self.where)
        return scored(cells, self.runs_factor).located("mechanism")

    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        """Test the goodness of fit; the estimate is the share of cells inside their 95 % prediction interval."""
        ours, printed, se, z = (compared[name] for name in ("ours", "value", "se", "z"))
        dof = int((se != 0).sum())
        statistic, p_value = chi_square(z, dof)
        shift = float(np.sum((self.resolving * ours[se != 0] / se[se != 0]) ** 2))
        fit = fitted(statistic, p_value, dof, notices(shift, dof, levels.passing), levels)
        at = extreme(z, printed - ours, ours)
        misfits = ~(np.abs(z) <= INSIDE)
        inside = len(misfits) - int(misfits.sum())
        return evidence(
            compared,
            at,
            ours,
            printed,
            se,
            found=Cells(inside, float(ours[at]), float(printed[at]), float(z[at]), dof),
            simulated=int((compared["run_sd"] > 0).sum()),
            comparisons=compared.table(left=ours, right=printed, se=se, outcome=OUTCOMES[1 * misfits]),
            **{"estimate": inside / len(compared), "se": None, "low": None, "high": None, **fit},
        )

    def thresholds(self, levels: Levels) -> tuple[Threshold, ...]:
        """Return the levels: numbers agree if they are not rejected at the one, and disagree if at the other."""
        return (Threshold("p_value", levels.passing, levels.failing),)

    def repeats(self, published: str | None, printed: Iterable[float]) -> bool:
        return self.published == published
