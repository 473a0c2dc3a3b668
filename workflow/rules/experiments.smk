rule experiment:
    input:
        views=view_files,
    output:
        multiext("results/{paper}/{experiment}", table=".csv", record=".json"),
    log:
        "logs/{paper}/{experiment}.log",
    cache: "omit-software"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        setting=experiment_setting,
        runner=runner,
        code=runner_code,
    message:
        "{wildcards.paper}: experiment {wildcards.experiment}"
    shell:
        "python -m {params.runner} {params.setting:q} {output} {input.views} > {log} 2>&1"


use rule experiment as experiment_on_data with:
    wildcard_constraints:
        experiment="|".join(experiments_on_data()),
    cache: False


ruleorder: experiment_on_data > experiment
