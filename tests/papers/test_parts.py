"""In how many parts an experiment can be computed."""

from pathlib import Path

import pytest
import yaml

from corrldp.configuration import parse
from corrldp.papers.entries import PaperEntry
from corrldp.papers.paper import Paper

FILE = Path(__file__).resolve().parents[2] / "config/papers/jrr.yaml"


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
    content = yaml.safe_load(FILE.read_text())
    content["experiments"][experiment]["strict_factor"] = strict_factor
    assert Paper(parse(content, PaperEntry)).most_parts(experiment) == most
