rule figure:
    input:
        table=result_of("figures"),
        published=published_of("figures"),
    output:
        multiext("figures/{paper}/{figure}", pdf=".pdf", svg=".svg", png=".png", numbers=".csv"),
    log:
        "logs/{paper}/{figure}.figure.log",
    conda:
        "../../environment.yml"
    params:
        setting=drawing("figures"),
        plot=plot_module,
        code=lambda wildcards: fingerprint(plot_module(wildcards)),
    message:
        "{wildcards.paper}: {wildcards.figure}"
    shell:
        "python -m {params.plot} {params.setting:q} {input} {output} > {log} 2>&1"
