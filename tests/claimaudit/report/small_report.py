"""A report from plain data, which tests can change, and the text of its PDF files."""

import io
import json
from dataclasses import replace

from pypdf import PdfReader

from claimaudit.papers.jobs import Description
from claimaudit.report import document
from claimaudit.report.about import ReportJob
from claimaudit.verdicts import adapter


def model(kind, content):
    """Return what a job or a file has, as it is read."""
    return adapter(kind).validate_json(json.dumps(content))


def job_of(setting):
    """Return what a report is told."""
    datasets = {name: {"name": name, **facts} for name, facts in setting["datasets"].items()}
    return model(ReportJob, {**setting, "datasets": datasets})


def assemble(setting, contents):
    """Return the report of a setting, which has the papers as well."""
    papers = {name: model(Description, paper) for name, paper in setting["papers"].items()}
    return document.assemble(job_of(setting), replace(contents, papers=papers))


def words(reader):
    """Return the text of a PDF file."""
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def read_pdf(content):
    return words(PdfReader(io.BytesIO(content)))
