rule experiment:
    input:
        views=of(jobs.views_of),
    output:
        multiext("results/{result}", table=".csv", record=".json"),
    log:
        "logs/{result}.log",
    wildcard_constraints:
        result=one_of("experiment"),
    cache: "omit-software"
    priority: 20
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.experiment),
        code=of(parameters.runner),
    message:
        "Experiment {wildcards.result}"
    shell:
        "python -m claimaudit.experiments run {params.setting:q} {output:q} {input.views:q} > {log:q} 2>&1"


# Not cached: the cache key covers how data were fetched, not the bytes obtained.
use rule experiment as experiment_on_data with:
    wildcard_constraints:
        result=one_of("experiment_on_data"),
    cache: False


rule part:
    """One part of the cells of a long experiment."""
    input:
        views=of(jobs.views_of),
    output:
        "results/{paper}/parts/{experiment}.{part}-of-{parts}.json",
    log:
        "logs/{paper}/{experiment}.{part}-of-{parts}.log",
    priority: 40
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.experiment),
        code=of(parameters.runner),
    message:
        "Experiment {wildcards.paper}/{wildcards.experiment}, part {wildcards.part} of {wildcards.parts}"
    shell:
        "python -m claimaudit.experiments part {params.setting:q} {wildcards.part} {wildcards.parts} {output:q}"
        " {input.views:q} > {log:q} 2>&1"


# Its table is the one that an undivided run would produce.
rule join:
    input:
        of(jobs.parts),
    output:
        multiext("results/{result}", table=".csv", record=".json"),
    log:
        "logs/{result}.join.log",
    wildcard_constraints:
        result=one_of("join"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.experiment),
        code=of(parameters.runner),
    message:
        "Joining the parts of experiment {wildcards.result}"
    shell:
        "python -m claimaudit.experiments join {params.setting:q} {output:q} {input:q} > {log:q} 2>&1"


rule command:
    """Results that a command of the paper writes, in any language."""
    input:
        of(jobs.files_of),
    output:
        "results/{paper}/made/{experiment}.csv",
    log:
        "logs/{paper}/{experiment}.command.log",
    priority: 20
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.command),
        code=code("claimaudit.experiments.given"),
    message:
        "Experiment {wildcards.paper}/{wildcards.experiment}: its command"
    shell:
        "python -m claimaudit.experiments command {params.setting:q} {output:q} > {log:q} 2>&1"


rule given:
    """Results that somebody gives, or a command has written, as a result table."""
    input:
        of(jobs.given),
    output:
        multiext("results/{result}", table=".csv", record=".json"),
    log:
        "logs/{result}.given.log",
    wildcard_constraints:
        result=one_of("given"),
    localrule: True
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.experiment),
        code=of(parameters.runner),
    message:
        "Experiment {wildcards.result}: its results as they are given"
    shell:
        "python -m claimaudit.experiments given {params.setting:q} {output:q} {input:q} > {log:q} 2>&1"
