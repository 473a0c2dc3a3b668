rule figure:
    input:
        table=result_of("figures"),
        published=published_of("figures"),
    output:
        **figure_files(),
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
        "python -m {params.plot} {params.setting:q} {input:q} {output:q} > {log:q} 2>&1"
