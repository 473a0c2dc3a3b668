import json

import numpy as np
import pytest
import yaml

from corrldp.audit.checks import ROWS, Check
from corrldp.audit.claims import ClaimError, load
from corrldp.audit.evidence import Evidence, Levels
from corrldp.audit.kinds import CHECKS
from corrldp.audit.readings import by_reading
from corrldp.audit.verdicts import Result, combine, judge, plain, prepare

LEVELS = Levels(0.001, 0.0001)
SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}
READINGS = ["strict", "step=0.1", "step=0.01"]
FACTOR = {"strict": 1.0, "step=0.1": 0.7, "step=0.01": 0.7}
COMMON = {"id": "a-claim", "where": "Section 5", "states": "JRR is better.", "table": "fig3"}
ORDERING = {**COMMON, "kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "0.8 * mse_rr"}
CELLS = {**COMMON, "kind": "cells", "published": "fig3", "metric": "mse"}


def truth(setting, mechanism, reading):
    return setting["n"] / setting["epsilon"] * (1.0 if mechanism == "RR" else FACTOR[reading])


@pytest.fixture
def table(simulate, rng):
    return simulate(truth, rng, SETTINGS, runs=100_000, readings=READINGS)


@pytest.fixture
def verdict(table, tmp_path):
    def judged(claim, rows=table, standins=()):
        return judge(prepare(claim, {"fig3": Result(rows, standins)}, tmp_path), "jrr", LEVELS)

    return judged


def evidence(*answers):
    names = ["strict", "b", "c", "d"]
    return [Evidence(name, holds, 1, f"e{name}", f"p{name}") for name, holds in zip(names, answers, strict=False)]


@pytest.mark.parametrize(
    ("kind", "answers", "word", "reason"),
    [
        ("value", [True], "reproduced", "pstrict"),
        ("value", [True, False, True], "reproduced", "pstrict; also holds under c; fails under b"),
        ("cells", [True, True, False], "reproduced", "pstrict; cannot tell between strict, b; fails under c"),
        (
            "cells",
            [False, True, True, None],
            "reproduced under another reading",
            "fails under the strict reading (estrict); cannot tell between b, c; cannot tell under d",
        ),
        (
            "value",
            [False, True],
            "reproduced under another reading",
            "fails under the strict reading (estrict); holds under b",
        ),
        ("value", [None, True], "untested", "cannot tell: pstrict; holds under b"),
        (
            "value",
            [False, None, False],
            "untested",
            "cannot tell: fails under the strict reading (estrict); cannot tell under b; fails under c",
        ),
        ("value", [False, False], "not reproduced", "estrict (pstrict); fails under b"),
        ("contradiction", [False], "self-contradictory", "pstrict"),
        ("contradiction", [True], "reproduced", "pstrict"),
    ],
)
def test_verdict_follows_from_evidence(kind, answers, word, reason):
    found, _, why = combine(kind, evidence(*answers))
    assert (found, why) == (word, reason)


def test_claim_that_holds_only_under_other_readings_names_all_of_them(verdict):
    record = verdict(ORDERING)
    assert record["verdict"] == "reproduced under another reading"
    assert record["reading"] == "step=0.01 or step=0.1"
    assert [item["reading"] for item in record["evidence"]] == ["strict", "step=0.01", "step=0.1"]
    assert [item["holds"] for item in record["evidence"]] == [False, True, True]
    assert record["level"] == 0.0001


def test_flipped_claim_is_reproduced_and_a_false_one_is_not(verdict):
    assert verdict({**ORDERING, "relation": ">"})["verdict"] == "reproduced"
    assert verdict({**ORDERING, "against": "0.5 * mse_rr"})["verdict"] == "not reproduced"


def test_alternative_of_a_claim_is_a_reading(verdict):
    alternatives = [{"name": "of 1.2 times RR", "against": "1.2 * mse_rr"}]
    record = verdict({**ORDERING, "against": "0.5 * mse_rr", "alternatives": alternatives})
    assert record["verdict"] == "reproduced under another reading"
    assert record["reading"] == "of 1.2 times RR or step=0.01; of 1.2 times RR or step=0.1; of 1.2 times RR"


def published(table, tmp_path, reading):
    cells = table[table["reading"] == reading].rename(columns={"mean": "value"})
    cells[[*SETTINGS, "mechanism", "metric", "value", "runs"]].to_csv(tmp_path / "fig3.csv", index=False)


def test_cells_recover_the_planted_reading(simulate, rng, verdict, tmp_path):
    published(simulate(truth, rng, SETTINGS, runs=1000, readings=READINGS), tmp_path, "strict")
    record = verdict(CELLS)
    assert record["verdict"] == "reproduced"
    assert record["reason"].endswith("fails under step=0.01, step=0.1")


def test_cells_cannot_tell_between_readings_of_the_same_law(simulate, rng, verdict, tmp_path):
    published(simulate(truth, rng, SETTINGS, runs=1000, readings=READINGS), tmp_path, "step=0.1")
    record = verdict(CELLS)
    assert record["verdict"] == "reproduced under another reading"
    assert "cannot tell between step=0.01, step=0.1" in record["reason"]


def test_recovery_of_a_planted_reading_is_reliable(simulate, rng, tmp_path):
    """Among 30 audits at level 0.001, more than one wrong verdict has probability 4e-4."""
    found = []
    for _ in range(30):
        table = simulate(truth, rng, SETTINGS, runs=2000, readings=READINGS)
        published(simulate(truth, rng, SETTINGS, runs=1000, readings=READINGS), tmp_path, "step=0.1")
        case = prepare(CELLS, {"fig3": Result(table)}, tmp_path)
        found.append(judge(case, "jrr", LEVELS)["reading"])
    assert found.count("step=0.01 or step=0.1") >= 29


def test_stand_in_data_leave_a_claim_untested(table, verdict):
    touched = table.assign(standin=(table["n"] == 100))
    record = verdict(ORDERING, touched, ("kosarak",))
    assert (record["verdict"], record["evidence"], record["effect"]) == ("untested", [], "")
    assert record["reason"] == "data unavailable: stand-in for kosarak"
    assert verdict({**ORDERING, "rows": "n == 400"}, touched, ("kosarak",))["verdict"] != "untested"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": "n == 101"}, "rows 'n == 101' select nothing from fig3"),
        ({"rows": "users == 100"}, "unknown users in 'users == 100'; there are: .*epsilon"),
        ({"quantity": "mse_jrrr"}, "unknown mse_jrrr in .* there are: epsilon, mse_jrr, mse_rr, n"),
        ({"table": "fig33"}, "there is no result table fig33; there are: fig3"),
        ({"alternatives": [{"name": "x", "rows": "n == 7"}]}, "rows 'n == 7' select nothing"),
        ({"kind": "cells", "published": "fig4", "metric": "mse"}, "there are no published numbers .*fig4.csv"),
    ],
)
def test_typo_is_an_error_that_names_the_claim(verdict, change, message):
    with pytest.raises(ClaimError, match=f"^claim a-claim: {message}"):
        verdict({**ORDERING, **change})


def test_reading_that_lacks_a_variable_is_an_error_that_names_the_claim(verdict, table):
    lacking = table[(table["reading"] == "strict") | (table["mechanism"] == "RR")]
    with pytest.raises(
        ClaimError, match=r"^claim a-claim: no selected setting has all of mse_jrr, mse_rr .*reading step=0.1\)"
    ):
        verdict(ORDERING, lacking)


def test_published_file_without_runs_is_an_error(verdict, tmp_path):
    (tmp_path / "fig3.csv").write_text("n,mechanism,metric,value\n100,RR,mse,1\n")
    with pytest.raises(ClaimError, match=r"claim a-claim: .*fig3.csv has no column runs"):
        verdict(CELLS)


def test_contradiction_needs_no_table(verdict):
    claim = {key: entry for key, entry in COMMON.items() if key != "table"} | {"kind": "contradiction"}
    record = verdict({**claim, "printed": {"a": 0.741, "b": 0.909}, "relation": "abs(1 - a - b) < 0.01"})
    assert record["verdict"] == "self-contradictory"
    assert record["printed"] == {"a": 0.741, "b": 0.909}


def test_records_are_plain_json(verdict):
    json.dumps(verdict(ORDERING), allow_nan=False)
    content = plain({"a": np.float64(1 / 3), "b": [np.int64(2), np.inf, float("nan")], "c": np.bool_(True)})
    assert content == {"a": 0.333333333, "b": [2, None, None], "c": True}


def test_claim_on_data_that_only_a_user_can_supply_waits_for_them(verdict, table):
    waiting = {**ORDERING, "rows": "n == 900", "lacking": "the survey of 2016"}
    assert verdict(waiting)["verdict"] == "untested"
    assert verdict(waiting)["reason"] == "data unavailable: the survey of 2016"
    assert verdict(waiting, table.replace({"n": {400: 900}}))["verdict"] == "reproduced under another reading"
    with pytest.raises(ClaimError, match="select nothing"):
        verdict({**ORDERING, "rows": "n == 900"})


def test_a_kind_of_check_needs_a_check_and_its_line_in_the_table(monkeypatch, tmp_path, verdict):
    """As docs/claims.md states, loader, audit and schema learn the kind from there."""

    def compare_rows(claim, rows):
        return by_reading(rows, ["n"])

    def judge_rows(claim, rows, levels):
        return Evidence(rows.name, len(rows) >= claim["least"], len(rows), f"{len(rows)} rows", "counted")

    fields = {**ROWS, "least": {"type": "integer"}}
    monkeypatch.setitem(CHECKS, "rows", Check(compare_rows, judge_rows, fields, ("table", "least")))
    path = tmp_path / "toy.yaml"

    def load_claim(**changes):
        claim = {**COMMON, "kind": "rows", **changes}
        path.write_text(yaml.safe_dump({"sections": [{"title": "Rows", "claims": [claim]}]}))
        return load(path)

    [claim] = load_claim(least=8)
    assert verdict(claim)["verdict"] == "reproduced"
    assert verdict({**claim, "least": 9})["verdict"] == "not reproduced"
    with pytest.raises(ClaimError, match="least: 'many' is not of type 'integer'"):
        load_claim(least="many")
    with pytest.raises(ClaimError, match="leest is not a field; did you mean least"):
        load_claim(least=8, leest=1)


def test_a_record_says_whose_the_claim_is(verdict):
    record = verdict({**ORDERING, "origin": "ours", "cause": "few-users", "refines": "other"})
    assert (record["origin"], record["cause"], record["refines"]) == ("ours", "few-users", "other")
    assert (verdict(ORDERING)["origin"], verdict(ORDERING)["cause"]) == ("paper", "")
