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
        setting=part_of_fetch("task"),
        code=part_of_fetch("code"),
    message:
        "Fetching {wildcards.dataset}"
    shell:
        'python -m replication.data.fetch {params.setting:q} "$CORRLDP_FETCH_POLICY" {output:q} 2>&1 | tee {log:q} >&2'
