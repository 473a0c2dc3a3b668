# Rules of each stage of `claimaudit.stages` and of the workflow: a job calls its function for an item, or for several.
for stage in planned.ask("rules"):

    rule:
        name:
            stage["name"]
        input:
            unpack(part_of_job(stage, "reads")),
        output:
            outputs(stage),
        log:
            stage["log"],
        wildcard_constraints:
            result="|".join(stage["results"]) or "none",
        cache: "omit-software" if stage["cached"] else False
        priority: stage["priority"]
        localrule: stage["light"]
        conda:
            "../../environment.yml"
        params:
            task=part_of_job(stage, "task"),
            code=part_of_job(stage, "code"),
        message:
            stage["message"]
        shell:
            "python -m claimaudit.task {params.task:q} {input:q} {output:q} > {log:q} 2>&1"

    if stage["target"]:
        getattr(rules, stage["name"]).rule.docstring = f"{stage['message']}: {stage['target']}"


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
