rule report:
    """The report as one page, report/index.html."""
    input:
        report_files,
    output:
        page="report/index.html",
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
        "python -m corrldp.report {params.setting:q} {output.page} {input} > {log} 2>&1"


rule report_pdf:
    """The same report as one file for an archive."""
    input:
        report_files,
    output:
        "report/report.pdf",
    log:
        "logs/report_pdf.log",
    conda:
        "../../environment.yml"
    params:
        setting=report_setting,
        code=code("corrldp.report.pdf"),
    message:
        "Printing the report"
    shell:
        "python -m corrldp.report.pdf {params.setting:q} {output} {input} > {log} 2>&1"
