"""What seems to have been run, in words, from planted exhibits of the verdicts."""

from dataclasses import replace

import pandas as pd
import pytest
from small_report import NAMES, ran_exhibit, verdicts_of

from claimaudit.papers.jobs import Description, ShownExhibit
from claimaudit.report.runs import describe
from claimaudit.verdicts import Choice, Fit, GuideWord, Likelihood, Rival, Runs, StandingReading
from claimaudit.words.runs import answer_on_pool, asked, beside_text, count_inside, likely, sentences_on_pool

PAPER = Description.model_construct(id="jrr", figures={"fig3": ShownExhibit("fig3")})

NONE = pd.DataFrame(columns=["exhibit", "reading", "printed", "low", "high"])


def described(predictions=NONE, pools=(), **exhibits):
    return {item.name: item for item in describe(PAPER, verdicts_of((), exhibits, pools=pools), predictions)}


def test_numbers_strict_reading_and_runs_are_told():
    item = described(fig3=ran_exhibit())["fig3"]
    assert item.answer == "not the text as it stands; a vanishing step"
    assert item.sentences == (
        "63 printed numbers. The text as it stands is rejected (p < 0.001 for all numbers "
        "jointly; 32 of 63 inside their 95 % interval). Of 3 settings tried, 1 may have been run.",
        "The scatter of all numbers that share it fits about 520 runs (95 % interval 430 to 631), not "
        "1,000; all p-values assume 520.",
    )
    assert (item.id, item.shown_by, item.known.source) == ("run-jrr-fig3", "figure-jrr-fig3", "own")


def test_numbers_inside_their_interval_are_counted_as_on_the_start_page():
    rows = [("strict", 9), ("strict", 1), ("p_step=2", 1), ("p_step=2", 2), ("p_step=2", None)]
    predictions = pd.DataFrame(rows, columns=["reading", "printed"]).assign(exhibit="fig3", low=1, high=2)
    item = described(predictions, fig3=ran_exhibit(numbers=2))["fig3"]
    assert "1 of 2 inside their 95 % interval" in item.sentences[0]
    assert [count_inside(reading, item.known.numbers) for _, reading in item.readings] == ["2 of 2"]


def standing(*names, **fields):
    fields = {"admissible": True, "condition": "", "open": False, "p_value": 0.5, "inside": 1.0, **fields}
    return tuple(StandingReading(name, **fields) for name in names)


BOTH = {"readings": standing("strict", "b"), "strict": Fit(0.5, 1.0)}
RUNS = Runs(100, 90.0, 60.0, 130.0, rejected=False)


@pytest.mark.parametrize(
    ("changes", "place", "told"),
    [
        (BOTH, 0, "The text as it stands fits (p = 0.500"),
        ({**BOTH, "runs": RUNS}, 1, "scatter more than 100 runs would, as about 90 runs (95 %"),
        ({**BOTH, "runs": replace(RUNS, estimate=120.0)}, 1, "scatter less than 100 runs would"),
        ({"readings": standing("b", open=True)}, 0, "with the values that we took where it states none is rejected"),
    ],
)
def test_an_exhibit_says_how_the_text_and_its_runs_fit(changes, place, told):
    item = described(fig3=ran_exhibit(**changes))["fig3"]
    assert told in item.sentences[place]
    assert item.answer.startswith("the text as it stands, or 1 other setting") == ("strict" in changes)


def test_runs_without_an_estimate_are_not_mentioned():
    runs = Runs(20, None, None, None, rejected=False)
    assert len(described(fig3=ran_exhibit(runs=runs))["fig3"].sentences) == 1


def test_an_inferred_setting_names_where_it_comes_from():
    bare = ran_exhibit(numbers=None, strict=None, runs=None, source="inferred", published=None)
    item = described(fig4=replace(bare, pooled=("fig3", "fig5")))["fig4"]
    assert item.answer == "not the text as it stands; a vanishing step (from what shares its settings)"
    assert item.sentences == (
        "No printed numbers of its own; 3 settings tried.",
        "Judged together with Figures 3 and 5, with which it shares settings by the text.",
    )
    assert item.shown_by is None


def test_rejected_and_silent_exhibits_rescue_nothing():
    found = described(fig3=ran_exhibit(source="rejected", readings=()), table1=ran_exhibit(source="none", readings=()))
    assert {name: (item.known.source, item.answer) for name, item in found.items()} == {
        "fig3": ("rejected", "none of 3 settings tried fits all its printed numbers"),
        "table1": ("none", "unknown, since no printed number tells"),
    }
    (searched,) = described(fig3=ran_exhibit(source="rejected", readings=(), not_run=3)).values()
    assert searched.answer == "no setting run in full fits its printed numbers, but 3 tried in a search"


def test_a_pool_says_what_departs_and_what_the_numbers_tell(pool):
    assert answer_on_pool(pool, NAMES) == "20 % in Phase I and the preprint's rule"
    assert beside_text(pool, NAMES) == [
        ("10 % in Phase I", "20 % in Phase I", "no setting that we tried fits Figure 5 without it"),
        ("the body's rule", "the preprint's rule", "a setting without this departure fits as well"),
    ]
    assert sentences_on_pool(pool, NAMES) == (
        "120 different printed numbers jointly; of 9 settings that we ran in full, 2 may have been run. The one named "
        "here fits with p = 0.200, the text as it stands with p < 0.001 (log-likelihood 400 lower).",
        "Another value may have been run in place of: the preprint's rule.",
    )


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"numbers": 1, "undetermined": ()}, "1 printed number; of 9 settings tried, 2 agree with it: 20 % in Phase"),
        ({"with_stated_runs": 1e-6}, "scatter of these numbers (with the stated one, which they reject, p < 0.001), "),
        ({"with_stated_runs": 0.2}, "The one named here fits with p = 0.200, the text as it stands with p < 0.001"),
        ({"apart": ("table4",), "together": 1e-7}, "No setting tried explains these and Table 4, although they"),
    ],
)
def test_a_pool_says_what_its_fit_owes_and_what_is_apart(pool, changes, told):
    found = replace(pool, **changes)
    assert told in " ".join(sentences_on_pool(found, NAMES))
    assert (not likely(found, NAMES)) == ("numbers" in changes)  # no table of likelihoods for a single number


def test_what_guide_words_propose_is_told(pool):
    rival = Rival((Choice("share", "0.3"),), ("30 % in Phase I",), ("fig3",), Likelihood(0.5, 1.0, 0.2))
    less = tuple(replace(one, fit=replace(one.fit, log_likelihood=one.fit.log_likelihood - 2)) for one in pool.settings)
    planted = replace(pool, settings=less, proposed=40, rivals=(rival,), undecided=3, not_reached=2)
    told = "tried, 1 may have been run, too, and for 3, too few runs were made to decide."
    told = f"{told} The search did not reach 2 of 42 proposals."
    assert sentences_on_pool(planted, NAMES)[0].endswith(f" Of 40 more, which guide words propose and a search {told}")
    assert [(departures, fit.log_likelihood, stands) for departures, fit, stands in likely(planted, NAMES)] == [
        ("30 % in Phase I (changes Figure 3)", -1.0, "yes, by guide words"),
        ("20 % in Phase I; the preprint's rule", -2.0, "yes, named above"),
        ("20 % in Phase I", -4.0, "yes"),
    ]
    one = replace(pool, numbers=1, proposed=40, rivals=(rival,))
    assert "So do, of 40 more that guide words propose: 30 % in Phase I." in sentences_on_pool(one, NAMES)[0]
    assert likely(one, NAMES) == []
    words = [
        GuideWord("share", "number", "half", ("5 % in Phase I",), "rejected"),
        GuideWord("share", "number", "double", ("20 % in Phase I",), "undecided"),
        GuideWord("n", "number", "", (), "It is on the axis."),
        GuideWord("share", "number", "stated elsewhere", ("30 % in Phase I", "40 % in Phase I"), "fits"),
    ]
    assert asked(words) == [
        (
            "share (number)",
            "half (5 % in Phase I): rejected alone; double (20 % in Phase I): too few runs to decide; "
            "stated elsewhere (30 % in Phase I and 40 % in Phase I): fits",
        ),
        ("n (number)", "excluded: It is on the axis."),
    ]


def test_an_exhibit_leads_to_the_settings_beside_the_text(pool):
    found = described(pools=[pool], fig3=ran_exhibit(), fig4=ran_exhibit(), table1=ran_exhibit())
    assert found["fig3"].beside == found["fig4"].beside == "settings-jrr-fig3"
    assert found["table1"].beside is None


def test_the_text_is_not_accused_where_it_fits(pool):
    axes = tuple(replace(axis, departs=False, standing=axis.stated) for axis in pool.axes)
    found = replace(pool, axes=axes, demanded=(), undetermined=())
    assert beside_text(found, NAMES) == []
    assert answer_on_pool(found, NAMES) == "the text as it stands"
    assert {one.beside for one in described(pools=[found], fig3=ran_exhibit()).values()} == {None}
