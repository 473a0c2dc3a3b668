rule figure:
    input:
        unpack(of(jobs.figure)),
    output:
        pdf="figures/{paper}/{figure}.pdf",
        svg=report(
            "figures/{paper}/{figure}.svg",
            caption=str(ROOT / "workflow/report/figure.rst"),
            category=lambda wildcards: PAPERS[wildcards.paper].title,
            labels=lambda wildcards: {"figure": PAPERS[wildcards.paper].figures[wildcards.figure].title},
        ),
        png="figures/{paper}/{figure}.png",
        numbers="figures/{paper}/{figure}.csv",
        drawing="figures/{paper}/{figure}.json",
    log:
        "logs/{paper}/{figure}.figure.log",
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.figure),
        code=code("claimaudit.plots.draw"),
    message:
        "{wildcards.paper}: {wildcards.figure}"
    shell:
        "python -m claimaudit.plots.draw {params.setting:q} {input:q} {output:q} > {log:q} 2>&1"
