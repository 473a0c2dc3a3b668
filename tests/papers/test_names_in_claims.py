"""A claim that names what its result table cannot contain is refused before anything runs."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from claimaudit.names import ConfigurationError
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from claimaudit.planning.claims import TableNames, load

PAPERS = Path(__file__).resolve().parents[2] / "papers"

# (paper, what the claim is of, its check, what the line says after the claim)
MISTAKES = [
    ("jrr", "fig1", "are_jrr < 1, where epsilom == 1", "where: no column 'epsilom'; did you mean epsilon?"),
    ("jrr", "fig1", "are_jrr < 1, where n2 == 1", "where: no column 'n2'; did you mean n1?"),
    ("jrr", "fig1", "are_jrr < 1, where dataset == 'cosarak'", "where: no dataset 'cosarak'; did.* kosarak?"),
    ("jrr", "fig1", "are_jrr < 1, where reading == 'stric'", "where: no reading 'stric'; did you mean strict?"),
    ("jrr", "fig1", "are_jrr < 1, where choice in ['corn']", "where: no choice 'corn'; did you mean corner?"),
    ("jrr", "fig1", "are_jr < 1", "no variable 'are_jr'.*; did you mean are_jrr?"),
    ("jrr", "fig1", "zero_frequency < 1", "no variable 'zero_frequency'"),
    ("jrr", "fig1", "are_jrr < are_rr .. 2 * are_r", "no variable 'are_r'"),
    ("jrr", "lemmas", "simulation agrees with theory, where metric == 'valu'", "where: no metric 'valu'; did.* value?"),
    ("jrr", "fig2", "are_jrr grows along percentiles", "along: no setting column 'percentiles'; did.* percentile?"),
    ("jrr", "fig1", "are_jrr is flat along n, by epsilon and imbalanse", "by: no setting column 'imbalanse'; did"),
    ("corr_rr", "fig7", "mce is as printed", "no metric 'mce'; did you mean mse?"),
    ("corr_rr", "fig7", "mse is as printed in fig77", "no file of printed numbers 'fig77'; did you mean fig7?"),
    ("cpl", "fig7", "tcpl_groupr < 1", "no variable 'tcpl_groupr'"),
    ("castell", "rr_joint", "avd_rr_join < 1", "no variable 'avd_rr_join'.*; did you mean avd_rr_joint?"),
]


@cache
def paper_of(name):
    return validation.load(Folder(PAPERS / name))


@cache
def tables_of(name):
    paper = paper_of(name)
    return {experiment: TableNames.of(paper, experiment) for experiment in paper.entry.experiments}


def refused(tmp_path, paper, **fields):
    """Return the lines that refuse a claim with these fields."""
    folder = Folder(tmp_path / paper)
    folder.path.mkdir(exist_ok=True)
    if not folder.published.exists():
        folder.published.symlink_to(PAPERS / paper / "published")
    claim = {"id": "planted", "place": "here", "states": "It holds.", "origin": "ours", **fields}
    folder.claims.write_text(yaml.safe_dump({"sections": [{"title": "Planted", "claims": [claim]}]}))
    try:
        load(folder, paper_of(paper), tables_of(paper))
    except ConfigurationError as error:
        return str(error).splitlines()
    return []


@pytest.mark.parametrize(("paper", "of", "check", "words"), MISTAKES, ids=[words for *_, words in MISTAKES])
def test_a_wrong_name_is_one_line_with_file_line_and_the_nearest(tmp_path, paper, of, check, words):
    found = refused(tmp_path, paper, of=of, check=check)
    assert len(found) == 1, found
    assert re.match(rf"claims.yaml, line \d+: claim planted: check: {words}", found[0]), found


def test_a_wrong_name_in_an_alternative_or_of_a_figure_is_found(tmp_path):
    [line] = refused(tmp_path, "jrr", of="fig1", check="are_jrr < 1", figure="fig11")
    assert "claim planted: figure: no figure or table 'fig11'; did you mean fig1?" in line
    [line] = refused(tmp_path, "jrr", of="fig1", check="are_jrr < 1", alternatives={"another": "are_gr < 1"})
    assert "claim planted, alternative another: check: no variable 'are_gr'" in line


@pytest.mark.parametrize(
    ("paper", "of", "check"),
    [
        ("jrr", "fig1", "are_jrr / are_rr * log(n) < 1, where mechanism != 'RR' or dataset == 'kosarak'"),
        ("jrr", "fig1", "are_jrr < 1, where reading == 'strict' and standin == 0 and theory > 0 and runs == 1"),
        ("cpl", "table1", "nmse_algorithm_1_grr < 1, where dataset == 'DSS'"),
        ("jrr", "fig2", "are_jrr grows along percentile, by dataset"),
    ],
)
def test_what_a_table_has_is_not_refused(tmp_path, paper, of, check):
    assert not refused(tmp_path, paper, of=of, check=check)
