rule table:
    input:
        table=result_of("tables"),
        published=published_of("tables"),
    output:
        multiext("tables/{paper}/{table}", numbers=".csv", text=".md"),
    log:
        "logs/{paper}/{table}.table.log",
    conda:
        "../../environment.yml"
    params:
        setting=drawing("tables"),
        code=code("corrldp.report.table"),
    message:
        "{wildcards.paper}: {wildcards.table}"
    shell:
        "python -m corrldp.report.table {params.setting:q} {input:q} {output:q} > {log:q} 2>&1"
