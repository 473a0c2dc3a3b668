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
    experiment = {
        "source": "shared.runners.errors:mse",
        "runs": 100,
        "setting": {**setting, "mechanisms": ["Corr-RR"]},
    }
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


@pytest.mark.parametrize(
    ("axes", "changes", "refusals"),
    [
        pytest.param({}, {}, [], id="tables that try the same"),
        pytest.param(
            *({"table5": AXES[:1], "table6": AXES[:1]}, {}, [lacks("table5"), lacks("table6")]),
            id="an axis that is tried for one table only",
        ),
        pytest.param(
            *({"table5": AXES[:1]}, {"exhibits": {"table5": {"without": {"non_copy": "No correlated data."}}}}, []),
            id="a reason why it cannot depend on the axis",
        ),
        pytest.param(
            *({}, {"exhibits": {"table5": {"without": {"non_copi": "None."}}}}, [r"did you mean non_copy\?"]),
            id="a reason about no axis",
        ),
        pytest.param(
            {"table5": ["phase1_fraction", {"non_copy": ["any_value"]}]},
            BY_MARGINAL,
            ["exhibits.table5: it shares phase1_fraction, non_copy with table4, whose reading by_marginal"],
            id="other values of the axis",
        ),
        pytest.param({}, BOTH, [ITS_READING, ITS_READING], id="other combinations"),
        pytest.param(
            *({"table6": AXES[:1]}, {"exhibits": {"table6": {"published": None}}}, []),
            id="a table without printed numbers may try less",
        ),
        pytest.param(
            *({"table6": AXES[:1]}, {"shared": {0: {"exhibits": ["table4", "table5"]}}}, []),
            id="what the text does not share may differ",
        ),
    ],
)
def test_exhibits_that_share_axes_try_them_alike_or_are_refused(refused, axes, changes, refusals):
    lines = refused(changed(paper(**axes), changes))
    assert len(lines) == len(refusals)
    for words, line in zip(refusals, lines, strict=True):
        assert re.search(words, line), line
