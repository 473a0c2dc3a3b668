"""Each mistake in a paper's configuration is rejected before anything runs, in one line with file, line and key."""

from functools import partial

import pytest
from mistakes import mistaken

from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import PaperExhibit, ShownExhibit

VIEWS = {"adult_corr_rr": {}, "clave": {}}
PAPER = """\
title: A Small Paper
authors: N. N.
venue: Nowhere
axes:
  phase1_fraction:
    values: {text: 0.1, phase1_20: 0.2}
    why: Not stated.
  py_rule:
    values: {text: body, exact_rule: exact, always_copy: always_copy}
    why: Two formulas.
  amplify:
    values: {text: false, amplified: true}
    why: Not stated.
  non_copy:
    values: {text: different, any_value: any}
    why: The numbers differ.
readings:
  refitted: {phase1_fraction: 0.2, py_rule: exact}
experiments:
  fig1:
    source: shared.runners.errors:mse
    runs: 100
    runs_factor: [10, 2]
    setting:
      dataset: [syn_a]
      n: [2000]
      d: [2]
      k: [4]
      rho: [0.5]
      epsilon: [0.1, 0.5]
      mechanisms: [SPL, Corr-RR]
    axes: [phase1_fraction, {py_rule: [exact_rule]}, amplify, non_copy]
    readings: [refitted]
  fig2:
    source: shared.runners.errors:mse
    runs: 100
    setting:
      views: {adult: adult_corr_rr}
      epsilon: [0.1]
      mechanisms: [SPL]
    axes: [py_rule]
exhibits:
  fig1:
    published: fig1
    title: Errors
    caption: Errors of all mechanisms.
    style: {plot: curves, x: epsilon, y: mse, scale: {y: log}, show: {reading: [strict, refitted]}}
  table1:
    experiment: fig1
    published: fig1 as no evidence
    title: Errors
    caption: The same numbers.
    style: {index: [epsilon], columns: mechanism}
  errors: {of: table1, published: fig1}
"""

MISTAKES = r"""
venue: Nowhere -> venu: Nowhere | venu | did you mean venue?
title: A Small Paper\n ->  | title | missing
[py_rule] -> [py_rule, budget] | experiments.fig2 | no axis 'budget'
  non_copy:\n    values ->   budget:\n    values | experiments.fig1 | non_copy
amplify, non_copy] -> amplify] | axes.non_copy | no experiment lists
    why: Two formulas. ->     wy: Two formulas. | axes.py_rule.wy | did you mean why?
text: body -> text: bodi | axes.py_rule.values.text | did you mean body?
text: body -> strict: body | axes.py_rule.values | call it text, or ours
exact_rule: exact, -> exact_rule: exat, | axes.py_rule.values.exact_rule | did you mean exact?
phase1_20: 0.2 -> phase1_20: 1.2 | axes.phase1_fraction.values.phase1_20 | 0.001 to 0.999
amplified: true -> amplified: 1 | axes.amplify.values.amplified | false, true
phase1_20: 0.2 -> Phase 1: 0.2 | axes.phase1_fraction.values.Phase 1 | pattern
amplified: true -> phase1_20: true | axes.amplify.values.phase1_20 | two readings
amplified: true -> ours: true | axes.amplify.values | call the other one
{phase1_fraction: 0.2, py -> {phase1: 0.2, py | readings.refitted.phase1 | phase1_fraction
py_rule: exact} -> py_rule: exakt} | readings.refitted.py_rule | did you mean exact?
{phase1_fraction: 0.2, py_rule: exact} -> {py_rule: exact} | readings.refitted | 2
    readings: [refitted]\n ->  | readings.refitted | no experiment runs
    readings: [refitted] ->     readings: [refited] | experiments.fig1 | did you mean refitted?
{py_rule: [exact_rule]} -> {py_rule: [exact]} | experiments.fig1 | did you mean exact_rule?
[py_rule] -> []\n    readings: [refitted] | experiments.fig2 | the strict one here
[py_rule] -> [{py_rule: [our, exact_rule]}] | experiments.fig2 | mean ours?
[py_rule] -> [py_rule]\n    readings: [refitted] | experiments.fig2 | are the same
  fig1:\n    source: shared.runners.errors ->   fig1:\n    source: shared.runners.erors | experiments.fig1 | erors
    runs_factor ->     runs_facotr | experiments.fig1.runs_facotr | did you mean runs_factor?
[10, 2] -> [9, 2] | experiments.fig1.runs_factor | 9 must be a whole multiple of 2
runs: 100\n    runs_factor -> runs: 0\n    runs_factor | experiments.fig1.runs | greater than or equal to 1
      rho: [0.5] ->       roh: [0.5] | experiments.fig1.setting.roh | did you mean rho?
      epsilon: [0.1, 0.5]\n ->  | experiments.fig1.setting.epsilon | missing
[0.1, 0.5] -> [0, 0.5] | experiments.fig1.setting.epsilon.0 | greater than 0
[syn_a] -> [syn_c] | experiments.fig1.setting.dataset.0 | did you mean
adult: adult_corr_rr -> adult: adult_cor_rr | experiments.fig2.setting.views.adult | did you mean adult_corr_rr?
[SPL, Corr-RR] -> [SPL, Corr-R] | experiments.fig1.setting.mechanisms.1 | did you mean Corr-RR?
rho: [0.5] -> rho: [0.5]\n      phase1_fraction: [0.1] | experiments.fig1 | both
plot: curves -> plot: curve | exhibits.fig1.style.plot | did you mean curves?
experiment: fig1\n -> experiment: fig3\n | exhibits.table1 | fig1, fig2
published: fig1\n -> published: fig2\n | exhibits.fig1 | fig1
published: fig1\n -> published: fig1 with 0.01\n | exhibits.fig1.published | within 0.01
of: table1 -> of: table2 | exhibits.errors.of | did you mean table1?
x: epsilon,  ->  | exhibits.fig1.style.x | missing
x: epsilon -> boxes: {a: {at: [0, 0], text: a, to: {b: c}}}, x: epsilon | exhibits.fig1.style | arrow
    caption: The same numbers.\n ->  | exhibits.table1 | a title but no caption
scale: { -> sacle: { | exhibits.fig1.style.sacle | did you mean scale?
{y: log} -> {y: logg} | exhibits.fig1.style.scale.y | did you mean log?
[strict, refitted] -> [strict, refited] | exhibits.fig1 | did you mean refitted?
published: fig1 as -> published: fig2 as | exhibits.table1 | fig1
published: fig1 as no evidence -> published: [fig1, fig1] | exhibits.table1 | say of one
    runs: 100\n    runs_factor ->     runs: 100\n    runs: 50\n    runs_factor | runs | twice
  fig2:\n    source ->   fig1:\n    source | fig1 | twice
venue: Nowhere -> venue: [Nowhere | line | expected
"""
"""Text and replacement, key that the message names, words of the message."""


@pytest.fixture
def load(small_paper):
    return partial(small_paper, printed={"fig1": ""}, views=VIEWS)


def test_the_paper_without_a_mistake_is_accepted(load):
    paper = load(PAPER)
    assert list(paper.entry.readings_of("fig1")) == ["phase1_20", "exact_rule", "amplified", "any_value", "refitted"]
    assert paper.labels("fig1")["refitted"] == "20 % of the users in Phase I, the exact minimiser as p_y"
    assert paper.entry.readings_of("fig2")["always_copy"] == {"py_rule": "always_copy"}


@mistaken(("wrong", "right", "key", "words"), MISTAKES)
def test_a_mistake_is_one_line_with_file_and_key(load, wrong, right, key, words):
    assert PAPER.count(wrong) == 1, "the mistake must be made in one place"
    with pytest.raises(ConfigurationError) as caught:
        load(PAPER.replace(wrong, right))
    lines = [line for line in str(caught.value).splitlines() if key in line]
    assert lines, str(caught.value)
    assert all(line.startswith("paper.yaml, line ") for line in lines)
    assert any(words in line for line in lines)


def test_a_strict_value_may_be_ours_everywhere_or_in_one_experiment(load):
    ours = PAPER.replace("{text: 0.1, phase1_20: 0.2}", "{ours: 0.1, phase1_20: 0.2}")
    here = ours.replace("axes: [py_rule]", "axes: [{py_rule: [ours, exact_rule, always_copy]}]")
    assert [load(ours).entry.unstated_of(name) for name in ("fig1", "fig2")] == [("phase1_20",), ()]
    assert load(here).entry.unstated_of("fig2") == ("exact_rule", "always_copy")


def test_a_table_knows_its_exhibits_with_the_numbers_that_it_shows(load):
    assert load(PAPER).table("table1").exhibits == (PaperExhibit("errors", "fig1", "fig1"),)
    assert load(PAPER.replace("    published: fig1 as no evidence\n", "")).table("table1").exhibits == ()
    assert load(PAPER.replace("of: table1, ", "experiment: fig1, ")).table("table1").exhibits == ()


def test_the_exhibits_that_are_judged_are_wholes_of_the_paper_or_passages(load):
    paper = load(PAPER)
    assert list(paper.judged) == ["fig1", "errors"], "the table has numbers by its passage only"
    assert (list(paper.figures), list(paper.tables)) == (["fig1"], ["table1"])
    part = PAPER.replace("of: table1, published: fig1", "of: fig1, title: T, caption: C., style: {index: epsilon}")
    assert list(load(part).judged) == ["fig1", "table1"], "a part that is drawn is judged with its whole"
    ours = PAPER.replace("of: table1, ", "of: ours, experiment: fig1, ")
    assert list(load(ours).judged) == ["fig1", "table1"]


def test_what_claims_may_be_of_are_exhibits_and_experiments(load):
    subjects = load(PAPER).context().subjects
    assert list(subjects) == ["fig1", "table1", "errors", "fig2"]
    assert subjects["table1"] == ShownExhibit("fig1", "Errors", published=("fig1",))
    assert subjects["errors"] == ShownExhibit("fig1", published=("fig1",), shows="errors")
    assert subjects["fig2"] == ShownExhibit("fig2")
