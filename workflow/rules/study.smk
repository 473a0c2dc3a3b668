rule study:
    """Your own table (config/study.yaml): which protocol, how large an error, what leaks: report/study/index.html."""
    input:
        lambda wildcards: study()["file"],
    output:
        page="report/study/index.html",
        figures=directory("report/study/figures"),
        files=[
            f"report/study/{name}"
            for name in ("study.json", "settings.yaml", *(f"{name}.csv" for name in planned.ask("study")))
        ],
    log:
        "logs/study.log",
    conda:
        "../../environment.yml"
    params:
        file=STUDY,
        directory=subpath(output.page, parent=True),
        settings=lambda wildcards: study()["settings"],
        code=lambda wildcards: study()["code"],
    message:
        "Studying {input}"
    shell:
        "python -m corrldp study {input:q} --settings {params.file:q} --out {params.directory:q} 2>&1 | tee {log:q} >&2"
