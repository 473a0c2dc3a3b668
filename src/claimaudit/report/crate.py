"""The run as a research object: report/ro-crate-metadata.json, after RO-Crate 1.1.

The crate is the report's directory. Besides its files, the metadata describes their sources: the papers, the data sets
and the result tables, each with its checksum, and the run itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from claimaudit.checksums import read_sealed
from claimaudit.results import to_json

PROFILE = "https://w3id.org/ro/crate/1.1"
LICENCE = "https://spdx.org/licenses/MIT"
MEDIA_TYPES = {
    ".html": "text/html",
    ".csv": "text/csv",
    ".json": "application/json",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
    ".ipynb": "application/x-ipynb+json",
}

Entity = dict[str, Any]


def describe(setting: dict[str, Any], root: Path, parts: Sequence[Path], contents: dict[str, list[Entity]]) -> Entity:
    """Return the metadata document of a report.

    Parameters
    ----------
    setting
        How the run was configured: names and values.
    root
        The directory of the report.
    parts
        Its files.
    contents
        ``citation`` (one), ``papers``, ``data`` and ``results``: the contents of CITATION.cff, report/papers and the
        records.
    """
    (citation,) = contents["citation"]
    files = [_file(path, root) for path in parts]
    papers = [_paper(entry) for entry in contents["papers"]]
    data = [_data_set(record) for record in contents["data"]]
    results = [_result(record) for record in contents["results"]]
    configuration = [
        {"@id": f"#setting-{name}", "@type": "PropertyValue", "name": name, "value": value}
        for name, value in setting.items()
    ]
    crate = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Report of a run of corrldp",
        "description": citation["abstract"].strip(),
        "datePublished": citation["date-released"],
        "license": {"@id": LICENCE},
        "author": {"@id": "#developers"},
        "hasPart": _references(files),
        "mentions": [*_references(papers), *_references(results), {"@id": "#run"}],
    }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": "snakemake --cores all",
        "instrument": {"@id": "#software"},
        "object": [*_references(data), *_references(configuration)],
        "result": [*_references(files), *_references(results)],
    }
    software = {
        "@id": "#software",
        "@type": "SoftwareApplication",
        "name": citation["title"],
        "version": citation["version"],
        "license": {"@id": LICENCE},
        "author": {"@id": "#developers"},
        "citation": _references(papers),
    }
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    context = [
        {"@id": LICENCE, "@type": "CreativeWork", "name": "MIT License"},
        {"@id": "#developers", "@type": "Organization", "name": citation["authors"][0]["name"]},
    ]
    graph = [descriptor, crate, run, software, *context, *files, *papers, *data, *results, *configuration]
    return {"@context": f"{PROFILE}/context", "@graph": graph}


def _references(entities: list[Entity]) -> list[Entity]:
    return [{"@id": entity["@id"]} for entity in entities]


def _file(path: Path, root: Path) -> Entity:
    content = path.read_bytes()
    return {
        "@id": path.relative_to(root).as_posix(),
        "@type": "File",
        "name": path.name,
        "encodingFormat": MEDIA_TYPES[path.suffix],
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _paper(entry: Entity) -> Entity:
    """Describe one paper, from papers/ID/paper.yaml."""
    address = f"https://doi.org/{entry['doi']}" if "doi" in entry else f"#paper-{entry['id']}"
    return {
        "@id": address,
        "@type": "ScholarlyArticle",
        "name": entry["title"],
        "author": entry["authors"],
        "isPartOf": entry["venue"],
    }


def _data_set(record: Entity) -> Entity:
    """Describe one data set, from its download record."""
    return {
        "@id": f"#data-{record['dataset']}",
        "@type": "Dataset",
        "name": record["title"],
        "license": record["licence"],
        "citation": record["citation"],
        "sha256": record["sha256"],
        "creativeWorkStatus": record["status"],
    }


def _result(record: Entity) -> Entity:
    """Describe one result table, from its record."""
    name = f"results/{record['paper']}/{record['experiment']}.csv"
    return {
        "@id": f"#{name}",
        "@type": "CreativeWork",
        "name": name,
        "description": f"Made by: snakemake {name}; {record['versions']}",
        "encodingFormat": "text/csv",
        "sha256": record["sha256"],
    }


def crate_files(
    job: dict[str, Any],
    parts: Sequence[Path],
    citation: Sequence[Path],
    papers: Sequence[Path],
    data: Sequence[Path],
    results: Sequence[Path],
) -> dict[str, bytes]:
    """Describe the files of a report, the first of which lies in its directory, and their sources: the ``metadata``."""
    contents = {
        kind: [*map(read_sealed, paths)] for kind, paths in (("papers", papers), ("data", data), ("results", results))
    }
    contents["citation"] = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in citation]
    return {"metadata": to_json(describe(job, parts[0].parent, parts, contents))}
