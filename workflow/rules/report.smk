rule report:
    input:
        verdicts=expand("report/verdicts/{paper}.json", paper=PAPERS),
        figures=outputs("figures", "figures/{paper}/{id}.svg"),
        numbers=outputs("figures", "figures/{paper}/{id}.csv"),
        tables=outputs("tables", "tables/{paper}/{id}.csv"),
        texts=outputs("tables", "tables/{paper}/{id}.md"),
        data=expand("data/raw/{dataset}.json", dataset=wanted_datasets()),
        records=outputs("experiments", "results/{paper}/{id}.json"),
    output:
        page="report/index.html",
    log:
        "logs/report.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
        setting=report_setting,
        code=code("corrldp.report", *sorted((ROOT / "src/corrldp/report/templates").glob("*"))),
    message:
        "Assembling the report"
    shell:
        "python -m corrldp.report {params.setting:q} --verdicts {input.verdicts} --figures {input.figures}"
        " --figure-tables {input.numbers} --tables {input.tables} --tables-markdown {input.texts}"
        " --data {input.data} --records {input.records} --output {output.page} > {log} 2>&1"
