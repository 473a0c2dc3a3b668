rule describe:
    """A paper's configuration, checked and resolved: experiments with their readings in words, figures, tables."""
    input:
        of_project("config/papers/{paper}.yaml"),
    output:
        "report/papers/{paper}.json",
    log:
        "logs/{paper}/describe.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=paper_code,
    message:
        "{wildcards.paper}: resolving experiments and readings"
    shell:
        "python -m corrldp.papers {input:q} {output:q} > {log:q} 2>&1"


rule report:
    """The report: report/index.html, a page for each text, how it was made, and the whole as one PDF file for archives."""
    input:
        report_files,
    output:
        start="report/index.html",
        others=[*pages()[1:], "report/report.pdf"],
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    params:
        setting=report_setting,
        code=code("corrldp.report", *sorted((ROOT / "src/corrldp/report/templates").glob("*"))),
    message:
        "Assembling the report"
    shell:
        "python -m corrldp.report {params.setting:q} {output.start:q} {input:q} > {log:q} 2>&1"
