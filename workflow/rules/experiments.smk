rule experiment:
    input:
        views=view_files,
    output:
        multiext("results/{paper}/{experiment}", table=".csv", record=".json"),
    log:
        "logs/{paper}/{experiment}.log",
    cache: "omit-software"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        setting=experiment_setting,
        runner=runner,
        code=lambda wildcards: fingerprint(runner(wildcards)),
        versions=numeric_versions(),
    message:
        "{wildcards.paper}: experiment {wildcards.experiment}"
    shell:
        "python -m {params.runner} {params.setting:q} --views {input.views} --table {output.table}"
        " --record {output.record} > {log} 2>&1"
