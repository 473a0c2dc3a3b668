import os
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(workflow.current_basedir).parent.parent.resolve()
SOURCES = [str(ROOT / "src"), str(ROOT / "workflow")]
sys.path[:0] = SOURCES

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from claimaudit.configuration import read
from claimaudit.fingerprint import arithmetic, remember
from claimaudit.names import ConfigurationError
from claimaudit.results import PLANNED_VARIABLE
from corrldp.protocols.names import source_of
from corrldp.study.tables import TABLES
from replication.jobs import Jobs, code, code_of
from replication.project import plan
from replication.run import Progress, broken_links, links_to_files

inherited = dict(os.environ)
home = Path(inherited.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "corrldp"
# Processors that differ in the last bits have caches of their own, so that the bytes of a result do not depend on a clone.
shared = Path(inherited.get("SNAKEMAKE_OUTPUT_CACHE") or home)
output_cache = shared if shared.name == arithmetic() else shared / arithmetic()
for private in (home, output_cache):  # whoever could read them would know which data a user has
    private.mkdir(mode=0o700, parents=True, exist_ok=True)

# Snakemake cannot plan with broken links. They are left to the user, because planning changes no product.
if gone := broken_links(Path("results")):
    raise WorkflowError(
        f"{len(gone)} results, such as {gone[0]}, are links into a cache that is gone; "
        "delete them (find results -xtype l -delete), and they are computed again"
    )

# Before Snakemake reads it, which cannot say in one line what is wrong with it.
try:
    usual = read(ROOT / "config/config.yaml")
except ConfigurationError as error:
    raise WorkflowError(f"config/{error}") from None


configfile: ROOT / "config/config.yaml"


# A workflow that uses this one as a module passes its own settings; config/config.yaml has those that it leaves open.
config = usual | config
remember(home / "sources.json")
try:
    planned = plan(ROOT, config, [Path(path) for path in workflow.configfiles], home / "checked")
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None

jobs = Jobs(ROOT, config, planned, inherited)
PAPERS = planned.papers
# Runs of another size take other times.
progress = Progress(home / f"seconds-{config['runs_factor']:g}.json")
os.environ.update(
    # So that jobs find the packages without installation, and relative mirrors are relative to the project.
    # Runners are modules below the directories in which the folders of papers lie.
    PYTHONPATH=os.pathsep.join(
        dict.fromkeys(
            [*SOURCES, *(str(paper.folder.path.parent) for paper in planned.papers.values())]
            + list(filter(None, [inherited.get("PYTHONPATH")]))
        )
    ),
    CLAIMAUDIT_PROJECT=str(ROOT),
    CORRLDP_DATA_STORE=inherited.get("CORRLDP_DATA_STORE") or str(home / "raw"),
    # Not parameters, since neither makes a file stale.
    CORRLDP_FETCH_POLICY=jobs.fetch_policy,
    MPLBACKEND="Agg",
    SNAKEMAKE_OUTPUT_CACHE=str(output_cache),
    **{PLANNED_VARIABLE: jobs.identities},
)


wildcard_constraints:
    paper="|".join(PAPERS),
    experiment="[a-z][a-z0-9_]*",
    exhibit="[a-z][a-z0-9_]*",
    figure="[a-z][a-z0-9_]*",
    part="[0-9]+",
    parts="[0-9]+",


def checked(**names):
    """End with one line unless there is what a requested file names; Snakemake shows errors with a traceback."""
    try:
        jobs.check(names)
    except ConfigurationError as error:
        sys.exit(str(error))


@cache
def job_of(stage, *names):
    """Return what the job of an item reads, its task and its code; Snakemake asks again and again.

    Where stages share a form of files, the item is named in one piece, ``paper/experiment``.
    """
    item = tuple(names[0].split("/")) if stage.listed else names
    checked(**dict(zip(stage.kinds, item)))
    job = stage.job(jobs.plan, *item)
    return {"reads": job.reads, "task": jobs.task(stage, job, item), "code": code_of(stage, job)}


def part_of_job(stage, part):
    """Return the function of wildcards for what a job of a stage `reads`, its `task` or its `code`."""
    return lambda wildcards: job_of(stage, *wildcards)[part]


def of_result(stage, pattern):
    """Return a pattern of files: where stages share a form of files, each lists its own results."""
    return pattern.replace("{paper}/{experiment}", "{result}") if stage.listed else pattern


def one_of(stage):
    """Return the wildcard constraint for the results that a stage makes."""
    if not stage.listed:
        return "[^/]+/[^/]+"
    return "|".join(f"{paper}/{name}" for paper, name in stage.items(jobs.plan)) or "none"


def message(stage):
    """Return the message of a stage's jobs."""
    return re.sub(r"{(\w+)}", r"{wildcards.\1}", of_result(stage, stage.message))


def outputs(stage):
    """Return the outputs of a stage; figures are shown by Snakemake's own report, too."""
    suffixes = stage.makes(jobs.plan).values()
    if stage.cached:
        return multiext(of_result(stage, stage.stem), *suffixes)
    files = [f"{of_result(stage, stage.stem)}{suffix}" for suffix in suffixes]
    return [in_report(file) if file.startswith("figures/") and file.endswith(".svg") else file for file in files]


def in_report(file):
    """Return a figure as Snakemake's report shows it."""
    return report(
        file,
        caption=str(ROOT / "workflow/report/figure.rst"),
        category=lambda wildcards: PAPERS[wildcards.paper].title,
        labels=lambda wildcards: {"figure": PAPERS[wildcards.paper].figures[wildcards.figure].title},
    )


def compute_what_is_forced():
    """Leave the cache alone in a run that the user forces (-f, -F, -R): it computes results, and does not fetch them."""
    asked = workflow.dag_settings
    if workflow.is_main_process and (asked.forceall or asked.forcetargets or asked.forcerun):
        for one in workflow.rules:
            one.cache = None


def fetch_setting(wildcards):
    """Return the setting of a data set; earlier files lie below the prefix of a module."""
    raw = Path(rules.fetch.output.raw)
    return fetch_of(wildcards.dataset, raw.parent.parent.parent)


@cache
def fetch_of(dataset, place):
    checked(dataset=dataset)
    return jobs.fetch(dataset, place)


STUDY = jobs.of_project("config/study.yaml")
TEMPLATES = sorted(
    path for place in ("claimaudit/report", "corrldp/study") for path in (ROOT / "src" / place).glob("templates/*")
)


@cache
def study():
    """Return the file of a study, its settings and the fingerprint of its code.

    They are read when its job is planned, so that mistakes in them stop nothing else.
    """
    from corrldp.study import settings

    try:
        found = settings.load(Path(STUDY))
        own = filter(None, map(source_of, found.protocols))
        code_of_study = code("corrldp.study.command", *own, data=TEMPLATES, numeric=True)
    except ConfigurationError as error:
        raise WorkflowError(str(error)) from None
    except ValueError as error:
        raise WorkflowError(f"config/study.yaml: protocols: {error}") from None
    if found.file is None:
        raise WorkflowError("config/study.yaml names no table: write file: path/to/table.csv")
    if not Path(found.file).is_file():
        raise WorkflowError(f"config/study.yaml: there is no file {found.file}; correct file")
    return {"file": found.file, "settings": found.model_dump_json(exclude={"file"}), "code": code_of_study}
