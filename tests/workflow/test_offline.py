"""A machine without network, mirror or copies of the data beside the project: its runs end with a report that says so.

The whole workflow runs with few runs on the shipped copies, where what may not be shipped is a stand-in. What reads
data runs once more on stand-ins alone. Each paper is audited with one more data set missing, on the tables of the two
runs; each data set is missing once. A small workflow without any copy, from data to report: see test_reuse.py.
"""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from claimaudit import configuration
from claimaudit.audit.claims import load
from claimaudit.audit.judging.audit import Material, audit
from claimaudit.audit.judging.cases import Result
from claimaudit.audit.predictions import predict
from claimaudit.results import read, read_record
from claimaudit.verdicts import Levels
from replication import validation
from replication.data.store import SHIPPED

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
CONFIG = configuration.read(ROOT / "config/config.yaml")
REGISTRY = configuration.read(ROOT / "config/datasets.yaml")
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


def test_the_start_page_names_each_stand_in(complete):
    page = (complete.root / "report/index.html").read_text()
    warning = re.search('<p class="warning".*?</p>', page)[0]
    names = {name for name, record in origins(complete).items() if record["status"] == "stand-in"}
    assert {*re.findall('#data-(.*?)"', warning)} == names
    assert page.index(warning) < page.index("<h1>")
    assert (complete.root / "report/report.pdf").stat().st_size > 0


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


def test_no_conclusion_rests_on_a_stand_in(complete):
    verdicts = {(claim["paper"], claim["id"]): claim["verdict"] for claim in all_claims(complete)}
    answers = {}
    for entry in configuration.read(ROOT / "config/conclusions.yaml"):
        lacks = any(verdicts[tuple(claim.split("/"))] == "no data" for claim in entry["rests_on"])
        answers.setdefault(entry.get("about", "index"), []).append(lacks)
    for name, lacking in answers.items():
        page = (complete.root / f"report/{name}.html").read_text()
        shown = re.findall(r'<(?:li id="conclusion-\d+"|div class="answer-of-paper")>\s*<p>(.*?)</p>', page, re.DOTALL)
        for lacks, sentence in zip(lacking, shown, strict=True):
            assert not lacks or re.match(
                '<strong class="standin">This run (has no data for it|does not show it):</strong>', sentence
            )


def views_of(dataset):
    return frozenset(view for view, recipe in REGISTRY["views"].items() if dataset in recipe["datasets"])


MISSING = {
    **{"corr_rr": "mushroom", "corr_rr_preprint": "clave", "jrr": "womens_clothing", "cpl": "adult_train"},
    **{"castell": "german_credit", "rs_fd": "nursery"},
}
"""For each paper on shipped data, a data set that it is audited without."""


def test_each_view_of_shipped_data_is_missing_for_a_paper(papers):
    shipped = (views_of(name) for name, file in FILES.items() if file in COPIES)
    assert frozenset().union(*map(views_of, MISSING.values())) == frozenset().union(*shipped)
    read = {
        name: {view for experiment in paper.entry.experiments for view in paper.view_names(experiment)}
        for name, paper in papers.items()
    }
    assert all(views_of(dataset) & read[name] for name, dataset in MISSING.items())


def without(views, paper, experiment, complete, made_up):
    """Return a result table of a run without some views; a row that names another one comes from the first run."""
    other, synthetic = (table(run, paper, experiment) for run in (complete, made_up))
    found = tuple(view for view in synthetic.standins if view in views)
    if not found:
        return other
    named = read_record(made_up.root / f"results/{paper}/{experiment}.csv")["setting"].get("views")
    if not (isinstance(named, dict) and "dataset" in synthetic.table):
        return replace(synthetic, standins=found)
    kept, gone = (result.table["dataset"].map(named).isin(views) for result in (other, synthetic))
    rows = pd.concat([other.table[~kept], synthetic.table[gone]], ignore_index=True)
    return Result(rows, tuple(sorted({*other.standins, *found})))


@pytest.mark.parametrize("name", MISSING)
def test_with_one_more_data_set_missing_a_paper_on_it_is_audited(complete, made_up, papers, name):
    views, paper = views_of(MISSING[name]), papers[name]
    tables = {experiment: without(views, name, experiment, complete, made_up) for experiment in paper.entry.experiments}
    material = Material(paper.outline(), tables, ROOT / "papers" / name / "published")
    own = load(ROOT / f"papers/{name}/claims.yaml", paper.context())
    judged = audit(name, Levels(CONFIG["level"], CONFIG["family_level"]), own, material)
    verdicts = Counter(claim.verdict for claim in judged.claims)
    before = Counter(claim["verdict"] for claim in all_claims(complete) if claim["paper"] == name)
    assert before["no data"] < verdicts["no data"] <= verdicts.total() == before.total()
    made = {experiment for experiment, result in tables.items() if result.table["standin"].all()}
    assert {claim.verdict for claim in judged.claims if claim.table in made} <= {"no data"}
    assert set(predict(material, paper.predicted())["exhibit"]) <= set(paper.entry.judged)
