"""The project's own pages: their closed forms are the library's, they answer, and everyone can read them."""

from importlib import resources

import numpy as np
import pandas as pd
import pytest
from cases_of import page_of
from jrr.runners.population import search
from playwright.sync_api import expect
from test_browser_looks import violations

from corrldp.data.synthetic import syn_a
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import optimum, rr_parameters
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL
from replication.cases import PAGES, interpolated

POINTS = 200
LAW = (0.4, 0.3, 0.2, 0.1)
# Users of whom every record has a whole number, for two, three and four attributes and tenths as rho.
WHOLE = {2: 600, 3: 18_000, 4: 540_000}


@pytest.fixture(scope="module")
def laws(browser):
    """Function that computes an expression of the pages' script for each of some points."""
    page = browser.new_page()
    page.add_script_tag(content=resources.files("replication").joinpath("templates/laws.js").read_text("utf-8"))
    yield lambda expression, points: page.evaluate(f"points => points.map({expression})", points)
    page.close()


def test_the_variances_of_jrr_are_the_librarys_at_random_points(laws):
    rng, points, expected = np.random.default_rng(1), [], []
    for _ in range(POINTS):
        n, epsilon = int(10 ** rng.uniform(1.3, 7)), float(10 ** rng.uniform(-3, 1))
        ones, colluders = int(rng.integers(n + 1)), int(min(n - 1, 10 ** rng.uniform(0, 4)) * rng.integers(2))
        points.append([n, ones, epsilon, colluders])
        choices = (rr_parameters(epsilon), search(n, epsilon, colluders, 1e-4), optimum(n, ones, epsilon, colluders))
        laws_of = [one and JointRandomizedResponse(one.p, one.rho) for one in choices]
        expected.append([one and float(one.variance_of_counts(ones, n)) for one in laws_of])
    found = laws(
        """([n, ones, epsilon, m]) => [{ p: grr(epsilon, 2).p, rho: 0 }, algorithm1(n, epsilon, m, 1e-4),
        optimum(n, ones, epsilon, m)].map(choice => choice && varianceOfCount(choice, ones, n))""",
        points,
    )
    np.testing.assert_allclose(np.array(found, float), np.array(expected, float), rtol=1e-8)


def test_the_closed_forms_of_records_are_the_librarys_at_random_points(laws):
    rng, points, expected = np.random.default_rng(2), [], []
    for _ in range(POINTS):
        d, falling = int(rng.integers(2, 5)), bool(rng.integers(2))
        point = {"d": d, "n": WHOLE[d] * int(rng.integers(1, 100)), "rho": int(rng.integers(11)) / 10, "share": 0.1}
        point |= {"epsilon": float(10 ** rng.uniform(-1, 0.7)), "copy": float(rng.random())}
        point["marginal"] = LAW if falling else (0.25,) * 4
        points.append(point)
        law = syn_a(d, point["rho"], point["marginal"], "different").law
        rows, sizes = np.indices(law.shape).reshape(d, -1).T, law.shape
        table = RecordTable(rows, np.rint(law.ravel() * point["n"]).astype(int), sizes)
        assert table.n == point["n"]
        copy, epsilon = np.where(np.eye(d, dtype=bool), 1, point["copy"]), point["epsilon"]
        expected.append(
            {
                "SPL": SPL(epsilon, sizes).expected_mse(table).mean(),
                "SMP": SMP(epsilon, sizes).expected_mse(table).mean(),
                "RS+RFD": TwoPhaseRSRFD(epsilon, sizes, 0.1).expected_mse(table, table.frequencies()).mean(),
                "Corr-RR": CorrRR(epsilon, sizes, 0.1, Fixed(1.0)).expected_mse(table, copy).mean(),
            }
        )
    pd.testing.assert_frame_equal(pd.DataFrame(laws("errors", points)), pd.DataFrame(expected), rtol=1e-8)


def test_the_page_interpolates_as_its_stated_error_was_found(laws):
    rng, epsilon, rho = np.random.default_rng(3), [0.1, 0.3, 1.0, 5.0], [0.0, 0.4, 1.0]
    logs = rng.normal(size=(4, 3))
    points = np.column_stack([np.exp(rng.uniform(*np.log([0.1, 5]), POINTS)), rng.random(POINTS)])
    corners = [[0.1, 0.0], [5.0, 1.0], [0.3, 0.4]]
    points = np.vstack([points, corners])
    grid = f"{{ epsilon: {epsilon}, rho: {rho} }}"
    found = laws(f"([epsilon, rho]) => between({grid}, {logs.tolist()}, epsilon, rho)", points.tolist())
    np.testing.assert_allclose(found, interpolated(epsilon, rho, logs, points), rtol=1e-9)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Directory of the pages, with made-up verdicts and few runs."""
    root = tmp_path_factory.mktemp("cases")
    for name in PAGES:
        (root / f"{name}.html").write_bytes(page_of(name, root))
    return root


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation_and_nothing_overflows(visit, pages, name, width):
    page = visit(name, width=width, root=pages)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast"]) == []


def test_five_hundred_users_have_an_answer_an_interval_and_a_sentence_of_the_paper(visit, pages):
    page = visit("jrr", "#n=500&epsilon=0.1&share=0.1", width=390, root=pages)
    expect(page.locator("#answer")).to_contain_text("times RR's")
    assert page.locator("#answer").bounding_box()["y"] < 844
    rr = JointRandomizedResponse(rr_parameters(0.1).p, 0).variance_of_counts(50, 500)
    expect(page.locator("#errors tbody tr").first).to_contain_text(f"± {196 * rr**0.5 / 500:.1f} points around 10 %")
    claims = page.locator("#claims li:visible a")
    assert "claim-jrr-similar-for-few-users" in claims.nth(1).get_attribute("href")
    page.get_by_label("Users, n", exact=True).fill("1000000")
    expect(page.locator("#claims li:visible a[href$=similar-for-few-users]")).to_have_count(0)
    before = page.locator("#errors tbody").inner_text()
    page.get_by_label("Share of ones, slider").press("End")
    expect(page.get_by_label("Share of ones", exact=True)).to_have_value("1")
    assert page.locator("#errors tbody").inner_text() != before


def test_a_fixed_p_y_and_an_estimated_one_differ_and_smp_is_compared(visit, pages):
    page = visit("corr_rr", "#epsilon=0.5&d=2", root=pages)
    rows = page.locator("#errors tbody tr")
    expect(rows).to_have_count(4)
    own = rows.filter(has_text="Corr-RR")
    expect(own).to_contain_text(" to ")
    page.get_by_label("Copy probability p_y").select_option("fixed")
    expect(own).not_to_contain_text(" to ")
    expect(page.locator("#answer")).to_contain_text("error")
