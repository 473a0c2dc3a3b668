import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from claimaudit.results import write_sealed
from claimaudit.storage import sealed
from claimaudit.verdicts import (
    AsRun,
    AsStated,
    Evidence,
    Exhibit,
    Levels,
    OwnNumbers,
    Relation,
    StandingReading,
    Verdict,
    Verdicts,
    coherent,
    plain,
    read,
    schema,
)


def verdicts(readings, admissible=True, verdict="reproduced as run", table="fig3"):
    claim = Verdict(
        **{"id": "a", "paper": "jrr", "place": "Section 5", "states": "So it is.", "kind": "ordering", "table": table},
        **{"verdict": verdict, "because": "run", "levels": Levels(0.001, 0.0001), "as_stated": AsStated("fails")},
        as_run=AsRun("holds", "own", ("fig3",), readings),
        own_numbers=OwnNumbers("not tested"),
        evidence=(Evidence("strict", False, 1, Relation()),),
    )
    exhibit = Exhibit("fig3", "fig3", "own", readings=(StandingReading("b", admissible, "", False, 0.5, 1.0),))
    return Verdicts((claim,), {"fig3": exhibit})


def test_a_claim_as_run_rests_on_standing_readings():
    assert coherent(verdicts(("b",))) == verdicts(("b",))
    assert coherent(verdicts(("other",), table="fig4")).claims
    assert coherent(verdicts(("c",), verdict="undecided")).claims


@pytest.mark.parametrize(
    ("content", "named"),
    [(verdicts(("b", "c")), "c"), (verdicts(("b",), admissible=False), "b"), (verdicts(()), "no reading")],
)
def test_a_claim_as_run_under_a_rejected_reading_is_refused(content, named):
    with pytest.raises(ValueError, match=f"verdict a: as run under {named}, which does not stand"):
        coherent(content)


def test_numbers_become_plain_json_types():
    content = plain({"a": np.float64(1 / 3), "b": [np.int64(2), np.inf, float("nan")], "c": np.bool_(True)})
    assert content == {"a": 0.333333333, "b": [2, None, None], "c": True}


@pytest.mark.parametrize(
    ("change", "message"),
    [({"verdict": "plausible"}, "plausible"), ({"evidence": []}, "without evidence"), ({"remark": "x"}, "remark")],
)
def test_a_file_of_another_form_is_refused(tmp_path, change, message):
    content = json.loads(json.dumps(plain(verdicts(("b",)))))
    content["claims"][0] |= change
    write_sealed(tmp_path / "jrr.json", content)
    with pytest.raises(ValueError, match=message):
        read(tmp_path / "jrr.json")


def test_files_of_verdicts_have_the_published_schema():
    published = (Path(__file__).parents[2] / "docs/verdicts.schema.json").read_text(encoding="utf-8")
    assert json.loads(published) == schema(), "run `make reference`"
    jsonschema.validate(sealed(plain(verdicts(("a",)))), schema())
