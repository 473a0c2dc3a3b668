"""A report from plain data, which tests can change, and the text of its PDF files."""

import io
import json
from dataclasses import replace

from made_up_verdicts import claim
from pypdf import PdfReader

from claimaudit.report import document
from claimaudit.report.about import ReportJob
from claimaudit.storage import adapter
from claimaudit.verdicts import Choice, Departures, Exhibit, Fit, Names, Runs, StandingReading, Verdicts

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
NAMES = Names(
    {"fig3": {"strict": Departures(), "vanishing_step": Departures((Choice("grid_step", "0"),))}},
    {
        "grid_step": {"0.0001": "a step of 0.0001", "0": "a vanishing step"},
        "phase1_fraction": {"0.1": "10 % in Phase I", "0.2": "20 % in Phase I"},
        "py_rule": {"body": "the body's rule", "preprint": "the preprint's rule"},
    },
)


def ran_exhibit(**changes):
    """An exhibit whose printed numbers reject the text, and its number of runs, and leave one reading standing."""
    standing = StandingReading("vanishing_step", admissible=True, condition="", open=False, p_value=0.42, inside=0.95)
    known = Exhibit("fig3", "fig3", "own", competed=3, readings=(standing,), numbers=63, strict=Fit(1e-9, 0.5))
    return replace(known, **{"runs": Runs(1000, 520.4, 430.2, 631.0, rejected=True), **changes})


def verdicts_of(claims, exhibits=None, causes=None, pools=()):
    return Verdicts(tuple(claims), exhibits or {}, tuple(pools), causes=causes or {}, names=NAMES)


def record(verdict, **changes):
    return claim("jrr", verdict, **changes)


def model(kind, content):
    return adapter(kind).validate_json(json.dumps(content))


def job_of(setting):
    datasets = {name: {"name": name, **facts} for name, facts in setting["datasets"].items()}
    return model(ReportJob, {**setting, "datasets": datasets})


def paths_of(inputs):
    """Return all files of a report, given by kind."""
    return [path for paths in inputs.values() for path in paths]


def assemble(setting, contents):
    return document.assemble(job_of(setting), contents)


def texts(sheet):
    return [[cell.text for cell in row] for row in sheet.rows]


def words(reader):
    """Return the text of a PDF file."""
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def read_pdf(content):
    return words(PdfReader(io.BytesIO(content)))
