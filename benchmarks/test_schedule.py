import base64
import json

import pytest
import schedule

A, B, C, D, E = (("rule", name) for name in "abcde")
TOOK = {A: 3.0, B: 2.0, C: 4.0, D: 1.0, E: 2.0}
NEEDS = {A: set(), B: set(), C: {A}, D: {A, B}, E: {C, D}}  # the longest chain is a, c, e


def test_longest_chains():
    assert schedule.chains(TOOK, NEEDS) == {A: 9, B: 5, C: 6, D: 3, E: 2}


@pytest.mark.parametrize(("cores", "expected"), [(1, 12), (2, 9), (64, 9)])
def test_makespan_of_a_small_graph(cores, expected):
    assert schedule.makespan(TOOK, NEEDS, cores) == expected


def test_independent_jobs_share_the_cores():
    jobs = {("rule", str(number)): 1.0 for number in range(7)}
    free = {job: set() for job in jobs}
    assert [schedule.makespan(jobs, free, cores) for cores in (1, 2, 4, 7, 8)] == [7, 4, 2, 1, 1]


def test_the_longest_chain_goes_first():
    took = {A: 1.0, B: 1.0, C: 5.0}
    assert schedule.makespan(took, {A: set(), B: set(), C: {B}}, 1) == 7
    assert schedule.makespan(took, {A: set(), B: set(), C: {B}}, 2) == 6


def test_jobs_that_wait_for_each_other():
    with pytest.raises(ValueError, match="cycle"):
        schedule.makespan({A: 1.0, B: 1.0}, {A: {B}, B: {A}}, 2)


def test_dependencies_are_read_from_records_of_files(tmp_path):
    def write(file, rule, log, inputs, split=None):
        name = base64.urlsafe_b64encode(file.encode()).decode()
        path = tmp_path / (name if split is None else f"@{name[:split]}/{name[split:]}")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"rule": rule, "log": log, "input": inputs, "starttime": 1.0, "endtime": 2.0}))

    write("results/p/x.csv", "experiment", ["logs/p/x.log"], ["data/given.npy"])
    write("results/p/x.json", "experiment", ["logs/p/x.log"], ["data/given.npy"])
    write("figures/p/x.csv", "figure__p__x", ["logs/p/x.figure.log"], ["results/p/x.csv"])
    write("report/verdicts/p.json", "verdicts", ["logs/p/verdicts.log"], ["results/p/x.csv"], split=10)
    experiment, figure, verdicts = ("experiment", "p/x"), ("figure", "p/x.figure"), ("verdicts", "p/verdicts")
    assert schedule.dependencies(tmp_path) == {experiment: set(), figure: {experiment}, verdicts: {experiment}}
