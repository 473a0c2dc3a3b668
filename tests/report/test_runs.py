"""What seems to have been run, in words, from planted exhibits of the verdicts."""

import pytest

from corrldp.report.runs import Group, describe, exhibit_of, grouped

ENTRY = {
    "figures": {"fig3": {}},
    "tables": {},
    "exhibits": {"fig3": {}, "fig4": {}, "table1": {}},
    "shared": [
        {"where": "Section 5.1 states one step.", "axes": ["step"], "exhibits": ["fig3", "fig4"]},
        {"where": "Section 5 states one number of runs.", "runs": True},
    ],
}


def described(**exhibits):
    return {item.name: item for item in describe("jrr", ENTRY, exhibits)}


def test_numbers_strict_reading_and_runs_are_told(ran_exhibit):
    item = described(fig3=ran_exhibit())["fig3"]
    assert item.answer == "not the text as it stands; a vanishing step"
    assert item.sentences == (
        "63 printed numbers; 3 readings competed. The text as it stands is rejected (p < 0.001 for all numbers "
        "jointly; 50 % inside their 95 % interval).",
        "The scatter of these numbers rejects the stated 1,000 runs: about 520 (95 % interval 430 to 631), "
        "which is used instead.",
    )
    assert item.short == "not the text as it stands, but 1 other reading"
    assert (item.id, item.shown_by, item.silent) == ("run-jrr-fig3", "figure-jrr-fig3", False)


def test_the_text_may_stand_beside_other_readings(ran_exhibit):
    strict = {"reading": "strict", "words": "the text as it stands"}
    runs = {"stated": 100, "estimate": 90.0, "low": 60.0, "high": 130.0, "rejected": False}
    item = described(
        fig3=ran_exhibit(
            readings=[{"reading": "b", "words": "b"}, strict], strict={"p_value": 0.5, "inside": 1.0}, runs=runs
        )
    )["fig3"]
    assert item.answer == "the text as it stands, or 1 other reading"
    assert "The text as it stands fits (p = 0.500" in item.sentences[0]
    assert item.sentences[1].startswith(
        "The scatter of these numbers does not reject the stated 100 runs; the estimate is about 90"
    )


def test_runs_without_an_estimate_are_not_mentioned(ran_exhibit):
    runs = {"stated": 20, "estimate": None, "low": None, "high": None, "rejected": False}
    assert len(described(fig3=ran_exhibit(runs=runs))["fig3"].sentences) == 1


def test_an_inferred_setting_names_where_it_comes_from(ran_exhibit):
    bare = {name: entry for name, entry in ran_exhibit().items() if name not in ("numbers", "strict", "runs")}
    item = described(fig4={**bare, "source": "inferred", "published": None, "pooled": ["fig3", "fig5"]})["fig4"]
    assert item.answer == "not the text as it stands; a vanishing step (inferred)"
    assert item.sentences == (
        "No printed numbers of its own; 3 readings considered.",
        "The printed numbers of Figures 3 and 5, with which it shares settings by the text, reject some of its "
        "readings.",
    )
    assert item.shown_by is None


def test_rejected_and_silent_exhibits_rescue_nothing(ran_exhibit):
    found = described(
        fig3=ran_exhibit(source="rejected", readings=[]), table1={**ran_exhibit(source="none", readings=[])}
    )
    assert found["fig3"].answer == "none of 3 readings tried fits its printed numbers"
    assert not found["fig3"].silent
    assert found["table1"].answer == "nothing printed says what was run"
    assert found["table1"].silent


def test_a_conflict_between_exhibits_is_told(ran_exhibit):
    item = described(fig3=ran_exhibit(conflict=True, pooled=["fig4"]))["fig3"]
    assert item.sentences[-1] == (
        "No reading fits both its own numbers and those of Figure 4, although they share settings by the text."
    )


def test_exhibits_that_share_settings_are_named_once(ran_exhibit):
    assert described(fig3=ran_exhibit())["fig3"].others == ("fig4", "table1")


@pytest.mark.parametrize(
    ("kind", "name", "shows"),
    [
        ("figure", "fig6", "fig6"),
        ("figure", "fig6a", "fig6"),
        ("figure", "fig7a", None),  # another experiment
        ("figure", "fig6_beyond", None),
        ("table", "table1", "table1"),
    ],
)
def test_panels_show_their_exhibit(kind, name, shows):
    exhibits = {"fig6": {"experiment": "a"}, "fig7": {"experiment": "b"}, "table1": {"experiment": "a"}}
    figures = {name: {"experiment": "a"} for name in ("fig6", "fig6a", "fig7a", "fig6_beyond")}
    entry = {"exhibits": exhibits, "figures": figures, "tables": {"table1": {"experiment": "a"}}}
    assert exhibit_of(entry, kind, name) == shows


def test_exhibits_with_the_same_standing_readings_are_grouped(ran_exhibit):
    step = ran_exhibit()["readings"]
    text = [{**step[0], "reading": "strict", "phrases": ["the text as it stands"]}]
    exhibits = {
        "fig1": ran_exhibit(source="rejected", readings=[]),
        "fig2": ran_exhibit(readings=text),
        "fig3": ran_exhibit(),
        "fig4": ran_exhibit(source="inferred"),
        "fig5": ran_exhibit(source="none", readings=[]),
    }
    assert grouped(describe("jrr", ENTRY, exhibits)) == [
        Group(("fig3",), ("fig4",), (("a vanishing step",),)),
        Group(("fig2",), (), (("the text as it stands",),)),
        Group(("fig1",), (), ()),
    ]


def test_readings_that_a_search_found_are_counted(ran_exhibit):
    (found,) = describe("jrr", ENTRY, {"fig3": ran_exhibit(not_run=2)})
    assert "A search found 2 more readings that fit but were not run in full." in found.sentences[0]


def test_phrases_with_commas_are_not_taken_apart():
    phrases = (("errors in [0, 1]", "20 % in Phase I"), ("errors in [0, 1]", "a copy, or any value"))
    group = Group(("fig3",), (), phrases)
    assert group.common == "errors in [0, 1]"
    assert group.besides == ["20 % in Phase I", "a copy, or any value"]
    assert Group(("fig3",), (), (("a",), ("a", "b"))).besides == ["nothing else", "b"]
