import json
import os
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(workflow.current_basedir).parent.parent.resolve()
sys.path.insert(0, str(ROOT / "src"))

from snakemake.exceptions import WorkflowError

from corrldp.configuration import read
from corrldp.data.mirrors import SHIPPED, attempt, mirror_locations
from corrldp.data.store import Store
from corrldp.fingerprint import arithmetic, fingerprint, numeric_versions
from corrldp.names import ConfigurationError
from corrldp.planning import project
from corrldp.protocols.own import source_of
from corrldp.report import source
from corrldp.results import PLANNED_VARIABLE, identity
from corrldp.study import names as study_names

inherited = dict(os.environ)
home = Path(inherited.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "corrldp"
# Processors that differ in the last bits have caches of their own, so that the bytes of a result do not depend on a clone.
place = Path(inherited.get("SNAKEMAKE_OUTPUT_CACHE") or home)
output_cache = str(place if place.name == arithmetic() else place / arithmetic())
Path(output_cache).mkdir(mode=0o700, parents=True, exist_ok=True)
# So that jobs find the package without installation, and relative mirrors are relative to the project, not --directory.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(ROOT / "src"), inherited.get("PYTHONPATH")])),
    CORRLDP_PROJECT=str(ROOT),
    CORRLDP_DATA_STORE=inherited.get("CORRLDP_DATA_STORE") or str(home / "raw"),
    MPLBACKEND="Agg",
    SNAKEMAKE_OUTPUT_CACHE=output_cache,
)

# Another workflow may use this one as a module, with a prefix for all files. It passes its own settings in place of
# config/config.yaml, which has those that it leaves open.
MODULE = not workflow.modifier.is_main_snakefile()
PLACE = Path(workflow.modifier.path_modifier.prefix or "")
if MODULE:
    config = read(ROOT / "config/config.yaml") | config

# Snakemake cannot plan with broken links. They are left to the user, because planning changes nothing.
gone = [link for link in (PLACE / "results").glob("*/*") if not link.exists()]
if gone:
    raise WorkflowError(
        f"{len(gone)} results, such as {gone[0]}, are links into a cache that is gone; "
        f"delete them (find {PLACE / 'results'} -xtype l -delete), and they are computed again"
    )

SCHEMAS = ROOT / "src/corrldp/schemas"
if workflow.is_main_process:
    from corrldp.planning import project

    try:
        planned = project.load(ROOT, config, [] if MODULE else [Path(path) for path in workflow.configfiles])
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from None
else:  # a submitted job, which plans itself: the checks, done before, would take longer than many a job
    planned = project.read(ROOT, config)
REGISTRY, PAPERS = planned.registry, planned.papers


wildcard_constraints:
    paper="|".join(PAPERS),
    experiment="[a-z][a-z0-9_]*",
    exhibit="[a-z][a-z0-9_]*",
    part="[0-9]+",
    parts="[0-9]+",


def of_project(path):
    """Return the path of a file of the project as seen from here; absolute inputs would be stale where the project moves."""
    return os.path.relpath(ROOT / path)


def canonical(**setting):
    """Return one JSON string for a whole setting, which snakemake uses to compare and cache jobs."""
    return json.dumps(setting, sort_keys=True, separators=(",", ":"))


# How data are found, not which. In the environment, because parameters are part of what makes a raw file stale.
fetch_policy = canonical(**{name: config[name] for name in ("mirrors", "fetch", "on_unavailable")})
os.environ.update(CORRLDP_FETCH_POLICY=fetch_policy)


def code(module, *data_files):
    """Return the parameter function that fingerprints a module's code."""
    return lambda wildcards: fingerprint(module, *data_files)


def entry(kind, wildcards):
    """Return the configuration of one experiment, figure or table."""
    return getattr(PAPERS[wildcards.paper].entry, kind)[wildcards[kind.removesuffix("s")]]


def outputs(kind, pattern, papers=PAPERS):
    """Return the files of every experiment, figure or table of some papers."""
    return [pattern.format(paper=paper, id=id) for paper in papers for id in getattr(PAPERS[paper].entry, kind)]


def wanted_datasets():
    """Return the names of the data sets to fetch: all that have a file, large ones only if requested."""
    chosen = set(config["optional_data"])
    files = {name: entry for name, entry in REGISTRY["datasets"].items() if entry["kind"] == "file"}
    return [name for name, entry in files.items() if not entry.get("optional") or name in chosen]


def addresses():
    """Return the canonical addresses of each data set to fetch."""
    return {name: [one["url"] for one in REGISTRY["datasets"][name]["sources"]] for name in wanted_datasets()}


def wanted_views():
    """Return the names of the aligned views whose data sets are fetched."""
    fetched = set(wanted_datasets())
    return [name for name, view in REGISTRY["views"].items() if fetched.issuperset(view["datasets"])]


def aligned_files():
    """Return the files of the aligned views whose data sets are fetched."""
    return [f"data/aligned/{view}{suffix}" for view in wanted_views() for suffix in (".npy", ".json")]


def fetch_setting(wildcards):
    name, dataset = wildcards.dataset, REGISTRY["datasets"][wildcards.dataset]
    locations = [*mirror_locations(config["mirrors"], inherited, ROOT), str(ROOT / SHIPPED)]
    number = attempt(PLACE / f"data/raw/{name}.json", dataset, locations, Store.of(os.environ))
    return canonical(name=name, dataset=dataset, attempt=number)


def align_setting(wildcards):
    view = REGISTRY["views"][wildcards.view]
    datasets = {name: REGISTRY["datasets"][name] for name in view["datasets"]}
    return canonical(name=wildcards.view, view=without_reasons(view), datasets=datasets)


def without_reasons(content):
    """Return a recipe without the prose that says why it is so, which makes no data stale."""
    if isinstance(content, list):
        return [without_reasons(entry) for entry in content]
    if not isinstance(content, dict):
        return content
    return {key: without_reasons(value) for key, value in content.items() if key != "why"}


def align_inputs(wildcards):
    """Return the raw files behind a view, and their records."""
    names = REGISTRY["views"][wildcards.view]["datasets"]
    return {"raw": [f"data/raw/{name}.data" for name in names], "records": [f"data/raw/{name}.json" for name in names]}


def experiment_setting(wildcards):
    return canonical(**planned(wildcards.paper, wildcards.experiment))


def planned(paper, experiment):
    """Return all that determines an experiment's result, except code and data."""
    return PAPERS[paper].job(experiment) | sizes(PAPERS[paper].entry.experiments[experiment])


def sizes(experiment):
    """Return the seed and the number of runs of an experiment."""
    factor = min(config["runs_factor"], experiment.runs_factor or config["runs_factor"]) * config["multiply_runs"]
    return {"seed": config["seed"], "runs": max(2, round((experiment.runs or 0) * factor))}


# What each result must rest on; jobs believe no other table, such as one that somebody put into the cache.
identities = {
    f"{paper}/{name}": identity(planned(paper, name)) for paper in PAPERS for name in PAPERS[paper].entry.experiments
}
os.environ[PLANNED_VARIABLE] = canonical(**identities)


def runner_code(wildcards):
    """Return all that determines the digits of a result: the runner's code and the numeric libraries."""
    modules = ["corrldp.experiments", *PAPERS[wildcards.paper].modules(wildcards.experiment)]
    return " ".join([*map(fingerprint, modules), numeric_versions()])


def paper_code(wildcards):
    """Return the fingerprint of the code that reads a paper's configuration."""
    paper = PAPERS[wildcards.paper]
    modules = {module for name in paper.entry.experiments for module in paper.modules(name)}
    return " ".join(map(fingerprint, ["corrldp.papers", *sorted(modules)]))


def experiments_where(holds):
    """Return the wildcard constraint for the experiments that satisfy a condition, each with its paper."""
    found = [
        f"(?<=results/{paper}/){name}"
        for paper, content in PAPERS.items()
        for name in content.entry.experiments
        if holds(content, name)
    ]
    return "|".join(found) or "none-of-them"


def view_files(wildcards):
    """Return the views that an experiment reads; optional ones only if their data sets are wanted."""
    return views_of(wildcards.paper, wildcards.experiment)


def views_of(paper, experiment):
    names = PAPERS[paper].view_names(experiment)
    wanted = set(wanted_views())
    return [f"data/aligned/{view}{suffix}" for view in names if view in wanted for suffix in (".npy", ".json")]


def parts_of(paper, experiment):
    """Return the number of jobs that share the points of an experiment; 0 if it is a job of rule `experiment`."""
    stated = paper.entry.experiments[experiment]
    if stated.runs and config["parts"] > 1:
        return max(stated.parts, min(config["parts"], paper.most_parts(experiment)))
    return stated.parts if stated.parts > 1 else 0


def part_files(wildcards):
    """Return the files of an experiment's parts, in order."""
    parts = parts_of(PAPERS[wildcards.paper], wildcards.experiment)
    return [f"results/{wildcards.paper}/parts/{wildcards.experiment}.{part}-of-{parts}.json" for part in range(parts)]


def figure_setting(wildcards):
    return canonical(
        paper=wildcards.paper,
        figure=wildcards.figure,
        title=entry("figures", wildcards).title,
        style=PAPERS[wildcards.paper].style("figures", wildcards.figure),
    )


def figure_inputs(wildcards):
    """Return the result table that a figure draws, and the published numbers, if it has any."""
    shown = entry("figures", wildcards)
    return {
        "table": f"results/{wildcards.paper}/{shown.experiment}.csv",
        "published": published_files(wildcards, [shown.published] if shown.published else []),
    }


def table_setting(wildcards):
    return canonical(paper=wildcards.paper, table=wildcards.table, **PAPERS[wildcards.paper].table(wildcards.table))


def table_inputs(wildcards):
    """Return the result tables that a table shows, the printed numbers, and what the audit says was run for these."""
    paper, shown = wildcards.paper, entry("tables", wildcards)
    exhibits = PAPERS[paper].table(wildcards.table)["exhibits"]
    experiments = [shown.experiment, *(exhibit["experiment"] for exhibit in exhibits.values())]
    return {
        "results": [f"results/{paper}/{name}.csv" for name in dict.fromkeys(experiments)],
        "published": published_files(wildcards, shown.published),
        "verdicts": [f"report/verdicts/{paper}.json"] if exhibits else [],
    }


def plot_module(wildcards):
    return f"corrldp.plots.{entry('figures', wildcards).plot}"


def figure_files():
    """Return the outputs of one figure; `snakemake --report` shows the SVG under its paper and its title."""
    base = "figures/{paper}/{figure}"
    shown = report(
        f"{base}.svg",
        caption=str(ROOT / "workflow/report/figure.rst"),
        category=lambda wildcards: PAPERS[wildcards.paper].entry.name,
        labels=lambda wildcards: {"figure": entry("figures", wildcards).title},
    )
    return {"pdf": f"{base}.pdf", "svg": shown, "png": f"{base}.png", "numbers": f"{base}.csv"}


def paper_files(paper):
    """Return all products of one paper but what the report says of it: results, figures, tables, verdicts, notebook."""
    suffixes = {"experiments": ("csv", "json"), "figures": ("csv", "pdf", "png", "svg"), "tables": ("csv", "md")}
    places = {"experiments": "results", "figures": "figures", "tables": "tables"}
    return [
        *(
            name
            for kind in places
            for suffix in suffixes[kind]
            for name in outputs(kind, f"{places[kind]}/{{paper}}/{{id}}.{suffix}", [paper])
        ),
        *searches([paper]),
        *searches([paper], ".json"),
        f"report/verdicts/{paper}.json",
        f"report/predictions/{paper}.json",
        *notebooks([paper]),
    ]


def notebooks(papers=PAPERS):
    """Return the files of the notebooks of some papers."""
    return [
        f"report/notebooks/{name}.{suffix}" for name in walkthroughs() if name in papers for suffix in ("html", "ipynb")
    ]


def published_files(wildcards, names=("*",)):
    """Return the files of printed numbers of a paper, all or some."""
    place = ROOT / f"config/published/{wildcards.paper}"
    return [of_project(path) for name in names for path in sorted(place.glob(f"{name}.csv"))]


def report_files(wildcards):
    """Return all files that the report shows."""
    return [
        *(f"report/papers/{paper}.json" for paper in PAPERS),
        *(f"report/verdicts/{paper}.json" for paper in PAPERS),
        *(f"report/predictions/{paper}.csv" for paper in PAPERS),
        *outputs("figures", "figures/{paper}/{id}.svg"),
        *outputs("figures", "figures/{paper}/{id}.pdf"),
        *outputs("figures", "figures/{paper}/{id}.csv"),
        *outputs("tables", "tables/{paper}/{id}.csv"),
        *outputs("tables", "tables/{paper}/{id}.md"),
        *(f"data/raw/{dataset}.json" for dataset in wanted_datasets()),
        *outputs("experiments", "results/{paper}/{id}.json"),
        of_project("config/conclusions.yaml"),
    ]


def pages():
    """Return the pages of the report."""
    return [f"report/{name}.html" for name in ("index", "provenance", *PAPERS)]


@cache
def described_source():
    """Return the version and the commit of the project; cached because each call starts git twice."""
    return source.describe(ROOT)


def report_setting(wildcards):
    """Return the parts of the configuration that the report states."""
    return canonical(
        seed=config["seed"],
        family_level=config["family_level"],
        runs_factor=config["runs_factor"] * config["multiply_runs"],
        versions=numeric_versions(),
        notebooks=walkthroughs(),
        source=described_source(),
        addresses=addresses(),
        views={name: view["datasets"] for name, view in REGISTRY["views"].items()},
    )


def search_setting(wildcards):
    paper = PAPERS[wildcards.paper]
    found = paper.search(wildcards.exhibit)
    found["job"] |= sizes(paper.entry.experiments[found["job"]["experiment"]])
    return canonical(**found)


def search_code(wildcards):
    """Return all that determines the digits of a search: its code, the runner's and the numeric libraries."""
    paper = PAPERS[wildcards.paper]
    modules = paper.modules(paper.entry.exhibits[wildcards.exhibit].experiment)
    return " ".join([*map(fingerprint, ["corrldp.audit.search", *modules]), numeric_versions()])


def search_tables(wildcards):
    """Return the result tables of the exhibits that share their number of runs with the one that is searched."""
    exhibits = PAPERS[wildcards.paper].search(wildcards.exhibit)["exhibits"].values()
    return [
        f"results/{wildcards.paper}/{name}.csv" for name in dict.fromkeys(entry["experiment"] for entry in exhibits)
    ]


def search_views(wildcards):
    """Return the views that the experiment of an exhibit reads."""
    return views_of(wildcards.paper, PAPERS[wildcards.paper].entry.exhibits[wildcards.exhibit].experiment)


def searches(papers=PAPERS, suffix=".csv"):
    """Return the tables of tried readings of some papers, or their records."""
    return [f"results/{paper}/search/{name}{suffix}" for paper in papers for name in PAPERS[paper].searches()]


def audit_inputs(wildcards):
    """Return what the verdicts on a paper rest on."""
    return {
        "claims": of_project(f"config/claims/{wildcards.paper}.yaml"),
        "published": published_files(wildcards),
        "tables": outputs("experiments", "results/{paper}/{id}.csv", [wildcards.paper]),
        "searches": searches([wildcards.paper]),
    }


def audit_setting(wildcards):
    evidence = PAPERS[wildcards.paper].evidence()
    return canonical(paper=wildcards.paper, level=config["level"], family_level=config["family_level"], **evidence)


def prediction_setting(wildcards):
    paper = PAPERS[wildcards.paper]
    return canonical(paper=wildcards.paper, predicted=paper.predicted(), **paper.evidence())


def prediction_tables(wildcards):
    """Return the result tables of the experiments that repeat an exhibit."""
    exhibits = PAPERS[wildcards.paper].entry.exhibits.values()
    return [f"results/{wildcards.paper}/{name}.csv" for name in dict.fromkeys(entry.experiment for entry in exhibits)]


def walkthroughs():
    """Return the papers that have a notebook."""
    return [paper for paper in PAPERS if (ROOT / f"workflow/notebooks/{paper}.py").exists()]


def notebook_code(wildcards):
    """Return the fingerprints of the code that makes a notebook and of the modules that its script imports."""
    script = (ROOT / f"workflow/notebooks/{wildcards.paper}.py").read_text(encoding="utf-8")
    modules = re.findall(r"^from (corrldp[\w.]*) import", script, flags=re.MULTILINE)
    return " ".join(map(fingerprint, ["corrldp.report.notebook", *modules]))


def report_parts():
    """Return the files of the report that are for readers and for programs."""
    return [
        *pages(),
        "report/report.pdf",
        *(f"report/claims.{suffix}" for suffix in ("csv", "json", "txt")),
        "report/predictions.csv",
        *(f"report/verdicts/{paper}.json" for paper in PAPERS),
        *notebooks(),
    ]


def crate_inputs(wildcards):
    """Return the files of the report, and those that document their sources."""
    return {
        "parts": report_parts(),
        "citation": of_project("CITATION.cff"),
        "papers": [f"report/papers/{paper}.json" for paper in PAPERS],
        "data": [f"data/raw/{dataset}.json" for dataset in wanted_datasets()],
        "results": outputs("experiments", "results/{paper}/{id}.json"),
    }


def crate_setting(wildcards):
    names = ("seed", "runs_factor", "multiply_runs", "level", "family_level", "on_unavailable")
    return canonical(**{name: config[name] for name in names}, versions=numeric_versions())


STUDY_FILES = [study_names.ABOUT, *(f"{name}.csv" for name in study_names.TABLES)]


@cache
def study():
    """Read config/study.yaml when a job of the study is planned, so that its faults stop nothing else."""
    from corrldp.study import settings

    try:
        return settings.load(ROOT / "config/study.yaml")
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from None


def study_source(wildcards):
    """Return the file to study."""
    if study().file is None:
        raise WorkflowError("config/study.yaml names no table: write file: path/to/table.csv")
    if not Path(study().file).is_file():
        raise WorkflowError(f"config/study.yaml: there is no file {study().file}; correct file")
    return study().file


def study_page_file(wildcards):
    """Return the page of the study; Snakemake itself would take an existing page although its table is gone."""
    study_source(wildcards)
    return "report/study/index.html"


def study_setting(wanted):
    """Return the parameter function for some of the settings, by name."""

    def setting(wildcards):
        content = study().model_dump(mode="json", exclude={"file"})
        return canonical(**{name: value for name, value in content.items() if wanted(name)})

    return setting


def study_code(wildcards):
    """Return all that determines the digits of a study: its code, that of one's own protocols, the numeric libraries."""
    modules = ["corrldp.study.numbers", *filter(None, map(source_of, study().protocols))]
    try:
        return " ".join([*map(fingerprint, modules), numeric_versions()])
    except ValueError as error:
        raise WorkflowError(f"config/study.yaml: protocols: {error}") from None
