rule figure:
    input:
        unpack(figure_inputs),
    output:
        **figure_files(),
    log:
        "logs/{paper}/{figure}.figure.log",
    conda:
        "../../environment.yml"
    params:
        setting=figure_setting,
        plot=plot_module,
        code=lambda wildcards: fingerprint(plot_module(wildcards)),
    message:
        "{wildcards.paper}: {wildcards.figure}"
    shell:
        "python -m {params.plot} {params.setting:q} {input:q} {output:q} > {log:q} 2>&1"
