rule table:
    input:
        unpack(of(jobs.table)),
    output:
        multiext("tables/{paper}/{table}", numbers=".csv", text=".md", sheet=".json"),
    log:
        "logs/{paper}/{table}.table.log",
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.table),
        code=code("claimaudit.report.table"),
    message:
        "{wildcards.paper}: {wildcards.table}"
    shell:
        "python -m claimaudit.report.table {params.setting:q} {output:q} {input.results:q}"
        " --published {input.published:q} --verdicts {input.verdicts:q} > {log:q} 2>&1"
