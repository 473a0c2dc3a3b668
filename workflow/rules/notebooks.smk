rule notebook:
    """A walk-through of one paper: its script as an executed notebook and as a page."""
    input:
        unpack(of(jobs.notebook)),
    output:
        multiext("report/notebooks/{paper}", page=".html", notebook=".ipynb"),
    log:
        "logs/{paper}/notebook.log",
    conda:
        "../../environment.yml"
    params:
        code=of(parameters.notebook),
    message:
        "{wildcards.paper}: notebook"
    shell:
        "python -m claimaudit.report.notebook {input.script:q} {output:q} > {log:q} 2>&1"
