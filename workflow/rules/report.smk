rule describe:
    """A paper's configuration, checked and resolved: experiments with their readings in words, figures, tables."""
    input:
        jobs.of_project("config/papers/{paper}.yaml"),
    output:
        "report/papers/{paper}.json",
    log:
        "logs/{paper}/describe.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=of(parameters.describe),
    message:
        "{wildcards.paper}: resolving experiments and readings"
    shell:
        "python -m corrldp.papers {input:q} {output:q} > {log:q} 2>&1"


rule report:
    """The report: report/index.html, a page for each text, how it was made, and the whole as one PDF file for archives."""
    input:
        jobs.report,
    output:
        start="report/index.html",
        others=[*jobs.pages[1:], "report/report.pdf"],
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    params:
        setting=parameters.report,
        code=code("corrldp.report", data=TEMPLATES),
    message:
        "Assembling the report"
    shell:
        "python -m corrldp.report {params.setting:q} {output.start:q} {input:q} > {log:q} 2>&1"
