"""Mistakes anywhere in the configuration are reported when planning, each in one line with file, line and key."""

import re
from pathlib import Path

import pytest
import yaml
from mistakes import mistaken

from replication import validation

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]

SHOWN = {
    "config": "config/config.yaml",
    "conclusions": "config/conclusions.yaml",
    "step": "jrr/step-decides-the-gain",
    "cells": "jrr/fig3-mse-cells-10000",
    "simulates": "the runner runners/errors.py:means simulates; give the paper's number of `runs`",
    "table4": "papers/corr_rr/published/table4.csv",
    "fig11": "papers/corr_rr/published/fig11.csv",
    "versions": "papers/corr_rr_preprint/versions.yaml",
    "same": "\\n        states: JRR achieves the same",
}
MISTAKES = r"""
runs_factor: 10 -> runs_factor: .inf | <config> | runs_factor: inf must be a finite number
optional_data: [] -> optional_data: [us_census] | <config> | optional_data.0: no optional data set 'us_cen
seed: 20250711 -> seed: 20250711\nseed: 1 | <config> | the key seed appears twice
  retries: 2 ->   retrys: 2 | <config> | fetch.retrys: unknown key; did you mean retries
\nviews:\n -> \nview:\n | config/datasets.yaml | view: unknown key; did you mean views
jrr/fig1-jrr-lower: reproduced -> jrr/fig1-jrr-lower: reprodced | <conclusions> | 3.rests_on.*'reprodced' is not one
jrr/fig1-jrr-lower: rep -> jrr/fig1-jrr-lowr: rep | <conclusions> | 3.rests_on.*no claim 'fig1-jrr-lowr'; did
jrr/fig1-jrr-lower: rep -> jr/fig1-jrr-lower: rep | <conclusions> | 3.rests_on.*no paper 'jr'; did you
<step>: most} -> <step>: mst} | <conclusions> | 6.numbers.*nothing called 'mst' can be quoted; did you mean most
<cells>: least -> <cells>: lest | <conclusions> | 13.states.*nothing called 'lest ratio' can
jrr/ri-at-5000: -> jrr/ri-at-500: | config/cases.yaml | jrr.jrr/ri-at-500: jrr has no claim 'ri-at-500'; did
jrr/ri-at-5000: -> jr/ri-at-5000: | config/cases.yaml | jrr.jr/ri-at-5000: no paper 'jr'; did you mean jrr
\njrr:\n -> \njr:\n | config/cases.yaml | jr: unknown key; did you mean jrr
    runs: 1000\n    runs_factor: 1\n ->     runs_factor: 1\n | papers/jrr/paper.yaml | experiments.fig1: <simulates>
0.3853,100 -> nan,100 | <table4> | 2, column value: 'nan' is not a printed number; write its digits
0.1,0.05,RS+RFD,mse,0.3853 -> 0.15,0.05,RS+RFD,mse,0.3853 | <table4> | 2, column epsilon: 0.15 is no eps
0.05,RS+RFD,mse,0.3853 -> 0.05,RS+RF,mse,0.3853 | <table4> | 2, column mechanism: no mechanism 'RS[+]RF'
rho,epsilon -> rho,epsilom | <table4> | 1, column epsilom: no setting of the experiment table4; did you
clave,0.1,SPL -> calve,0.1,SPL | <fig11> | 2, column dataset: 'calve' is no dataset of the experiment
preprint: [theorem-4, -> preprint: [theorem-44, | <versions> | changes.0.preprint: .*no claim 'theorem-44'
of: privacy<same> -> of: privaci<same> | papers/jrr/claims.yaml | of: no exhibit or experiment 'privaci'; did you mean p
"""
"""Text and replacement, file, start of the line after the file's name and line, or with the line."""


@mistaken(("old", "new", "file", "message"), MISTAKES, **SHOWN)
def test_a_mistake_is_one_line_with_file_line_and_key(copy, file, old, new, message):
    copy.replace(file, old, new)
    folder, paper, *_ = file.split("/")
    lines = copy.refused(papers=[paper if folder == "papers" else "jrr"])
    assert any(re.match(rf"{file}, line (\d+: .*)?{message}", line) for line in lines), lines


def test_the_configuration_as_it_is_makes_a_plan(copy):
    assert not copy.refused(papers=["jrr", "castell", "corr_rr", "corr_rr_preprint", "cpl", "rs_fd"])
    assert not copy.refused(smoke=True)


def test_an_unknown_paper_is_named_with_those_there_are(copy):
    assert copy.refused(papers=["jr"]) == [
        "command line: papers.0: no paper 'jr'; did you mean jrr? "
        "(there are: castell, corr_rr, corr_rr_preprint, corrldp, cpl, jrr, rs_fd), "
        "and no folder papers/jr with a paper.yaml"
    ]


def test_what_papers_share_is_no_paper_and_is_one_folder(copy, tmp_path_factory):
    [line] = copy.refused(papers=["shared"])
    assert "choose one other than 'shared'" in line
    other = tmp_path_factory.mktemp("other")
    (other / "shared").mkdir()
    (copy.root / "papers/jrr").rename(other / "jrr")
    [line] = copy.refused(papers=["cpl", str(other / "jrr")])
    assert f"{other / 'shared'} is beside this paper, and {copy.root / 'papers/shared'} beside another" in line


def test_submitted_jobs_read_without_checks_what_the_checks_read():
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    registry, papers = validation.load(ROOT, config, [ROOT / "config/config.yaml"])
    read_registry, read_papers = validation.read(ROOT, config)
    assert read_registry == registry
    assert {name: paper.entry for name, paper in read_papers.items()} == {
        name: paper.entry for name, paper in papers.items()
    }
