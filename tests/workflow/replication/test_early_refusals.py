"""What would fail or hang late is refused when planning: names and conditions of figures, doubled and huge numbers."""

import re

import pytest

pytestmark = pytest.mark.thorough

FIGURE = "style: {<<: *over_epsilon, y: are}"
RUNS = "axes: &practical [*steps, *rule]}"

# (text of papers/jrr/paper.yaml, replacement, key, words)
LATE = [
    (FIGURE, "style: {<<: *over_epsilon, y: cells}", "exhibits.fig3b.style.y", "no metric 'cells' in the result table"),
    (FIGURE, FIGURE[:-1] + ", x: epsilo}", "exhibits.fig3b.style.x", "no column 'epsilo' .*; did you mean epsilon?"),
    (FIGURE, FIGURE[:-1] + ", show: {m: 1}}", "exhibits.fig3b.style.show", "no column 'm' in the result table"),
    (
        FIGURE,
        FIGURE[:-1] + ", show: {mechanism: JR}}",
        "exhibits.fig3b.style.show",
        "no mechanism 'JR' .*did you mean J",
    ),
    (FIGURE, FIGURE[:-1] + ", ratio_to: R}", "exhibits.fig3b.style.ratio_to", "no mechanism 'R' in the result table"),
    (FIGURE, FIGURE[:-1] + ", where: nn == 3}", "exhibits.fig3b.style.where", "no column 'nn' .*; did you mean n?"),
    (FIGURE, FIGURE[:-1] + ", where: n == 3}", "exhibits.fig3b.style.where", "'n == 3' selects no row"),
    (
        FIGURE,
        FIGURE[:-1] + ", where: metric == 'are' and n > 10 and n < 5}",
        "exhibits.fig3b.style.where",
        "selects no row",
    ),
    (
        FIGURE,
        FIGURE[:-1] + ", where: metric == 'ar'}",
        "exhibits.fig3b.style.where",
        "no metric 'ar'; did you mean are?",
    ),
    (
        FIGURE,
        FIGURE[:-1] + ', labels: {panel: "{no}"}}',
        "exhibits.fig3b.style.labels",
        "no column 'no' in the result",
    ),
    (
        FIGURE,
        FIGURE[:-1] + ', labels: {panel: "{n:q}"}}',
        "exhibits.fig3b.style.labels",
        "is no format of its columns",
    ),
    *(
        (FIGURE, f"{FIGURE[:-1]}, {key}: {value}}}", f"exhibits.fig3b.style.{key}", words)
        for key, value, words in (
            ("panels", ".nan", "nan must be an object"),
            ("labels", "3", "3 must be an object"),
            ("show", "3", "3 must be an object"),
            ("scale", "[3]", "must be an object"),
            ("lines", "1", "1 must be a valid string"),
            ("where", "3", "3 must be a valid string"),
            ("boxes", "{a: {at: [0, 0]}}", "the key is missing"),
            ("share", "1", "unknown key.*share_y"),
        )
    ),
    ("index: [case], formats", "index: 3, formats", "exhibits.table1.style.index", "3 must be a valid string"),
    ("index: [case], formats", "index: [casee], formats", "exhibits.table1.style.index", "no column 'casee' .*case"),
    ("setting: {n: [5000]}", "setting: {n: [5000, 5e3]}", "experiments.section_5_3_5.setting.n", "must be|twice"),
    (
        "setting: {n: [5000]}",
        "setting: {n: [5000, 5000]}",
        "experiments.section_5_3_5.setting.n",
        "5000 is listed twice",
    ),
    (
        "setting: {n: [5000]}",
        f"setting: {{n: [{10**30}]}}",
        "experiments.section_5_3_5.setting.n.0",
        "less than or equal",
    ),
    ("[kosarak]", "[kosarok]", "data.Kosarak.datasets.0", "no data set 'kosarok'.*did you mean kosarak"),
    (RUNS, f"runs: {10**15}, {RUNS}", "experiments.privacy.runs", "must be less than or equal to"),
    (
        RUNS,
        f"runs_factor: [{10**15}, 1], {RUNS}",
        "experiments.privacy.runs_factor.0",
        "must be less than or equal to",
    ),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), LATE, ids=[f"{key}: {new}"[:70] for _, new, key, _ in LATE])
def test_what_fails_late_is_refused_early(copy, old, new, key, words):
    copy.replace("papers/jrr/paper.yaml", old, new)
    lines = copy.refused()
    assert len(lines) == 1, lines
    assert re.match(rf"papers/jrr/paper.yaml, line \d+: {key.replace('.', '[.]')}.*: .*({words})", lines[0]), lines


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ("{data: Census, because: user}", r"lacking.census.because: no data set of Census is of kind user_file"),
        ("{data: Amazon, because: optional}", r"lacking.census.because: no data set of Amazon is optional"),
        ("{data: Cens, because: user}", r"lacking.census.data: .*'Cens'.*did you mean Census"),
    ],
)
def test_a_lack_of_data_must_be_that_of_the_data_set(copy, new, words):
    copy.replace("papers/jrr/paper.yaml", "\nexperiments:\n", f"\nlacking:\n  census: {new}\n\nexperiments:\n")
    (line,) = copy.refused()
    assert re.search(words, line)
