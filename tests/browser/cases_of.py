"""The project's own pages with made-up verdicts and small tables of closed forms."""

import json
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from closed_errors import error_with_channels
from made_up_verdicts import claim
from shared.runners.data import marginal_of
from shared.runners.synthetic import syn_a
from written import write_table

from claimaudit import yaml_files
from claimaudit.storage import sealed
from claimaudit.verdicts import Verdicts, plain
from corrldp.protocols.corr_rr.pivot import copy_channels
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import SMP, SPL
from replication.cases import case_files
from replication.report import RESULTS, CaseJob, CasesFile

ROOT = Path(__file__).parents[2]
CASES, VERSIONS = ROOT / "config/cases.yaml", ROOT / "papers/corr_rr_preprint/versions.yaml"
PAGES = yaml_files.load(CASES, CasesFile).pages
COPIED = {"body": 0.5, "exact": 0.8, "always_copy": 1.0, "never_copy": 0.0}
GRID = tuple((epsilon, rho) for epsilon in (0.1, 0.4, 1.2, 5.0) for rho in (0.0, 0.5, 1.0))
KINDS = ("reproduced", "not reproduced", "undecided", "contradicted by the paper")


def page_of(name, root, between=((0.2, 0.3),)):
    """Bytes of a page, whose files are written to a directory; `between` are points of epsilon and rho."""
    others = [pd.concat([errors(GRID, n) for n in numbers]) for numbers in ((500, 1_000_000), (7_000, 100_000))]
    others[1] = others[1].query("mechanism == 'Corr-RR' and marginal == 'pi' and py_rule in ['body', 'exact']")
    found = dict(zip(RESULTS, (errors(GRID), *others, errors(between, 4_000, (2, 3))), strict=True))
    tables = [write_table(rows, root / f"{table}.csv") for table, rows in found.items()]
    return case_files(
        CaseJob(name, PAGES, (("jrr", "JRR"),)),
        verdicts=[verdicts(paper, root) for paper in PAGES[name].papers if paper != "corrldp"],
        entries=[VERSIONS if name == "versions" else CASES],
        tables=tables if name == "corr_rr" else (),
    )["page"]


def verdicts(paper, root):
    """File of verdicts on all claims of a paper that the pages name or quote, without data."""
    texts = [path.read_text("utf-8") for path in (CASES, VERSIONS)]
    named = {name for page, claims in yaml.safe_load(texts[0]).items() if page != "pages" for name in claims}
    for change in yaml.safe_load(texts[1])["changes"]:
        named |= {f"corr_rr_preprint/{name}" for name in change["preprint"]}
        named |= {f"corr_rr/{name}" for name in change["accepted"]}
    of = sorted(name.partition("/")[2] for name in named if name.startswith(f"{paper}/"))
    found = [claim(paper, KINDS[i % len(KINDS)], id=name) for i, name in enumerate(of)]
    path = root / f"{paper}.json"
    path.write_text(json.dumps(sealed(plain(Verdicts(tuple(found))))), "utf-8")
    return path


@cache
def errors(points, n=20_000, attributes=(2, 4)):
    """Result table of expected errors, by numbers of attributes, in which Phase I decides nothing."""
    rows = []
    for d, (epsilon, rho) in product(attributes, points):
        sizes = (4,) * d
        for marginal in ("pi", "uniform"):
            law = syn_a(d, rho, marginal_of(marginal, 4), "different").law
            table = RecordTable(np.indices(law.shape).reshape(d, -1).T, np.rint(n * law.ravel()).astype(int), sizes)
            kinds = {"SPL": SPL(epsilon, sizes), "SMP": SMP(epsilon, sizes)}
            kinds["RS+RFD"] = RSRFD(epsilon, tuple(map(tuple, table.frequencies().tolist())))
            others = {name: one.expected_mse(table) for name, one in kinds.items()}
            for rule, copied in COPIED.items():
                own = CorrRR(epsilon, sizes, 0.1, Fixed(copied))
                channels = copy_channels(np.where(np.eye(d), 1, copied), 4)
                found = {**others, "Corr-RR": error_with_channels(own, table, channels)}
                point = {"n": n, "k": 4, "d": d, "epsilon": epsilon, "rho": rho}
                axes = {"reading": f"{marginal} {rule}", "marginal": marginal, "py_rule": rule}
                measured = {"se": 0.0, "runs": 20, "theory": np.nan, "standin": False}
                rows += [
                    {**point, **axes, "mechanism": name, "metric": "mse", "mean": of.mean(), **measured}
                    for name, of in found.items()
                ]
    return pd.DataFrame(rows)
