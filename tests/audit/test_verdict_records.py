import pytest
from corrldp.audit.records import coherent


def verdicts(readings, admissible=True, verdict="reproduced as run", table="fig3"):
    claim = {"id": "a", "verdict": verdict, "table": table, "as_run": {"readings": readings, "exhibits": ["fig3"]}}
    exhibit = {"experiment": "fig3", "readings": [{"reading": "b", "admissible": admissible}]}
    return {"claims": [claim], "exhibits": {"fig3": exhibit}, "causes": {}}


def test_a_claim_as_run_rests_on_standing_readings():
    assert coherent(verdicts(["b"])) == verdicts(["b"])
    assert coherent(verdicts(["other"], table="fig4"))["claims"]
    assert coherent(verdicts(["c"], verdict="undecided"))["claims"]


@pytest.mark.parametrize(
    ("content", "named"),
    [(verdicts(["b", "c"]), "c"), (verdicts(["b"], admissible=False), "b"), (verdicts([]), "no reading")],
)
def test_a_claim_as_run_under_a_rejected_reading_is_refused(content, named):
    with pytest.raises(ValueError, match=f"verdict a: as run under {named}, which does not stand"):
        coherent(content)
