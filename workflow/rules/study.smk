rule study_table:
    """The codes of your own table, and their domains."""
    input:
        study_source,
    output:
        multiext("data/study/table", codes=".npy", domain=".json"),
    log:
        "logs/study/table.log",
    conda:
        "../../environment.yml"
    params:
        setting=study_setting(lambda name: name in study_names.READING),
        code=lambda wildcards: code("corrldp.study.reading"),
    message:
        "Reading the table of the study"
    shell:
        "python -m corrldp.study.reading {params.setting:q} {input:q} {output:q} 2>&1 | tee {log:q} >&2"


rule study_numbers:
    """All tables of the study of your own table: report/study/*.csv."""
    input:
        table="data/study/table.npy",
        domain="data/study/table.json",
    output:
        expand("report/study/{table}", table=[study_names.ABOUT, *(f"{name}.csv" for name in study_names.TABLES)]),
    log:
        "logs/study/numbers.log",
    conda:
        "../../environment.yml"
    params:
        setting=study_setting(lambda name: name not in ("file", *study_names.READING)),
        code=study_code,
    message:
        "Computing errors, leakage and budgets of the study"
    shell:
        "python -m corrldp.study.numbers {params.setting:q} {input.table:q} report/study > {log:q} 2>&1"


rule study_page:
    """The figures and the page of the study of your own table."""
    input:
        about=f"report/study/{study_names.ABOUT}",
        tables=expand("report/study/{table}.csv", table=study_names.TABLES),
    output:
        page="report/study/index.html",
        settings="report/study/settings.yaml",
        figures=directory("report/study/figures"),
    log:
        "logs/study/page.log",
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: code("corrldp.study.page", data=TEMPLATES),
    message:
        "Drawing the page of the study"
    shell:
        "python -m corrldp.study.page {input.about:q} > {log:q} 2>&1"
