"""A small report: two papers with one figure each, one table, one claim per verdict, one stand-in data set."""

import json
from dataclasses import replace

import pytest
from outline import Outline

from corrldp.checksums import sealed
from corrldp.plots.layers import Drawing
from corrldp.report.document import assemble
from corrldp.report.inputs import Inputs, read
from corrldp.report.page import render as render_pages
from corrldp.report.sheets import Cell, Column, Sheet
from corrldp.results import write_recorded

SVG = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="240pt" height="120pt" viewBox="0 0 240 120"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
 <defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs>
 <g id="axes_1">
  <path d="M 57.600001 307.5849
L 219.927273 41" clip-path="url(#p41)" style="fill: url(#hatch)"/>
  <use xlink:href="#m15" x="64.9" y="307.5"/>
  <text x="1" y="2">epsilon &lt; 1 &amp; n</text>
  <g id="line2d_1"><g id="theory"><path d="M 1 1 L 9 9"/></g></g>
 </g>
 <defs><path id="m15" d="M 0 0"/><clipPath id="p41"><rect width="1" height="1"/></clipPath>
 <pattern id="hatch"/></defs>
</svg>
"""
FIGURE_CSV = """panel,n,epsilon,reading,mechanism,metric,mean,se,runs,theory,published,standin
a,10000,0.01,strict,RR,mse_counts,98765.4321,12.5,1000,98700.25,99000,False
a,10000,1.0,strict,JRR,mse_counts,0.000012345,0.1,1000,,,False
"""
DRAWING = Drawing(240.0, 120.0, 9.0, ["theory"], [(0, 60.12, 50.5), (1, 120.0, 70.0)])
TABLE = Sheet(
    [Column("dataset", "dataset", False), Column("RR", "RR", True)],
    [[Cell("adult|x", "adult|x"), Cell("1,235", "1234.5678")]],
)
SHA256 = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
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

VERDICTS = [
    "reproduced",
    "reproduced as run",
    "not reproduced",
    "contradicted by the paper",
    "undecided",
    "no data",
]
STATED = {"reproduced": "holds", "undecided": "undecided", "no data": "not tested"}
RUN = {**STATED, "reproduced as run": "holds"}


def claim(paper, verdict, **changes):
    evidence = {
        "reading": "strict",
        "words": "the text as it stands",
        "meaning": "",
        "standing": False,
        "estimate": 0.0581234567,
        "se": 0.00023,
        "low": 0.0576,
        "high": 0.0586,
        "statistic": -0.49,
        "p_value": 0.00002,
        "holds": {"reproduced": True, "undecided": None}.get(verdict, False),
        "simulated": 63,
        "rows": 63,
        "worst": {"n": 10000},
        "effect": "ours 0.0581",
        "comparisons": {"n": [10000, 20000], "left": [0.0581234567, 0.06], "right": [0.058, 0.058], "se": [0.1, 0.1]},
    }
    readings = {"reading": "vanishing_step", "words": "a vanishing step", "holds": True, "standing": True}
    untested = verdict == "no data"
    stated, run = (answers.get(verdict, "fails") for answers in (STATED, RUN))
    numbers = "" if untested else "ours 0.0581, printed 0.058"
    return {
        "id": verdict.replace(" ", "-"),
        "paper": paper,
        "where": "Section 5.3, paragraph 1, sentence 2",
        "states": f"statement {verdict}",
        "kind": "value",
        **{"checked": "", "thresholds": "", "doubt": "", "origin": "paper", "weight": "result"},
        **{"refines": "", "follows": "", "cause": ""},
        "table": "fig3",
        "figure": "fig3",
        "note": "",
        "verdict": verdict,
        "why": "chance" if verdict == "undecided" else "",
        "decides": "more Monte-Carlo runs, ours or the paper's" if verdict == "undecided" else "",
        "reason": "data unavailable: stand-in for mushroom" if untested else f"{numbers} (z = -0.49)",
        "effect": numbers,
        **{"counted": True, "uncounted": ""},
        "as_stated": {"answer": stated, "effect": numbers, "reason": "" if untested else "z = -0.49"},
        "as_run": {
            "answer": run,
            "effect": "" if untested else "ours 0.0579, printed 0.058",
            "source": "none" if untested else "own",
            "readings": [] if untested else ["vanishing_step"],
            "words": [] if untested else ["a vanishing step"],
            "exhibits": ["fig3"],
            "depends": "",
        },
        "own_numbers": {"answer": "fails", "effect": "printed 0.07"}
        if verdict.startswith("contradicted")
        else {"answer": "not tested", "effect": ""},
        "evidence": [] if untested else [evidence, {**evidence, **readings}],
        "level": 0.0 if untested else 0.001,
        "printed": {"value": "0.058"},
        "check": {"quantity": "mse_jrr", "relation": "<", "against": "mse_rr"},
        **changes,
    }


def exhibit(**changes):
    """An exhibit whose printed numbers reject the text, and its number of runs, and leave one reading standing."""
    standing = {
        "reading": "vanishing_step",
        "words": "a vanishing step",
        "phrases": ["a vanishing step"],
        "admissible": True,
        "condition": "",
        "open": False,
    }
    return {
        "experiment": "fig3",
        "published": "fig3",
        "source": "own",
        "pooled": [],
        "apart": [],
        "competed": 3,
        "readings": [{**standing, "p_value": 0.42, "inside": 0.95}],
        "numbers": 63,
        "strict": {"p_value": 1e-9, "inside": 0.5},
        "runs": {"stated": 1000, "estimate": 520.4, "low": 430.2, "high": 631.0, "rejected": True},
        **changes,
    }


SILENT = {
    **{"experiment": "fig3", "published": None, "source": "none", "pooled": [], "apart": []},
    **{"competed": 3, "readings": [], "runs": None},
}


# The pool of Figure 3 alone, whose numbers demand another step.
POOL = {
    **{"exhibits": ["fig3"], "inferred": [], "apart": [], "together": None},
    **{"numbers": 63, "competed": 3, "standing": 1, "demanded": ["grid_step"], "untold": []},
    "as_stated": {"p_value": 1e-9, "log_likelihood": -50.0, "error": 1.0},
    "values": [
        {
            "axis": "grid_step",
            "stated": "a step of 0.0001",
            "is_stated": True,
            "standing": "a vanishing step",
            "departs": True,
        },
    ],
    "settings": [
        {
            **{"words": ["a vanishing step"], "p_value": 0.42, "log_likelihood": 0.0, "error": 0.0},
            **{"stands": True, "about_as_likely": True, "admissible": True},
        }
    ],
}


def verdicts_of(claims, exhibits=None, causes=None, pools=None):
    return {"claims": claims, "exhibits": exhibits or {}, "pools": pools or [], "meetings": [], "causes": causes or {}}


@pytest.fixture
def setting():
    figure = {"plot": "curves", "experiment": "fig3", "title": "Figure 3", "caption": "Error.", "style": {}}
    paper = {
        "authors": "A. Author",
        "venue": "Journal",
        "year": 2025,
        "figures": {"fig3": figure},
        "tables": {},
        "experiments": {
            "fig3": {"runner": "jrr.errors.means", "axes": {}, "readings": {"strict": "the text as it stands"}}
        },
        "exhibits": {},
    }
    axis = {
        "strict": "a step of 0.0001",
        "others": {"double_step": "a step of 0.0002", "vanishing_step": "a vanishing step"},
        "why": "Table 4 states both.",
    }
    readings = {"strict": "the text as it stands", **axis["others"]}
    jrr = {
        **paper,
        "title": "Joint Randomized Response",
        "short": "JRR",
        "doi": "10.1/x",
        "tables": {"table3": {"experiment": "fig3", "title": "Table 3", "caption": "Data sets.", "style": {}}},
        "experiments": {"fig3": {"runner": "jrr.errors.means", "axes": {"grid_step": axis}, "readings": readings}},
        "exhibits": {
            "fig3": {"experiment": "fig3", "published": "fig3"},
            "fig4": {"experiment": "fig3", "published": None},
        },
        "shared": [{"where": "Table 4 states one step.", "axes": ["grid_step"], "exhibits": [], "runs": True}],
    }
    return {
        "seed": 7,
        "family_level": 0.01,
        "runs_factor": 1,
        "versions": "numpy=2.4.1",
        "notebooks": ["jrr"],
        "source": {
            **{"version": "0.1.0", "licence": "MIT", "authors": "The authors of corrldp", "date": "2026-01-02"},
            **{"commit": "abc1234", "changed": False},
        },
        "addresses": {"mushroom": ["https://data.example/mushroom.data"], "adult": []},
        "views": {"mushroom_pair": ["mushroom"], "adult_and_mushroom": ["adult", "mushroom"], "adult": ["adult"]},
        "papers": {"jrr": jrr, "castell": {**paper, "title": "Castell"}},
    }


@pytest.fixture
def inputs(tmp_path, setting):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(sealed(content)), encoding="utf-8")
        return path

    def predictions(paper, text):
        path = tmp_path / f"predictions/{paper}.csv"
        write_recorded(text.encode(), path, path.with_suffix(".json"), {})
        return path

    def record(paper, standin):
        content = {"paper": paper, "experiment": "fig3", "seed": 7, "sha256": SHA256, "standin": standin}
        return write(f"results/{paper}/fig3.json", content)

    def dataset(name, status):
        return write(
            f"data/raw/{name}.json",
            {
                "dataset": name,
                "title": name.title(),
                "licence": "CC BY 4.0",
                "citation": "Kohavi (1996)",
                "doi": "10.2/y",
                "source": "mirror directory",
                "sha256": SHA256,
                "bytes": 3974305,
                "status": status,
                "tried": [],
            },
        )

    hostile = claim("castell", "reproduced", states=HOSTILE, id="hostile")
    hostile["as_run"] |= {"source": "none", "readings": [], "words": [], "exhibits": []}
    return Inputs(
        papers=[write(f"papers/{name}.json", paper) for name, paper in setting["papers"].items()],
        verdicts=[
            write(
                "verdicts/jrr.json",
                verdicts_of(
                    [claim("jrr", verdict) for verdict in VERDICTS],
                    {"fig3": exhibit(), "fig4": SILENT},
                    pools=[POOL],
                ),
            ),
            write("verdicts/castell.json", verdicts_of([hostile])),
        ],
        predictions=[
            predictions("jrr", PREDICTIONS),
            predictions("castell", PREDICTIONS.partition("\n")[0] + "\n"),
        ],
        figures=[write(f"figures/{paper}/fig3.svg", SVG) for paper in ("jrr", "castell")],
        drawings=[write(f"figures/{paper}/fig3.json", DRAWING.to_json()) for paper in ("jrr", "castell")],
        figure_tables=[write(f"figures/{paper}/fig3.csv", FIGURE_CSV) for paper in ("jrr", "castell")],
        tables=[write("tables/jrr/table3.json", TABLE.to_json())],
        data=[dataset("mushroom", "stand-in"), dataset("adult", "original")],
        records=[record("jrr", ["mushroom_pair", "adult_and_mushroom"]), record("castell", [])],
        conclusions=[write("config/conclusions.yaml", CONCLUSIONS)],
    )


@pytest.fixture
def without(inputs):
    """Return the inputs without the files of one kind."""
    return lambda option: replace(inputs, **{option: []})


@pytest.fixture
def contents(setting, inputs):
    return read(setting, inputs)


@pytest.fixture
def svg_source():
    return SVG


@pytest.fixture
def record():
    """Return a function that makes the verdict record of a claim of the first paper."""
    return lambda verdict, **changes: claim("jrr", verdict, **changes)


@pytest.fixture
def ran_exhibit():
    return exhibit


@pytest.fixture
def render(setting, contents):
    """Return a function that renders the pages, with changes to the setting."""
    return lambda **changes: render_pages(assemble({**setting, **changes}, contents))


@pytest.fixture
def pages(render):
    return render()


@pytest.fixture
def outlines(pages):
    return {name: Outline(text) for name, text in pages.items()}


@pytest.fixture
def index(pages):
    return pages["index.html"]


@pytest.fixture
def jrr(pages):
    return pages["jrr.html"]


@pytest.fixture
def pool():
    """What the audit says of a pool of two figures, from which a third inherits."""
    settings = [
        {"words": ["20 % in Phase I", "the preprint's rule"], "p_value": 0.2, "log_likelihood": 0.0},
        {"words": ["20 % in Phase I"], "p_value": 0.1, "log_likelihood": -2.0},
    ]
    values = [
        ("phase1_fraction", "10 % in Phase I", "20 % in Phase I"),
        ("py_rule", "the body's rule", "the preprint's rule"),
    ]
    return {
        **{"exhibits": ["fig3", "fig5"], "inferred": ["fig4"], "apart": [], "together": None},
        **{"numbers": 120, "competed": 9, "standing": 2},
        "as_stated": {"p_value": 1e-30, "log_likelihood": -400.0, "error": 5.0},
        **{"demanded": ["phase1_fraction"], "untold": ["py_rule"]},
        "values": [
            {"axis": axis, "stated": stated, "is_stated": True, "standing": standing, "departs": True}
            for axis, stated, standing in values
        ],
        "settings": [
            {**one, "error": 1.0, "stands": True, "about_as_likely": True, "admissible": True} for one in settings
        ],
    }
