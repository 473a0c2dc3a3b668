"""What jobs read and are told follows from the planned project."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from claimaudit.names import ConfigurationError
from claimaudit.results import PLANNED_VARIABLE
from claimaudit.stages import STAGES, Job
from replication import jobs as planning
from replication import validation
from replication.jobs import Jobs

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
STAGE = {stage.name: stage for stage in STAGES}


def jobs_of(papers=("jrr",), **settings):
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text()) | {"papers": list(papers), **settings}
    return Jobs(ROOT, config, *validation.read(ROOT, config))


@pytest.fixture(scope="module")
def jobs():
    return jobs_of()


def test_every_experiment_has_one_rule(jobs):
    names = [name for made in jobs.plan.results.values() for name in made]
    assert sorted(names) == sorted(("jrr", name) for name in jobs.papers["jrr"].entry.experiments)
    assert len(set(names)) == len(names)


def test_experiments_that_read_data_are_not_those_that_the_cache_keeps(jobs):
    for stage in jobs.stages:
        for item in stage.items(jobs.plan) if stage.name.startswith("experiment") else ():
            assert bool(stage.job(jobs.plan, *item).reads["views"]) == (stage.name == "experiment_on_data")
            assert stage.cached == (stage.name == "experiment")


def test_more_parts_are_asked_for_and_joined_in_order():
    plan = jobs_of(parts=3).plan
    paper, name = plan.results["join"][0]
    parts = plan.parts(paper, name)
    assert parts == [f"results/{paper}/parts/{name}.{part}-of-{len(parts)}.json" for part in range(len(parts))]
    assert len(plan.results["join"]) > len(jobs_of().plan.results.get("join", ()))


def test_optional_data_are_fetched_only_if_named(jobs):
    large = [name for name, dataset in jobs.registry.files.items() if dataset.optional]
    assert large
    assert set(large).isdisjoint(jobs.datasets)
    papers = yaml.safe_load((ROOT / "config/config.yaml").read_text())["papers"]
    assert set(large) <= set(jobs_of(papers, optional_data=large).datasets)


def test_results_of_a_command_have_a_job_each_for_the_command_and_for_their_table():
    plan = jobs_of([str(ROOT / "examples/sorting")]).plan
    item = ("sorting", "counts")
    assert plan.results == {"command": [item], "given": [item]}
    folder = os.path.relpath(ROOT / "examples/sorting")
    made = STAGE["command"].job(plan, *item)
    assert made == Job({"command": "awk -f sort.awk > {out}", "directory": folder}, {"files": [f"{folder}/sort.awk"]})
    assert STAGE["given"].job(plan, *item).reads == {"file": STAGE["command"].outputs(plan, item)}
    assert not hasattr(plan.setting(*item), "seed")  # another seed makes no given result stale


def test_a_table_without_printed_numbers_waits_for_no_verdicts(jobs):
    for name in jobs.papers["jrr"].tables:
        told = STAGE["table"].job(jobs.plan, "jrr", name)
        assert bool(told.reads["verdicts"]) == bool(told.settings["job"].exhibits)


def test_files_of_the_project_have_relative_paths(jobs):
    reads = STAGE["verdicts"].job(jobs.plan, "jrr").reads
    named = [*reads["claims"], *reads["published"], *jobs.archive().reads["citation"]]
    assert all(not Path(name).is_absolute() and Path(name).is_file() for name in named)


def test_replies_are_an_input_of_the_verdicts(copy):
    (copy.root / "papers/jrr/replies.yaml").write_text(
        "- {by: A. Author, date: 2026-01-31, source: a letter, says: No.}\n"
    )
    plan = replace(jobs_of().plan, papers=copy.plan()[1])
    assert [Path(name).name for name in STAGE["verdicts"].job(plan, "jrr").reads["replies"]] == ["replies.yaml"]
    assert STAGE["verdicts"].job(jobs_of().plan, "jrr").reads["replies"] == []


def test_an_experiment_is_told_its_runs_and_seed():
    plan = jobs_of(runs_factor=20, seed=5).plan
    experiments = plan.papers["jrr"].entry.experiments
    name, entry = next((name, entry) for name, entry in experiments.items() if entry.runs)
    job = plan.setting("jrr", name)
    assert job.seed == 5
    assert job.runs == round(entry.runs * min(20, 2 * (entry.runs_factor or 10)))


def test_no_two_experiments_rest_on_the_same(jobs):
    found = json.loads(jobs.variables[PLANNED_VARIABLE])
    assert len(set(found.values())) == len(found) == len(jobs.papers["jrr"].entry.experiments)


def test_the_task_of_a_job_is_a_file_that_changes_with_its_setting(jobs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def tasks(jobs, name, *item):
        return jobs.task(STAGE[name], {item: STAGE[name].job(jobs.plan, *item)})

    first, other, tasks_of_both = tasks(jobs, "figure", "jrr", "fig3"), jobs_of(seed=1), set()
    told = json.loads((tmp_path / first).read_text())
    assert ([*told["settings"]], told["does"]) == (["jrr, fig3"], "claimaudit.plots.draw:draw_files")
    assert tasks(jobs_of(), "figure", "jrr", "fig3") == first == tasks(other, "figure", "jrr", "fig3")
    [(paper, name), *_] = jobs.plan.results["experiment"]
    assert tasks(jobs_of(), "experiment", paper, name) == tasks(jobs, "experiment", paper, name)
    assert tasks(other, "experiment", paper, name) != tasks(jobs, "experiment", paper, name)
    job = STAGE["experiment"].job(jobs.plan, "jrr", "fig5")
    setting = job.settings["job"].setting
    traded = {**setting, "epsilon": setting["ones_fraction"], "ones_fraction": setting["epsilon"]}
    for changed in (job, replace(job, settings={"job": replace(job.settings["job"], setting=traded)})):
        tasks_of_both.add(jobs.task(STAGE["experiment"], {("jrr", "fig5"): changed}))
    assert len(tasks_of_both) == 2


def test_code_of_a_runner_and_versions_count(jobs, monkeypatch):
    stage = STAGE["experiment"]
    job = stage.job(jobs.plan, *jobs.plan.results["experiment"][0])
    before = planning.code_of(stage, job)
    assert planning.code_of(stage, replace(job, modules=())) != before
    monkeypatch.setattr(planning, "numeric_versions", lambda: "numpy=0")
    assert planning.code_of(stage, job) != before


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"paper": "jrr", "figure": "fig99"}, r"no figure 'fig99' of jrr; did you mean fig\d\? \(there are: .*fig1, "),
        ({"paper": "jrr", "table": "table33"}, "no table 'table33' of jrr; did you mean table3?"),
        ({"view": "adult"}, "no view 'adult'"),
    ],
)
def test_a_request_for_what_there_is_not_names_what_there_is(jobs, names, words):
    with pytest.raises(ConfigurationError, match=words):
        jobs.check(names)
    with pytest.raises(ConfigurationError, match="no data set 'adults'"):
        jobs.raw("adults")
    jobs.check({"paper": "jrr", "figure": "fig1", "table": "table3", "part": "0"})


def test_pages_name_files_as_the_project_does_wherever_it_runs(jobs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert STAGE["report"].job(jobs.plan).settings["job"].papers["jrr"].folder == "papers/jrr"
