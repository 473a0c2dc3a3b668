"""A change reruns everything that depends on it, and nothing else."""

import os

import pytest

pytestmark = pytest.mark.end_to_end

REPORT = {
    "Assembling the report",
    "Writing the metadata of the run",
    "The report is report/index.html",
}
DIFFERENCES = {
    f"jrr: printed numbers of {exhibit} against ours" for exhibit in ("fig1", "fig2", "fig3", "section_5_3_5")
}
AUDIT = {"jrr: checking the claims", "jrr: notebook", "Collecting the verdicts of all papers", "Page jrr"} | DIFFERENCES
SEARCH = {"jrr: searching for what was run"}
PREDICTIONS = {"jrr: predicting the numbers of its figures and tables", "Collecting the predictions of all papers"}
DRAWN = {"jrr: fig3", "jrr: fig3b", "jrr: fig3_ratio"}
FUNCTION = "\n\ndef added(x):\n    return x + 1\n"


def experiments(names):
    return {f"Experiment jrr/{name}" for name in names}


def test_after_the_run_there_is_nothing_to_do(whole):
    assert whole.plan() == set()


@pytest.mark.parametrize(("figure", "drawn"), [("fig5", ["fig5"]), ("fig3_ratio", ["fig3", "fig3b", "fig3_ratio"])])
def test_another_style_draws_the_figures_that_read_the_same_files(whole, figure, drawn):
    with whole.edited_paper(lambda paper: paper["exhibits"][figure]["style"].update(scale={"y": "log"})):
        assert whole.plan() == {f"jrr: {name}" for name in drawn} | REPORT


@pytest.mark.parametrize(
    ("experiment", "change", "shows"),
    [
        ("laws", {"k": [2, 3]}, {"jrr: table1", "jrr: table2"}),
        # What the text says of colluders here may have been run elsewhere.
        ("heuristic", {"colluders": [5]}, {"jrr: heuristic", "jrr: table4"} | SEARCH),
    ],
)
def test_another_setting_runs_one_experiment(whole, experiment, change, shows):
    with whole.edited_paper(lambda paper: paper["experiments"][experiment]["setting"].update(change)):
        assert whole.plan() == experiments([experiment]) | shows | AUDIT | PREDICTIONS | REPORT


def test_another_seed_runs_every_experiment_and_no_data_job(whole):
    shown = {f"jrr: {name}" for name in whole.drawn()}
    after = experiments(whole.paper()["experiments"]) | shown | SEARCH | AUDIT | PREDICTIONS | REPORT
    assert whole.plan("--config", "seed=1") == after


@pytest.mark.parametrize(
    ("file", "old", "new", "jobs"),
    [
        ("claims.yaml", "mse_counts_jrr < mse_counts_rr", "mse_counts_jrr <= mse_counts_rr", AUDIT),
        ("published/fig3.csv", "41.59", "41.60", DRAWN | SEARCH | AUDIT | PREDICTIONS),
    ],
)
def test_other_claims_or_printed_numbers_are_judged_without_a_new_experiment(whole, file, old, new, jobs):
    with whole.edited(f"papers/jrr/{file}", lambda text: text.replace(old, new, 1)):
        assert whole.plan() == jobs | REPORT


@pytest.mark.parametrize(
    ("module", "golden"),
    [
        (
            "corrldp.protocols.jrr.mechanism",
            {
                *(f"fig{number}" for number in range(1, 9)),
                *("heuristic", "privacy", "collusion", "datasets", "laws", "lemmas", "integration"),
                *("known_values", "many_colluders", "proofs", "section_5_3_5", "small_epsilon"),
            },
        ),
        ("corrldp.mechanisms.hashing", {"integration"}),
    ],
)
def test_an_edited_module_runs_the_experiments_that_import_it(whole, module, golden):
    with whole.edited(f"src/{module.replace('.', '/')}.py", lambda text: text + FUNCTION):
        planned = whole.plan()
    assert {job for job in planned if job.startswith("Experiment")} == experiments(golden)
    assert planned >= AUDIT | REPORT


def test_an_edited_plot_module_draws_all_figures(whole):
    figures = {f"jrr: {path.stem}" for path in (whole.root / "figures/jrr").glob("*.pdf")}
    assert figures
    with whole.edited("src/claimaudit/plots/figure.py", lambda text: text + FUNCTION):
        assert whole.plan() == figures | DIFFERENCES | REPORT | {"Page jrr", "Page example"}  # a study draws, too


def test_comments_and_docstrings_are_not_code(whole):
    def described(text):
        return '"""Another docstring."""' + text[text.index('"""', 3) + 3 :] + "\n# A comment.\n"

    with (
        whole.edited("src/corrldp/protocols/jrr/mechanism.py", described),
        whole.edited("src/claimaudit/plots/curves.py", described),
        whole.edited("src/claimaudit/results.py", described),
    ):
        assert whole.plan() == set()


def test_layout_and_reasons_in_a_papers_configuration_run_no_experiment(whole):
    with whole.edited_paper(lambda paper: paper["axes"]["grid_step"].update(why="For no reason.")):
        assert whole.plan() == REPORT


def test_new_dates_are_not_changes(whole):
    for path in whole.root.rglob("*"):
        if path.is_file() and not path.is_relative_to(whole.root / ".snakemake"):
            os.utime(path)
    assert whole.plan() == set()
