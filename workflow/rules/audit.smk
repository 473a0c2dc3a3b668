rule verdicts:
    input:
        claims=str(ROOT / "config/claims/{paper}.yaml"),
        published=published_files,
        tables=lambda wildcards: outputs("experiments", "results/{paper}/{id}.csv", [wildcards.paper]),
    output:
        verdicts="report/verdicts/{paper}.json",
    log:
        "logs/{paper}/verdicts.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
        setting=lambda wildcards: canonical(paper=wildcards.paper, level=config["level"]),
        published=lambda wildcards: ROOT / f"config/published/{wildcards.paper}",
        code=code("corrldp.audit"),
    message:
        "{wildcards.paper}: checking the claims"
    shell:
        "python -m corrldp.audit {params.setting:q} {input.claims} {params.published} {input.tables}"
        " {output.verdicts} > {log} 2>&1"


rule claims:
    input:
        verdicts=expand("report/verdicts/{paper}.json", paper=PAPERS),
    output:
        table="report/claims.csv",
    log:
        "logs/claims.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
        code=code("corrldp.audit.summary"),
    message:
        "Collecting the verdicts of all papers"
    shell:
        "python -m corrldp.audit.summary {output.table} {input.verdicts} > {log} 2>&1"


rule audit:
    input:
        table="report/claims.csv",
        text="logs/claims.log",
    localrule: True
    message:
        "Verdicts (report/claims.csv):"
    shell:
        "cat {input.text}"
