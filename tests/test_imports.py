"""Commands import no library that they can do without: hundreds of processes pay for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[1]
PLAN = f"""
from pathlib import Path
import yaml
import replication.jobs
from replication import validation
config = Path({str(ROOT)!r}) / "config/config.yaml"
validation.load(config.parents[1], yaml.safe_load(config.read_text()), [config])
"""


@pytest.mark.parametrize(
    ("code", "spared"),
    [
        ("import corrldp; corrldp.SPL", {"scipy", "pandas", "pydantic", "yaml", "importlib.metadata"}),
        ("import corrldp.deployment.collect", {"scipy", "pandas", "pydantic", "yaml"}),
        ("import corrldp.study.command", {"pandas", "matplotlib", "scipy.stats"}),
        (PLAN, {"scipy.stats", "scipy.interpolate", "sklearn", "matplotlib", "requests", "lark"}),
        ("import claimaudit.plots.curves", {"scipy", "seaborn", "requests"}),
        ("import claimaudit.report.table", {"matplotlib", "scipy.stats", "requests"}),
        ("import claimaudit.task, claimaudit.experiments.engine", {"scipy.stats", "matplotlib", "requests"}),
        ("import claimaudit.task, claimaudit.audit.judging.audit", {"matplotlib", "lark", "requests"}),
    ],
)
def test_unneeded_libraries_are_not_imported(code, spared):
    program = f"import sys\n{code}\nprint(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "workflow")])}
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment)
    assert spared & set(done.stdout.split()) == set()
