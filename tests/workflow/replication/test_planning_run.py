"""A run of the workflow says one line for each job; what the cache left as links becomes files."""

import logging

import pytest

from replication import run
from replication.run import Progress, broken_links, links_to_files


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def record(event=None, words="", **content):
    made = logging.LogRecord("snakemake.logging", logging.INFO, "", 0, words, None, None)
    made.__dict__.update(event=event, **content)
    return made


def job(number, rule, words, outputs=(), reason="Missing output files: x"):
    return record("job_info", jobid=number, rule_name=rule, rule_msg=words, output=list(outputs), reason=reason)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def progress(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(run, "USUAL_SECONDS", {"slow": 20, "fast": 2, "report": 13})
    monkeypatch.setattr(run, "TRUST", 30)
    made = Progress(tmp_path / "memory/seconds.json", clock)
    made.start([("A", "slow"), ("B", "slow"), ("fast", "fast")], 2, [])
    return made


def finish(progress, clock, one, seconds):
    assert not progress.filter(one)
    clock.now += seconds
    return progress.format(record("job_finished", job_id=one.jobid))


def test_each_job_is_one_line_with_what_is_done_and_what_is_left(progress, clock):
    assert finish(progress, clock, job(1, "slow", "A"), 20) == "[1/3] A: 20 s; 11 s left"
    why = "Params have changed since last execution: seed: 1"
    assert (
        finish(progress, clock, job(2, "fast", "", ["figures/jrr/a.pdf", "x"], why), 28)
        == f"[2/3] fast: 28 s ({why}); 15 s left"
    )
    assert (
        finish(progress, clock, job(3, "slow", "B", ["figures/jrr/b.pdf", "results/b.csv"]), 100)
        == "[3/3] B: 1 min 40 s"
    )
    assert progress.ended() == "3 of 3 jobs in 2 min 28 s; files: 2 in figures/, 1 in results/"


def test_a_later_run_knows_how_long_each_job_takes(progress, clock):
    finish(progress, clock, job(1, "slow", "A"), 50)
    progress.ended()
    later = Progress(progress.memory, clock)
    later.start([("A", "slow"), ("B", "slow"), ("fast", "fast")], 2, [])
    assert later.seconds_left() == (50 + 20 + 2) / 2
    progress.memory.write_text("no JSON")
    later = Progress(progress.memory, clock)
    later.start([("A", "slow")], 1, [])
    assert later.seconds_left() == 20


def test_nothing_runs_beside_what_waits_for_all_others(progress):
    progress.start([("A", "slow"), ("B", "slow"), ("report", "report")], 2, [])
    assert progress.seconds_left() == (20 + 20) / 2 + 13


def test_a_long_first_job_says_little_of_others_and_a_slow_machine_much(progress, clock):
    jobs = [(str(number), "fast") for number in range(1000)]
    progress.start([("A", "slow"), *jobs], 1, [])
    assert progress.seconds_left() == 20 + 2000
    finish(progress, clock, job(0, "slow", "A"), 60)
    assert 2000 < progress.seconds_left() < 4000
    for number, (words, rule) in enumerate(jobs[:500], 1):
        finish(progress, clock, job(number, rule, words), 6)
    assert progress.seconds_left() == pytest.approx(500 * 6, rel=0.05)


def test_what_comes_from_the_cache_says_so_and_counts_for_no_forecast(progress, clock):
    assert progress.format(record(words="Symlinking output file results/a.csv from cache.")) == ""
    assert finish(progress, clock, job(1, "slow", "A", ["results/a.csv"]), 0) == "[1/3] A: from the cache; 11 s left"
    assert progress.format(record(words="Moving output file results/b.csv to cache.")) == ""
    assert progress.format(record(words="Symlinking output file results/b.csv from cache.")) == ""
    assert finish(progress, clock, job(2, "slow", "B", ["results/b.csv"]), 5) == "[2/3] B: 5 s; 0.7 s left"


def test_other_messages_stay_and_an_interruption_is_the_last_one(progress, clock):
    progress.inner = logging.Formatter("formatted: %(message)s")
    assert progress.format(record(words="Something else")) == "formatted: Something else"
    assert progress.format(record("job_error", "An error")) == "formatted: An error"
    assert progress.interrupt() == "Interrupted: 0 of 3 jobs are done; the same command goes on from there"
    assert not progress.filter(record("job_error", "An error"))


def test_links_become_files_of_their_date(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/entry").write_text("numbers")
    results = tmp_path / "results/jrr"
    results.mkdir(parents=True)
    (results / "a.csv").symlink_to(tmp_path / "cache/entry")
    (results / "b.csv").symlink_to(tmp_path / "gone")
    dated = (results / "a.csv").lstat().st_mtime_ns
    assert broken_links(tmp_path / "results") == [results / "b.csv"]
    links_to_files(tmp_path / "results")
    assert not (results / "a.csv").is_symlink()
    assert ((results / "a.csv").read_text(), (results / "a.csv").stat().st_mtime_ns) == ("numbers", dated)
    assert (results / "b.csv").is_symlink()
