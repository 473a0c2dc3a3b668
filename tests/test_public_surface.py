"""The names that other programs may rely on, and the wheel with nothing but numpy and scipy, or with one extra."""

import functools
import os
import re
import shlex
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import pandas as pd
import pytest
from packaging.requirements import Requirement

import corrldp

ROOT = Path(__file__).resolve().parents[1]
TABLE = "place,answer,illness\n" + "Ely,yes,no\nYork,no,no\nEly,no,yes\nYork,yes,yes\n" * 40
FEW = "epsilons: [1]\nprotocols: [SPL, SMP]\nruns: 10\ntables: {ways: [2], sets: 1}\n"


@pytest.mark.parametrize("name", sorted({*corrldp.__all__} - {"Study", "testing"}))
def test_a_public_name_leads_to_what_it_names(name):
    """Which there are, the committed stub says: see test_project.py."""
    found = getattr(corrldp, name)
    assert found.__name__.rpartition(".")[2] == name


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(AttributeError, match="no attribute 'SPLL'; it has Table"):
        _ = corrldp.SPLL


OWN = {"corrldp": ROOT, "claimaudit": ROOT / "src"}
"""The distributions of this repository."""


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """Directory where both packages are installed from the wheels that are published."""
    folder, target = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("published")
    for place in OWN.values():
        subprocess.run([sys.executable, "-m", "flit_core.wheel", "--outdir", str(folder), str(place)], check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(target), *map(str, folder.glob("*.whl"))], check=True)
    return target


@pytest.fixture(scope="session")
def with_extra(published, tmp_path_factory):
    """Function that returns Python of an environment with a package, what it and some extras need, and nothing else.

    Nothing is downloaded: the environment borrows the packages of this one for which the wheels' own metadata ask. With
    `tools` it has these in place of the packages of this repository.
    """
    own = {name: next(iter(metadata.distributions(name=name, path=[str(published)]))) for name in OWN}

    @functools.cache
    def create(extra="", package="corrldp", tools=()):
        folder = tmp_path_factory.mktemp(extra.replace(",", "-") or "plain")
        venv.create(folder, with_pip=False)
        [packages] = folder.glob("lib/python*/site-packages")
        names = {package, *needed(own[package].requires, set(extra.split(",")), own)}
        for name in (names - set(own)).union(tools) if tools else names:
            found = own.get(name) or metadata.distribution(name)
            for part in {path.parts[0] for path in found.files if path.parts[0] not in ("..", "__pycache__", "bin")}:
                link = packages / part
                if not link.exists():
                    link.symlink_to(found.locate_file(part))
        return folder / "bin/python"

    return create


def needed(requirements, extras, own):
    """Return the names of all packages that some requirements with these extras lead to."""
    names, pending, seen = set(), [(line, extras) for line in requirements], set()
    while pending:
        line, extras = pending.pop()
        one = Requirement(line)
        if one.marker is not None and not any(one.marker.evaluate({"extra": extra}) for extra in extras or {""}):
            continue
        key = (one.name, frozenset(one.extras))
        if key in seen:
            continue
        seen.add(key)
        found = own.get(one.name) or metadata.distribution(one.name)
        assert one.specifier.contains(found.version), f"{one}, but there is {found.version}"
        names.add(one.name)
        pending += [(each, {"", *one.extras}) for each in found.requires or ()]
    return names


def run(python, *arguments, cwd="/", status=0):
    """Return what Python did with these arguments; it must end with the status."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(python), *arguments], env=environment, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.mark.end_to_end
def test_the_wheel_needs_numpy_and_scipy_only(with_extra):
    code = """
import corrldp, numpy as np
for name in corrldp.list_protocols():
    sizes = (3,) if name == "JRR" else (2, 3)
    protocol, rng = corrldp.protocol(name, 1.0, sizes), np.random.default_rng(1)
    records = np.column_stack([rng.integers(k, size=400) for k in sizes])
    assert protocol.estimate(protocol.privatize(records, rng)).shape == (len(sizes), 3)
import corrldp.leakage.cpl, corrldp.leakage.total
for name in sorted(set(corrldp.__all__) - {"Study"}):
    getattr(corrldp, name)
"""
    run(with_extra(), "-c", code)
    run(with_extra(), "-c", "import pandas", status=1)


INSTALL = {
    ".": ("", "corrldp"),
    "./src": ("", "claimaudit"),
    "./src '.[report]'": ("report", "corrldp"),
    "./src '.[report,excel]'": ("report,excel", "corrldp"),
}
"""What pages install in a clone, as nothing is released: which extras of which package."""


def test_pages_install_from_a_clone():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src/corrldp").rglob("*.html")]
    pages.remove(ROOT / "docs/guard-a-readme.md")  # where the clone lies is a matter of its own job
    texts = [page.read_text(encoding="utf-8") for page in [*pages, ROOT / "config/ways.yaml"]]
    found = {line.strip() for text in texts for line in re.findall(r"pip install ([^`#<\n]*)", text)}
    assert found == {*INSTALL}


@pytest.mark.end_to_end
@pytest.mark.parametrize("line", [".", "./src '.[report,excel]'"])
def test_what_pages_say_installs(with_extra, line):
    """Without extras and with those that include the others; claimaudit alone is what the auditor's test needs."""
    what = INSTALL[line]
    python = with_extra(*what, tools=("pip", "flit_core"))
    run(python, "-c", f"import {what[1]}", status=1)
    options = ("--no-index", "--no-build-isolation", "--disable-pip-version-check")
    run(python, "-m", "pip", "install", *options, *shlex.split(line), cwd=ROOT)
    run(python, "-m", what[1], "--help")
    run(python, "-c", "from corrldp import Study", status=int("report" not in what[0]))


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--version"], 0, corrldp.__version__),
        (["protocols", "--names"], 0, "RS+FD[OUE-z]"),
        (["unknown"], 2, "invalid choice"),
    ],
)
def test_the_command(with_extra, published, arguments, status, words):
    run(with_extra(), "-m", "corrldp", *arguments, status=status)
    script = run(with_extra(), published / "bin/corrldp", *arguments, status=status)
    assert words in script.stdout + script.stderr


@pytest.mark.end_to_end
def test_the_extra_report_is_all_that_a_study_needs(with_extra, tmp_path):
    (tmp_path / "my.csv").write_text(TABLE)
    (tmp_path / "few.yaml").write_text(FEW)
    python = with_extra("report")
    run(python, "-m", "corrldp", "study", "my.csv", "--domains", "few.yaml", cwd=tmp_path)
    assert "LoPub" in (tmp_path / "study/joint.csv").read_text()
    run(python, "-c", "from corrldp import Study")


@pytest.mark.end_to_end
def test_an_excel_file_is_read_with_the_extra_that_the_page_of_a_study_names(with_extra, tmp_path):
    rows = [line.split(",") for line in TABLE.splitlines()]
    pd.DataFrame(rows[1:], columns=rows[0]).to_excel(tmp_path / "my.xlsx", index=False)
    code = "from corrldp import Study; print(Study('my.xlsx').table.n)"
    done = run(with_extra("report,excel"), "-c", code, cwd=tmp_path)
    assert done.stdout == f"{len(rows) - 1}\n"


@pytest.mark.end_to_end
def test_the_auditor_works_where_corrldp_is_not(with_extra, published, tmp_path):
    python = with_extra(package="claimaudit")
    run(python, "-c", "import corrldp", status=1)
    run(python, "-m", "claimaudit", "init", "words", cwd=tmp_path)
    run(python, "-m", "claimaudit", "run", "words", cwd=tmp_path)
    assert (tmp_path / "audit/report/words.html").is_file()
    assert run(python, published / "bin/claimaudit", "--version").stdout.startswith("claimaudit ")


@pytest.mark.end_to_end
def test_the_extra_workflow_is_all_that_the_package_imports(with_extra):
    code = """
import importlib, pkgutil, corrldp
for module in pkgutil.walk_packages(corrldp.__path__, "corrldp."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    run(with_extra("workflow"), "-c", code)


@pytest.mark.end_to_end
def test_an_extra_is_all_that_the_replication_needs_and_another_brings_slurm(with_extra, tmp_path):
    plan = ["--dry-run", "--quiet", "all", "--directory", str(tmp_path), "figures/jrr/fig3.pdf"]
    run(with_extra("workflow"), "-m", "snakemake", *plan, cwd=ROOT)
    run(with_extra("cluster"), "-c", "import snakemake.cli, snakemake_executor_plugin_slurm")


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-m", "corrldp", "study", "my.csv"], "corrldp study: a study needs "),
        (
            ["-c", "from corrldp.protocols.lopub import lasso; lasso(None, None, 0)"],
            "corrldp.extras.MissingExtraError: LoPub's regression needs scikit-learn: in a clone, pip install ",
        ),
    ],
)
def test_a_missing_extra_is_one_line_that_names_it(with_extra, arguments, line):
    done = run(with_extra(), *arguments, status=2 if arguments[0] == "-m" else 1)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(line)
    assert "in a clone, pip install ./src '.[" in last
    if arguments[0] == "-m":
        assert done.stderr.count("\n") == 1
