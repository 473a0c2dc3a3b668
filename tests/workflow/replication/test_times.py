import json

import pytest

from replication import times


@pytest.fixture
def records(tmp_path):
    """Records of files as Snakemake writes them: one job has two files, another took its file from the cache.

    The last record is incomplete, as if still being written.
    """

    def write(name, rule, log, start, end):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"rule": rule, "log": log, "starttime": start, "endtime": end}))

    write("ZmlnLnBkZg==", "figure", ["logs/jrr/fig3.figure.log"], 100.0, 103.0)
    write("@ZmlnLn/N2Zw==", "figure", ["logs/jrr/fig3.figure.log"], 100.001, 104.5)
    write("dGFibGU=", "table", ["logs/jrr/table1.table.log"], 104.0, 105.0)
    write("b3RoZXI=", "figure__jrr__fig4", ["logs/jrr/fig4.figure.log"], 105.0, 107.0)
    write("Y2FjaGVk", "experiment", ["logs/jrr/laws.log"], 90.0, 20.0)
    write("cnVubmluZw==", "experiment", ["logs/jrr/fig3.log"], 90.0, None)
    write("bm8tbG9n", "all", [], 90.0, 91.0)
    (tmp_path / "d3JpdHRlbg==").write_text('{"rule": "figure", "log": ["logs/jrr/fig5')
    return tmp_path


def test_a_job_lasts_until_its_last_file_and_the_longest_comes_first(records):
    found = times.seconds(records)
    assert found == pytest.approx(
        {
            ("experiment", "jrr/laws"): 0,
            ("table", "jrr/table1.table"): 1,
            ("figure", "jrr/fig4.figure"): 2,
            ("figure", "jrr/fig3.figure"): 4.499,
        }
    )
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_the_command_lists_all_time_then_rules_then_jobs(records, capsys, monkeypatch):
    monkeypatch.setattr(times, "RECORDS", records)
    times.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "      7.5 s  all jobs, one after the other: 0.0 h on one core",
        "      6.5 s  all jobs of figure",
        "      1.0 s  all jobs of table",
        "      0.0 s  all jobs of experiment",
        "      4.5 s  figure: jrr/fig3.figure",
    ]
