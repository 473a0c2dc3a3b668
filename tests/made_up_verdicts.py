"""Verdicts as an audit would find them, and what else a report is made from, for tests that need no audit."""

from dataclasses import replace

from claimaudit.verdicts import (
    ANSWERS,
    AsRun,
    AsStated,
    Choice,
    Evidence,
    Levels,
    Likelihood,
    OwnNumbers,
    Pool,
    PoolAxis,
    PoolSetting,
    PrintedNumber,
    Verdict,
)

SHA256 = "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"
SOURCE = {
    **{"version": "0.1.0", "licence": "MIT", "authors": "The authors of corrldp", "date": "2026-01-02"},
    **{"repository": "", "commit": "abc1234", "changed": False},
}
FILE = {
    **{"kind": "file", "licence": "CC BY 4.0", "citation": "Kohavi (1996)", "doi": "10.2/y", "supply": "Put it there."},
    **{"file": "x.data", "bytes": 3974305, "rows": 8124, "sha256": SHA256},
    **{"layout": "a record a line", "addresses": []},
}
OURS = {"origin": "ours", "counted": False, "uncounted": "ours"}
STATED = Evidence(
    **{"reading": "strict", "holds": None, "rows": 63, "found": PrintedNumber(0.0, None, None, 0), "grounds": "test"},
    **{"estimate": 0.0581234567, "se": 0.00023, "low": 0.0576, "high": 0.0586},
    **{"statistic": -0.49, "p_value": 0.00002, "simulated": 63, "worst": {"n": 10000}, "varying": ("n",)},
    comparisons={"n": [10000, 20000], "left": [0.0581234567, 0.06], "right": [0.058, 0.058], "se": [0.1, 0.1]},
)
BECAUSE = {"no data": "no data", "reproduced": "stated", "undecided": "open", "reproduced as run": "run"}


def claim(paper, verdict, /, exhibit="fig3", stands="vanishing_step", **changes):
    """The record of a verdict on a claim about a printed number, with one reading that stands beside the strict one."""
    as_stated = {"reproduced": True, "undecided": None}.get(verdict, False)
    as_run = True if verdict == "reproduced as run" else as_stated
    stated = replace(STATED, holds=as_stated)
    evidence = changes.get("evidence") or (
        stated,
        replace(stated, reading=stands, estimate=0.0579, holds=True, standing=True),
    )
    sides = {True: "holding", False: "failing", None: "open"}
    contradicted = verdict.startswith("contradicted")
    found = {
        "as_stated": AsStated(ANSWERS[as_stated]),
        "as_run": AsRun(ANSWERS[as_run], "own", (exhibit,), (stands,), **{sides[as_run]: (stands,)}),
        "own_numbers": OwnNumbers("fails", replace(evidence[0], reading="printed", estimate=0.07))
        if contradicted
        else OwnNumbers("not tested"),
        **{"evidence": evidence, "standins": (), "level": 0.001},
    }
    if verdict == "no data":
        found |= {"as_stated": AsStated("not tested"), "as_run": AsRun("not tested", "none", (exhibit,))}
        found |= {"evidence": (), "standins": ("mushroom",), "level": 0.0}
    fields = {
        **{"id": verdict.replace(" ", "-"), "paper": paper, "kind": "value"},
        **{"place": "Section 5.3, paragraph 1, sentence 2", "states": f"statement {verdict}"},
        **{"verdict": verdict, "because": BECAUSE.get(verdict, "points" if contradicted else "fails")},
        **({"why": "chance"} if verdict == "undecided" else {}),
        **{"table": "fig3", "figure": exhibit, "printed": {"value": "0.058"}, "levels": Levels(0.001, 0.00001)},
        "check": {"quantity": "mse_jrr", "relation": "<", "against": "mse_rr"},
    }
    return Verdict(**{**fields, **found, **changes})


def pool_of(exhibit, numbers, axis, stated, standing, **changes):
    """The pool of one exhibit, whose numbers reject the value of an axis that the text states, and demand another."""
    settings = (PoolSetting((Choice(axis, standing),), Likelihood(0.42, 0.0, 0.0), True, True, True),)
    fields = {
        **{"exhibits": (exhibit,), "inferred": (), "apart": (), "together": None, "numbers": numbers},
        **{"competed": 3, "standing": 1, "demanded": (axis,), "undetermined": (), "settings": settings},
        "as_stated": Likelihood(1e-9, -50.0, 1.0),
        "axes": (PoolAxis(axis, stated, is_stated=True, standing=standing, departs=True),),
    }
    return Pool(**{**fields, **changes})


def prediction(mechanism, value, se=0.0, reading="strict", printed=None, **settings):
    """A row of a table of predictions, of an error in Figure 3 as stated or under another reading."""
    return {
        **{"paper": "jrr", "exhibit": "fig3", "reading": reading, "words": "", "mechanism": mechanism, "metric": "mse"},
        **{"stated": "yes" if reading == "strict" else "no", "printed": printed, "value": value, "se": se},
        **{"low": 0, "high": 0, "their_runs": 100, **settings},
    }
