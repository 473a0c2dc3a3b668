rule fetch:
    output:
        raw="data/raw/{dataset}.data",
        record="data/raw/{dataset}.json",
    log:
        "logs/data/{dataset}.fetch.log",
    priority: 30
    localrule: True
    conda:
        "../../environment.yml"
    params:
        task=part_of_fetch("task"),
        code=part_of_fetch("code"),
    message:
        "Fetching {wildcards.dataset}"
    shell:
        "python -m claimaudit.task {params.task:q} {output:q} 2>&1 | tee {log:q} >&2"
