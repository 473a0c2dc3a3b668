import json
from functools import cache
from pathlib import Path

from corrldp.protocols.names import source_of
from corrldp.study import names as study_names

TEMPLATES = [
    path
    for place in ("claimaudit/report", "corrldp/study")
    for path in sorted((ROOT / "src" / place / "templates").glob("*"))
]


@cache
def study():
    """Read config/study.yaml when a job of the study is planned, so that its faults stop nothing else."""
    from corrldp.study import settings

    try:
        return settings.load(ROOT / "config/study.yaml")
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from None


def study_source(wildcards):
    """Return the file to study."""
    if study().file is None:
        raise WorkflowError("config/study.yaml names no table: write file: path/to/table.csv")
    if not Path(study().file).is_file():
        raise WorkflowError(f"config/study.yaml: there is no file {study().file}; correct file")
    return study().file


def study_setting(wanted):
    """Return the parameter function for some of the settings, by name."""
    return lambda wildcards: json.dumps({k: v for k, v in study().model_dump(mode="json").items() if wanted(k)})


def study_code(wildcards):
    """Return the fingerprint of all that determines the digits of a study."""
    try:
        return code("corrldp.study.numbers", *filter(None, map(source_of, study().protocols)), numeric=True)
    except ValueError as error:
        raise WorkflowError(f"config/study.yaml: protocols: {error}") from None
