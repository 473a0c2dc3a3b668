"""A small report: two papers with one figure each, one table, one claim per verdict, one stand-in data set."""

import json
from copy import deepcopy
from dataclasses import asdict, replace

import pandas as pd
import pytest
import yaml
from made_up_verdicts import FILE, SHA256, SOURCE, claim, pool_of
from outline import Outline, unfolded
from small_report import SVG, assemble, paths_of, ran_exhibit, verdicts_of
from written import write_text

from claimaudit.plots.layers import Drawing
from claimaudit.plots.layers import record as record_of
from claimaudit.report.inputs import read
from claimaudit.report.page import render as render_pages
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.storage import sealed
from claimaudit.verdicts import (
    VERDICTS,
    AsRun,
    Choice,
    Exhibit,
    Likelihood,
    Pool,
    PoolAxis,
    PoolSetting,
    plain,
)

FIGURE_CSV = """panel,n,epsilon,reading,mechanism,metric,mean,se,runs,theory,published,standin
a,10000,0.01,strict,RR,mse_counts,98765.4321,12.5,1000,98700.25,99000,False
a,10000,1.0,strict,JRR,mse_counts,0.000012345,0.1,1000,,,False
"""
DRAWING = Drawing(240.0, 120.0, 9.0, ["theory"], [(0, 60.12, 50.5), (1, 120.0, 70.0)], "JRR wins")
DRAWINGS = ("jrr/fig3", "castell/fig3", "jrr/differences/table3")
DRAWN = record_of(DRAWING, {"svg": SVG.encode(), "csv": FIGURE_CSV.encode()})
TABLE = Sheet(
    [Column("dataset", "dataset", False), Column("RR", "RR", True)],
    [[Cell("adult|x", "adult|x"), Cell("1,235", "1234.5678")]],
)
# Figure 3 as stated, under the reading that stands and under one that does not; Figure 4 has no printed numbers.
PREDICTIONS = """\
paper,exhibit,reading,words,mechanism,metric,n,epsilon,stated,printed,value,se,low,high,their_runs
jrr,fig3,strict,the text,RR,mse_counts,10000,0.01,yes,99000,98700.25,0,95000,102000,1000
jrr,fig3,strict,the text,JRR,mse_counts,10000,0.01,yes,160000,80000,500,70000,90000,1000
jrr,fig3,strict,the text,RR,mse_counts,10000,1,yes,1000,1000,0,900,1100,1000
jrr,fig3,strict,the text,JRR,mse_counts,10000,1,yes,100,990,5,900,1100,1000
jrr,fig3,vanishing_step,a vanishing step,RR,mse_counts,10000,0.01,no,99000,98700.25,0,95000,102000,1000
jrr,fig3,vanishing_step,a vanishing step,JRR,mse_counts,10000,0.01,no,160000,159000,500,150000,170000,1000
jrr,fig3,vanishing_step,a vanishing step,RR,mse_counts,10000,1,no,1000,1000,0,900,1100,1000
jrr,fig3,vanishing_step,a vanishing step,JRR,mse_counts,10000,1,no,100,100,5,90,110,1000
jrr,fig4,strict,the text,JRR,share,10000,1,yes,,0.5,0.01,0.4,0.6,1000
"""
CONCLUSIONS = """\
- states: JRR has the lower error.
  rests_on:
    jrr/reproduced: reproduced
    jrr/reproduced-as-run: fails
- states: JRR runs faster.
  rests_on:
    jrr/not-reproduced: reproduced
    jrr/reproduced: holds
- states: Leakage is small.
  rests_on:
    cpl/leakage: reproduced
"""
HOSTILE = '</script><script>alert(1)</script> & "quoted" <img src=http://evil.example/x>'


DATA = {"place": "Table 3", "differs": "Nothing known."}
SILENT = Exhibit("fig3", None, "none", competed=3)

# The pool of Figure 3 alone, whose numbers demand another step.
POOL = pool_of("fig3", 63, "grid_step", "0.0001", "0")


SETTING = """
about:
  title: "Joint randomised response: a replication report"
  software: corrldp
  judge_paper: judge PAPER
  judge_claim: judge PAPER/CLAIM
options: {seed: 7}
versions: numpy=2.4.1
glossary: [{term: JRR, expands: joint randomized response, means: Pairs of users.}]
notebooks: [jrr]
datasets:
  mushroom: {title: Mushroom, addresses: ["https://data.example/mushroom.data"]}
  adult: {title: Adult}
  people: {title: A census, optional: true, supply: List it.}
  clicks: {title: Clicks, kind: counts, file: "", rows: 20000, ones: 659, supply: Nothing.}
  survey: {title: A survey, kind: user_file, file: "", supply: Name the file., unavailable: Lost.}
views:
  mushroom_pair: {datasets: [mushroom], title: Two attributes, why: As printed., n: 8124, d: 2}
  adult_and_mushroom: {datasets: [adult, mushroom], title: Both, why: A test., n: 9, d: 1}
  adult: {datasets: [adult], title: Adult, why: All., n: 32561, d: 15, without: ["?"]}
papers:
  jrr:
    title: Joint Randomized Response
    short: JRR
    venue: Journal, doi:10.1/x
    data:
      Mushroom: {n: 8k, d: "2", source: "A repository [2]", datasets: [mushroom]}
      Census: {n: "1,000", d: "1", datasets: [people]}
      Kosarak: {n: "20,000", d: "1", datasets: [clicks], differs: Only counts.}
      Survey: {datasets: [survey]}
      made up: {datasets: []}
    tables:
      table3: {experiment: fig3, title: Table 3, caption: Data sets.}
    drawings: [fig3, differences/table3]
    exhibits:
      fig3: {name: fig3, experiment: fig3, published: fig3}
      fig4: {name: fig4, experiment: fig3}
    shared: [{why: Table 4 states one step., axes: [grid_step], exhibits: [fig3, fig4], runs: true}]
  castell: {title: Castell}
"""
STEPS = {"double_step": "a step of 0.0002", "vanishing_step": "a vanishing step"}
STEP = {"strict": "a step of 0.0001", "others": STEPS, "why": "Table 4 states both."}
TRIED = {
    "jrr": ({"grid_step": STEP}, ["mushroom_pair", "adult"]),
    "castell": ({}, []),
}
"""Axes and views of the only experiment of each paper."""


def made_setting():
    setting = yaml.safe_load(SETTING)
    for name, paper in setting["papers"].items():
        axes, views = TRIED[name]
        runner = {"runner": "runners/errors.py:means", "code": "papers/jrr/runners/errors.py"}
        tried = {"axes": axes, "views": views}
        figure = {"experiment": "fig3", "title": "Figure 3", "caption": "Error."}
        setting["papers"][name] = {
            **{"id": name, "authors": "A. Author", "venue": "Journal", "folder": f"papers/{name}"},
            **{"figures": {"fig3": {**figure, "shows": "fig3" if axes else None}}, "drawings": ["fig3"], "tables": {}},
            **{"experiments": {"fig3": deepcopy({**runner, **tried})}, "exhibits": {}, "names": {}},
            **{"less_is_better": ["mse_counts"], **paper},
            "data": {used: {**DATA, **facts} for used, facts in paper.get("data", {}).items()},
        }
    datasets = {name: {**FILE, **facts} for name, facts in setting["datasets"].items()}
    return {**setting, "source": dict(SOURCE), "datasets": datasets}


def write_inputs(root, setting):
    """Write all files that a report reads; return them by kind."""

    def write(name, content):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(sealed(content)), encoding="utf-8")
        return path

    def record(paper, standin):
        content = {"paper": paper, "experiment": "fig3", "seed": 7, "sha256": SHA256, "standin": standin}
        return write(f"results/{paper}/fig3.json", content)

    def dataset(name, status):
        fetched = {"source": "mirror directory", "sha256": SHA256, "bytes": 3974305, "status": status, "tried": []}
        about = {"licence": "CC BY 4.0", "citation": "Kohavi (1996)", "doi": "10.2/y"}
        return write(f"data/raw/{name}.json", {"dataset": name, "title": name.title(), **about, **fetched})

    silent = AsRun("holds", "none", holding=("strict", "vanishing_step"))
    hostile = claim("castell", "reproduced", states=HOSTILE, id="hostile", as_run=silent)
    of_jrr = verdicts_of(
        [claim("jrr", verdict) for verdict in VERDICTS], {"fig3": ran_exhibit(), "fig4": SILENT}, pools=[POOL]
    )
    return {
        "verdicts": [
            write("verdicts/jrr.json", plain(of_jrr)),
            write("verdicts/castell.json", plain(verdicts_of([hostile]))),
        ],
        "predictions": [
            write_text(PREDICTIONS, root / "predictions/jrr.csv"),
            write_text(PREDICTIONS.partition("\n")[0] + "\n", root / "predictions/castell.csv"),
        ],
        "figures": [write(f"figures/{place}.svg", SVG) for place in DRAWINGS],
        "drawings": [write(f"figures/{place}.json", DRAWN.decode()) for place in DRAWINGS],
        "figure_tables": [write(f"figures/{place}.csv", FIGURE_CSV) for place in DRAWINGS],
        "tables": [write("tables/jrr/table3.json", asdict(TABLE))],
        "data": [dataset("mushroom", "stand-in"), dataset("adult", "original")],
        "records": [record("jrr", ["mushroom_pair", "adult_and_mushroom"]), record("castell", [])],
        "conclusions": [write("config/conclusions.yaml", CONCLUSIONS)],
    }


def rendered(setting, contents):
    return {name: unfolded(text) for name, text in render_pages(assemble(setting, contents)).items()}


@pytest.fixture(scope="session")
def as_made(tmp_path_factory):
    """The contents of a report, and the report, which no test may change."""
    contents = read(paths_of(write_inputs(tmp_path_factory.mktemp("report"), made_setting())))
    return contents, assemble(made_setting(), contents)


@pytest.fixture
def setting():
    return made_setting()


@pytest.fixture
def inputs(tmp_path, setting):
    return write_inputs(tmp_path, setting)


@pytest.fixture
def contents(as_made):
    return deepcopy(as_made[0])


@pytest.fixture(scope="session")
def document(as_made):
    """The report; not to be changed."""
    return as_made[1]


@pytest.fixture
def change_claims(contents):
    """Function: the first claims of the first paper get other fields."""

    def change(*changes, paper="jrr", **parts):
        verdicts = contents.verdicts[paper]
        rest = verdicts.claims[len(changes) :]
        changed = (replace(one, **fields) for one, fields in zip(verdicts.claims, changes, strict=False))
        contents.verdicts[paper] = replace(verdicts, claims=(*changed, *rest), **parts)

    return change


@pytest.fixture
def copy_figure(setting, contents):
    def copy(paper, *names):
        for kind in ("figures", "figure_tables", "drawings"):
            texts = getattr(contents, kind)
            texts.update({f"{paper}/{name}": texts[f"{paper}/fig3"] for name in names})
        figures = setting["papers"][paper]["figures"]
        setting["papers"][paper]["figures"] = figures | dict.fromkeys(names, figures["fig3"])
        return setting["papers"][paper]["figures"]

    return copy


@pytest.fixture
def render(setting, contents):
    return lambda **changes: rendered({**setting, **changes}, contents)


@pytest.fixture(scope="session")
def pages(as_made):
    return rendered(made_setting(), as_made[0])


@pytest.fixture(scope="session")
def outlines(pages):
    return {name: Outline(text) for name, text in pages.items()}


@pytest.fixture
def index(pages):
    return pages["index.html"]


@pytest.fixture
def jrr(pages):
    return pages["jrr.html"]


@pytest.fixture
def claims(pages):
    return pages["claims.html"]


@pytest.fixture
def pool():
    """What the audit finds of a pool of two figures, from which a third inherits."""
    first, second = Choice("phase1_fraction", "0.2"), Choice("py_rule", "preprint")
    return Pool(
        exhibits=("fig3", "fig5"),
        inferred=("fig4",),
        apart=(),
        together=None,
        numbers=120,
        competed=9,
        standing=2,
        as_stated=Likelihood(1e-30, -400.0, 5.0),
        demanded=("phase1_fraction",),
        undetermined=("py_rule",),
        axes=(
            PoolAxis("phase1_fraction", "0.1", is_stated=True, standing="0.2", departs=True, exhibits=("fig5",)),
            PoolAxis("py_rule", "body", is_stated=True, standing="preprint", departs=True),
        ),
        settings=(
            PoolSetting((first, second), Likelihood(0.2, 0.0, 1.0), True, True, True),
            PoolSetting((first,), Likelihood(0.1, -2.0, 1.0), True, True, True),
        ),
    )


@pytest.fixture
def numbers():
    """Errors of two data sets, one of them without JRR, and another metric."""
    rows = [
        ("kosarak", 20000, "strict", "RR", "mse_counts", 18250.25, 5.0, 1000),
        ("kosarak", 20000, "strict", "JRR", "mse_counts", 13090.5, 4.0, 1000),
        ("a|b", 500, "strict", "RR", "mse_counts", 0.1 + 0.2, 0.5, 1000),
        ("a|b", 500, "strict", "RR", "are", 0.25, 0.01, 1000),
    ]
    columns = ["dataset", "n", "reading", "mechanism", "metric", "mean", "se", "runs"]
    return pd.DataFrame(rows, columns=columns).assign(theory=float("nan"), standin=False)
