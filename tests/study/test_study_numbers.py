"""What a study computes: populations, errors, recommendations, joint tables, leakage, dependence and privacy."""

import math
from itertools import groupby

import numpy as np
import pandas as pd
import pytest

from claimaudit.names import ConfigurationError
from corrldp import plan
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import perturb_axes
from corrldp.protocols.registry import protocol
from corrldp.randomness import generator
from corrldp.study import contenders, dependence, errors, leakage
from corrldp.study.contenders import STATED, Contender, Marginals, Users
from corrldp.study.errors import Error, compare, recommended
from corrldp.study.leakage import largest_budget
from corrldp.study.settings import parse
from corrldp.study.study import Study
from corrldp.study.tables import ALL, PUBLIC, TABLE, Candidate, ErrorRow, PrivacyRow, Recommendation, frame

pytestmark = pytest.mark.thorough

FAIR = 3000
FEW = {"ways": [2], "sets": 1}  # joint tables
WIDE = Table(np.zeros((10, 3000), dtype=int), tuple(map(str, range(3000))), (("no", "yes"),) * 3000)


def table_of(*columns, sizes=None):
    codes = np.column_stack(columns).astype(np.uint8)
    sizes = sizes or [int(column.max()) + 1 for column in codes.T]
    names = tuple("abcdefgh"[: len(sizes)])
    return Table(codes, names, tuple(tuple(f"v{value}" for value in range(k)) for k in sizes))


@pytest.fixture(scope="module")
def dependent():
    """Three columns: the second often copies the first, the third follows no other."""
    rng = np.random.default_rng(3)
    first = rng.choice(3, size=1500, p=[0.6, 0.3, 0.1])
    second = np.where(rng.random(1500) < 0.7, first, rng.integers(3, size=1500))
    return table_of(first, second, rng.integers(2, size=1500))


@pytest.mark.parametrize("name", ["SMP", "RS+FD[OUE-z]", "SPL[OUE]", "LoPub"])
def test_marginals_give_the_errors_of_whole_records(dependent, name):
    users = Users(dependent)
    one = protocol(name, 1.0, dependent.sizes)
    exact = one.expected_mse(users.records)
    assert one.expected_mse(users.marginals) == pytest.approx(exact, nan_ok=True)
    estimates = one.simulate(users.marginals, 4000, generator(1, name))
    squares = (estimates - users.records.frequencies()) ** 2
    known = np.isfinite(exact)
    z = (squares.mean(axis=0) - exact)[known] / (squares.std(axis=0)[known] / math.sqrt(4000))
    assert np.abs(z).max() < 4


def test_marginals_give_the_error_of_two_phases(dependent):
    users = Users(dependent)
    one = protocol("RS+RFD", 2.0, dependent.sizes)
    found = [one.simulate(population, 3000, generator(2)) for population in (users.marginals, users.records)]
    squares = [((estimates - users.records.frequencies()) ** 2)[:, 0, 0] for estimates in found]
    spread = math.hypot(*(np.std(one) / math.sqrt(3000) for one in squares))
    assert abs(np.mean(squares[0]) - np.mean(squares[1])) < 4 * spread


def test_a_split_keeps_the_users_of_every_attribute():
    marginals = Marginals(np.array([[30, 70, 0], [20, 30, 50]]), (2, 3))
    chosen, others = marginals.split(40, 5, generator(1))
    assert (chosen.counts + others.counts == marginals.counts).all()
    assert (chosen.counts.sum(axis=-1) == 40).all()
    assert (chosen.n, others.n) == (40, 60)


def test_simulated_errors_agree_with_closed_forms(dependent):
    users, settings = Users(dependent), parse({"runs": 2000})
    contender = Contender("RS+FD", 1.0, protocol("RS+FD", 1.0, dependent.sizes))
    found = {error.postprocess: error for error in errors.of_contender(contender, users, settings)}
    exact = found["none"]
    assert exact.runs is None
    assert exact.mean == pytest.approx(np.nanmean(np.nanmean(exact.means, axis=1)))
    estimates = contender.simulate(users, 2000, generator(9))
    squares = np.nanmean((estimates - users.marginals.frequencies()) ** 2, axis=2).mean(axis=1)
    assert abs(squares.mean() - exact.mean) < 4 * squares.std() / math.sqrt(2000)
    assert found["simplex"].mean < found["clip"].mean < exact.mean


def test_one_protocol_under_two_names_is_one_candidate(dependent):
    names = ["SMP", "SMP[adaptive]", "RS+FD", "SPL", "Castell"]
    study = Study(dependent, protocols=names, epsilons=[4.0], runs=20, postprocess=["none", "clip"])
    for basis in (PUBLIC, TABLE):
        rows = study.candidates[study.candidates["basis"] == basis]
        assert set(rows["protocol"]) == {"SMP", "RS+FD", "SPL"}
        assert set(rows["same"][rows["protocol"] == "SPL"]) == {("Castell",)}
        assert not rows.duplicated(["protocol", "postprocess"]).any()
    assert set(study.recommendation["same"]) == {("SMP[adaptive]",)}


def test_shares_are_read_as_exactly_as_the_answer_says(dependent):
    """Half of the 95 % interval covers in 95 of 100 runs, 4 standard errors and the normal approximation aside."""
    study = Study(dependent, protocols=["SMP", "Corr-RR"], epsilons=[2.0], runs=100, postprocess=["none"])
    found = study.accuracy
    assert list(found["column"]) == [*"abc", *"abc"]
    one, users, rng = protocol("SMP", 2.0, dependent.sizes), Users(dependent), generator(3)
    distance = np.abs(one.simulate(users.marginals, 4000, rng) - users.marginals.frequencies())
    for row in found[found["basis"] == TABLE].itertuples():
        j = dependent.names.index(row.column)
        v = dependent.values[j].index(row.value)
        assert row.share == pytest.approx(users.marginals.frequencies()[j, v])
        assert (distance[:, j, v] <= row.error).mean() == pytest.approx(0.95, abs=0.02)
    planned = plan(dependent.sizes, users=dependent.n, epsilon=2.0, names=["SMP"]).options[0]
    public = found[found["basis"] == PUBLIC]
    assert public["error"].tolist() == [one.error for one in planned.attributes]
    assert public["smallest_share"].tolist() == [one.smallest_share for one in planned.attributes]


def test_one_yes_no_question_is_a_study():
    study = Study(table_of(np.arange(2000) % 3 == 0), epsilons=[1.0], runs=20)
    assert set(study.recommendation["protocol"]) == {"SPL"}
    assert set(study.recommendation["same"]) == {("SPL[adaptive]", "RS+FD", "RS+FD[adaptive]")}
    assert all(study.tables()[name].empty for name in ("joint", "dependence"))
    assert set(study.leakage["measure"]) == {leakage.SUM, leakage.ANY}
    assert study.leakage["odds"].to_numpy() == pytest.approx(math.e)
    assert study.budget["epsilon"].to_numpy() == pytest.approx(math.log(3), abs=1e-5)


def test_the_table_of_errors_is_tidy(dependent):
    users, settings = Users(dependent), parse({"protocols": ["SPL", "Corr-RR", "JRR"], "epsilons": [1], "runs": 30})
    built, left_out = contenders.contenders(settings, dependent.sizes)
    found, _ = errors.measure(built, users, settings)
    table = frame(ErrorRow, (row for error in found for row in errors.of_values(error, users)))
    assert len(table) == 2 * len(settings.postprocess) * (1 + 3 + 3 + 3 + 2)
    assert not table.isna().any().any()
    assert (table["low"] <= table["mse"]).all()
    assert (table["mse"] <= table["high"]).all()
    assert ((table["runs"] == 0) == ((table["protocol"] == "SPL") & (table["postprocess"] == "none"))).all()
    by_value = table[table["value"] != ALL].groupby(["protocol", "postprocess", "attribute"])["mse"].mean()
    averages = table[(table["value"] == ALL) & (table["attribute"] != ALL)]
    assert averages.set_index(["protocol", "postprocess", "attribute"])["mse"].to_dict() == pytest.approx(
        by_value.to_dict()
    )
    assert [entry.what for entry in left_out] == ["JRR"]
    assert "attribute" in left_out[0].reason


def recommendations(found, users, settings, basis):
    """What is recommended at each budget."""
    candidates = [row for row in compare(found, users, settings) if row.basis == basis]
    groups = groupby(candidates, key=lambda row: row.epsilon)
    return frame(Recommendation, (recommended(*rows) for _, rows in groups))


def test_public_facts_do_not_depend_on_the_records(dependent):
    settings = parse({"runs": 10, "protocols": ["SPL", "SMP", "SMP[adaptive]", "RS+FD", "Corr-RR"]})
    rng = np.random.default_rng(8)
    other = table_of(*(rng.integers(k, size=dependent.n) for k in (3, 3, 2)))
    extreme = table_of(*np.zeros((3, dependent.n)), sizes=(3, 3, 2))
    built, _ = contenders.contenders(settings, dependent.sizes)
    users = map(Users, (dependent, other, extreme))
    rows = [recommendations(errors.measure(built, one, settings)[0], one, settings, PUBLIC) for one in users]
    assert len(rows[0]) == len(settings.epsilons)
    assert "Corr-RR" not in " ".join(rows[0]["protocol"])
    assert rows[0].equals(rows[1])
    assert rows[0].equals(rows[2])


@pytest.mark.parametrize(
    ("best", "other", "verdict"),
    [
        ((1.0, 0.0), (1.5, 0.01), "recommended"),
        ((1.0, 0.1), (1.1, 0.1), "cannot tell"),
        ((1.0, 0.0), (1.005, 0.0), "recommended"),  # no difference to anyone
        ((1.0, 0.0), (1.0 - 2.0**-53, 0.0), "recommended"),  # none at all
    ],
)
def test_a_verdict_needs_a_difference_that_is_not_chance(dependent, best, other, verdict):
    settings = parse({"epsilons": [1], "protocols": ["SPL", "SMP"]})
    found = [fake_error(name, dependent, *numbers) for name, numbers in zip(("SPL", "SMP"), (best, other), strict=True)]
    candidates = frame(Candidate, compare(found, Users(dependent), settings))
    row = recommendations(found, Users(dependent), settings, TABLE).iloc[0]
    assert (row["protocol"], row["verdict"]) == ("SPL", verdict)
    assert (candidates["standing"] == "open").any() == (verdict == "cannot tell")
    if row["runner_up"]:
        assert row["margin"] == pytest.approx(other[0] / best[0] - 1, abs=0.02)


def fake_error(name, table, mean, se):
    """Make an error with about this mean and standard error."""
    contender = Contender(name, 1.0, protocol(name, 1.0, table.sizes))
    means = np.where(np.arange(3) < np.array(table.sizes)[:, None], mean, np.nan)
    runs = None if se == 0 else mean + se * math.sqrt(200) * np.resize([-1.0, 1.0], (200, 1)) * np.ones((1, 3))
    return Error(contender, "none", means, 0 * means, runs)


def test_joint_tables_by_closed_form_and_by_simulation(dependent):
    study = Study(dependent, epsilons=[2], runs=400, tables={"ways": [2, 3], "sets": 1})
    found = study.joint
    assert study.left_out.empty
    assert list(found["columns"].unique()) == ["a, b", "a, b, c"]
    exact = found.query("scheme == 'RR-Ind-Joint' and metric == 'mse' and w == 2").iloc[0]
    assert exact["runs"] == 0
    mechanisms = [GRR(2 / 3, 3)] * 2
    counts = dependent.counts(("a", "b"))
    tables = perturb_axes(np.broadcast_to(counts, (2000, 3, 3)), mechanisms, generator(5)) / dependent.n
    errors_of = [dependence.rr_ind_joint(one, mechanisms) - counts / dependent.n for one in tables]
    squares = [(error**2).mean() for error in errors_of]
    assert abs(np.mean(squares) - exact["mean"]) < 4 * np.std(squares) / math.sqrt(2000)
    assert set(found["scheme"]) == {*dependence.SCHEMES, "LoPub"}


def coins(n=FAIR):
    """Two fair coins in equal parts, and whether they differ."""
    first, second = np.tile([0, 0, 1, 1], n // 4), np.tile([0, 1, 0, 1], n // 4)
    return table_of(first, second, first ^ second)


def test_two_coins_tell_jointly_what_neither_tells_alone():
    found = Study(coins(), sensitive=["c"], epsilons=[2]).leakage.set_index("measure")
    assert found.loc[leakage.PAIR, "odds"].max() == pytest.approx(1, abs=1e-12)
    assert found.loc[leakage.SUM, "odds"] == pytest.approx(1, abs=1e-12)
    kept = math.e / (1 + math.e)  # each of two columns has a budget of 1
    right = kept**2 + (1 - kept) ** 2
    assert found.loc[leakage.JOINT, "odds"] == pytest.approx(right / (1 - right))
    assert found.loc[leakage.ANY, "odds"] == pytest.approx(math.exp(2))
    assert found.loc[leakage.JOINT, "share"] == 0.5
    assert found.loc[leakage.JOINT, "at_most"] == pytest.approx(right)


def test_what_someone_can_be_convinced_of_is_bayes_rule(dependent):
    """No report of SPL raises the probability of the example above the bound, and some report attains a pair's."""
    found = Study(dependent, sensitive=["a"], epsilons=[2]).leakage
    row = found[found["measure"] == leakage.PAIR].iloc[0]
    channel = GRR(1.0, 3).channel()
    code = dependent.values[0].index(row["value"])
    joint_law = dependent.counts(("a", row["through"])) / dependent.n
    reports = joint_law @ channel
    after = reports[code] / reports.sum(axis=0)
    assert row["share"] == pytest.approx(joint_law[code].sum())
    assert after.max() <= row["at_most"] + 1e-12
    assert row["at_most"] == pytest.approx(leakage.convinced(row["share"], row["odds"]))
    assert leakage.convinced(0.5, 3) == pytest.approx(0.75)
    assert np.isfinite(leakage.odds(1e6))


def test_the_budget_attains_the_limit_or_is_infinite():
    rng = np.random.default_rng(4)
    first = rng.integers(2, size=FAIR)
    noisy = np.where(rng.random(FAIR) < 0.8, first, 1 - first)
    table = table_of(first, rng.integers(2, size=FAIR), noisy)
    strict, generous = (Study(table, sensitive=["c"], odds_limit=math.exp(limit)) for limit in (0.5, 3))
    [attack] = leakage.attacks(table, strict.settings)
    found = strict.budget.set_index("measure")["epsilon"]
    assert attack.of_sum(found[leakage.SUM]) == pytest.approx(0.5, abs=1e-4)
    assert attack.of_any(found[leakage.ANY]) == pytest.approx(0.5, abs=1e-4)
    assert found[leakage.ANY] < found[leakage.SUM]
    assert set(generous.budget["epsilon"]) == {math.inf}
    assert largest_budget(lambda epsilon: min(epsilon, 0.5 + 2.0**-53), 0.5) == math.inf  # a limit but for rounding


def test_a_column_that_is_collected_spends_its_own_report_too():
    found = Study(coins(), epsilons=[3]).leakage
    total = found[(found["measure"] == leakage.SUM) & (found["column"] == "c")]["odds"].iloc[0]
    assert total == pytest.approx(math.e)  # a third of the budget; neither coin adds to it
    assert found[found["measure"] == leakage.ANY]["odds"].to_numpy() == pytest.approx(math.exp(3))


def test_intervals_of_leakage_cover_the_population():
    """The population's leakage is known; of 60 samples' intervals few may miss it."""
    population = np.array([[0.3, 0.1], [0.15, 0.45]])
    truth = float(np.exp(leakage.leakage_bound(population / population.sum(axis=1, keepdims=True), 0.5)))
    covered = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        cells = rng.choice(4, size=1000, p=population.ravel())
        table = table_of(cells % 2, rng.integers(2, size=1000), cells // 2)
        found = Study(table, sensitive=["c"], epsilons=[1]).leakage
        row = found[(found["measure"] == leakage.PAIR) & (found["through"] == "a")].iloc[0]
        covered += row["low"] <= truth <= row["high"]
    assert covered >= 50


def test_rare_values_are_counted():
    rare = np.array([0] * 500 + [1] * 490 + [2] * 10)
    found = Study(table_of(rare, rare % 2, np.arange(1000) % 2), epsilons=[1]).leakage
    assert found.groupby("column")["rare"].max().to_dict() == {"a": 1, "b": 0, "c": 0}


def test_dependence_is_tested_and_corrected(dependent):
    found = Study(dependent).dependence.set_index(["one", "other"])
    assert found.index[0] == ("a", "b")
    assert found.loc[("a", "b"), "holm"] < 1e-6
    assert found.loc[("a", "c"), "holm"] > 0.05
    assert (found["p_value"] <= found["fdr"]).all()
    assert (found["fdr"] <= found["holm"]).all()


def test_rare_cells_are_tested_by_surrogates_that_holm_can_use():
    rng = np.random.default_rng(2)
    rare = np.array([0] * 950 + [1] * 50)
    copy = np.where(rare == 1, rng.integers(2, 6, size=1000), rng.integers(2, size=1000))
    found = Study(table_of(rare, copy, rng.permutation(rare))).dependence.set_index(["one", "other"])
    assert found.loc[("a", "b"), "test"].endswith("surrogates")
    assert found.loc[("a", "b"), "holm"] < 0.05
    assert found.loc[("b", "c"), "holm"] > 0.05


def own(folder, code, name="Mine"):
    (folder / "mine.py").write_text(code)
    return f"{folder / 'mine.py'}:{name}"


def test_a_protocol_over_its_budget_is_named_and_does_not_compete(dependent):
    name = "planted_faults:WrongChannel"
    study = Study(dependent, protocols=["SPL", name], epsilons=[1.0], runs=50, tables=FEW)
    found = study.privacy.set_index("protocol")
    assert found.loc["SPL", ["record", "holds"]].tolist() == [pytest.approx(1), "yes"]
    assert found.loc[name, "holds"] == "no"
    assert found.loc[name, "enumerated_record"] == pytest.approx(1.5)
    assert study.recommendation.query(f"basis == '{TABLE}'")["protocol"].tolist() == ["SPL"]
    assert set(study.error["protocol"]) == set(study.candidates["protocol"]) == {"SPL"}
    [warning] = [text for text in study.warnings() if name in text]
    assert "over its budget and does not compete: a record spends epsilon = 1.5 where it states 1." in warning
    [left_out] = study.left_out.to_dict("records")
    assert (left_out["what"], left_out["reason"]) == (name, "over its budget")


HASTY = """\
from corrldp.protocols.smp import SPL
from corrldp.protocols.protocol import Guarantee

class Mine(SPL):
    def guarantee(self):
        return Guarantee({factor} * self.epsilon, (self.epsilon,) * self.d)
"""


@pytest.mark.parametrize(("factor", "holds"), [(1 + 1e-12, STATED), (1 + 1e-6, "no"), (0.5, STATED)])
def test_a_guarantee_is_held_against_the_budget_but_for_rounding(tmp_path, dependent, factor, holds, monkeypatch):
    if factor > 0.5:  # the reports are those of SPL, whatever is stated: drawn once
        monkeypatch.setattr(contenders, "sent", lambda *_: math.nan)
    settings = parse({"protocols": [own(tmp_path, HASTY.format(factor=factor))], "epsilons": [1.0]})
    built, _ = contenders.contenders(settings, dependent.sizes)
    found = frame(PrivacyRow, (contenders.privacy(one, dependent.sizes) for one in built))
    assert set(found["holds"]) == {holds}
    assert set(found["attained"]) == {STATED}
    kept, left_out = contenders.split(built, found)
    assert (len(kept), len(left_out)) == ((1, 0) if holds == STATED else (0, 1))


BROKEN = """\
import sys

from corrldp.protocols.smp import SPL

class Broken(SPL):
    def {method}(self, *arguments):
        {body}
"""


@pytest.mark.parametrize(
    ("method", "body", "words"),
    [
        ("simulate", "sys.exit(0)", "simulate of Broken: SystemExit: 0"),
        ("simulate", "raise KeyError('a\\nb')", r"simulate of Broken: KeyError: 'a\nb'"),
        ("simulate", "while True: pass", "simulate of Broken: TimeoutError: it did not end within 0.1 seconds"),
        ("expected_mse", "return 1 / 0", "expected_mse of Broken: ZeroDivisionError: division by zero"),
        ("__post_init__", "sys.exit(3)", "building Broken: SystemExit: 3"),
    ],
)
def test_a_protocol_of_ones_own_that_fails_does_not_cost_the_work_on_others(
    tmp_path, dependent, monkeypatch, method, body, words
):
    monkeypatch.setattr("corrldp.protocols.names.LONGEST", 0.1)
    monkeypatch.setattr(contenders, "sent", lambda *_: math.nan)  # the reports are those of SPL
    name = own(tmp_path, BROKEN.format(method=method, body=body), "Broken")
    study = Study(dependent, protocols=[name, "SMP"], epsilons=[1.0], runs=20, tables=FEW)
    assert set(study.candidates["protocol"]) == {"SMP"}
    [gap] = study.gaps() or [text for text in study.warnings() if "is left out" in text]
    assert gap == f"{name} is left out: {words}."


@pytest.mark.parametrize("method", ["guarantee", "channel"])
def test_a_protocol_whose_privacy_cannot_be_computed_still_competes(tmp_path, dependent, method):
    name = own(tmp_path, BROKEN.format(method=method, body="sys.exit(0)"), "Broken")
    study = Study(dependent, protocols=[name], epsilons=[1.0], runs=20, tables=FEW)
    assert set(study.candidates["protocol"]) == {name}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"protocols": ["JRR"]}, "no protocol can be compared: JRR is left out: "),
        ({"sensitive": ["z"]}, "no column 'z'; there are a, b, c"),
        ({"sensitive": ["a", "b", "c"]}, "leaves no column to collect"),
        ({"table": WIDE}, "3,000 columns are too many.*at most 150; leave_out"),
    ],
)
def test_a_study_that_is_impossible_is_refused_at_once(dependent, settings, message):
    with pytest.raises(ConfigurationError, match=rf"^[^\n]*{message}[^\n]*$"):
        Study(**{"table": dependent, **settings})


def test_a_class_that_cannot_be_imported_is_refused_before_the_table_is_read(tmp_path):
    (tmp_path / "exits.py").write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(ConfigurationError, match=r"protocols: .*exits.py cannot be imported: SystemExit: 0"):
        Study(tmp_path / "no such table.csv", protocols=["SPL", f"{tmp_path}/exits.py:A"])


def test_a_value_that_is_called_all_is_no_average(dependent):
    table = Table(dependent.codes, ("all", "b", "c"), (("all", "some", "none"), *dependent.values[1:]))
    error = Study(table, protocols=["SPL"], epsilons=[1.0], runs=10, postprocess=["none"]).error
    assert len(error) == 1 + 4 + 4 + 3
    assert len(error[(error["attribute"] == ALL) & (error["value"] == ALL)]) == 1
    assert len(error[(error["attribute"] == "all") & (error["value"] == ALL)]) == 1


def test_nothing_is_said_to_be_learnt_where_the_error_exceeds_all_shares():
    rng = np.random.default_rng(1)
    few = table_of(*rng.integers([2, 9, 9], size=(60, 3)).T, sizes=(2, 9, 9))
    [answer] = [one.text for one in Study(few, epsilons=[0.5], runs=10).answers() if one.section == "shares"]
    assert "Nothing can be learnt about " in answer
    assert "the error is larger than every share" in answer
    assert any(f"leave columns out (--leave-out {both})" in answer for both in ("b,c", "c,b"))
    many = table_of(*rng.integers(2, size=(2, 100_000)))
    assert not any("Nothing can be" in one.text for one in Study(many, epsilons=[2.0], runs=10).answers())


def test_a_class_is_called_by_its_name_in_answers_and_two_of_one_name_are_refused(tmp_path, dependent):
    for folder in (folders := [tmp_path / "one", tmp_path / "other"]):
        folder.mkdir()
    names = [own(folder, "from corrldp import SMP\n\n\nclass Mine(SMP):\n    pass\n") for folder in folders]
    study = Study(dependent, protocols=names[:1], epsilons=[1.0], runs=10, tables=FEW)
    assert study.answers()[0].text == "From public facts alone: Mine at ε = 1."
    with pytest.raises(ConfigurationError, match="are both called Mine: rename a class, or drop one"):
        Study(dependent, protocols=names)


def test_numbers_do_not_depend_on_what_else_is_studied(dependent):
    one = Study(dependent, epsilons=[1.0], protocols=["Corr-RR"], runs=20).error
    other = Study(dependent, epsilons=[2.0, 1.0], protocols=["SPL", "Corr-RR"], runs=20).error
    same = other[(other["epsilon"] == 1) & (other["protocol"] == "Corr-RR")].reset_index(drop=True)
    pd.testing.assert_frame_equal(one, same)
