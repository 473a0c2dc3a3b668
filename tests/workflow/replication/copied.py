"""A copy of the project's configuration that tests may damage."""

import shutil
from pathlib import Path

import yaml

from claimaudit import yaml_files
from claimaudit.audit import claims as files
from claimaudit.names import ConfigurationError
from claimaudit.papers.folder import Folder
from claimaudit.published import read_published
from replication import validation

ROOT = Path(__file__).resolve().parents[3]


class Copy:
    """A copy of config/ and papers/, and how to plan with it."""

    def __init__(self, root):
        self.root, self.config = root, root / "config"

    def plan(self, papers=("jrr",), smoke=False, **settings):
        """Do what Snakemake does when it plans: merge the settings, check everything, resolve every entry."""
        sources = [self.config / name for name in (["smoke.yaml"] if smoke else []) + ["config.yaml"]]
        merged = {}
        for path in reversed(sources):
            try:
                content = yaml.safe_load(path.read_text(encoding="utf-8"))
            except yaml.YAMLError:
                content = None  # planning reads the file again and says where
            merged |= content if isinstance(content, dict) else {}
        registry, papers = validation.load(self.root, {**merged, "papers": list(papers), **settings}, sources)
        for paper in papers.values():
            entry = paper.entry
            for resolve, names in (
                (paper.computed, [name for name, one in entry.experiments.items() if one.runner]),
                *((paper.view_names, entry.experiments), (paper.style, entry.drawn), (paper.table, paper.tables)),
            ):
                list(map(resolve, names))
            paper.searched(), paper.outline(), paper.predicted(), paper.context(), paper.description()
        return registry, papers

    def meaning(self, paper, smoke=False):
        """Return all that the configuration says of a paper, and the numbers that it prints, as one text."""
        registry, papers = self.plan([paper], smoke)
        found, folder = papers[paper], Folder.of(self.root, paper)
        configured = [yaml_files.read(self.config / f"{name}.yaml") for name in ("config", "smoke", "conclusions")]
        printed = {path.stem: read_published(path).to_csv() for path in sorted(folder.published.glob("*.csv"))}
        claims = [
            folder.claims.exists() and files.load(folder.claims, found.context()),
            folder.claims.exists() and files.load_causes(folder.claims),
            folder.claims.exists() and yaml_files.read(folder.claims).get("unchecked"),
        ]
        return repr([configured, registry, found.entry, claims, printed])

    def refused(self, **options):
        """Return the lines in which planning refuses; none if it does not."""
        try:
            self.plan(**options)
        except ConfigurationError as error:
            return str(error).splitlines()
        return []

    def replace(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, text.count(old)
        path.write_text(text.replace(old, new), encoding="utf-8")


def made_copy(root):
    for name in ("config", "papers"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(root)
