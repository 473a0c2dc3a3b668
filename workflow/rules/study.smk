from functools import cache
from pathlib import Path

from corrldp.planning.parameters import canonical, of_study
from corrldp.study import names as study_names


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
    return lambda wildcards: canonical(**{k: v for k, v in study().model_dump(mode="json").items() if wanted(k)})


def study_code(wildcards):
    """Return the fingerprint of all that determines the digits of a study."""
    try:
        return of_study(study().protocols)
    except ValueError as error:
        raise WorkflowError(f"config/study.yaml: protocols: {error}") from None


rule study_table:
    """The codes of your own table, and their domains."""
    input:
        study_source,
    output:
        multiext("data/study/table", codes=".npy", domain=".json"),
    log:
        "logs/study/table.log",
    conda:
        "../../environment.yml"
    params:
        setting=study_setting(lambda name: name in study_names.READING),
        code=code("corrldp.study.reading"),
    message:
        "Reading the table of the study"
    shell:
        "python -m corrldp.study.reading {params.setting:q} {input:q} {output:q} 2>&1 | tee {log:q} >&2"


rule study_numbers:
    """All tables of the study of your own table: report/study/*.csv."""
    input:
        table="data/study/table.npy",
        domain="data/study/table.json",
    output:
        expand("report/study/{table}", table=[study_names.ABOUT, *(f"{name}.csv" for name in study_names.TABLES)]),
    log:
        "logs/study/numbers.log",
    conda:
        "../../environment.yml"
    params:
        setting=study_setting(lambda name: name not in ("file", *study_names.READING)),
        code=study_code,
    message:
        "Computing errors, leakage and budgets of the study"
    shell:
        "python -m corrldp.study.numbers {params.setting:q} {input.table:q} report/study > {log:q} 2>&1"


rule study_page:
    """The figures and the page of the study of your own table."""
    input:
        about=f"report/study/{study_names.ABOUT}",
        tables=expand("report/study/{table}.csv", table=study_names.TABLES),
    output:
        page="report/study/index.html",
        figures=directory("report/study/figures"),
    log:
        "logs/study/page.log",
    conda:
        "../../environment.yml"
    params:
        code=code("corrldp.study.page", data=TEMPLATES),
    message:
        "Drawing the page of the study"
    shell:
        "python -m corrldp.study.page {input.about:q} > {log:q} 2>&1"
