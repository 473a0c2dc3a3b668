import json
import subprocess
import sys

import pytest
import yaml

from corrldp.audit.__main__ import audit, main
from corrldp.audit.evidence import Levels
from corrldp.audit.records import validated
from corrldp.audit.summary import main as summarise
from corrldp.audit.verdicts import Result
from corrldp.results import read, write

SETTING = json.dumps({"paper": "jrr", "level": 0.001, "family_level": 0.01})
CLAIM = {
    "id": "jrr-better",
    "where": "Section 5",
    "states": "JRR is better.",
    "kind": "ordering",
    "table": "fig3",
    "quantity": "mse_jrr",
    "relation": "<",
    "against": "mse_rr",
}
SUM = {
    "id": "sum",
    "where": "Section 6",
    "states": "They add up.",
    "kind": "contradiction",
    "printed": {"a": 1, "b": 2},
    "relation": "a == b",
}


def write_claims(directory, claims):
    (directory / "claims.yaml").write_text(yaml.safe_dump({"sections": [{"title": "All", "claims": claims}]}))


@pytest.fixture
def project(tmp_path, simulate, rng):
    table = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [10, 20]})
    write(table, tmp_path / "fig3.csv", tmp_path / "fig3.json", {"experiment": "fig3", "standin": []})
    write_claims(tmp_path, [CLAIM, SUM])
    return tmp_path


def arguments(project, out="out.json"):
    return [SETTING, *(str(project / name) for name in ("claims.yaml", "fig3.csv", out))]


def test_the_same_audit_gives_the_same_bytes_in_another_process(project):
    main(arguments(project))
    command = [sys.executable, "-m", "corrldp.audit", *arguments(project, "again.json")]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    assert (project / "out.json").read_bytes() == (project / "again.json").read_bytes()
    assert finished.stderr == "1 reproduced, 1 self-contradictory\n"
    records = json.loads((project / "out.json").read_text())
    assert [record["id"] for record in records] == ["jrr-better", "sum"]
    assert list(records[0]) == [
        *("id", "paper", "where", "states", "kind", "origin", "refines", "cause", "table", "figure", "note"),
        *("verdict", "reason", "reading", "words", "effect", "level", "evidence", "printed"),
    ]


def test_claims_that_cannot_be_checked_are_all_named_and_nothing_is_written(project):
    broken = [{**CLAIM, "id": "one", "rows": "n == 7"}, {**CLAIM, "id": "two", "quantity": "mse_x"}, SUM]
    write_claims(project, broken)
    with pytest.raises(SystemExit, match=r"audit: claim one: .*\nclaim two: unknown mse_x"):
        main(arguments(project))
    assert not (project / "out.json").exists()


def test_changed_results_are_refused(project):
    (project / "fig3.csv").write_text((project / "fig3.csv").read_text() + "\n")
    with pytest.raises(SystemExit, match=r"delete .*csv and re-run"):
        main(arguments(project))


def test_the_rate_of_the_paper_is_shared_out_among_the_checks_of_simulations(project, simulate, rng):
    exact = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [10]}, runs=0)
    results = {"fig3": Result(read(project / "fig3.csv")), "laws": Result(exact)}
    claims = [CLAIM, {**CLAIM, "share": "some"}, {**CLAIM, "table": "laws"}, SUM]
    records = audit("jrr", Levels(0.03, 0.01), claims, results, project)
    assert [record["level"] for record in records] == [0.005, 0.005, 0, 0]
    # Few claims do not make the failing level larger than the passing one.
    assert audit("jrr", Levels(0.001, 0.01), claims, results, project)[0]["level"] == 0.001


def test_impossible_level_is_refused(project):
    with pytest.raises(SystemExit, match="level is 2; it must lie between 0 and"):
        main([json.dumps({"paper": "jrr", "level": 2, "family_level": 0.01}), *arguments(project)[1:]])


def test_summary_has_a_row_per_claim_and_a_scoreboard(project, capsys):
    main(arguments(project))
    summarise([str(project / name) for name in ("claims.csv", "claims.json", "out.json")])
    shown = capsys.readouterr().out
    assert "jrr: 2 claims: 1 reproduced, 1 self-contradictory" in shown
    assert "2 of 2 satisfied" in shown
    lines = (project / "claims.csv").read_text().splitlines()
    assert lines[0] == "paper,id,where,kind,table,verdict,reading,words,effect,reason,level,origin,refines,cause,states"
    assert [line.split(",")[1] for line in lines[1:]] == ["jrr-better", "sum"]
    assert json.loads((project / "claims.json").read_text()) == json.loads((project / "out.json").read_text())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "plausible"}, "verdict jrr-better: .*'plausible' is not one of"),
        ({"evidence": []}, "verdict jrr-better: .*evidence"),
        ({"remark": "x"}, "'remark' was unexpected"),
    ],
)
def test_records_that_do_not_fit_the_published_schema_are_refused(project, change, message):
    main(arguments(project))
    first, *others = json.loads((project / "out.json").read_text())
    with pytest.raises(ValueError, match=message):
        validated([first | change, *others])
