"""What jobs read and are told follows from the planned project."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml
from replication.parameters import Parameters, Recorded, canonical

from claimaudit.fingerprint import local_modules
from claimaudit.names import ConfigurationError
from claimaudit.words.glossary import GlossaryFile
from replication import parameters, project, validation
from replication.jobs import Jobs

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]


def jobs_of(papers=("jrr",), **settings):
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text()) | {"papers": list(papers), **settings}
    return Jobs(ROOT, config, project.read(ROOT, config))


@pytest.fixture(scope="module")
def jobs():
    return jobs_of()


@pytest.fixture(scope="module")
def told(jobs):
    return Parameters(jobs, {})


def test_every_experiment_has_one_rule(jobs):
    names = [name for made in jobs.results.values() for name in made]
    assert sorted(names) == sorted(f"jrr/{name}" for name in jobs.papers["jrr"].entry.experiments)
    assert len(set(names)) == len(names)


def test_experiments_that_read_data_are_not_those_that_the_cache_keeps(jobs):
    for name in jobs.results["experiment"]:
        assert jobs.views_of(*name.split("/")) == []
    for name in jobs.results["experiment_on_data"]:
        assert jobs.views_of(*name.split("/"))


def test_more_parts_are_asked_for_and_joined_in_order():
    jobs = jobs_of(parts=3)
    paper, name = jobs.results["join"][0].split("/")
    parts = jobs.parts(paper, name)
    assert parts == [f"results/{paper}/parts/{name}.{part}-of-{len(parts)}.json" for part in range(len(parts))]
    assert len(jobs.results["join"]) > len(jobs_of().results["join"])


def test_optional_data_are_fetched_only_if_named(jobs):
    large = [name for name, entry in jobs.project.registry["datasets"].items() if entry.get("optional")]
    assert large
    assert set(large).isdisjoint(jobs.datasets)
    papers = yaml.safe_load((ROOT / "config/config.yaml").read_text())["papers"]
    assert set(large) <= set(jobs_of(papers, optional_data=large).datasets)


def test_only_data_that_the_papers_read_are_fetched(jobs):
    assert set(jobs.datasets) < set(jobs_of(["jrr", "castell"]).datasets)
    read = {view for name in jobs.papers["jrr"].entry.experiments for view in jobs.papers["jrr"].view_names(name)}
    assert set(jobs.views) <= read
    assert jobs_of([str(ROOT / "examples/sorting")]).datasets == []


def test_results_of_a_command_have_a_job_each_for_the_command_and_for_their_table():
    jobs = jobs_of([str(ROOT / "examples/sorting")])
    assert jobs.results["command"] == jobs.results["given"] == ["sorting/counts"]
    assert jobs.results["experiment"] == []
    folder = os.path.relpath(ROOT / "examples/sorting")
    assert jobs.files_of("sorting", "counts") == [f"{folder}/sort.awk"]
    assert jobs.given("sorting", "counts") == ["results/sorting/made/counts.csv"]
    told = Parameters(jobs, {})
    assert json.loads(told.command("sorting", "counts")) == {"command": "awk -f sort.awk > {out}", "directory": folder}
    assert "seed" not in told.planned("sorting", "counts")  # another seed makes no given result stale


def test_everything_is_every_product_once(jobs):
    assert len(set(jobs.everything)) == len(jobs.everything)
    entry = jobs.papers["jrr"].entry
    for name in jobs.papers["jrr"].figures:
        assert {f"figures/jrr/{name}.svg", f"figures/jrr/{name}.csv"} <= set(jobs.everything)
    assert {f"results/jrr/{name}.json" for name in entry.experiments} <= set(jobs.everything)


def test_a_table_without_printed_numbers_waits_for_no_verdicts(jobs):
    for name in jobs.papers["jrr"].tables:
        assert bool(jobs.table("jrr", name)["verdicts"]) == bool(jobs.papers["jrr"].table(name)["exhibits"])


def test_files_of_the_project_have_relative_paths(jobs):
    named = [*jobs.audit("jrr")["claims"], *jobs.published("jrr"), jobs.archive["citation"]]
    assert all(not Path(name).is_absolute() and Path(name).is_file() for name in named)


def test_replies_are_an_input_of_the_verdicts_and_their_names_are_checked(copy):
    (copy.root / "papers/jrr/replies.yaml").write_text(
        "- {by: A. Author, date: 2026-01-31, source: a letter, says: No., claims: [no-such-claim]}\n"
    )
    assert copy.refused() == ["papers/jrr/replies.yaml, line 1: 0.claims.0: no claim 'no-such-claim'"]
    (copy.root / "papers/jrr/replies.yaml").write_text(
        "- {by: A. Author, date: 2026-01-31, source: a letter, says: No.}\n"
    )
    config = yaml.safe_load((copy.config / "config.yaml").read_text()) | {"papers": ["jrr"]}
    made = Jobs(copy.root, config, copy.plan())
    assert [Path(name).name for name in made.audit("jrr")["replies"]] == ["replies.yaml"]
    assert jobs_of().audit("jrr")["replies"] == []


def test_what_is_recorded_is_short_and_names_what_changed():
    before = canonical(seed=1, runs=100, style={"x": "n" * 100})
    assert json.loads(before) == {"seed": 1, "runs": 100, "style": {"x": "n" * 100}}
    assert re.fullmatch(r"setting \(runs: 100, seed: 1, style: [0-9a-f]{16}\)", repr(before))
    assert repr(canonical(seed=1, runs=50, style={"x": "n" * 100})) == repr(before).replace("100", "50")
    assert repr(canonical(seed=1, runs=100, style={"x": "m" * 100})) != repr(before)


def test_the_key_of_the_cache_has_the_whole_text():
    text = canonical(a="b" * 100)
    assert isinstance(text, Recorded)
    assert json.loads(json.dumps([text])) == [str(text)] == ['{"a":"' + "b" * 100 + '"}']


def test_an_experiment_is_told_its_runs_and_seed():
    told = Parameters(jobs_of(runs_factor=20, seed=5), {})
    paper = told.jobs.papers["jrr"]
    name, entry = next((name, entry) for name, entry in paper.entry.experiments.items() if entry.runs)
    setting = json.loads(told.experiment("jrr", name))
    assert setting["seed"] == 5
    assert setting["runs"] == round(entry.runs * min(20, 2 * (entry.runs_factor or 10)))


def test_no_two_experiments_rest_on_the_same(told):
    found = json.loads(told.identities)
    assert len(set(found.values())) == len(found) == len(told.jobs.papers["jrr"].entry.experiments)


def test_prose_makes_no_view_stale(told):
    view = next(iter(told.jobs.views))
    assert '"why"' not in told.align(view)
    assert "why" in told.jobs.project.registry["views"][view]


def test_code_of_a_runner_and_versions_count(told, monkeypatch):
    name = next(iter(told.jobs.papers["jrr"].entry.experiments))
    before = repr(told.runner("jrr", name))
    assert before.startswith("code: ")
    monkeypatch.setattr(parameters, "numeric_versions", lambda: "numpy=0")
    assert repr(told.runner("jrr", name)) != before


def test_what_plans_does_not_import_snakemake():
    modules = local_modules("replication.parameters")
    assert "replication.jobs" in modules
    text = "".join(path.read_text() for path in (ROOT / "src/corrldp").rglob("*.py"))
    assert not re.search(r"^\s*(import|from) snakemake", text, flags=re.MULTILINE)


def test_what_was_checked_is_not_checked_again_until_it_changes(copy, tmp_path, monkeypatch):
    checked = []

    def load(root, config, sources):
        checked.append(config)
        read = project.read(root, config)
        return read.registry, read.papers

    monkeypatch.setattr(validation, "load", load)
    config = yaml.safe_load((copy.config / "config.yaml").read_text()) | {"papers": ["jrr"]}
    for expected, change in ((1, None), (1, None), (2, "papers/jrr/published/fig1.csv"), (3, "papers/jrr/claims.yaml")):
        if change:
            path = copy.root / change
            path.write_text(path.read_text() + "\n")
        project.plan(copy.root, config, [], tmp_path / "memory")
        assert len(checked) == expected, change
    project.plan(copy.root, {**config, "seed": 1}, [], tmp_path / "memory")
    assert len(checked) == 4
    (copy.root / "papers/jrr/published").rename(copy.root / "papers/jrr/printed")
    project.plan(copy.root, config, [], tmp_path / "memory")
    assert len(checked) == 5, "a directory was renamed"


def test_a_faulty_configuration_is_not_remembered(copy, tmp_path):
    copy.replace("papers/jrr/paper.yaml", "short: JRR\n", "shrt: JRR\n")
    config = yaml.safe_load((copy.config / "config.yaml").read_text()) | {"papers": ["jrr"]}
    for _ in range(2):
        with pytest.raises(ValueError, match="shrt: unknown key; did you mean short"):
            project.plan(copy.root, config, [copy.config / "config.yaml"], tmp_path / "memory")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"paper": "jrr", "figure": "fig99"}, r"no figure 'fig99' of jrr; did you mean fig\d\? \(there are: .*fig1, "),
        ({"paper": "jrr", "table": "table33"}, "no table 'table33' of jrr; did you mean table3?"),
        ({"paper": "jrr", "exhibit": "fig2"}, "no search for the readings 'fig2' of jrr"),
        ({"dataset": "adults"}, "no data set 'adults'"),
        ({"view": "adult"}, "no view 'adult'"),
    ],
)
def test_a_request_for_what_there_is_not_names_what_there_is(jobs, names, words):
    with pytest.raises(ConfigurationError, match=words):
        jobs.check(names)
    jobs.check({"paper": "jrr", "figure": "fig1", "table": "table3", "exhibit": "fig1", "part": "0"})


def test_the_report_is_told_the_glossary_as_its_format_has_it(told):
    terms = GlossaryFile.model_validate(json.loads(told.report)["glossary"], strict=False).root
    assert {term.term: term.expands for term in terms}["SMP"] == "sampling"
