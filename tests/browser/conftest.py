"""The report in Debian's chromium: figures drawn by the project, synthetic verdicts, no network."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_up_verdicts import FILE, OURS, SHA256, SOURCE, claim, pool_of
from playwright.sync_api import sync_playwright
from written import LOOKS, write_table, write_text

from claimaudit.papers.jobs import TableJob
from claimaudit.plots.draw import draw_files
from claimaudit.report import page as report
from claimaudit.report.about import ReportJob
from claimaudit.report.table import table_files
from claimaudit.storage import adapter, sealed, write_bytes
from claimaudit.styles import FigureJob, Style, TableStyle
from claimaudit.verdicts import (
    AsRun,
    AsStated,
    Cause,
    Choice,
    Departures,
    Evidence,
    Exhibit,
    Fit,
    Levels,
    Likelihood,
    Names,
    PoolSetting,
    PrintedNumber,
    Runs,
    StandingReading,
    Verdicts,
    plain,
)
from corrldp.data.table import Table
from corrldp.study.study import Study

FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking
    --disable-component-update --disable-sync --no-first-run
"""
# Verdicts, with the outcomes under the strict reading and the others.
VERDICTS = (
    ("reproduced", True, True),
    ("reproduced as run", False, True),
    ("not reproduced", False, False),
    ("contradicted by the paper", False, False),
    ("undecided", None, None),
)
# What sets some claims of each paper apart from counted results of the paper.
APART = {
    6: {"weight": "headline", "cause": "sign"},
    10: OURS,
    11: {"weight": "headline", "cause": "sign", "note": "For n of 1,000."},
    12: {"weight": "slip"},
    15: {"origin": "definition", "counted": False, "uncounted": "definition"},
    16: {"weight": "detail"},
    20: {
        **{"verdict": "no data", "because": "no data", "evidence": (), "standins": ("adult",)},
        **{"as_stated": AsStated("not tested"), "as_run": AsRun("not tested", "own", ("fig1",))},
    },
}
# Sentences and places that a search must tell apart or take for one.
SENTENCES = {
    3: ("Table VI", "The first row is right."),
    4: ("Table VII", "The second row is right."),
    7: ("Section 7", "A special sentence, number 7."),
    8: ("Section 8", "A sentence with <b> in it."),
    13: ("Section 13", "JRR outperforms its rival."),
    14: ("Section 14", "JRR beats its rival."),
    17: ("Section 17", "JRR's error is lower than that of its rival."),
    22: ("Figures 3 and 5", "The third row is right."),
    23: ("Section 3; Fig. 5", "The fourth row is right."),
    24: ("Fig. 3(a), paragraph 5", "The fifth row is right."),
    18: ("Section 18", "RS+FD & SPL agree at 50 %."),
}
CONCLUSIONS = """\
- states: JRR is as good as it says.
  rests_on:
    jrr/claim-25: reproduced
    jrr/claim-29: undecided
- states: Castell is fast.
  rests_on:
    castell/claim-2: reproduced
"""
CAUSES = {"sign": Cause("The sign of one term is reversed.", "headline")}
STANDING = StandingReading("p_step=2", admissible=True, condition="", open=False, p_value=0.4, inside=0.96)
INFERRED = replace(STANDING, p_value=None, inside=None)
EXHIBITS = {
    "fig1": Exhibit(
        **{"experiment": "errors", "published": "fig1", "source": "own", "competed": 2, "readings": (STANDING,)},
        **{"numbers": 24, "strict": Fit(1e-9, 0.1), "runs": Runs(100, 48.2, 30.1, 80.7, rejected=True)},
    ),
    "table1": Exhibit("errors", None, "inferred", pooled=("fig1",), competed=2, readings=(INFERRED,)),
    "section2": Exhibit("errors", None, "none", competed=2),
}
STEP = Choice("p_step", "2")
SETTINGS = (
    PoolSetting((STEP,), Likelihood(0.4, 0.0, 0.0), stands=True, about_as_likely=True, admissible=True),
    PoolSetting((), Likelihood(1e-9, -40.0, 1.0), stands=False, about_as_likely=False, admissible=True),
)
POOL = pool_of("fig1", 24, "p_step", "1", "2", inferred=("table1",), competed=2, settings=SETTINGS)
NAMES = Names({"errors": {"p_step=2": Departures((STEP,))}}, {"p_step": {"1": "a step of 1", "2": "a step of 2"}})
KINDS = ("value", "ordering", "cells")
STYLE = {"x": "epsilon", "y": "mse", "panels": {"column": "n"}, "scale": {"x": "log", "y": "log"}}
TABLE_STYLE = {"index": ["n", "epsilon"], "columns": "mechanism", "formats": {"mean": ".3g"}}


AXIS = {"strict": "a step of 1", "others": {"p_step=2": "a step of 2"}, "why": "The text has both."}
EXPERIMENT = {
    **{"runner": "runners/errors.py:means", "code": "papers/jrr/runners/errors.py", "views": ["adult"]},
    "axes": {"p_step": AXIS},
}
ADULT = {"place": "Table 3", "n": "10k", "d": "3", "source": "A repository [6]", "datasets": ["adult"]}
FIGURE = {"title": "Figure 1: error", "caption": "Mean error.", "labels": {}, "shows": "fig1"}
PAPER = {
    **{"authors": "A. Author", "venue": "Journal, doi:10.1/x", "names": {}},
    **{"experiments": {"errors": EXPERIMENT}, "less_is_better": ["mse_counts", "mse", "are"]},
    "data": {"Adult": {**ADULT, "differs": "The merged values are not named."}},
    "figures": {"fig1": {"experiment": "errors", **FIGURE}},
    "drawings": ["fig1"],
    "tables": {"table1": {"experiment": "errors", "title": "Table 1", "caption": "The same.", "shows": "table1"}},
    "exhibits": {
        name: {"name": name, "experiment": "errors", "published": known.published} for name, known in EXHIBITS.items()
    },
    "shared": [{"why": "Section 5 has one step.", "axes": ["p_step"], "exhibits": [*EXHIBITS], "runs": True}],
}


def rows(reading):
    """Two mechanisms at two n and three epsilons."""
    factor = 1 if reading == "strict" else 2
    return [
        {
            **{"n": n, "epsilon": epsilon, "reading": reading, "p_step": factor, "mechanism": mechanism},
            **{"metric": "mse", "mean": 1.01 * error, "se": error / 50, "runs": 100, "theory": error, "standin": False},
        }
        for n in (100, 1000)
        for epsilon in (0.1, 0.5, 1.0)
        for mechanism, scale in (("RR", 3), ("JRR", 1))
        for error in [factor * scale * n / epsilon**2 / 7]
    ]


def verdict(paper, index):
    """Return one verdict; ``special`` and ``<b>`` occur in one each."""
    readings = ["strict", *(f"p_step={step}" for step in range(2, 3 + index % 30))]
    name, strict, others = VERDICTS[index % 5]
    evidence = tuple(
        Evidence(
            **{"reading": reading, "holds": others if step else strict, "rows": 6, "simulated": 6},
            **{"found": PrintedNumber(0.0, None, None, 0), "grounds": "test", "standing": step == 1},
            **{"estimate": 1 / (3 + step), "se": 0.01, "low": 0.1, "high": 0.9, "statistic": -1.5, "p_value": 0.2},
            **{"worst": {"n": 100, "d": None}},
            comparisons={"n": [100, 1000], "left": [1.0, 2.0], "right": [3.0, 4.0], "se": [0.1, 0.1]},
        )
        for step, reading in enumerate(readings)
    )
    where, states = SENTENCES.get(index, (f"Section {index}", f"A sentence, number {index}."))
    fields = {
        **{"id": f"claim-{index}", "place": where, "states": states, "kind": KINDS[index % 3], "table": "errors"},
        **{"figure": "fig1" if index % 2 else "table1", "check": {"quantity": "mse_jrr"}, "printed": {"value": "0.5"}},
        **{"levels": Levels(0.001, 0.001), "measure": 'as "said", <b>'},
        **{"evidence": evidence, **({"decides": "more runs"} if name == "undecided" else {})},
        **APART.get(index, {}),
    }
    return claim(paper, name, "fig1", readings[1], **fields)


def verdicts_of(paper, claims):
    records = tuple(verdict(paper, index) for index in range(claims))
    return Verdicts(records, EXHIBITS, (POOL,), causes=CAUSES, names=NAMES)


def predictions(paper):
    """Return what each number of Figure 1 should be; JRR loses at n = 1000, epsilon = 1."""
    table = pd.DataFrame([*rows("strict"), *rows("p_step=2")])
    loses = (table["mechanism"] == "JRR") & (table["n"] == 1000) & (table["epsilon"] == 1)
    value = table["theory"] * (1 + 3 * loses)
    columns = ["paper", "exhibit", "reading", "words", "mechanism", "metric", "n", "epsilon"]
    strict = table["reading"] == "strict"
    given = table.assign(paper=paper, exhibit="fig1", words="", stated=strict.map({True: "yes", False: "no"}), se=0)
    given = given.assign(printed=table["theory"] * strict.map({True: 1.3, False: 0.65}), value=value)
    given = given.assign(low=0.9 * value, high=1.1 * value, their_runs=100)
    return given[[*columns, "stated", "printed", "value", "se", "low", "high", "their_runs"]]


def write_paper(root, paper, claims):
    """Write one paper's configuration and all its files for the report; return the files."""
    printed = root / "published.csv"
    numbers = pd.DataFrame([*rows("strict"), *rows("p_step=2")])
    record = {"paper": paper, "experiment": "errors", "seed": 7, "standin": []}
    result = write_table(numbers, root / f"results/{paper}/errors.csv", **record)
    strict = numbers[numbers["reading"] == "strict"]
    published = strict.assign(value=strict["mean"] * 1.3)[["n", "epsilon", "mechanism", "metric", "value", "runs"]]
    published.to_csv(printed, index=False)
    style = Style.model_validate({**STYLE, "show": {"reading": ["strict", "p_step=2"]}, "looks": LOOKS}, strict=False)
    drawn = draw_files(FigureJob(paper, "fig1", "Figure 1: error", None, style), [result], [printed])
    shown_table = TableStyle.model_validate(TABLE_STYLE, strict=False)
    laid_out = table_files(TableJob("errors", "Table 1", "The same.", shown_table, ()), [result])
    shown = {root / f"figures/{paper}/fig1.{suffix}": drawn[suffix] for suffix in ("svg", "csv", "json")}
    shown[root / f"tables/{paper}/table1.json"] = laid_out["json"]
    for path, content in shown.items():
        write_bytes(path, content)
    texts = {root / f"verdicts/{paper}.json": json.dumps(sealed(plain(verdicts_of(paper, claims))))}
    predicted = write_text(predictions(paper).to_csv(index=False), root / f"predictions/{paper}.csv")
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*texts, predicted, result.with_suffix(".json"), *shown]


ABOUT = {"software": "corrldp", "judge_paper": "judge PAPER", "judge_claim": "judge PAPER/CLAIM", "method": ""}
STEP_ON = {"says": "Make it.", "command": "corrldp study my.csv --out study --settings study/settings.yaml"}
WAY = {"name": "A study", "says": "Of your own table.", "pages": ["docs/study.md"], "steps": [STEP_ON]}
FILES = {"file": "adult.data", "rows": 32561, "addresses": ["https://data.example/adult.data"]}
SETTING = {
    **{"options": {"seed": 7}, "versions": "numpy=2.4.1", "notebooks": ["jrr"]},
    "about": {"title": "Local differential privacy for correlated data: a replication report", **ABOUT},
    "glossary": [{"term": "MSE", "expands": "mean squared error", "means": "The mean of the squared errors."}],
    "ways": {"install": "make environment", "ways": [WAY]},
    "source": {**SOURCE, "changed": True},
    "datasets": {"adult": {**FILE, "name": "adult", "title": "Adult", **FILES}},
    "papers": {
        paper: PAPER | {"id": paper, "title": title, "short": title.upper(), "folder": f"papers/{paper}"}
        for paper, title in (("jrr", "Joint"), ("castell", "Castell"))
    },
    "views": {"adult": {"datasets": ["adult"], "title": "Adult", "why": "All of it.", "n": 32561, "d": 15}},
}
JOB = adapter(ReportJob).validate_json(json.dumps(SETTING))
DATA = {
    **{"dataset": "adult", "title": "Adult", "licence": "CC BY 4.0", "citation": "Kohavi (1996)", "doi": "10.2/y"},
    **{"source": "mirror", "sha256": SHA256, "bytes": 3974305, "status": "stand-in", "tried": []},
}


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    """Directory of a report of two papers with 40 and 25 claims."""
    root = tmp_path_factory.mktemp("report")
    files = [*write_paper(root, "jrr", 40), *write_paper(root, "castell", 25)]
    for path, text in {"config/conclusions.yaml": CONCLUSIONS, "raw/adult.json": json.dumps(sealed(DATA))}.items():
        files.append(root / path)
        files[-1].parent.mkdir()
        files[-1].write_text(text, encoding="utf-8")
    for name, content in report.report_files(JOB, files).items():
        write_bytes(root / name, content)
    return root


@pytest.fixture(scope="session")
def study(directory):
    """Name of the page of a study of four columns, one of them sensitive and one with rare values."""
    rng = np.random.default_rng(1)
    first = rng.integers(3, size=800)
    second = np.where(rng.random(800) < 0.6, first, rng.integers(3, size=800))
    columns = (first, second, rng.integers(2, size=800), (second > 0) & (rng.random(800) < 0.03))
    values = (("low", "middle", "high"), ("Dover, Kent", "a <b> & c", "York"), ("no", "yes"), ("no", "yes"))
    names = ("income", "place of birth", "answer", "illness")
    table = Table(np.column_stack(columns).astype(np.uint8), names, values)
    few = {"epsilons": (1.0, 2.0), "protocols": ("SPL", "SMP", "Corr-RR"), "runs": 20, "tables": {"sets": 1}}
    Study(table, sensitive=("illness",), **few).write(directory / "study")
    return "study/index"


@pytest.fixture(scope="session")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, directory):
    """Open a page such as ``jrr`` at an address such as ``#claims-jrr``.

    A console error, or a request for anything but a page of the report, fails the test.
    """
    contexts, complaints = [], []

    def visit(name="index", address="", width=1280, scheme="light", root=directory, **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: note(request.url, root))
        page.goto(f"{root.as_uri()}/{name}.html{address}")
        return page

    def note(url, root):
        if not re.match(rf"{re.escape(root.as_uri())}/(study/)?\w+\.html|blob:|data:", url):
            complaints.append(f"loads {url}")

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []
