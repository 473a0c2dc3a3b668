# A rule of each stage of `claimaudit.stages` and of the workflow: a job is one call of its function.
for stage in jobs.stages:

    rule:
        name:
            stage.name
        input:
            unpack(part_of_job(stage, "reads")),
        output:
            outputs(stage),
        log:
            of_result(stage, stage.log),
        wildcard_constraints:
            result=one_of(stage),
        cache: "omit-software" if stage.cached else False
        priority: stage.priority
        localrule: stage.light
        conda:
            "../../environment.yml"
        params:
            task=part_of_job(stage, "task"),
            code=part_of_job(stage, "code"),
        message:
            message(stage)
        shell:
            "python -m claimaudit.task {params.task:q} {input:q} {output:q} > {log:q} 2>&1"

    if not stage.kinds:  # it is a target
        getattr(rules, stage.name).rule.docstring = f"{stage.message}: {stage.outputs(jobs.plan, ())[0]}"


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
