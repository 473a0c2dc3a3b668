"""In how many parts an experiment can be computed."""

from pathlib import Path

import pytest
import yaml

from claimaudit.configuration import parse
from claimaudit.papers.entries import PaperEntry
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper

FOLDER = Folder(Path(__file__).resolve().parents[2] / "papers/jrr")


@pytest.mark.parametrize(
    ("experiment", "strict_factor", "most"),
    [
        ("known_values", 1, 24),
        ("known_values", 4, 24),  # the same points under every reading
        ("fig3", 1, 63),
        ("fig3", 4, 1),  # other points under some reading, whose strict results others reuse
    ],
)
def test_a_part_has_a_point_at_least(experiment, strict_factor, most):
    content = yaml.safe_load(FOLDER.paper.read_text())
    content["experiments"][experiment]["runs_factor"] = [strict_factor, 1]
    assert Paper(parse(content, PaperEntry), FOLDER).most_parts(experiment) == most
