import inspect
import os
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
from replication.jobs import Jobs
from replication.parameters import Parameters
from replication.parameters import code as code_of
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

jobs = Jobs(ROOT, config, planned)
parameters = Parameters(jobs, inherited)
PAPERS = planned.papers
# Runs of another size take other times.
progress = Progress(home / f"seconds-{config['runs_factor'] * config['multiply_runs']:g}.json")
TEMPLATES = sorted((ROOT / "src/claimaudit/report/templates").glob("*"))
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
    CORRLDP_FETCH_POLICY=parameters.fetch_policy,
    MPLBACKEND="Agg",
    SNAKEMAKE_OUTPUT_CACHE=str(output_cache),
    **{PLANNED_VARIABLE: parameters.identities},
)


wildcard_constraints:
    paper="|".join(PAPERS),
    experiment="[a-z][a-z0-9_]*",
    exhibit="[a-z][a-z0-9_]*",
    part="[0-9]+",
    parts="[0-9]+",


def of(function):
    """Return a function of wildcards that passes on those that `function` has as parameters.

    Snakemake asks for parameters again and again, so answers are kept. A wildcard `result` is ``paper/experiment``.
    """
    names, function = list(inspect.signature(function).parameters), cache(function)

    def of_wildcards(wildcards):
        given = dict(wildcards.items())
        try:
            jobs.check(given)
        except ConfigurationError as error:
            sys.exit(str(error))  # whatever else is raised here, Snakemake shows with a traceback
        if "result" in given:
            given["paper"], given["experiment"] = given["result"].split("/")
        return function(*(given[name] for name in names))

    return of_wildcards


def code(*modules, data=()):
    """Return the parameter function that fingerprints modules, and further files that they read."""
    return lambda wildcards: code_of(*modules, data=tuple(ROOT / "src/claimaudit" / name for name in data))


def compute_what_is_forced():
    """Leave the cache alone in a run that the user forces (-f, -F, -R): it computes results, and does not fetch them."""
    asked = workflow.dag_settings
    if workflow.is_main_process and (asked.forceall or asked.forcetargets or asked.forcerun):
        for one in workflow.rules:
            one.cache = None


def one_of(rule):
    """Return the wildcard constraint for the experiments whose results a rule makes."""
    return "|".join(jobs.results[rule]) or "none"


def fetch_setting(wildcards):
    """Return the setting of a data set; earlier files lie below the prefix of a module."""
    raw = Path(rules.fetch.output.raw)
    return of(lambda dataset: parameters.fetch(dataset, raw.parent.parent.parent))(wildcards)
