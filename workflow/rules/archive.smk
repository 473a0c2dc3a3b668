rule archive:
    """Metadata that describes the report and its sources, for archives."""
    input:
        **jobs.archive,
    output:
        "report/ro-crate-metadata.json",
    log:
        "logs/archive.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        setting=parameters.archive,
        code=code("claimaudit.report.crate"),
    message:
        "Writing the metadata of the run"
    shell:
        "python -m claimaudit.report.crate {params.setting:q} {output:q} --parts {input.parts:q} --data {input.data:q}"
        " --citation {input.citation:q} --papers {input.papers:q} --results {input.results:q} > {log:q} 2>&1"
