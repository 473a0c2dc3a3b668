"""Origin of a result: a run, the cache shared by clones, or stand-in data, and never the wrong one.

All in one file, so that one worker runs it and the shrunken project runs only once.
"""

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from claimaudit.storage import sealed
from replication.data.store import SHIPPED

pytestmark = pytest.mark.end_to_end

TABLES = ["results/jrr/laws.csv", "results/jrr/fig6.csv"]
TABLE = "tables/jrr/table1.md"
MIRROR = Path(__file__).resolve().parents[2] / SHIPPED
TARGETS = ["results/jrr/datasets.csv", "tables/jrr/table3.md", "report/verdicts/jrr.json"]


def test_a_project_that_moved_has_nothing_to_do(small, copied):
    assert copied(small).plan() == set()


def cache_of(project):
    return project.environment["SNAKEMAKE_OUTPUT_CACHE"]


def entries_of(project, table, cache):
    """Return the entries of a result in a copy of the project's cache; other code may have made the same one."""
    content = (project.root / table).read_bytes()
    entries = [path for path in cache.rglob(f"*{Path(table).suffix}") if path.read_bytes() == content]
    assert entries
    return entries


@pytest.fixture(scope="module")
def clone(project, small):
    """A second copy of the project that shares the first one's cache."""
    return project("clone", cache=cache_of(small))


def test_a_clone_gets_the_same_results_without_running_them(small, clone):
    output = clone.run(*TABLES)
    for table in TABLES:
        assert (clone.root / table).read_bytes() == (small.root / table).read_bytes()
        assert f"] Experiment jrr/{Path(table).stem}: from the cache" in output
        assert not (clone.root / table).is_symlink()


def test_a_forced_run_computes_and_does_not_read_the_cache(clone):
    before = (clone.root / TABLES[0]).read_bytes()
    for force in (["-f", TABLES[0]], ["--forcerun", "experiment", "--", TABLES[0]]):
        output = clone.run(*force)
        assert re.search(r"\] Experiment jrr/laws: [\d.]+ s", output)
        assert (clone.root / TABLES[0]).read_bytes() == before


def test_another_mechanism_is_computed_and_not_taken_from_the_cache(small, clone):
    with clone.edited("src/corrldp/protocols/jrr/mechanism.py", lambda text: text + "\nADDED = 1\n"):
        output = clone.run("results/jrr/laws.csv")
    assert re.search(r"\] Experiment jrr/laws: [\d.]+ s \(.*code: ", output)
    assert (clone.root / "results/jrr/laws.csv").read_bytes() == (small.root / "results/jrr/laws.csv").read_bytes()


def test_cached_files_are_for_the_user_alone(small):
    [directory] = Path(cache_of(small)).iterdir()
    assert list(directory.iterdir())
    for private in (directory, Path(small.environment["XDG_CACHE_HOME"]) / "corrldp"):
        assert private.stat().st_mode & 0o777 == 0o700


def spoiled(project, small, file, change):
    """Return a copy of the project in whose cache an entry is changed, and what is said of the table made of it."""
    copy = project("spoiled")
    shutil.copytree(cache_of(small), cache_of(copy))
    for entry in entries_of(small, file, Path(cache_of(copy))):
        entry.write_bytes(change(entry.read_bytes()))
    assert "] Experiment jrr/laws: from the cache" in copy.run(TABLE, fails=True)
    assert not (copy.root / TABLE).exists()
    return copy, (copy.root / "logs/jrr/table1.table.log").read_text().splitlines()[-1]


def test_an_entry_with_the_numbers_of_another_seed_is_refused(project, small):
    """Table and record agree, so that only the seed in the record shows it."""

    def another_seed(content):
        record = json.loads(content)
        return json.dumps(sealed({**record, "seed": record["seed"] + 1})).encode()

    _, said = spoiled(project, small, "results/jrr/laws.json", another_seed)
    assert "rests on another setting, seed" in said


def test_a_damaged_entry_is_an_error_whose_advice_heals_it(project, small):
    copy, said = spoiled(project, small, TABLES[0], lambda content: content + b"\n")
    link, entry = re.search(r"laws.csv has SHA-256 .*; delete (.+) and (.+) and re-run", said).groups()
    (copy.root / link).unlink()
    Path(entry).unlink()
    copy.run(TABLE)
    assert (copy.root / TABLE).read_bytes() == (small.root / TABLE).read_bytes()


def test_links_that_a_killed_run_left_are_named(clone, tmp_path):
    for suffix in ("csv", "json"):
        path = clone.root / f"results/jrr/laws.{suffix}"
        path.unlink(missing_ok=True)
        path.symlink_to(tmp_path / "gone")
    message = clone.run("--dry-run", "tables/jrr/table1.md", fails=True)
    assert "2 results, such as results/jrr/laws" in message
    assert path.is_symlink(), "planning changed something"
    subprocess.run(re.search(r"\((find .*)\)", message)[1], cwd=clone.root, shell=True, check=True)
    assert clone.plan("tables/jrr/table1.md") == {"Experiment jrr/laws", "jrr: table1"}


def rows_of(project, dataset):
    with (project.root / "results/jrr/datasets.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["dataset"] == dataset]


def sources(project):
    registry = yaml.safe_load((project.root / "config/datasets.yaml").read_text())
    return [source["url"] for source in registry["datasets"]["womens_clothing"]["sources"]]


@pytest.fixture(scope="module")
def offline(project, small, tmp_path_factory):
    """A copy without a mirror; its cache has results of the experiments except the one on data, which is not cached."""
    cache = tmp_path_factory.mktemp("offline") / "cache"
    shutil.copytree(cache_of(small), cache)
    return project("offline", cache=cache, mirror=False)


@pytest.fixture(scope="module")
def output(offline):
    return offline.run(*TARGETS)


def test_it_is_announced_and_recorded(offline, output):
    record = json.loads((offline.root / "data/raw/womens_clothing.json").read_text())
    assert record["status"] == "stand-in"
    assert [attempt["source"] for attempt in record["tried"]] == sources(offline)
    assert "STAND-IN: data set 'womens_clothing' is SYNTHETIC" in output


@pytest.mark.usefixtures("output")
def test_rows_tables_and_records_say_so(offline):
    assert {row["standin"] for row in rows_of(offline, "ecommerce")} == {"True"}
    assert {row["standin"] for row in rows_of(offline, "kosarak")} == {"False"}
    record = json.loads((offline.root / "results/jrr/datasets.json").read_text())
    assert record["standin"] == ["womens_clothing"]
    table = (offline.root / "tables/jrr/table3.md").read_text().splitlines()
    assert "standin" in next(row for row in table if row.startswith("|"))
    assert "yes" in next(row for row in table if "E-commerce" in row and "as stated" in row)


@pytest.mark.usefixtures("output")
def test_claims_on_it_have_no_data_and_others_are_judged(offline):
    content = json.loads((offline.root / "report/verdicts/jrr.json").read_text())
    verdicts = {entry["id"]: entry for entry in content["claims"]}
    assert {verdicts[name]["verdict"] for name in ("ecommerce-users", "ecommerce-ones")} == {"no data"}
    assert verdicts["ecommerce-users"]["standins"] == ["womens_clothing"]
    judged = {entry["verdict"] for entry in verdicts.values() if entry["table"] == "laws"}
    assert "reproduced" in judged
    assert "no data" not in judged


@pytest.mark.usefixtures("output")
def test_it_gives_way_once_to_the_real_data_when_a_mirror_has_them(offline):
    assert not offline.plan(TARGETS[0])
    offline.environment["CORRLDP_DATA_MIRROR"] = str(MIRROR)
    offline.run(TARGETS[0])
    assert {row["standin"] for row in rows_of(offline, "ecommerce")} == {"False"}
    del offline.environment["CORRLDP_DATA_MIRROR"]
    assert not offline.plan(TARGETS[0])


def test_another_policy_leaves_real_data_alone_and_other_code_finds_them_again(small, copied):
    kept = copied(small)
    del kept.environment["CORRLDP_DATA_MIRROR"]
    policy = lambda text: text.replace("on_unavailable: standin", "on_unavailable: error")  # noqa: E731
    with kept.edited("config/config.yaml", policy):
        assert not kept.plan(TARGETS[0])
    with kept.edited("workflow/replication/data/download.py", lambda text: f"{text}\nSOMETHING_NEW = 1\n"):
        kept.run(TARGETS[0])
    assert {row["standin"] for row in rows_of(kept, "ecommerce")} == {"False"}


def test_on_request_it_is_an_error(project, tmp_path):
    strict = project("strict", mirror=False)
    output = strict.run(TARGETS[0], "--config", "on_unavailable=error", fails=True, CORRLDP_DATA_MIRROR=str(tmp_path))
    line = next(line for line in output.splitlines() if "the data set is not available" in line)
    assert line.startswith("womens_clothing: ")
    assert f"{tmp_path}: does not hold womens_clothing_recommended_ind.csv; {sources(strict)[0]}: " in line
    assert not (strict.root / "results/jrr/datasets.csv").exists()
