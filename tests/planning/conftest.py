"""A copy of the project's configuration that tests may damage."""

import shutil
from pathlib import Path

import pytest
import yaml

from claimaudit.names import ConfigurationError
from corrldp.planning import checks
from corrldp.planning.project import Project

ROOT = Path(__file__).resolve().parents[2]


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
        loaded = Project(*checks.load(self.root, {**merged, "papers": list(papers), **settings}, sources))
        for paper in loaded.papers.values():
            entry = paper.entry
            resolved = [paper.job(name) | {"views": paper.view_names(name)} for name in entry.experiments]
            resolved += [paper.style("figures", name) for name in entry.figures]
            resolved += [*map(paper.table, entry.tables), *map(paper.search, paper.searches())]
            resolved += [paper.evidence(), paper.predicted(), paper.resolved()]
        return loaded

    def refused(self, **options):
        """Return the lines in which planning refuses; none if it does not."""
        try:
            self.plan(**options)
        except ConfigurationError as error:
            return str(error).splitlines()
        return []

    def replace(self, name, old, new):
        """Replace a text that a file has once."""
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, text.count(old)
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def copy(tmp_path):
    for name in ("config", "papers"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(tmp_path)
