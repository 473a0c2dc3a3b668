"""The project's own pages with made-up verdicts and small tables."""

import json
from dataclasses import asdict
from pathlib import Path

import pandas as pd
import yaml
from made_up_verdicts import claim
from shared.runners.cases import Case
from shared.runners.mechanisms import RULES
from written import write_table

from claimaudit.checksums import sealed
from claimaudit.verdicts import Verdicts, plain
from corrldp.randomness import generator
from replication.cases import LAWS, PAPERS, RESULTS, case_files

ROOT = Path(__file__).parents[2]
CASES, VERSIONS = ROOT / "config/cases.yaml", ROOT / "papers/corr_rr_preprint/versions.yaml"


def page_of(name, root):
    """Bytes of a page; files that it needs are written to a directory."""
    reads = {"versions": [VERSIONS]} if name == "versions" else {"cases": [CASES]}
    if name == "corr_rr":
        grids = ((0.1, 1, 5), (0, 0.5, 1)), ((0.5,), (0.25,))
        reads["tables"] = [
            write_table(errors(*grid), root / f"{table}.csv") for table, grid in zip(RESULTS, grids, strict=True)
        ]
    return case_files(name, verdicts=[verdicts(paper, root) for paper in PAPERS[name] if paper != "corrldp"], **reads)[
        "page"
    ]


def verdicts(paper, root):
    """File of verdicts on all claims of a paper that the pages name."""
    named = {name for entries in yaml.safe_load(CASES.read_text("utf-8")).values() for name in entries}
    stated = yaml.safe_load(VERSIONS.read_text("utf-8"))
    for change in stated["changes"]:
        named |= {f"corr_rr_preprint/{name}" for name in change["preprint"]}
        named |= {f"{stated['accepted']}/{name}" for name in change["accepted"]}
    named |= {"corr_rr/text-rule-at-larger-epsilon"}
    kinds = ("reproduced", "not reproduced", "undecided", "contradicted by the paper")
    of = sorted(name.partition("/")[2] for name in named if name.startswith(f"{paper}/"))
    found = [claim(paper, kinds[i % len(kinds)], id=name) for i, name in enumerate(of)]
    path = root / f"{paper}.json"
    path.write_text(json.dumps(sealed(plain(Verdicts(tuple(found))))), "utf-8")
    return path


def errors(epsilons, rhos):
    """Result table of the errors of two attributes, from few runs."""
    rows = []
    for epsilon in epsilons:
        for rho in rhos:
            for marginal, law in LAWS.items():
                for rule in ("body", "exact"):
                    case = Case(20_000, 2, rho, epsilon, law)
                    point = {"n": 20_000, "k": 4, "d": 2, "epsilon": epsilon, "rho": rho}
                    axes = {"reading": f"{marginal} {rule}", "marginal": marginal, "py_rule": rule}
                    own = case.corr_rr(RULES[rule], 20, generator(1, asdict(case))).mean()
                    for name, mean in {"Corr-RR": own, "RS+RFD": case.rs_rfd(case.frequencies)}.items():
                        numbers = {"mean": float(mean), "se": 0.0, "runs": 20, "theory": float("nan"), "standin": False}
                        rows.append({**point, **axes, "mechanism": name, "metric": "mse", **numbers})
    return pd.DataFrame(rows)
