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
        setting=fetch_setting,
        code=lambda wildcards: code("replication.data.fetch"),
    message:
        "Fetching {wildcards.dataset}"
    shell:
        'python -m replication.data.fetch {params.setting:q} "$CORRLDP_FETCH_POLICY" {output:q} 2>&1 | tee {log:q} >&2'


rule align:
    input:
        unpack(of_view(jobs.raw)),
    output:
        multiext("data/aligned/{view}", codes=".npy", domain=".json"),
    log:
        "logs/data/{view}.align.log",
    priority: 30
    localrule: True
    conda:
        "../../environment.yml"
    params:
        setting=of_view(jobs.align),
        code=lambda wildcards: code("replication.data.align"),
    message:
        "Aligning {wildcards.view}"
    shell:
        "python -m replication.data.align {params.setting:q} --raw {input.raw:q} --record {input.records:q}"
        " --codes {output.codes:q} --domain {output.domain:q} > {log:q} 2>&1"
