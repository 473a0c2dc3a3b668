"""The names that other programs may rely on, and the wheel in an environment with nothing but numpy and scipy."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest
import scipy

import corrldp

ROOT = Path(__file__).resolve().parents[1]
NAMES = [
    "Table",
    "Study",
    "protocol",
    "SPL",
    "SMP",
    "RSFD",
    "RSRFD",
    "CorrRR",
    "CondRR",
    "JRR",
    "Castell",
    "LoPub",
    "protocols",
    "leakage",
    "dependence",
    "privacy",
    "testing",
]


def test_the_public_names():
    assert sorted(corrldp.__all__) == sorted(NAMES)
    assert set(NAMES) < set(dir(corrldp))


@pytest.mark.parametrize("name", sorted({*NAMES} - {"Study", "testing"}))
def test_a_public_name_leads_to_what_it_names(name):
    found = getattr(corrldp, name)
    assert found.__name__.rpartition(".")[2] == name


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(AttributeError, match="no attribute 'SPLL'; it has Table"):
        _ = corrldp.SPLL


def test_the_package_of_protocols_lists_them_when_called():
    import corrldp.protocols.spl

    assert corrldp.protocols()[:2] == ("SPL", "SPL[SUE]")


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Python of an environment that has the wheel, numpy and scipy, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "flit_core.wheel", "--outdir", str(folder), str(ROOT)], check=True)
    venv.create(folder / "env", with_pip=False)
    python = folder / "env/bin/python"
    [packages] = (folder / "env/lib").glob("python*/site-packages")
    for library in (np, scipy):
        home = Path(library.__file__).parent
        for part in home.parent.glob(f"{home.name}*"):
            (packages / part.name).symlink_to(part)
    [wheel] = folder.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    return python


def run(python, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([str(python), *arguments], env=environment, cwd="/", capture_output=True, text=True)


@pytest.mark.end_to_end
def test_the_wheel_needs_numpy_and_scipy_only(installed):
    code = """
import corrldp, numpy as np
for name in corrldp.protocols():
    sizes = (3,) if name == "JRR" else (2, 3)
    protocol, rng = corrldp.protocol(name, 1.0, sizes), np.random.default_rng(1)
    records = np.column_stack([rng.integers(k, size=400) for k in sizes])
    assert protocol.estimate(protocol.privatize(records, rng)).shape == (len(sizes), 3)
import corrldp.leakage.cpl, corrldp.leakage.calibration, corrldp.leakage.total
for name in sorted(set(corrldp.__all__) - {"Study"}):
    getattr(corrldp, name)
"""
    done = run(installed, "-c", code)
    assert done.returncode == 0, done.stderr
    assert run(installed, "-c", "import pandas").returncode == 1


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--help"], 0, "protocols"),
        (["--version"], 0, corrldp.__version__),
        (["protocols"], 0, "SMP"),
        (["protocols", "--names"], 0, "RS+FD[OUE-z]"),
        (["unknown"], 2, "invalid choice"),
    ],
)
def test_the_command(installed, arguments, status, words):
    done = run(installed, "-m", "corrldp", *arguments)
    script = subprocess.run([installed.with_name("corrldp"), *arguments], capture_output=True, text=True, cwd="/")
    assert done.returncode == script.returncode == status
    assert words in script.stdout + script.stderr
