"""Submitted jobs read the configuration without checks: it must be what the checks read."""

from pathlib import Path

import yaml

from corrldp.planning import content, project

ROOT = Path(__file__).resolve().parents[2]


def test_without_checks_the_content_is_the_same():
    path = ROOT / "config/config.yaml"
    config = yaml.safe_load(path.read_text())
    checked, read = project.load(ROOT, config, [path]), content.read(ROOT, config)
    assert read.registry == checked.registry
    assert {name: paper.entry for name, paper in read.papers.items()} == {
        name: paper.entry for name, paper in checked.papers.items()
    }
