from claimaudit.verdicts import Choice, Departures, Names
from claimaudit.words.names import alternatives, choice, reading, value
from claimaudit.words.verdicts import ANSWERED, VERDICTS

NAMES = Names(
    {
        "fig3": {
            "strict": Departures((Choice("copies", "25"),)),
            "clipped": Departures((Choice("clip", "True"), Choice("share", "0.2"))),
            "named": Departures((Choice("clip", "True"),), title="as in the code"),
        }
    },
    {
        "copies": {"25": "25 copies"},
        "clip": {"True": "estimates clipped to [0, 1]"},
        "share": {"0.2": "20 %, in Phase I"},
    },
)


def test_a_reading_is_the_phrases_of_its_choices_commas_or_not():
    assert reading(NAMES, "fig3", "clipped") == "estimates clipped to [0, 1], 20 %, in Phase I"
    assert reading(NAMES, "fig3", "strict") == "the text as it stands and 25 copies"
    assert reading(NAMES, "fig3", "named") == "as in the code"


def test_what_has_no_words_has_its_name():
    assert reading(NAMES, "fig4", "other") == "other"
    assert choice(NAMES, "step", "0.1") == "step = 0.1"
    assert alternatives(NAMES, "fig4", ["a", "b", "c"], 2) == ["a", "b", "1 more reading"]


def test_a_value_in_a_table_is_a_reading_a_value_of_an_axis_or_has_a_name_of_the_papers():
    called = {"kosarak": "Kosarak", "True": "never"}
    cells = {"reading": "named", "clip": "True", "dataset": "kosarak", "mechanism": "JRR"}
    found = [value(NAMES, called, "fig3", column, text) for column, text in cells.items()]
    assert found == ["as in the code", "estimates clipped to [0, 1]", "Kosarak", "JRR"]


def test_six_marks_say_all():
    assert {one.symbol for one in (*VERDICTS.values(), *ANSWERED.values())} == set("✓⇄✗≠?○")
