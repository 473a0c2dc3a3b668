"""Exhibits that share axes by the text must try them alike; if they do not, the audit states a wrong setting."""

import re

import pytest
import yaml

from claimaudit.names import ConfigurationError

TABLES = ("table4", "table5", "table6")
AXES = ["phase1_fraction", "non_copy"]
REFITTED = {"phase1_fraction": 0.2, "non_copy": "any"}


def paper(**axes):
    """A made-up paper whose three tables share one text; `axes` are those that the experiment of a table tries."""
    setting = {"dataset": ["syn_a"], "n": [2000], "d": [2], "k": [4], "rho": [0.5], "epsilon": [0.1, 0.5]}
    setting["mechanisms"] = ["Corr-RR"]
    experiment = {"source": "shared.runners.errors:mse", "runs": 100, "setting": setting}
    return {
        **{"title": "A Small Paper", "authors": "N. N.", "venue": "Nowhere"},
        "axes": {
            "phase1_fraction": {"values": {"text": 0.1, "phase1_20": 0.2}, "why": "Not stated."},
            "non_copy": {"values": {"text": "different", "any_value": "any"}, "why": "The numbers differ."},
        },
        "experiments": {name: {**experiment, "axes": axes.get(name, AXES)} for name in TABLES},
        "exhibits": {name: {"published": name} for name in TABLES},
        "shared": [{"why": "The appendix states one law.", "axes": AXES, "exhibits": list(TABLES)}],
    }


def changed(content, changes):
    """Change some entries of the content, however deep they lie, or delete them for None, and return it."""
    for key, new in changes.items():
        if isinstance(new, dict):
            changed(content[key] if isinstance(content, list) else content.setdefault(key, {}), new)
        elif new is None:
            del content[key]
        else:
            content[key] = new
    return content


@pytest.fixture
def refused(small_paper):
    """Function that loads a paper and returns the lines of the refusal, none if it is accepted."""

    def load(content):
        try:
            small_paper(yaml.safe_dump(content, sort_keys=False), dict.fromkeys(TABLES, ""))
        except ConfigurationError as error:
            return str(error).splitlines()
        return []

    return load


def lacks(name):
    return rf"exhibits.{name}: it shares the axis non_copy with table4 \(The appendix states one law.\), but"


BY_MARGINAL = {"axes": {"non_copy": {"values": {"by_marginal": "marginal"}}}}
BOTH = {"readings": {"both": REFITTED}, "experiments": {"table4": {"readings": ["both"]}}}
ITS_READING = r"whose reading both \(phase1_fraction: 0.2, non_copy: any\)"


LESS = {"table5": AXES[:1]}
LAST = {"table6": AXES[:1]}
CASES = {
    "tables that try the same": ({}, {}, []),
    "an axis that is tried for one table only": (LESS | LAST, {}, [lacks("table5"), lacks("table6")]),
    "a reason why it cannot depend on the axis": (
        LESS,
        {"exhibits": {"table5": {"without": {"non_copy": "None."}}}},
        [],
    ),
    "a reason about no axis": (
        {},
        {"exhibits": {"table5": {"without": {"non_copi": "None."}}}},
        ["did you mean non_copy"],
    ),
    "other values of the axis": (
        {"table5": ["phase1_fraction", {"non_copy": ["any_value"]}]},
        BY_MARGINAL,
        ["exhibits.table5: it shares phase1_fraction, non_copy with table4, whose reading by_marginal"],
    ),
    "other combinations": ({}, BOTH, [ITS_READING, ITS_READING]),
    "a table without printed numbers may try less": (LAST, {"exhibits": {"table6": {"published": None}}}, []),
    "what the text does not share may differ": (LAST, {"shared": {0: {"exhibits": ["table4", "table5"]}}}, []),
}


@pytest.mark.parametrize(("axes", "changes", "refusals"), CASES.values(), ids=CASES)
def test_exhibits_that_share_axes_try_them_alike_or_are_refused(refused, axes, changes, refusals):
    lines = refused(changed(paper(**axes), changes))
    assert len(lines) == len(refusals)
    for words, line in zip(refusals, lines, strict=True):
        assert re.search(words, line), line
