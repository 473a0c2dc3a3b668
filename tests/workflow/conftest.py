"""Copies of the project in temporary directories, in which tests run, edit and replan it."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import warm
import yaml

from claimaudit import yaml_files
from claimaudit.audit.claims import load
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from replication.data.store import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
MIRROR = ROOT / SHIPPED
LINKS = ("refines", "follows")
KEPT = "womens_clothing"
"""The data set that the experiments below read."""

SMALL = {"experiments": ["laws", "fig6", "datasets"], "exhibits": ["fig6", "table1", "table2", "table3"]}
SHORTENED = {
    "papers/cpl/paper.yaml": ("surrogates: 5000", "surrogates: 50"),
    "papers/corrldp/paper.yaml": ("d: [2, 4, 6, 8]", "d: [2, 6]"),
}
"""Surrogates and points, which few runs make no cheaper."""

NOWHERE = "http://127.0.0.1:9"
FEW_RUNS = 0.05
# In place of each job: it leaves files that name themselves.
STUB = """#!/bin/sh
for path in "$@"; do case $path in
    data/*|results/*|figures/*|tables/*|report/*) test -e "$path" || echo "$path" > "$path";;
esac; done
"""


@dataclass
class Project:
    """A copy of the project, and the environment in which its workflow runs."""

    root: Path
    environment: dict
    python: Path

    @property
    def warm(self):
        """A PATH in which `python -m` begins warm."""
        return os.pathsep.join([str(self.python), self.environment["PATH"]])

    def snakemake(self, *arguments, fails=False, **environment):
        """Start snakemake with these arguments and no others; return its whole output.

        Its jobs begin warm, unless `environment` has another PATH.
        """
        done = subprocess.run(
            [self.python / "python", "-m", "snakemake", *map(str, arguments)],
            cwd=self.root,
            env=self.environment | {"PATH": self.warm} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) is fails, done.stdout
        return done.stdout

    def run(self, *arguments, cores=2, fails=False, **environment):
        """Run the workflow and return snakemake's whole output; if cores is None, do not pass it."""
        with_cores = [] if cores is None else ["--cores", cores]
        return self.snakemake(*with_cores, *arguments, fails=fails, **environment)

    def plan(self, *arguments):
        """Return the messages of the jobs that snakemake would run; empty if there is nothing to do.

        A job that makes several figures or tables has a message for each.
        """
        text = self.snakemake("--dry-run", *arguments)
        parts = re.findall(r"^Job \d+: (\w+: printed numbers of |\w+: )?(.+?)( against ours)?$", text, re.MULTILINE)
        jobs = [f"{before}{name}{after}" for before, names, after in parts for name in names.split(", ")]
        assert len(jobs) == len(set(jobs)), text
        assert bool(jobs) != ("Nothing to be done" in text), text
        return set(jobs)

    def paper(self):
        return yaml.safe_load((self.root / "papers/jrr/paper.yaml").read_text())

    def drawn(self):
        return {name: entry for name, entry in self.paper()["exhibits"].items() if "title" in entry}

    @contextmanager
    def edited(self, path, change):
        path = self.root / path
        status, text = path.stat(), path.read_text()
        path.write_text(change(text))
        try:
            yield
        finally:
            path.write_text(text)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def edited_paper(self, change):
        def rewritten(text):
            content = yaml.safe_load(text)
            change(content)
            return yaml.safe_dump(content, sort_keys=False)

        return self.edited("papers/jrr/paper.yaml", rewritten)


def with_setting(config, name, value):
    text, found = re.subn(rf"^{name}: .*$", f"{name}: {value}", config, flags=re.MULTILINE)
    assert found == 1
    return text


def copy_project(target):
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)


def names_in(item):
    return [item] if isinstance(item, str) else list(item)


def shown_by(claim):
    return {*names_in(claim.get("of", [])), *filter(None, [claim.get("figure")])}


def shrink(root):
    """Keep three experiments and what depends on them, so that the workflow takes seconds."""
    jrr, claims, registry, config = (
        root / name
        for name in ("papers/jrr/paper.yaml", "papers/jrr/claims.yaml", "config/datasets.yaml", "config/config.yaml")
    )
    content = {path: yaml.safe_load(path.read_text()) for path in (jrr, claims, registry, config)}
    for kind, names in SMALL.items():
        content[jrr][kind] = {name: content[jrr][kind][name] for name in names}
    items = [item for entry in content[jrr]["experiments"].values() for item in entry.get("axes", [])]
    listed = {axis for item in items for axis in names_in(item)}
    content[jrr]["axes"] = {axis: entry for axis, entry in content[jrr]["axes"].items() if axis in listed}
    del content[jrr]["readings"]  # of experiments that are not kept
    content[jrr]["data"] = {
        name: entry for name, entry in content[jrr]["data"].items() if KEPT in entry.get("datasets", [KEPT])
    }
    known = {*SMALL["experiments"], *SMALL["exhibits"]}
    context = validation.load(Folder(root / "papers/jrr")).context()
    entries = [claim.entry for claim in load(claims, context)]
    kept = [entry for entry in entries if shown_by(entry) and shown_by(entry) <= known]
    shrink_exhibits(content[jrr])
    ids = {claim["id"] for claim in kept}
    kept = [{name: value for name, value in claim.items() if name not in LINKS or value in ids} for claim in kept]
    named = {claim["cause"] for claim in kept if "cause" in claim}
    causes = {name: cause for name, cause in content[claims]["causes"].items() if name in named}
    content[claims] = {"causes": causes, "sections": [{"title": "What is kept", "claims": kept}]}
    for kind in ("datasets", "views"):
        content[registry][kind] = {KEPT: content[registry][kind][KEPT]}
    content[config]["fetch"]["retries"] = 0
    for path, value in content.items():
        path.write_text(yaml.safe_dump(value, sort_keys=False))
    cases = root / "config/cases.yaml"
    cases.write_text(yaml.safe_dump({"pages": yaml_files.read(cases)["pages"]}))  # without claims that are not kept,
    (root / "config/conclusions.yaml").write_text("[]\n")  # on which these rest, too
    (root / "papers/jrr/notebook.py").unlink()  # it uses results that are not kept


def shrink_exhibits(paper):
    """Keep what the exhibits that are left share."""
    known = paper["exhibits"]
    paper["shared"] = [
        {
            **group,
            "axes": [axis for axis in group["axes"] if axis in (*paper["axes"], "runs")],
            "exhibits": [name for name in group["exhibits"] if name in known],
        }
        for group in paper["shared"]
        if len(known.keys() & set(group["exhibits"])) > 1
    ]


@pytest.fixture(scope="session")
def python():
    with warm.started() as folder:
        yield folder


@pytest.fixture(scope="session")
def project(tmp_path_factory, python):
    """Make a fresh copy of the project, by default with one paper (all use the same rules), few runs and its own cache.

    Only addresses of this machine answer. Without a mirror, there are no shipped copies either.
    """
    home = tmp_path_factory.mktemp("home")

    def make(name, cache=None, mirror=True, small=True, papers="[jrr]"):
        root = tmp_path_factory.mktemp(name) / "project & paths with blanks"
        copy_project(root)
        config = root / "config/config.yaml"
        config.write_text(with_setting(with_setting(config.read_text(), "papers", papers), "runs_factor", FEW_RUNS))
        if small:
            shrink(root)
        removed = ("CORRLDP_DATA_MIRROR", "SNAKEMAKE_PROFILE", "no_proxy", "NO_PROXY")
        environment = {key: value for key, value in os.environ.items() if key not in removed} | {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "XDG_CACHE_HOME": str(home),
            "SNAKEMAKE_OUTPUT_CACHE": str(cache or root.parent / "cache"),
            "CORRLDP_DATA_STORE": str(root.parent / "store"),
            "CORRLDP_TEST_NOTES": str(root.parent / "notes"),
            "PYTHONPATH": str(ROOT / "tests/workflow/recorder"),
            **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE),
        }
        if mirror:
            environment["CORRLDP_DATA_MIRROR"] = str(MIRROR)
        else:
            shutil.rmtree(root / SHIPPED)
        return Project(root, environment, python)

    return make


@pytest.fixture(scope="session")
def files_of():
    """Function (page of the documentation) -> the files that it writes, by path."""

    def read(page):
        text = (ROOT / "docs" / page).read_text()
        return dict(re.findall(r"^`([\w/.]+)`\n\n```\w+\n(.*?)^```$", text, flags=re.M | re.S))

    return read


@pytest.fixture(scope="session")
def follow(project, files_of):
    """Function (page, paper that it adds) -> a copy of the project in which the page has been followed."""

    def make(page, paper):
        copy = project(paper)
        for name, text in files_of(page).items():
            (copy.root / name).parent.mkdir(parents=True, exist_ok=True)
            (copy.root / name).write_text(text)
        config = copy.root / "config/config.yaml"
        config.write_text(config.read_text().replace("- jrr", f"- jrr\n- {paper}"))
        return copy

    return make


@pytest.fixture(scope="session")
def complete(project):
    """The project with all papers after its whole workflow on the shipped copies: few runs, some settings shortened."""
    papers = yaml_files.read(ROOT / "config/config.yaml")["papers"]
    complete = project("complete", small=False, papers=papers)
    del complete.environment["CORRLDP_DATA_MIRROR"]
    for path, (old, new) in SHORTENED.items():
        text = (complete.root / path).read_text()
        assert old in text
        (complete.root / path).write_text(text.replace(old, new))
    complete.run()
    return complete


@pytest.fixture(scope="session")
def copied(tmp_path_factory):
    """Function (project) -> the project after its run, in another directory."""

    def copy(project):
        root = tmp_path_factory.mktemp("copied") / "elsewhere & renamed"
        shutil.copytree(project.root, root, symlinks=True)
        return replace(project, root=root, environment=dict(project.environment))

    return copy


@pytest.fixture(scope="session")
def whole(project, tmp_path_factory):
    """The project with one paper after a run of its whole workflow whose jobs did nothing: what planning sees."""
    whole, python = project("whole", small=False), tmp_path_factory.mktemp("stub") / "python"
    python.write_text(STUB)
    python.chmod(0o755)
    whole.run(PATH=os.pathsep.join([str(python.parent), whole.environment["PATH"]]))
    return whole


@pytest.fixture(scope="session")
def small(project):
    small = project("small")
    small.run()
    return small
