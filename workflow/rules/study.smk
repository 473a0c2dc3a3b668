from corrldp.protocols.names import source_of
from corrldp.study.names import TABLES

STUDY = jobs.of_project("config/study.yaml")
TEMPLATES = sorted(
    path for place in ("claimaudit/report", "corrldp/study") for path in (ROOT / "src" / place).glob("templates/*")
)


@cache
def study():
    """Return the file of a study, its settings and the fingerprint of its code.

    They are read when its job is planned, so that mistakes in them stop nothing else.
    """
    from corrldp.study import settings

    try:
        found = settings.load(Path(STUDY))
        own = filter(None, map(source_of, found.protocols))
        code_of_study = code("corrldp.study.command", *own, data=TEMPLATES, numeric=True)
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from None
    except ValueError as error:
        raise WorkflowError(f"config/study.yaml: protocols: {error}") from None
    if found.file is None:
        raise WorkflowError("config/study.yaml names no table: write file: path/to/table.csv")
    if not Path(found.file).is_file():
        raise WorkflowError(f"config/study.yaml: there is no file {found.file}; correct file")
    return {"file": found.file, "settings": found.model_dump_json(exclude={"file"}), "code": code_of_study}


rule study:
    """Your own table (config/study.yaml): which protocol, how large an error, what leaks: report/study/index.html."""
    input:
        lambda wildcards: study()["file"],
    output:
        page="report/study/index.html",
        figures=directory("report/study/figures"),
        files=[f"report/study/{name}" for name in ("study.json", "settings.yaml", *(f"{name}.csv" for name in TABLES))],
    log:
        "logs/study.log",
    conda:
        "../../environment.yml"
    params:
        file=STUDY,
        directory=subpath(output.page, parent=True),
        settings=lambda wildcards: study()["settings"],
        code=lambda wildcards: study()["code"],
    message:
        "Studying {input}"
    shell:
        "python -m corrldp study {input:q} --settings {params.file:q} --out {params.directory:q} 2>&1 | tee {log:q} >&2"
