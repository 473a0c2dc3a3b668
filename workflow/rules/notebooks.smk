rule notebook:
    """A walk-through of one paper: its script as an executed notebook and as a page."""
    input:
        script=of_project("workflow/notebooks/{paper}.py"),
        tables=lambda wildcards: outputs("experiments", "results/{paper}/{id}.csv", [wildcards.paper]),
        published=published_files,
        verdicts="report/verdicts/{paper}.json",
    output:
        multiext("report/notebooks/{paper}", page=".html", notebook=".ipynb"),
    log:
        "logs/{paper}/notebook.log",
    conda:
        "../../environment.yml"
    params:
        code=notebook_code,
    message:
        "{wildcards.paper}: notebook"
    shell:
        "python -m corrldp.report.notebook {input.script:q} {output:q} > {log:q} 2>&1"
