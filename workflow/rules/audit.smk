rule search:
    input:
        unpack(of(jobs.search)),
    output:
        multiext("results/{paper}/search/{exhibit}", table=".csv", record=".json"),
    log:
        "logs/{paper}/search.{exhibit}.log",
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.search),
        code=of(parameters.searching),
    message:
        "{wildcards.paper}: searching for the readings of {wildcards.exhibit}"
    shell:
        "python -m claimaudit.audit.search {params.setting:q} {output:q} --published {input.published:q}"
        " --tables {input.tables:q} --views {input.views:q} > {log:q} 2>&1"


rule verdicts:
    input:
        unpack(of(jobs.audit)),
    output:
        "report/verdicts/{paper}.json",
    log:
        "logs/{paper}/verdicts.log",
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.audit),
        claims=lambda wildcards: jobs.of_paper(wildcards.paper, "claims.yaml"),
        code=code("claimaudit.audit"),
    message:
        "{wildcards.paper}: checking the claims"
    shell:
        "python -m claimaudit.audit {params.setting:q} {params.claims:q} {input.tables:q} {output:q}"
        " --searches {input.searches:q} > {log:q} 2>&1"


rule claims:
    """The verdicts of all papers as one table, for readers and for programs."""
    input:
        expand("report/verdicts/{paper}.json", paper=PAPERS),
    output:
        table="report/claims.csv",
        records="report/claims.json",
        text="report/claims.txt",
    log:
        "logs/claims.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=code("claimaudit.audit.summary"),
    message:
        "Collecting the verdicts of all papers"
    shell:
        "python -m claimaudit.audit.summary {output.table:q} {output.records:q} {input:q} > {output.text:q} 2> {log:q}"


rule predictions_of_paper:
    input:
        unpack(of(jobs.predicted)),
    output:
        multiext("report/predictions/{paper}", table=".csv", record=".json"),
    log:
        "logs/{paper}/predictions.log",
    conda:
        "../../environment.yml"
    params:
        setting=of(parameters.predictions),
        published=lambda wildcards: jobs.of_paper(wildcards.paper, "published"),
        code=code("claimaudit.audit.predictions"),
    message:
        "{wildcards.paper}: predicting the numbers of its figures and tables"
    shell:
        "python -m claimaudit.audit.predictions paper {params.setting:q} {params.published:q} {input.tables:q} {output:q}"
        " > {log:q} 2>&1"


rule predictions:
    """What every number of every figure and table should be, with a 95 % interval: report/predictions.csv."""
    input:
        expand("report/predictions/{paper}.csv", paper=PAPERS),
    output:
        "report/predictions.csv",
    log:
        "logs/predictions.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=code("claimaudit.audit.predictions"),
    message:
        "Collecting the predictions of all papers"
    shell:
        "python -m claimaudit.audit.predictions join {input:q} {output:q} > {log:q} 2>&1"


rule audit:
    """The verdict on every claim, in the terminal and in report/claims.csv."""
    input:
        table="report/claims.csv",
        text="report/claims.txt",
    log:
        "logs/audit.log",
    localrule: True
    conda:
        "../../environment.yml"
    message:
        "Verdicts (also in report/claims.csv)"
    shell:
        "cat {input.text:q} | tee {log:q}"
