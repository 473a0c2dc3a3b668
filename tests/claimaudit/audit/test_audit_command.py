import json
from dataclasses import replace

import pytest
import yaml
from written import write_table

from claimaudit.audit.arrays import Result
from claimaudit.audit.claims import resolved
from claimaudit.audit.fitting.standing import Material
from claimaudit.audit.judging.audit import audit, judge_files
from claimaudit.audit.summary import score, scoreboard, together, together_files
from claimaudit.papers.jobs import Context, Outline
from claimaudit.results import read
from claimaudit.verdicts import Levels

pytestmark = pytest.mark.thorough

SETTINGS = {"paper": "jrr", "context": Context(), "outline": Outline(), "levels": Levels(0.001, 0.01)}
CLAIM = {
    "id": "jrr-better",
    "place": "Section 5",
    "states": "JRR is better.",
    "of": "fig3",
    "check": "mse_jrr < mse_rr",
}
SUM = {"id": "sum", "place": "Section 6", "states": "They add up.", "printed": {"a": 1, "b": 2}, "check": "a == b"}
BROKEN = {"one": "mse_jrr < mse_rr, where n == 7", "two": "mse_x < mse_rr"}
BETTER, ADDS = (resolved(claim, Context()) for claim in (CLAIM, SUM))


def write_claims(directory, claims):
    (directory / "claims.yaml").write_text(yaml.safe_dump({"sections": [{"title": "All", "claims": claims}]}))


@pytest.fixture
def project(tmp_path, simulate, rng):
    table = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [10, 20]})
    write_table(table, tmp_path / "fig3.csv", experiment="fig3", standin=[])
    write_claims(tmp_path, [CLAIM, SUM])
    return tmp_path


def judge(project, published=(), **changes):
    claims, tables = [project / "claims.yaml"], [project / "fig3.csv"]
    return judge_files(
        **{**SETTINGS, **changes}, claims=claims, replies=[], published=published, tables=tables, searches=[]
    )["verdicts"]


def test_an_audit_says_its_outcome_and_returns_the_verdicts(project, caplog):
    caplog.set_level("INFO", "claimaudit")
    content = json.loads(judge(project))
    assert caplog.messages == ["1 reproduced, 1 contradicted by the paper"]
    assert [record["id"] for record in content["claims"]] == ["jrr-better", "sum"]


def test_claims_that_cannot_be_checked_are_all_named(project):
    broken = [{**CLAIM, "id": name, "check": check} for name, check in BROKEN.items()]
    write_claims(project, [*broken, SUM])
    with pytest.raises(ValueError, match=r"^claim one: .*\nclaim two: unknown mse_x"):
        judge(project)


def test_changed_results_are_refused(project):
    (project / "fig3.csv").write_text((project / "fig3.csv").read_text() + "\n")
    with pytest.raises(ValueError, match=r"delete .*csv and re-run"):
        judge(project)


def test_the_rate_of_the_paper_is_shared_out_among_the_checks_of_simulations(project, simulate, rng):
    exact = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [10]}, runs=0)
    material = Material(Outline(), {"fig3": Result(read(project / "fig3.csv")), "laws": Result(exact)}, {})
    some, elsewhere = (BETTER.check.model_copy(update=each) for each in ({"share": "some"}, {"table": "laws"}))
    claims = [BETTER, replace(BETTER, check=some), replace(BETTER, check=elsewhere), ADDS]
    records = audit("jrr", Levels(0.03, 0.01), claims, material).claims
    assert [record.level for record in records] == [0.005, 0.005, 0, 0]
    # Few claims do not make the failing level larger than the passing one.
    assert audit("jrr", Levels(0.001, 0.01), claims, material).claims[0].level == 0.001


def test_summary_has_a_row_per_claim_and_a_scoreboard(project):
    (project / "jrr.json").write_bytes(judge(project))
    made = together_files([project / "jrr.json"])
    shown, lines = made["txt"].decode(), made["csv"].decode().splitlines()
    assert "jrr: 2 claims: 1 reproduced, 1 contradicted by the paper; 0 of ours and definitions" in shown
    assert "2 of 2 satisfied" in shown
    assert lines[0].startswith(
        "paper,id,place,origin,weight,in_score,kind,table,verdict,why,as_stated,as_run,own_numbers"
    )
    assert [line.split(",")[1] for line in lines[1:]] == ["jrr-better", "sum"]
    collected, own = json.loads(made["json"]), json.loads((project / "jrr.json").read_text())
    assert collected["claims"] == [{**claim, "in_score": True} for claim in own.pop("claims")]
    assert collected["papers"] == {"jrr": {name: part for name, part in own.items() if name != "checksum"}}


def test_the_score_counts_what_the_authors_say_and_slips_apart(project):
    claims = [BETTER, replace(BETTER, id="ours", origin="ours"), replace(ADDS, weight="slip")]
    material = Material(Outline(), {"fig3": Result(read(project / "fig3.csv"))}, {})
    verdicts = audit("jrr", Levels(0.001, 0.01), claims, material)
    assert [claim["in_score"] for claim in together({"jrr": verdicts})["claims"]] == [True, False, False]
    counted = score(verdicts.claims)
    assert counted["verdicts"]["reproduced"] == sum(counted["verdicts"].values()) == 1
    assert counted["as_stated"]["holds"] == 1
    assert counted["slips"]["not reproduced"] == 1
    ours = replace(verdicts, claims=verdicts.claims[1:2])
    lines = ["jrr: 1 claim: 1 reproduced; 1 of ours and definitions", "ours: 0 claims; 1 of ours and definitions"]
    assert scoreboard({"jrr": verdicts, "ours": ours, "own": replace(verdicts, claims=())}) == lines
