import numpy as np
import pandas as pd
import pytest

from claimaudit.audit.arrays import Arrays
from claimaudit.audit.fitting.exhibits import compare, compared, known, score
from claimaudit.audit.fitting.likelihood import RunsRatio, estimate_runs
from claimaudit.papers.jobs import PaperExhibit

SETTINGS = {"n": [100, 400], "rho": [0.1, 0.9]}


def expected(setting, mechanism, reading):
    """JRR depends on the reading and RR does not."""
    return setting["n"] * (1 - setting["rho"] / 2) * (0.5 if mechanism == "JRR" and reading == "halved" else 1.0)


def published(table, reading, **more):
    """The exact expectations of a reading as printed numbers."""
    rows = table[table["reading"] == reading]
    printed = rows[["n", "rho", "mechanism", "metric"]].assign(
        value=[expected(row, row["mechanism"], reading) for row in rows.to_dict("records")], unit=0.0, runs=1000
    )
    return printed.assign(**more)


@pytest.fixture
def table(simulate, rng):
    return simulate(expected, rng, SETTINGS, runs=10_000, readings=["strict", "halved"])


EXHIBIT = PaperExhibit("fig1", "fig1", "fig1")


def test_every_reading_is_scored_by_all_mechanisms_together(table):
    fit = score(compare(EXHIBIT, table, published(table, "halved")), RunsRatio())
    assert fit.p_values["halved"] > 0.01
    assert fit.p_values["strict"] < 1e-6
    assert fit.under("halved").inside == 1
    assert fit.under("strict").inside == 0.5
    assert len(fit.cells) == 2 * 8
    assert fit.cells.groupby("reading")["number"].apply(list).map(sorted).tolist() == [list(range(8))] * 2


def test_a_reading_that_one_mechanism_rejects_does_not_stand_for_the_other(table):
    printed = published(table, "strict")
    jrr = printed["mechanism"] == "JRR"
    alone = PaperExhibit("fig1", "fig1", "fig1", rows="mechanism == 'RR'")
    assert score(compare(alone, table, printed), RunsRatio()).p_values["halved"] > 0.01
    assert score(compare(EXHIBIT, table, printed[jrr]), RunsRatio()).p_values["halved"] < 1e-6
    assert score(compare(EXHIBIT, table, printed), RunsRatio()).p_values["halved"] < 1e-6


def test_the_closed_form_comes_before_the_simulation(simulate, rng):
    table = simulate(expected, rng, SETTINGS, runs=100, theory=True)
    cells = compare(EXHIBIT, table, published(table, "strict"))
    assert (cells["ours"] == cells["value"]).all()
    assert (cells["se_ours"] == 0).all()
    assert (cells["run_sd"] > 0).all()


def test_the_number_of_runs_scales_the_error_of_printed_numbers(table):
    cells = compare(EXHIBIT, table, published(table, "strict"))
    stated, quarter = (score(cells, runs).cells for runs in (RunsRatio(), RunsRatio(0.25, 0.2, 0.3, rejected=True)))
    printed, more = (
        np.sqrt(fit["se"] ** 2 - cells["se_ours"] ** 2 - cells["digit"] ** 2 / 4) for fit in (stated, quarter)
    )
    assert more.to_numpy() == pytest.approx(2 * printed.to_numpy())
    replaced = compare(PaperExhibit("fig1", "fig1", "fig1", runs=250), table, published(table, "strict"))
    assert (replaced["stated"] == 250).all()


def test_errors_of_printing_and_reading_off(table):
    count = len(published(table, "strict"))
    value, unit = (np.resize(pair, count) for pair in ([12.5, 0.0625], [0.1, 1e-4]))
    printed = published(table, "strict", value=value, unit=unit)
    cells = compare(PaperExhibit("fig1", "fig1", "fig1", reading_error=0.01), table, printed)
    assert cells["digitised"].to_numpy() == pytest.approx(0.01 * cells["value"].to_numpy())
    assert set(cells["digit"]) == {0.1, 1e-4}
    se = np.sqrt(
        cells["se_ours"] ** 2 + cells["run_sd"] ** 2 / 1000 + cells["digitised"] ** 2 + cells["digit"] ** 2 / 4
    )
    assert score(cells, RunsRatio()).cells["se"].to_numpy() == pytest.approx(se.to_numpy())


def test_a_constant_line_is_one_number():
    rows = [("strict", "SPL", 0.1, 0.12), ("strict", "SPL", 0.1, 0.12), ("strict", "SPL", 0.1, 0.11)]
    rows += [("strict", "RS+FD", 0.1, 0.12), *[("other", "SPL", 0.1, 0.12)] * 3, ("other", "RS+FD", 0.2, 0.12)]
    cells = pd.DataFrame(rows, columns=["reading", "mechanism", "value", "ours"]).assign(metric="mse", se_ours=0.01)
    cells = cells.assign(**dict.fromkeys(("run_sd", "stated", "digitised", "digit"), 0.0))
    assert score(cells, RunsRatio()).decisive.groupby("reading").size().to_dict() == {"strict": 2, "other": 2}


def test_a_line_printed_again_and_again_is_no_further_evidence(simulate, rng):
    """RR does not depend on rho here, and its printed line is one run of it."""
    table = simulate(lambda setting, *_: float(setting["n"]), rng, {"n": [100], "rho": list(range(20))}, theory=True)
    printed = published(table, "strict").assign(value=108.9)
    table["se"] *= 1 + table["rho"] / 100  # as estimated from runs
    cells = compare(EXHIBIT, table, printed)
    fit = score(cells, RunsRatio())
    assert cells["run_sd"].nunique() > 1
    assert fit.p_values["strict"] > 0.01
    once = score(cells[(cells["rho"] == 0) & (cells["mechanism"] == "RR")], RunsRatio())
    assert fit.p_values["strict"] == pytest.approx(once.p_values["strict"], rel=0.5)


@pytest.mark.parametrize("same_runs", [True, False])
def test_metrics_of_the_same_runs_are_one_likelihood(simulate, rng, same_runs):
    """A second metric that repeats the first adds nothing; one that is printed for other settings does."""
    table = simulate(expected, rng, SETTINGS, readings=["strict", "halved"])
    printed = published(table, "strict")
    also = printed.assign(metric="are")
    printed, also = (printed, also) if same_runs else (printed[printed["n"] == 100], also[also["n"] == 400])
    tables = pd.concat([table, table.assign(metric="are")])
    both = score(compare(EXHIBIT, tables, pd.concat([printed, also])), RunsRatio())
    one = score(compare(EXHIBIT, table, published(table, "strict")), RunsRatio())
    for name in ("strict", "halved"):
        assert both.log_likelihoods[name] == pytest.approx(one.log_likelihoods[name])
    assert both.error_between("strict", "halved") == pytest.approx(one.error_between("strict", "halved"))


def test_the_number_of_runs_rests_on_closed_forms_that_readings_share(simulate, rng):
    table = simulate(expected, rng, SETTINGS, theory=True, readings=["strict", "halved"])
    printed = published(table, "strict")
    evidence = known(compare(EXHIBIT, table, printed))
    assert set(evidence["mechanism"]) == {"RR"}
    assert set(evidence["reading"]) == {"strict"}
    assert len(evidence) == 4
    both = known(
        compare(
            EXHIBIT, pd.concat([table, table.assign(metric="are")]), pd.concat([printed, printed.assign(metric="are")])
        )
    )
    assert both["metric"].nunique() == 1
    lacking = table.assign(theory=table["theory"].mask((table["reading"] == "halved") & (table["n"] == 100)))
    assert set(known(compare(EXHIBIT, lacking, printed))["n"]) == {100, 400}, "what cannot stand needs no closed form"
    assert set(known(compare(EXHIBIT, lacking, printed[printed["mechanism"] == "RR"]))["n"]) == {400}
    assert known(compare(EXHIBIT, table.assign(theory=np.nan), printed)).empty


def test_numbers_that_no_reading_explains_tell_no_runs(simulate, rng):
    """JRR's are three tenths of the expected ones: far fewer runs than stated would pass for the cause."""
    table = simulate(expected, rng, SETTINGS, theory=True)
    printed = published(table, "strict")
    printed.loc[printed["mechanism"] == "JRR", "value"] *= 0.3
    cells = compare(EXHIBIT, table, printed)
    assert estimate_runs(cells).rejected
    assert known(cells).empty


@pytest.mark.parametrize(
    ("change", "metric", "message"),
    [
        (lambda rows: rows.assign(n=[7, *rows["n"][1:]]), "mse", r"1 published cells have no row .*: \{'n': 7"),
        (lambda rows: rows.assign(delta=1), "mse", "published column delta is not a setting; there are: n, rho"),
        (lambda rows: rows.drop(columns="rho"), "mse", "several rows in the results"),
        (lambda rows: rows, "are", "no published number has the metric are"),
    ],
)
def test_pairing_names_what_does_not_match(table, change, metric, message):
    printed = published(table, "strict")
    with pytest.raises(ValueError, match=message):
        compared(EXHIBIT, Arrays.of(table), change(printed), metric)
    with pytest.raises(ValueError, match="does not say the `runs`"):
        compare(EXHIBIT, table, printed.assign(runs=np.nan))


def test_pairing_selects_by_what_the_printed_numbers_know_and_a_setting_may_be_called_cell(table):
    printed = published(table, "strict")
    found = compared(EXHIBIT, Arrays.of(table), printed, "mse", "n == 100 and reading == 'strict'")
    assert set(found["n"]) == {100}
    assert set(found["reading"]) == {"strict", "halved"}
    cells = compare(EXHIBIT, *(rows.rename(columns={"rho": "cell"}) for rows in (table, printed)))
    assert set(cells["cell"]) == {0.1, 0.9}
