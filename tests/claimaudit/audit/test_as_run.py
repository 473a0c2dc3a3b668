from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from checking import claim as claim_of

from claimaudit.audit.fitting.standing import Standing
from claimaudit.audit.judging.decide import Known, known_readings
from claimaudit.papers.jobs import Outline, PaperExhibit
from claimaudit.verdicts import Exhibit as Record

CLAIM = {"kind": "ordering", "table": "fig3", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}


READINGS = {
    "fig3": {
        "strict": {"rule": "body", "share": 0.1},
        "b": {"rule": "own", "share": 0.1},
        "c": {"rule": "own", "share": 0.2},
    },
    "fig4": {"strict": {"rule": "body", "share": 0.1}, "d": {"rule": "own", "share": 0.2}},
    "fig6": {"strict": {"share": 0.1}, "e": {"share": 0.2}},
    "laws": {"strict": {}},
}


def stands(name, readings, source="own", experiment="", fit=None):
    return Standing(PaperExhibit(name, experiment or name), readings, Record(experiment or name, None, source), fit)


def known(claim, *standing, broken=None, unstated=()):
    items = {item.exhibit.name: item for item in standing}
    outline = Outline(inadmissible=broken or {}, unstated={"fig3": unstated})
    return known_readings(claim_of(claim), items, READINGS, outline)


BOTH = stands("fig3", ("b", "c"))
WHOLE, PART = stands("fig3", (), "rejected"), stands("part", ("b",), experiment="fig3")
NO_EXHIBIT = Known(("strict", "b", "c"), "none")


@pytest.mark.parametrize(
    ("claim", "standing", "broken", "found"),
    [
        ({}, [BOTH, stands("fig4", ("d",))], (), Known(("b", "c"), "own", ("fig3",))),
        # Of another exhibit: d, which stands for Figure 4, has the values of c in the table of Figure 3.
        ({"exhibits": ["fig4"]}, [BOTH, stands("fig4", ("d",), "inferred")], (), Known(("c",), "inferred", ("fig4",))),
        ({"exhibits": []}, [BOTH], (), NO_EXHIBIT),
        ({"exhibits": ["fig3", "part"]}, [WHOLE, PART], (), Known(("b",), "own", ("fig3", "part"))),
        ({"exhibits": ["fig3"]}, [WHOLE, PART], (), replace(NO_EXHIBIT, source="rejected", exhibits=("fig3",))),
        ({}, [stands("fig3", (), "none")], ("c",), Known(("strict", "b"), "none", ("fig3",))),
        ({"cited": True}, [BOTH], (), Known((), "none")),
        ({}, [BOTH], ("c",), Known(("b",), "own", ("fig3",))),
        ({}, [stands("fig3", ("c",))], ("c",), Known(("strict", "b"), "inadmissible", ("fig3",))),
        ({"table": "laws"}, [BOTH], (), Known(("strict",), "none")),
    ],
)
def test_what_was_run_is_what_stands_for_the_exhibits_of_a_claim(claim, standing, broken, found):
    assert known({**CLAIM, **claim}, *standing, broken={"fig3": broken}) == found


@pytest.mark.parametrize(("rule", "texts"), [("body", ("strict",)), ("own", ("strict", "b"))])
def test_a_reading_that_breaks_a_condition_may_confirm_what_we_took_where_the_text_states_nothing(rule, texts):
    """Only c fits, and breaks a condition of the paper. The text states no rule; ours is that of the body."""
    readings = {"fig3": READINGS["fig3"] | {"c": {"rule": rule, "share": 0.2}}}
    items = {"fig3": stands("fig3", ("c",))}
    outline = Outline(inadmissible={"fig3": ("c",)}, unstated={"fig3": ("b",)})
    assert known_readings(claim_of(CLAIM), items, readings, outline).texts == texts


def test_a_broken_condition_counts_where_the_table_of_a_claim_lacks_its_axis():
    """Figure 4's d has the values of c, of which the table of Figure 6 knows the share alone."""
    elsewhere = {**CLAIM, "table": "fig6", "exhibits": ["fig4"]}
    sound = known(elsewhere, stands("fig4", ("d",)))
    assert (sound.readings, sound.source) == (("e",), "own")
    broken = known(elsewhere, stands("fig4", ("d",)), broken={"fig4": ("d",)})
    assert (broken.readings, broken.source) == (("strict", "e"), "inadmissible")
    both = known(elsewhere, stands("fig4", ("strict", "d")), broken={"fig4": ("d",)})
    assert (both.readings, both.source) == (("strict",), "own")


@pytest.mark.parametrize(
    ("standing", "source", "unstated", "texts"),
    [
        ((), "none", ("b",), ("strict", "b")),
        ((), "none", (), ("strict",)),
        (("strict",), "own", ("b",), ("strict",)),
        (("b",), "own", ("b",), ("b",)),
        (("strict", "b"), "own", ("b",), ("strict", "b")),
        # c departs from the text in the share as well, which it states: the text is judged with c's rule.
        (("c",), "own", ("b",), ("b",)),
        (("c",), "own", (), ("strict",)),
        (("c",), "own", ("b", "c"), ("c",)),
    ],
)
def test_the_text_has_the_unstated_values_of_what_may_have_been_run(standing, source, unstated, texts):
    assert known(CLAIM, stands("fig3", standing, source), unstated=unstated).texts == texts


@pytest.mark.parametrize(
    ("printed", "circular"),
    [
        ({"value": 5, "tolerance": 0.1}, True),
        ({"value": "5"}, True),
        ({"value": "0.5e1"}, True),
        ({"value": "4"}, False),
        ({"interval": [5, 5]}, False),
    ],
)
def test_a_number_that_tells_the_setting_is_known_by_its_value_whatever_its_digits(printed, circular):
    fit = SimpleNamespace(cells=pd.DataFrame({"value": [5.0]}), runs=SimpleNamespace(factor=1.0))
    item = stands("fig3", ("b",), fit=fit)
    assert known({**CLAIM, "kind": "value", "printed": printed}, item).circular is circular
