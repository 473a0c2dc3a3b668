"""The pictures of the README, and that the numbers drawn in them are those of a run."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import t

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs/images"
FIGURE = "corr_rr/fig3"
OURS = ["mean", "se", "runs"]
FALSE_ALARM = 1e-3


def numbers(path):
    """The numbers drawn, but for their ratios."""
    return pd.read_csv(path).query("ratio_to.isna()")


def test_the_readme_shows_the_only_pictures_of_the_repository():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    pictures = [name for name in listed if name.endswith((".png", ".svg", ".jpg", ".gif", ".pdf", ".webp"))]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert pictures == ["docs/images/corr_rr_fig3.svg", "docs/images/start_page.png"]
    assert [name for name in pictures if f'src="{name}"' not in readme] == []
    assert all((ROOT / name).stat().st_size < 150_000 for name in pictures)


def test_the_finding_of_the_readme_is_a_conclusion():
    [said] = re.findall(r"^Found, for one: \*(.*)\*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert said in [one["states"] for one in yaml.safe_load((ROOT / "config/conclusions.yaml").read_text())]


@pytest.mark.end_to_end
def test_numbers_drawn_are_those_of_a_run(project):
    """With fewer runs, settings, printed numbers and theory are equal, and the means agree within their errors.

    Any of the means raises a false alarm with probability FALSE_ALARM, by Student's t of the run of fewer.
    """
    shown = numbers(IMAGES / f"{FIGURE.replace('/', '_')}.csv")
    fresh = project("pictures", small=False, papers="[corr_rr, corr_rr_preprint]")
    fresh.run(f"figures/{FIGURE}.csv", "--config", "runs_factor=0.2")
    run = numbers(fresh.root / f"figures/{FIGURE}.csv")
    pd.testing.assert_frame_equal(run.drop(columns=OURS), shown.drop(columns=OURS), rtol=1e-9)
    assert (run["runs"] < shown["runs"]).all()
    distance = (run["mean"] - shown["mean"]).abs() / np.hypot(run["se"], shown["se"])
    assert (distance < t.isf(FALSE_ALARM / (2 * len(run)), run["runs"] - 1)).all()
