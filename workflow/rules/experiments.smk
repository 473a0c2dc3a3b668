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
        code=runner_code,
    message:
        "{wildcards.paper}: experiment {wildcards.experiment}"
    shell:
        "python -m corrldp.experiments run {params.setting:q} {output:q} {input.views:q} > {log:q} 2>&1"


# Not cached: the cache key covers how data were fetched, not the bytes obtained.
use rule experiment as experiment_on_data with:
    wildcard_constraints:
        experiment=experiments_where(lambda paper, name: paper.view_names(name)),
    cache: False


rule part:
    """One part of the cells of a long experiment."""
    input:
        views=view_files,
    output:
        "results/{paper}/parts/{experiment}.{part}-of-{parts}.json",
    log:
        "logs/{paper}/{experiment}.{part}-of-{parts}.log",
    priority: 40
    conda:
        "../../environment.yml"
    params:
        setting=experiment_setting,
        code=runner_code,
    message:
        "{wildcards.paper}: experiment {wildcards.experiment}, part {wildcards.part} of {wildcards.parts}"
    shell:
        "python -m corrldp.experiments part {params.setting:q} {wildcards.part} {wildcards.parts} {output:q}"
        " {input.views:q} > {log:q} 2>&1"


# Its table is the one that an undivided run would produce.
rule join:
    input:
        part_files,
    output:
        multiext("results/{paper}/{experiment}", table=".csv", record=".json"),
    log:
        "logs/{paper}/{experiment}.join.log",
    wildcard_constraints:
        experiment=experiments_where(parts_of),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        setting=experiment_setting,
        code=runner_code,
    message:
        "{wildcards.paper}: joining the parts of experiment {wildcards.experiment}"
    shell:
        "python -m corrldp.experiments join {params.setting:q} {output:q} {input:q} > {log:q} 2>&1"


ruleorder: join > experiment_on_data > experiment
