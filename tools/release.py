"""Build a release into a directory: sdists and wheels, documentation, an archive for Zenodo, a list of all components.

Nothing is uploaded. `--dry-run` checks the versions and says what would be built.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = {"corrldp": ROOT, "claimaudit": ROOT / "src"}
PRODUCTS = ("results", "figures", "tables", "report")
PRIVATE = ("report/study", "figures/README.md")
"""Among the products, but no part of a release: the study of a user's own table."""

LIBRARY_TESTS = (
    *("mechanisms", "protocols", "leakage", "collection"),
    *("test_numbers.py", "test_bad_input.py", "test_randomness.py"),
)
EXTRAS = {"corrldp": "peers,report", "claimaudit": "test"}  # what the library's tests need of each package

DATE = (1980, 1, 1, 0, 0, 0)  # of files in archives, so that equal content has equal bytes


def version() -> str:
    """Return the version, which all files must agree on.

    Raises ValueError if two files disagree.
    """
    projects = {
        name: tomllib.loads((place / "pyproject.toml").read_text())["project"] for name, place in PROJECTS.items()
    }
    stated = {f"{name}/pyproject.toml": project["version"] for name, project in projects.items()}
    report = projects["corrldp"]["optional-dependencies"]["report"]
    [needed] = (line for line in report if line.startswith("claimaudit=="))
    stated["the extra report"] = needed.removeprefix("claimaudit==")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    stated["CITATION.cff"] = citation["version"]
    changes = re.findall(r"^## (\S+)(?: - (\S+))?$", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    released = next(((name, date) for name, date in changes if name != "Unreleased"), ("none", ""))
    stated["CHANGELOG.md"] = released[0]
    if len(set(stated.values())) > 1:
        raise ValueError(f"versions differ: {', '.join(f'{name} has {one}' for name, one in stated.items())}")
    if released[1] != citation["date-released"]:
        raise ValueError(f"CHANGELOG.md says {released[1]} and CITATION.cff {citation['date-released']}: same date")
    return released[0]


def sources() -> list[str]:
    """Return the files under version control; data among them are those whose licences allow it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listed.splitlines() if (ROOT / name).is_file())


def products() -> list[str]:
    """Return the files of a run without those of a user's own study."""
    found = (path.relative_to(ROOT) for place in PRODUCTS for path in (ROOT / place).rglob("*") if path.is_file())
    return sorted(str(path) for path in found if not str(path).startswith(PRIVATE))


def licences() -> str:
    """Return the licence, the checksum and the place in the archive, if it is in it, of each data set, as CSV."""
    entries = yaml.safe_load((ROOT / "config/datasets.yaml").read_text(encoding="utf-8"))["datasets"]
    shipped = {path.name.removesuffix(".xz") for path in (ROOT / "data/shipped").iterdir()}
    found = pd.DataFrame.from_dict(entries, orient="index", columns=["title", "licence", "sha256", "file"])
    found["in the archive"] = np.where(found["file"].isin(shipped), "yes", "no")
    return found.drop(columns="file").to_csv(index_label="data set")


def zenodo() -> str:
    """Return the metadata of the deposit, from CITATION.cff."""
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    people = [one.get("name") or f"{one['family-names']}, {one['given-names']}" for one in known["authors"]]
    related = [
        {"identifier": one["doi"], "relation": "reviews", "resource_type": "publication-article"}
        for one in known["references"]
        if "doi" in one
    ]
    deposit = {
        "title": known["title"],
        "description": known["abstract"],
        "version": known["version"],
        "publication_date": known["date-released"],
        "upload_type": "software",
        "license": known["license"],
        "creators": [{"name": name} for name in people],
        "keywords": known["keywords"],
        "related_identifiers": related,
    }
    return json.dumps(deposit, indent=1, ensure_ascii=False) + "\n"


def components() -> str:
    """Return the bill of materials: the locked packages with their checksums."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", ROOT / "requirements.txt"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def archive(path: Path, made: Sequence[str]) -> None:
    """Write the archive: sources, the products of a run, metadata, licences and the checksums of all."""
    contents = {name: (ROOT / name).read_bytes() for name in [*sources(), *made]}
    texts = {".zenodo.json": zenodo(), "LICENCES-OF-DATA.csv": licences(), "COMPONENTS.json": components()}
    contents |= {name: text.encode() for name, text in texts.items()}
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(contents.items()))
    contents["SHA256SUMS"] = sums.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(f"{path.stem}/{name}", DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)


def packages(out: Path) -> list[Path]:
    """Build an sdist and a wheel of each project."""
    for place in PROJECTS.values():
        for kind in ("sdist", "wheel"):
            code = f"import sys; from flit_core.buildapi import build_{kind}; build_{kind}(sys.argv[1])"
            subprocess.run([sys.executable, "-c", code, str(out)], cwd=place, check=True, stdout=subprocess.DEVNULL)
    return sorted([*out.glob("*.whl"), *out.glob("*.tar.gz")])


def documentation(out: Path) -> None:
    """Build the documentation as one archive."""
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    site = out / "site"
    subprocess.run(["mkdocs", "build", "--quiet", "--site-dir", str(site)], cwd=ROOT, check=True, env=quiet)
    shutil.make_archive(str(out / "documentation"), "zip", site)
    shutil.rmtree(site)


def try_packages(wheels: Sequence[Path], out: Path) -> None:
    """Install the wheels into a clean environment, and run the library's tests on them, not on this directory."""
    place = out / "clean"
    venv.create(place, with_pip=True, clear=True)
    python = place / "bin/python"
    own = [f"{path}[{EXTRAS[path.name.partition('-')[0]]}]" for path in wheels]
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *own], check=True)
    tests = out / "tests"
    shutil.copytree(ROOT / "tests", tests, dirs_exist_ok=True)
    chosen = [str(tests / name) for name in LIBRARY_TESTS]
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    clean["HYPOTHESIS_STORAGE_DIRECTORY"] = str(tests / "examples")  # else one would stay beside the packages
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", f"pythonpath={tests}", *chosen]
    subprocess.run(command, cwd=out, check=True, env=clean)
    shutil.rmtree(place)
    shutil.rmtree(tests)


def faults(made: Sequence[str]) -> Iterator[str]:
    """Yield what stands in the way of a release."""
    pending = re.search(r"^## Unreleased\n(.*?)(?=^## )", (ROOT / "CHANGELOG.md").read_text(), flags=re.M | re.S)
    if pending and pending[1].strip():
        yield "CHANGELOG.md has changes under Unreleased: give them a version and a date"
    if "report/ro-crate-metadata.json" not in made:
        yield "there is no whole run: make"
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True)
    if changed.stdout.strip():
        yield "files differ from the last commit: commit them"


def main(argv: Sequence[str] | None = None) -> int:
    """Build a release, or say in one line each what stands in its way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the release goes (default: dist)")
    parser.add_argument("--dry-run", action="store_true", help="check and build the packages and the archive only")
    options = parser.parse_args(argv)
    try:
        number, made = version(), products()
    except ValueError as error:
        parser.exit(1, f"release: {error}\n")
    found = list(faults(made))
    for line in found:
        print(f"release: {line}", file=sys.stderr)
    if found and not options.dry_run:
        return 1
    out = options.out.resolve()  # packages are built in other directories
    out.mkdir(parents=True, exist_ok=True)
    try:
        built = packages(out)
        archive(out / f"corrldp-{number}-archive.zip", made)
        if not options.dry_run:
            documentation(out)
            try_packages([path for path in built if path.suffix == ".whl"], out)
    except subprocess.CalledProcessError as error:
        parser.exit(1, f"release: {Path(error.cmd[0]).name} failed with exit status {error.returncode}; see above\n")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
