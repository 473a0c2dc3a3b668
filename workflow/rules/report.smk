rule describe:
    """A paper's configuration, checked and resolved: experiments with their readings in words, figures, tables."""
    input:
        of(jobs.described),
    output:
        "report/papers/{paper}.json",
    log:
        "logs/{paper}/describe.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        folder=of(jobs.folder),
        code=of(parameters.describe),
    message:
        "{wildcards.paper}: resolving experiments and readings"
    shell:
        "python -m claimaudit.papers {params.folder:q} {output:q} > {log:q} 2>&1"


rule report:
    """The report: report/index.html, a page and a certificate for each text, how it was made, and the whole as one PDF file for archives."""
    input:
        jobs.report,
    output:
        start="report/index.html",
        others=[*jobs.pages[1:], *jobs.printed],
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    params:
        setting=parameters.report,
        code=code("claimaudit.report", data=TEMPLATES),
    message:
        "Assembling the report"
    shell:
        "python -m claimaudit.report {params.setting:q} {output.start:q} {input:q} > {log:q} 2>&1"
