"""Exhibits that share axes by the text must try them alike; if they do not, the audit states a wrong setting."""

import re

import pytest
import yaml

from claimaudit.names import ConfigurationError

TABLES = ("table4", "table5", "table6")
AXES = ["phase1_fraction", "non_copy"]
SETTING = {"dataset": ["syn_a"], "n": [2000], "d": [2], "k": [4], "rho": [0.5], "epsilon": [0.1, 0.5]}
EXPERIMENT = {"source": "shared.runners.errors:mse", "runs": 100, "setting": {**SETTING, "mechanisms": ["Corr-RR"]}}


def paper(tried, exhibits, shared=TABLES, laws=None, readings=None):
    """A made-up paper whose three tables share one text.

    `tried` are the axes that the experiment of a table tries, `exhibits` are those that differ, `laws` are other values
    of the second axis, and `readings` are of the first table.
    """
    experiments = {name: {**EXPERIMENT, "axes": tried.get(name, AXES)} for name in TABLES}
    if readings:
        experiments["table4"]["readings"] = list(readings)
    return {
        **{"title": "A Small Paper", "authors": "N. N.", "venue": "Nowhere"},
        "axes": {
            "phase1_fraction": {"values": {"text": 0.1, "phase1_20": 0.2}, "why": "Not stated."},
            "non_copy": {"values": {"text": "different", "any_value": "any", **(laws or {})}, "why": "They differ."},
        },
        "readings": readings or {},
        "experiments": experiments,
        "exhibits": {name: {"published": name} for name in TABLES} | exhibits,
        "shared": [{"why": "The appendix states one law.", "axes": AXES, "exhibits": list(shared)}],
    }


def lacks(name):
    return rf"exhibits.{name}: it shares the axis non_copy with table4 \(The appendix states one law.\), but"


def without(axis):
    return {"table5": {"published": "table5", "without": {axis: "None."}}}


BOTH = {"readings": {"both": {"phase1_fraction": 0.2, "non_copy": "any"}}}
ITS_READING = r"whose reading both \(phase1_fraction: 0.2, non_copy: any\)"
LESS, LAST = {"table5": AXES[:1]}, {"table6": AXES[:1]}
OTHERS = {"table5": ["phase1_fraction", {"non_copy": ["any_value"]}]}
BY_MARGINAL = "exhibits.table5: it shares phase1_fraction, non_copy with table4, whose reading by_marginal"
CASES = {
    "tables that try the same": ({}, {}, {}, []),
    "an axis that is tried for one table only": (LESS | LAST, {}, {}, [lacks("table5"), lacks("table6")]),
    "a reason why it cannot depend on the axis": (LESS, without("non_copy"), {}, []),
    "a reason about no axis": ({}, without("non_copi"), {}, ["did you mean non_copy"]),
    "other values of the axis": (OTHERS, {}, {"laws": {"by_marginal": "marginal"}}, [BY_MARGINAL]),
    "other combinations": ({}, {}, BOTH, [ITS_READING, ITS_READING]),
    "a table without printed numbers may try less": (LAST, {"table6": {}}, {}, []),
    "what the text does not share may differ": (LAST, {}, {"shared": TABLES[:2]}, []),
}


@pytest.mark.parametrize(("tried", "exhibits", "more", "refusals"), CASES.values(), ids=CASES)
def test_exhibits_that_share_axes_try_them_alike_or_are_refused(small_paper, tried, exhibits, more, refusals):
    lines = []
    try:
        small_paper(yaml.safe_dump(paper(tried, exhibits, **more), sort_keys=False), dict.fromkeys(TABLES, ""))
    except ConfigurationError as error:
        lines = str(error).splitlines()
    assert len(lines) == len(refusals), lines
    for words, line in zip(refusals, lines, strict=True):
        assert re.search(words, line), line
