import gc
import os
import sys
from functools import cache
from pathlib import Path

# Else the collector searches Snakemake, all rules, jobs and the configuration again and again, and at the end once more.
gc.freeze()
gc.set_threshold(100_000)

ROOT = Path(workflow.current_basedir).parent.parent.resolve()
SOURCES = [str(ROOT / "src"), str(ROOT / "workflow")]
sys.path[:0] = SOURCES

from snakemake import persistence
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from claimaudit.yaml_files import read
from claimaudit.names import ConfigurationError
from replication.data.store import Places, attempt
from replication.project import Planned
from replication.run import Progress, broken_links, links_to_files
from replication.times import stage_of

# Snakemake imports pandas, a sixth of a plan with nothing to do, to tell whether a parameter is a table. None is one as
# long as nobody else has imported pandas. Earlier versions have no such class.
base = getattr(persistence, "PersistenceBase", None)
if with_tables := getattr(base, "_serialize_param_pandas", None):
    base._serialize_param_pandas = lambda self, value: (
        with_tables(self, value) if "pandas" in sys.modules else self._serialize_param_builtin(value)
    )

inherited = dict(os.environ)
home = Path(inherited.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "corrldp"

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
os.environ.update(CLAIMAUDIT_PROJECT=str(ROOT))  # so that files are relative to the project, wherever results are made
try:
    planned = Planned(ROOT, config, [Path(path) for path in workflow.configfiles])
except ConfigurationError as error:
    raise WorkflowError(str(error)) from None

PAPERS = planned.ask("homes")
# Processors that differ in the last bits have caches of their own, so that the bytes of a result do not depend on a clone.
shared = Path(inherited.get("SNAKEMAKE_OUTPUT_CACHE") or home)
output_cache = shared if shared.name == planned.ask("arithmetic") else shared / planned.ask("arithmetic")
for private in (home, output_cache):  # whoever could read them would know which data a user has
    private.mkdir(mode=0o700, parents=True, exist_ok=True)

# Runs of another size take other times.
progress = Progress(home / f"seconds-{config['runs_factor']:g}.json")
os.environ.update(
    # So that jobs find the packages without installation.
    # Runners are modules below the directories in which the folders of papers lie.
    PYTHONPATH=os.pathsep.join(
        dict.fromkeys([*SOURCES, *PAPERS.values(), *filter(None, [inherited.get("PYTHONPATH")])])
    ),
    CORRLDP_DATA_STORE=inherited.get("CORRLDP_DATA_STORE") or str(home / "raw"),
    MPLBACKEND="Agg",
    SNAKEMAKE_OUTPUT_CACHE=str(output_cache),
    **planned.ask("variables"),
)


wildcard_constraints:
    paper="|".join(PAPERS),
    experiment="[a-z][a-z0-9_]*",
    exhibit="[a-z][a-z0-9_]*",
    figure="[a-z][a-z0-9_]*",
    part="[0-9]+",
    parts="[0-9]+",


def asked(*names):
    """Return what is planned, or end with one line if there is none; Snakemake shows errors with a traceback."""
    try:
        return planned.ask(*names)
    except ConfigurationError as error:
        sys.exit(str(error))


def part_of_job(stage, part):
    """Return the function of wildcards for what a job of a stage `reads`, its `task` or its `code`."""
    return lambda wildcards: asked("job", stage["stage"], *(stage["names"] or names_in(wildcards)))[part]


def names_in(wildcards):
    """Return the names of an item; where stages share a form of files, one wildcard has ``paper/experiment``."""
    return [name for value in wildcards for name in value.split("/") if name]


def outputs(stage):
    """Return the outputs of a stage; figures are shown by Snakemake's own report, too."""
    if stage["cached"]:
        return multiext(stage["stem"], *stage["suffixes"])
    shown = stage["stage"] == "figure"
    return [in_report(file) if shown and file.endswith(".svg") else file for file in stage["files"]]


def in_report(file):
    """Return a figure as Snakemake's report shows it."""

    def title(wildcards, depth):
        """Return the title of the paper, or of the figure."""
        names = Path(file.format(**dict(wildcards.items()))).with_suffix("").parts[1:depth]
        return planned.ask("title", *names)

    return report(
        file,
        caption=str(ROOT / "workflow/report/figure.rst"),
        category=lambda wildcards: title(wildcards, 2),
        labels=lambda wildcards: {"figure": title(wildcards, 3)},
    )


def compute_what_is_forced():
    """Leave the cache alone in a run that the user forces (-f, -F, -R): it computes results, and does not fetch them."""
    asked = workflow.dag_settings
    if workflow.is_main_process and (asked.forceall or asked.forcetargets or asked.forcerun):
        for one in workflow.rules:
            one.cache = None


def part_of_fetch(part):
    """Return the function of wildcards for the `task` of fetching a data set, or its `code`."""
    return lambda wildcards: fetch_of(wildcards.dataset)[part]


@cache
def fetch_of(dataset):
    """Return the job that fetches a data set, which is another one if a stand-in is to be replaced.

    Earlier files lie below the prefix of a module.
    """
    record = Path(rules.fetch.output.record.format(dataset=dataset))
    number = attempt(record, *asked("raw", dataset), Places.of(config["mirrors"], ROOT))
    return asked("fetch", dataset, str(number))


STUDY = os.path.relpath(ROOT / "config/study.yaml")
TEMPLATES = sorted(
    path for place in ("claimaudit/report", "corrldp/study") for path in (ROOT / "src" / place).glob("templates/*")
)


@cache
def study():
    """Return the file of a study, its settings and the fingerprint of its code, or end with one line.

    They are read when its job is planned, so that mistakes in them stop nothing else.
    """
    from corrldp.protocols.names import source_of
    from corrldp.study import settings
    from replication.jobs import code

    try:
        found = settings.load(Path(STUDY))
        own = filter(None, map(source_of, found.protocols))
        code_of_study = code("corrldp.study.command", *own, data=TEMPLATES, numeric=True)
    except ConfigurationError as error:
        sys.exit(str(error))
    except ValueError as error:
        sys.exit(f"config/study.yaml: protocols: {error}")
    if found.file is None:
        sys.exit("config/study.yaml names no table: write file: path/to/table.csv")
    if not Path(found.file).is_file():
        sys.exit(f"config/study.yaml: there is no file {found.file}; correct file")
    return {"file": found.file, "settings": found.model_dump_json(exclude={"file"}), "code": code_of_study}
