"""A claim that names what its result table cannot contain is refused before anything runs."""

import re
from functools import cache, partial
from pathlib import Path

import pytest

from claimaudit.audit.quantities import pivot
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.names import ConfigurationError
from claimaudit.papers import checks
from claimaudit.papers.folder import Folder
from claimaudit.planning.claims import load
from claimaudit.planning.tables import TableNames
from claimaudit.results import axes_of

PAPERS = Path(__file__).resolve().parents[2] / "papers"
CHEAP = {
    "castell": ["example", "privacy", "table3"],
    "corr_rr": ["fig2"],
    "corr_rr_preprint": ["procedure"],
    "cpl": ["complexity", "privacy"],
    "jrr": ["lemmas"],
}

LOWER = "kind: ordering, relation: <, against: 1, quantity"

# (paper, the fields that the claim has besides those of all claims, what the line says after the claim)
MISTAKES = [
    ("jrr", f"table: fig1, {LOWER}: are_jrr, rows: epsilom == 1", "rows: no column 'epsilom'; did you mean epsilon?"),
    ("jrr", f"table: fig1, {LOWER}: are_jrr, rows: n2 == 1", "rows: no column 'n2'; did you mean n1?"),
    ("jrr", f"table: fig1, {LOWER}: are_jrr, rows: dataset == 'cosarak'", "rows: no dataset 'cosarak'; did.* kosarak?"),
    ("jrr", f"table: fig1, {LOWER}: are_jrr, rows: \"'cosarak' == dataset\"", "rows: no dataset 'cosarak'; did"),
    (
        "jrr",
        f"table: fig1, {LOWER}: are_jrr, rows: reading == 'stric'",
        "rows: no reading 'stric'; did you mean strict?",
    ),
    (
        "jrr",
        f"table: fig1, {LOWER}: are_jrr, rows: 'choice in [\"corn\"]'",
        "rows: no choice 'corn'; did you mean corner?",
    ),
    ("jrr", f"table: fig1, {LOWER}: are_jr", "quantity: no variable 'are_jr'.*; did you mean are_jrr?"),
    ("jrr", f"table: fig1, {LOWER}: arre_jrr", "quantity: no variable 'arre_jrr'.*; did you mean are_jrr?"),
    ("jrr", f"table: fig1, {LOWER}: mse_jrr", "quantity: no variable 'mse_jrr'.*; did you mean"),
    ("jrr", f"table: fig1, {LOWER}: zero_frequency", "quantity: no variable 'zero_frequency'"),
    (
        "jrr",
        "table: fig1, kind: ordering, relation: <, quantity: are_jrr, against: {strict: are_rr, generous: 2 * are_r}",
        "against.generous: no variable 'are_r'",
    ),
    ("jrr", "table: lemmas, kind: agreement, rows: mechanism == 'RR'", "rows: no mechanism 'RR'; did you mean JRR?"),
    ("jrr", "table: lemmas, kind: agreement, rows: metric == 'valu'", "rows: no metric 'valu'; did you mean value?"),
    (
        "jrr",
        "table: fig2, kind: monotone, direction: increasing, quantity: are_jrr, along: percentiles",
        "along: no setting column 'percentiles'; did you mean percentile?",
    ),
    (
        "jrr",
        "table: fig1, kind: flat, quantity: are_jrr, along: n, by: [epsilon, imbalanse]",
        "by: no setting column 'imbalanse'; did you mean imbalance?",
    ),
    (
        "corr_rr",
        "table: fig7, kind: cells, published: fig7, metric: mce",
        "metric: no metric 'mce'; did you mean mse?",
    ),
    ("corr_rr", f"table: fig7, {LOWER}: mse_corr_r", "quantity: no variable 'mse_corr_r'.*; did you mean mse_corr_rr?"),
    ("cpl", f"table: fig7, {LOWER}: tcpl_groupr", "quantity: no variable 'tcpl_groupr'"),
    (
        "castell",
        f"table: rr_joint, {LOWER}: avd_rr_join",
        "quantity: no variable 'avd_rr_join'.*; did you mean avd_rr_joint?",
    ),
]


@cache
def paper_of(name):
    return checks.load(Folder(PAPERS / name))


@pytest.fixture
def refused(tmp_path):
    """Function (paper, fields of one claim) -> the lines that refuse it."""

    def check(paper, fields):
        folder = Folder(tmp_path / paper)
        folder.path.mkdir()
        claim = f"{{id: planted, where: here, states: It holds., origin: ours, {fields}}}"
        folder.claims.write_text(f"sections:\n  - title: Planted\n    claims:\n      - {claim}\n")
        try:
            load(folder, paper_of(paper), partial(TableNames.of, paper_of(paper)))
        except ConfigurationError as error:
            return str(error).splitlines()
        return []

    return check


@pytest.mark.parametrize(("paper", "fields", "words"), MISTAKES, ids=[words for *_, words in MISTAKES])
def test_a_wrong_name_is_one_line_with_file_line_and_the_nearest(refused, paper, fields, words):
    found = refused(paper, fields)
    assert len(found) == 1, found
    assert re.match(rf"claims.yaml, line 4: claim planted: {words}", found[0]), found


def test_a_wrong_name_in_an_alternative_is_found(refused):
    [line] = refused("jrr", f"table: fig1, {LOWER}: are_jrr, alternatives: [{{name: another, quantity: are_gr}}]")
    assert "claim planted, alternative another: quantity: no variable 'are_gr'" in line


@pytest.mark.parametrize(
    "fields",
    [
        f"table: fig1, {LOWER}: are_jrr / are_rr * log(n), rows: mechanism != 'RR' or dataset == 'kosarak'",
        f"table: fig1, {LOWER}: are_jrr, rows: reading == 'strict' and standin == 0 and theory > 0 and runs == 1",
        f"table: fig1, {LOWER}: are_jrr, rows: dataset == 'other', lacking: nobody has these data",
        "table: fig2, kind: monotone, direction: increasing, quantity: are_jrr, along: percentile, by: [dataset]",
    ],
)
def test_what_a_table_has_is_not_refused(refused, fields):
    assert not refused("jrr", fields)


@pytest.mark.parametrize(("paper", "name"), [(paper, name) for paper, names in CHEAP.items() for name in names])
def test_what_a_run_yields_is_what_was_declared(paper, name):
    entry = paper_of(paper)
    experiment = Experiment.load(entry.job(name) | {"seed": 1, "runs": 2}, {})
    rows, known = join(experiment, [run(experiment)]), TableNames.of(entry, name)
    settings, _ = axes_of(rows)
    assert [column for column in rows.columns if column not in known.columns] == []
    assert [column for column in settings if column not in known.settings] == []
    assert [text for column, texts in known.values.items() for text in {*rows[column]} if text not in texts] == []
    assert known.values["metric"] == {*rows["metric"]}
    assert known.values["mechanism"] == {*rows["mechanism"]}
    assert [variable for variable in pivot(rows).names if not known.has_variable(variable)] == []
