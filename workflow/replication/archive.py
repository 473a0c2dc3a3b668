"""The run as a research object: report/ro-crate-metadata.json, after RO-Crate 1.1.

The crate is the report's directory. Besides its files, the metadata describes their sources: the papers, the data sets
and the result tables, each with its checksum, and the run itself.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from rocrate.model import ContextEntity, Entity
from rocrate.rocrate import ROCrate

from claimaudit.papers.entries import AboutPaper
from claimaudit.storage import read_sealed, to_json

LICENCE = "https://spdx.org/licenses/MIT"
MEDIA_TYPES = {
    ".html": "text/html",
    ".csv": "text/csv",
    ".json": "application/json",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
    ".ipynb": "application/x-ipynb+json",
}


def crate_files(
    settings: dict[str, int | float | str],
    papers: dict[str, AboutPaper],
    parts: Sequence[Path],
    citation: Sequence[Path],
    data: Sequence[Path],
    results: Sequence[Path],
) -> dict[str, bytes]:
    """Describe the files of a report, the first of which lies in its directory, and their sources: the ``metadata``.

    `settings` are the names and values by which the run was configured, `papers` those of the run by their ids,
    `citation` is CITATION.cff, and the others are records.
    """
    cited = yaml.safe_load(citation[0].read_text(encoding="utf-8"))
    crate = ROCrate(version="1.1")

    def add(name: str, kind: str, /, **properties: object) -> Entity:
        return crate.add(ContextEntity(crate, name, {"@type": kind, **properties}))

    texts = [
        add(
            f"https://doi.org/{paper.doi}" if paper.doi else f"#paper-{name}",
            "ScholarlyArticle",
            name=paper.title,
            author=paper.authors,
            isPartOf=paper.published_in,
        )
        for name, paper in papers.items()
    ]
    sets = [
        add(
            f"#data-{record['dataset']}",
            "Dataset",
            name=record["title"],
            license=record["licence"],
            citation=record["citation"],
            sha256=record["sha256"],
            creativeWorkStatus=record["status"],
        )
        for record in map(read_sealed, data)
    ]
    tables = [
        add(
            f"#{_table(record)}",
            "CreativeWork",
            name=_table(record),
            description=f"Made by: snakemake {_table(record)}; {record['versions']}",
            encodingFormat="text/csv",
            sha256=record["sha256"],
        )
        for record in map(read_sealed, results)
    ]
    root = parts[0].parent
    files = [crate.add_file(path, path.relative_to(root).as_posix(), properties=_facts(path)) for path in parts]
    values = [add(f"#setting-{name}", "PropertyValue", name=name, value=value) for name, value in settings.items()]
    whose = {
        "license": add(LICENCE, "CreativeWork", name="MIT License"),
        "author": add("#developers", "Organization", name=cited["authors"][0]["name"]),
    }
    software = add(
        "#software", "SoftwareApplication", name=cited["title"], version=cited["version"], **whose, citation=texts
    )
    run = add(
        "#run",
        "CreateAction",
        name="snakemake --cores all",
        instrument=software,
        object=[*sets, *values],
        result=[*files, *tables],
    )
    about = {
        "name": "Report of a run of corrldp",
        "description": cited["abstract"].strip(),
        "datePublished": cited["date-released"],  # in place of the clock's
        **whose,
        "mentions": [*texts, *tables, run],
    }
    for name, value in about.items():
        crate.root_dataset[name] = value
    return {"metadata": to_json(crate.metadata.generate())}


def _table(record: Mapping[str, Any]) -> str:
    return f"results/{record['paper']}/{record['experiment']}.csv"


def _facts(path: Path) -> dict[str, str]:
    content = path.read_bytes()
    return {
        "name": path.name,
        "encodingFormat": MEDIA_TYPES[path.suffix],
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
