"""A claim that names what its result table cannot contain is refused before anything runs."""

import re
from functools import cache, partial
from pathlib import Path

import pytest

from corrldp.audit.quantities import pivot
from corrldp.experiments.engine import Experiment, join, run
from corrldp.names import ConfigurationError
from corrldp.papers import checks
from corrldp.planning import measured
from corrldp.planning.claims import load
from corrldp.planning.tables import Table
from corrldp.results import axes_of

CONFIG = Path(__file__).resolve().parents[2] / "config"
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
        f"table: fig5, {LOWER}: avd_rr_join",
        "quantity: no variable 'avd_rr_join'.*; did you mean avd_rr_joint?",
    ),
]


@cache
def paper_of(name):
    return checks.load(CONFIG / f"papers/{name}.yaml")


@pytest.fixture
def refused(tmp_path):
    """Function (paper, fields of one claim) -> the lines that refuse it."""

    def check(paper, fields):
        path = tmp_path / f"{paper}.yaml"
        claim = f"{{id: planted, where: here, states: It holds., origin: ours, {fields}}}"
        path.write_text(f"sections:\n  - title: Planted\n    claims:\n      - {claim}\n")
        try:
            load(path, paper_of(paper), CONFIG / f"published/{paper}", partial(Table.of, paper_of(paper)))
        except ConfigurationError as error:
            return str(error).splitlines()
        return []

    return check


@pytest.mark.parametrize(("paper", "fields", "words"), MISTAKES, ids=[words for *_, words in MISTAKES])
def test_a_wrong_name_is_one_line_with_file_line_and_the_nearest(refused, paper, fields, words):
    found = refused(paper, fields)
    assert len(found) == 1, found
    assert re.match(rf"{paper}.yaml, line 4: claim planted: {words}", found[0]), found


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
def test_whatever_a_run_yields_was_known(paper, name):
    entry = paper_of(paper)
    experiment = Experiment.load(entry.job(name) | {"seed": 1, "runs": 2}, {})
    rows, known = join(experiment, [run(experiment)]), Table.of(entry, name)
    settings, _ = axes_of(rows)
    assert [column for column in rows.columns if column not in known.columns] == []
    assert [column for column in settings if column not in known.settings] == []
    assert [text for column, texts in known.values.items() for text in {*rows[column]} if text not in texts] == []
    assert [variable for variable in pivot(rows).names if not known.has_variable(variable)] == []


def measured_in(source, tmp_path, monkeypatch):
    (tmp_path / "made_up.py").write_text(source)
    monkeypatch.setattr(measured, "SOURCE", tmp_path)
    return measured._of_module.__wrapped__("made_up")


def test_what_is_written_out_is_all_there_can_be(tmp_path, monkeypatch):
    source = """
yield Measure("A" if odd else "B", f"epsilon_{level}", 1.0, place={"level": level})
yield Measure.of_runs("C", "mse", values, float("nan"), {"pair": pair})
"""
    found = measured_in(source, tmp_path, monkeypatch)
    assert found.mechanism.texts == {"A", "B", "C"}
    assert found.place.texts == {"level", "pair"}
    assert not any(names.open for names in (found.mechanism, found.metric, found.place))
    assert "epsilon_record" in found.metric
    assert "record" not in found.metric


@pytest.mark.parametrize(
    "arguments", ["name, metric, 1.0, place=place", "*row", "**row", "name[0], of(metric), 1.0, place={**place}"]
)
def test_what_is_not_written_out_may_be_any_text_of_the_runner(tmp_path, monkeypatch, arguments):
    source = f"NAMES = ['GRR', f'{{x}}-JRR']\nyield measures.Measure({arguments})\nseed = dict(salt=1)"
    found = measured_in(source, tmp_path, monkeypatch)
    for names in (found.mechanism, found.metric, found.place):
        assert names.open
        closed = names.closed(found.everything)
        assert [name for name in ("GRR", "OLH-JRR", "salt", "OUE") if name in closed] == ["GRR", "OLH-JRR", "salt"]


@pytest.mark.parametrize(
    "source",
    [
        "from measures import Measure as M\nM('A', 'mse', 1.0)",
        "M = Measure",
        "map(Measure, names, metrics, values)",
        "replace(Measure('A', 'mse', 1.0), metric=name)",
    ],
)
def test_measures_that_are_made_otherwise_may_have_any_text(tmp_path, monkeypatch, source):
    found = measured_in(source, tmp_path, monkeypatch)
    assert all(names.open for names in (found.mechanism, found.metric, found.place))


@pytest.mark.parametrize("argument", ['f"{name}"', '"mse_" + name'])
def test_a_name_that_is_put_together_may_be_anything(tmp_path, monkeypatch, argument):
    found = measured_in(f"yield Measure({argument}, 'mse', 1.0)", tmp_path, monkeypatch)
    assert "whatever the data say" in found.mechanism
