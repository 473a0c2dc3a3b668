"""The metadata of a report is a crate: every reference resolves to an entity, every file has its checksum."""

import hashlib
import json

import pytest
import yaml

from claimaudit.papers.entries import AboutPaper
from claimaudit.storage import sealed
from replication.archive import crate_files

CITATION = {
    "abstract": "What it does.",
    "date-released": "2026-01-02",
    "title": "corrldp",
    "version": "1.0",
    "authors": [{"name": "The developers"}],
}
PAPERS = {
    "jrr": AboutPaper(title="Joint", authors="A, B", venue="PoPETs, doi:10.1/x"),
    "cpl": AboutPaper(title="Cost", authors="C", venue="Preprint"),
}
DATA = {"dataset": "d", "title": "D", "licence": "CC0", "citation": "E", "sha256": "0" * 64, "status": "original"}
RESULT = {"paper": "jrr", "experiment": "fig3", "sha256": "1" * 64, "versions": "numpy=2"}


@pytest.fixture
def crate(tmp_path):
    texts = {
        "citation.cff": CITATION,
        "d.json": DATA,
        "fig3.json": RESULT,
    }
    for name, content in texts.items():
        text = yaml.safe_dump(content) if name == "citation.cff" else json.dumps(sealed(content))
        (tmp_path / name).write_text(text)
    parts = [tmp_path / "report/index.html", tmp_path / "report/verdicts/jrr.json"]
    for path in parts:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {path.name}")
    sources = {
        "citation": ["citation.cff"],
        "data": ["d.json"],
        "results": ["fig3.json"],
    }
    named = {kind: [tmp_path / name for name in names] for kind, names in sources.items()}
    return json.loads(crate_files({"seed": 1}, PAPERS, parts, **named)["metadata"])


@pytest.fixture
def entities(crate):
    return {entity["@id"]: entity for entity in crate["@graph"]}


def references(content):
    if isinstance(content, dict):
        if set(content) == {"@id"}:
            yield content["@id"]
        else:
            for entry in content.values():
                yield from references(entry)
    elif isinstance(content, list):
        for entry in content:
            yield from references(entry)


def test_every_entity_is_described_once_and_every_reference_leads_to_one(crate, entities):
    assert len(entities) == len(crate["@graph"])
    assert all("@type" in entity for entity in crate["@graph"])
    outside = {name for entity in crate["@graph"] for name in references(entity)} - set(entities)
    assert outside == {"https://w3id.org/ro/crate/1.1"}


def test_files_are_relative_and_have_their_checksums(entities):
    files = {name: entity for name, entity in entities.items() if entity["@type"] == "File"}
    assert set(files) == {"index.html", "verdicts/jrr.json"}
    assert files["index.html"]["sha256"] == hashlib.sha256(b"text of index.html").hexdigest()
    assert [part["@id"] for part in entities["./"]["hasPart"]] == list(files)


def test_papers_data_results_and_setting_are_described(entities):
    assert entities["https://doi.org/10.1/x"]["name"] == "Joint"
    assert entities["#data-d"]["creativeWorkStatus"] == "original"
    assert entities["#results/jrr/fig3.csv"]["sha256"] == "1" * 64
    assert entities["#setting-seed"]["value"] == 1
    assert {"@id": "#data-d"} in entities["#run"]["object"]
