"""The project's own pages: what they compute is the library's, they answer, and everyone can read them."""

import html
import json
import re

import numpy as np
import pytest
from cases_of import PAGES, ROOT, errors, page_of
from jrr.runners.population import optimum, search
from playwright.sync_api import expect
from shared.runners.data import marginal_of
from shared.runners.synthetic import syn_a
from shared.runners.two_phases import RULES
from test_browser_looks import assert_fits_everyone

from corrldp.__main__ import main
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import rr_parameters
from corrldp.protocols.records import RecordTable
from replication.cases import AXES, ERROR_OF

POINTS, BETWEEN = 200, 50  # of JRR, and between those of the grid of Corr-RR


@pytest.fixture(scope="module")
def between():
    rng = np.random.default_rng(3)
    epsilons = np.exp(rng.uniform(*np.log([0.1, 5]), BETWEEN))
    return tuple(zip(epsilons.tolist(), rng.random(BETWEEN).tolist(), strict=True))


@pytest.fixture(scope="module")
def root(tmp_path_factory, between):
    """Directory with the folder of the pages, as it is in a report."""
    root = tmp_path_factory.mktemp("report")
    (root / "cases").mkdir()
    for page, beside in PAGES.items():
        (root / beside.address).write_bytes(page_of(page, root, between))
    return root / "cases"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_everyone_and_its_menu_leads_to_papers_and_to_what_all_pages_lead_to(visit, root, name):
    page = visit(name, root=root)
    assert_fits_everyone(page)  # at the width of a phone in the end
    menu = page.get_by_role("navigation")
    assert menu.bounding_box()["height"] < 60
    links = menu.locator("a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert {f"../{page}.html" for page in ("index", "jrr", "claims", "method", "glossary", "data")} <= {*links}


def test_the_variances_of_jrr_are_the_librarys_at_random_points(visit, root):
    rng, points, expected = np.random.default_rng(1), [], []
    for _ in range(POINTS):
        n, epsilon = int(10 ** rng.uniform(1.3, 7)), float(10 ** rng.uniform(-3, 1))
        ones, colluders = int(rng.integers(n + 1)), int(min(n - 1, 10 ** rng.uniform(0, 4)) * rng.integers(2))
        points.append([n, ones, epsilon, colluders])
        choices = (rr_parameters(epsilon), search(n, epsilon, colluders, 1e-4), optimum(n, ones, epsilon, colluders))
        laws = [one and JointRandomizedResponse(one.p, one.rho) for one in choices]
        expected.append([one and float(one.variance_of_counts(ones, n)) for one in laws])
    found = visit("jrr", root=root).evaluate(
        """points => points.map(([n, ones, epsilon, m]) => [plain(epsilon), algorithm1(n, epsilon, m, 1e-4),
        optimum(n, ones, epsilon, m)].map(choice => choice && varianceOfCount(choice, ones, n)))""",
        points,
    )
    np.testing.assert_allclose(np.array(found, float), np.array(expected, float), rtol=1e-8)


def test_interpolation_is_off_from_the_library_by_what_the_page_states(visit, root, between):
    page = visit("corr_rr", root=root)
    grid = json.loads(page.locator("#facts").text_content())["grid"]
    expected = errors(between, 4_000, (2, 3)).query("mechanism == 'Corr-RR' or py_rule == 'body'")
    settings = expected[["n", *AXES]].to_dict("records")
    cases = [*map(list, zip(expected[ERROR_OF].to_numpy().tolist(), settings, strict=True))]
    found = page.evaluate("cases => cases.map(([of, at]) => errorOf(facts.grid, of, at))", cases)
    off = expected.assign(off=np.abs(found / expected["mean"] - 1)).groupby("mechanism")["off"]
    assert grid["checked"] == 2 * BETWEEN
    for name, most in off.max().items():
        assert grid["worst"][name] == pytest.approx(most, abs=2e-4)  # logarithms are shipped with four decimals
        assert grid["usual"][name] == pytest.approx((off.get_group(name) ** 2).mean() ** 0.5, abs=2e-4)


def test_five_hundred_users_have_an_answer_an_interval_and_a_sentence_of_the_paper(visit, root):
    page = visit("jrr", "#n=500&epsilon=0.1&share=0.1", width=390, root=root)
    expect(page.locator("#answer")).to_contain_text("times RR's")
    assert page.locator("#answer").bounding_box()["y"] < 844
    rr = JointRandomizedResponse(rr_parameters(0.1).p, 0).variance_of_counts(50, 500)
    expect(page.locator("#errors tbody tr").first).to_contain_text(f"± {196 * rr**0.5 / 500:.1f} points around 10 %")
    claims = page.locator("#claims li:visible a")
    assert claims.first.get_attribute("href") == "../claims.html#claim-jrr-similar-for-few-users"
    page.get_by_label("Users, n", exact=True).fill("1000000")
    expect(page.locator("#claims li:visible a[href$=similar-for-few-users]")).to_have_count(0)
    before = page.locator("#errors tbody").inner_text()
    page.get_by_label("Share of ones, n1/n, slider").press("End")
    expect(page.get_by_label("Share of ones, n1/n", exact=True)).to_have_value("1")
    assert page.locator("#errors tbody").inner_text() != before


def test_the_page_says_up_to_which_epsilon_a_mechanism_errs_less(visit, root):
    said = visit("jrr", "#n=100000&share=0.1&colluders=0", root=root).locator("#less").inner_text()
    end = float(re.search(r"JRR up to epsilon ([\d.]+), neither", said)[1])
    for epsilon, less in ((0.9 * end, True), (1.1 * end, False)):
        laws = (search(100_000, epsilon, 0, 1e-4), rr_parameters(epsilon))
        own, rr = (JointRandomizedResponse(one.p, one.rho).variance_of_counts(10_000, 100_000) for one in laws)
        assert (own < 0.99 * rr) == less
    expect(visit("corr_rr", "#d=2", root=root).locator("#less")).to_contain_text(
        "SPL above; with equal ones Corr-RR up to"
    )


def test_with_another_number_of_users_the_epsilon_from_which_a_mechanism_surely_errs_less_is_said(visit, root):
    case = "n=10000&rho=0.5&d=2"
    said = visit("corr_rr", f"#{case}", root=root).locator("#less").inner_text()
    end = float(
        re.search(r"at 10,000 users: with falling frequencies .*open up to epsilon ([\d.]+), SPL above", said)[1]
    )
    for epsilon, sure in ((0.9 * end, False), (1.1 * end, True)):
        answer = visit("corr_rr", f"#{case}&epsilon={epsilon}", root=root).locator("#answer")
        expect(answer).to_have_text(
            re.compile(r"less accurate than [^.;]*SPL" if sure else r"more accurate than .*SPL, this")
        )


def test_each_error_is_told_as_a_multiple_of_that_of_corr_rr(visit, root):
    page = visit("corr_rr", "#epsilon=0.4&rho=0.5&d=2", root=root)
    expected = (
        errors(((0.4, 0.5),), attributes=(2,))
        .query("marginal == 'pi' and py_rule == 'body'")
        .set_index("mechanism")["mean"]
    )
    for name, error in expected.items():
        row = page.locator("#errors tr", has=page.get_by_role("rowheader", name=name, exact=True))
        told = [float(end) for end in row.locator("td").last.inner_text().split(" to ")]
        assert told[0] <= error / expected["Corr-RR"] <= told[-1]
        assert (len(told) == 1) == (name == "Corr-RR")


def test_the_example_of_a_study_is_that_of_the_documentation(root, capsys):
    page = " ".join(html.unescape((root / "example.html").read_text("utf-8")).split())
    documented = " ".join((ROOT / "docs/study.md").read_text("utf-8").split())
    answers = re.findall("<li>([^<]+)</li>", page)
    assert answers
    assert all(answer in documented for answer in answers)
    [command] = re.findall(r"corrldp (plan [^<]*)", page)
    assert f"corrldp {command}" in (ROOT / "config/ways.yaml").read_text("utf-8")
    assert main(command.split()) == 0
    question, _, *rows = capsys.readouterr().out.splitlines()[:6]
    assert all(" ".join(line.split()) in page for line in (question, *rows))


def test_the_answer_stands_beside_the_privacy_that_it_has(visit, root):
    page = visit("jrr", "#n=40000&epsilon=0.01&share=0.1&colluders=5", root=root)
    expect(page.locator("#answer")).to_contain_text("the interval of each is wider than from 0 to 100 %. JRR's")
    expect(page.locator("#privacy")).to_contain_text("values of all others, it can lose more")
    expect(page.locator("#claims a[href$=known-values-cost-jrr]")).to_be_visible()
    expect(visit("corr_rr", root=root).locator("#privacy")).to_contain_text("All guarantee epsilon")


def test_a_number_out_of_range_shows_its_range_in_place_of_an_answer_to_another(visit, root):
    page = visit("jrr", "#n=500&epsilon=0.1&share=0.1&colluders=5", root=root)
    page.get_by_label("Users, n", exact=True).fill("5")
    expect(page.locator("#answer")).to_have_text("Users, n: from 20 to 10,000,000.")
    expect(page.locator("#errors")).to_be_hidden()
    page.locator("input#colluders").fill("40")
    expect(page.locator("input#colluders")).to_be_focused()
    page.get_by_label("Users, n", exact=True).fill("30")
    expect(page.locator("#errors tbody tr")).to_have_count(5)
    expect(page.locator("#answer")).to_contain_text("Only the 29 other users can collude.")


def test_a_guess_without_reports_stands_beside_the_mechanisms(visit, root):
    page = visit("corr_rr", "#epsilon=0.1&rho=0.5&d=2", root=root)
    for rho, d in ((0.0, 2), (0.7, 3), (1.0, 4)):
        shares = syn_a(d, rho, marginal_of("pi", 4), "different").law
        of_each = [shares.sum(tuple({*range(d)} - {i})) for i in range(d)]
        assert page.evaluate(f"guessed(4, {rho}, {d})") == pytest.approx(np.var(of_each, axis=1).mean(), abs=1e-12)
    page.get_by_label("Frequencies of values").select_option("all equally frequent")
    expect(page.locator("#errors tbody tr").last).to_contain_text("without any report0± 0 points0")
    expect(page.locator("#errors tr", has_text="Corr-RR with p_y fixed at")).to_have_count(2)
    page = visit("jrr", "#n=500&epsilon=0.1&share=0.1", root=root)
    expect(page.locator("#errors tbody tr").last).to_contain_text("off by 40 points")


@pytest.mark.parametrize(
    ("epsilon", "rho", "rule", "marginal"),
    [
        (0.1, 0.5, "never_copy", "pi"),
        (3.0, 1.0, "always_copy", "pi"),
        (1.2, 0.9, "exact", "uniform"),
        (3.0, 1.0, "body", "uniform"),
    ],
)
def test_errors_of_corr_rr_depend_on_the_number_of_users_as_the_page_says(epsilon, rho, rule, marginal):
    """Means are compared within four standard errors: a false alarm in 16,000 each."""
    law = syn_a(2, rho, marginal_of(marginal, 4), "different").law
    users, rng = np.array([2_000, 20_000, 200_000]), np.random.default_rng(4)
    means, bounds = np.empty(3), np.empty(3)
    for i, n in enumerate(users):
        table = RecordTable(np.indices(law.shape).reshape(2, -1).T, np.rint(n * law.ravel()).astype(int), (4, 4))
        estimates = CorrRR(epsilon, (4, 4), 0.1, RULES[rule]).simulate(table, 2_000, rng)
        off = ((estimates - table.frequencies()) ** 2).mean(axis=(1, 2))
        means[i], bounds[i] = off.mean(), 4 * off.std() / off.size**0.5
    if marginal == "uniform":
        np.testing.assert_array_less(
            np.abs(users * means - users[1] * means[1]), users * bounds + users[1] * bounds[1] + 1e-9
        )
    else:
        at = (1 / users[1] - 1 / users[2]) / (1 / users[0] - 1 / users[2])
        assert abs(means[1] - at * means[0] - (1 - at) * means[2]) < bounds[1] + at * bounds[0] + (1 - at) * bounds[2]


@pytest.mark.parametrize("n", [7_000, 100_000])
@pytest.mark.parametrize(("rule", "marginal"), [("always_copy", "pi"), ("exact", "pi"), ("body", "uniform")])
def test_an_error_with_another_number_of_users_is_that_of_the_library(visit, root, n, rule, marginal):
    page = visit("corr_rr", f"#n={n}&epsilon=0.4&rho=0.5&d=2&rule={rule}&marginal={marginal}", root=root)
    of_case = f"marginal == {marginal!r} and py_rule == {rule!r}"
    for name, error in errors(((0.4, 0.5),), n, (2,)).query(of_case).set_index("mechanism")["mean"].items():
        row = page.locator("#errors tr", has=page.get_by_role("rowheader", name=name, exact=True))
        told = float(row.locator("td").first.inner_text())
        assert told == pytest.approx(error, rel=0.01)  # three digits, and users in whole numbers


def test_a_change_shows_the_claims_of_both_versions(root):
    sections = re.findall("<section.*?</section>", (root / "versions.html").read_text("utf-8"), re.DOTALL)
    [change] = [section for section in sections if "Error of Phase II" in section]
    claims = {*re.findall(r"claims\.html#claim-([\w-]+)", change)}
    assert claims >= {"corr_rr_preprint-theorem-4", "corr_rr-theorem-5"}
