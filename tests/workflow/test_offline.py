"""A machine without network, mirror or copies of the data beside the project: its runs end with a report that says so.

The whole workflow runs with few runs on the shipped copies, where what may not be shipped is a stand-in. What reads
data runs once more on stand-ins alone, and each paper is audited on that. A small workflow without any copy, from data
to report: see test_reuse.py.
"""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from picked import printed_in

from claimaudit import yaml_files
from claimaudit.audit.arrays import Result
from claimaudit.audit.claims import load
from claimaudit.audit.fitting.standing import Material
from claimaudit.audit.judging.audit import audit
from claimaudit.audit.predictions import predict
from claimaudit.results import read, read_record
from claimaudit.verdicts import Levels
from replication import validation
from replication.data.store import SHIPPED

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
CONFIG = yaml_files.read(ROOT / "config/config.yaml")
REGISTRY = yaml_files.read(ROOT / "config/datasets.yaml")
COPIES = {path.stem for path in (ROOT / SHIPPED).glob("*.xz")}
FILES = {
    name: entry["file"]
    for name, entry in REGISTRY["datasets"].items()
    if entry["kind"] == "file" and not entry.get("optional")
}


@pytest.fixture(scope="module")
def papers():
    return validation.read(ROOT, CONFIG)[1]


@pytest.fixture(scope="module")
def made_up(complete, copied, papers):
    """The project after what reads data has run on stand-ins alone."""
    made_up = copied(complete)
    made_up.environment["CORRLDP_DATA_STORE"] = str(made_up.root / "store")
    for path in (SHIPPED, "data/raw", "data/aligned"):
        shutil.rmtree(made_up.root / path)
    on_data = (
        f"results/{name}/{experiment}.csv"
        for name, paper in papers.items()
        for experiment in paper.entry.experiments
        if paper.view_names(experiment)
    )
    made_up.run("data", *on_data)
    return made_up


def origins(project):
    return {name: json.loads((project.root / f"data/raw/{name}.json").read_text()) for name in FILES}


def all_claims(project):
    return json.loads((project.root / "report/claims.json").read_text())["claims"]


def table(project, paper, experiment):
    path = project.root / f"results/{paper}/{experiment}.csv"
    return Result(read(path), tuple(read_record(path)["standin"]))


def test_what_may_be_shipped_is_real(complete):
    found = {name: record["source"] for name, record in origins(complete).items()}
    assert found == {name: "shipped copy" if file in COPIES else "stand-in" for name, file in FILES.items()}


def test_without_copies_all_are_stand_ins(made_up):
    assert {record["status"] for record in origins(made_up).values()} == {"stand-in"}


def test_claims_have_no_data_where_their_numbers_are_made_up(complete):
    claims = all_claims(complete)
    results = {key: table(complete, *key) for key in {(claim["paper"], claim["table"]) for claim in claims} if key[1]}
    for claim in claims:
        result = results.get((claim["paper"], claim["table"]))
        if result is not None and result.table["standin"].all():
            assert claim["verdict"] == "no data", claim["id"]
        if claim["standins"]:
            assert result.standins, claim["id"]
        if claim["verdict"] == "no data":
            assert claim["as_stated"]["answer"] == "not tested"


def test_without_copies_every_paper_is_audited(complete, made_up, papers):
    for name, paper in papers.items():
        tables = {experiment: table(made_up, name, experiment) for experiment in paper.entry.experiments}
        material = Material(paper.outline(), tables, printed_in(ROOT / "papers" / name / "published"))
        own = load(ROOT / f"papers/{name}/claims.yaml", paper.context())
        judged = audit(name, Levels(CONFIG["level"], CONFIG["family_level"]), own, material)
        verdicts = Counter(claim.verdict for claim in judged.claims)
        before = Counter(claim["verdict"] for claim in all_claims(complete) if claim["paper"] == name)
        assert before["no data"] <= verdicts["no data"] <= verdicts.total() == before.total()
        made = {experiment for experiment, result in tables.items() if result.table["standin"].all()}
        assert {claim.verdict for claim in judged.claims if claim.table in made} <= {"no data"}
        assert set(predict(material, paper.predicted())["exhibit"]) <= set(paper.judged)
