"""The report as one PDF file, and certificates as others: facts of the document, typeset by `templates/*.typ`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import resources

import typst

from claimaudit.plots.figure import fonts
from claimaudit.plots.layers import FOOT
from claimaudit.report.certificate import Facts
from claimaudit.report.document import Document, Figure, ShownPaper
from claimaudit.report.findings import FALLEN, Finding
from claimaudit.report.markup import svg_without
from claimaudit.report.runs import Settings
from claimaudit.verdicts import LEVEL, Names
from claimaudit.words.findings import scores, undecided, untested
from claimaudit.words.names import labels, plain, title_with
from claimaudit.words.numbers import listed, number, plural, times_stated
from claimaudit.words.verdicts import COLUMNS, VERDICTS

FIGURES = 4  # figures shown of one paper
WEIGHTS = {"headline": "On the headline claims", "result": "On results"}


def render(document: Document) -> bytes:
    """Return the PDF file; the same document always yields the same bytes."""
    return _typeset("report.typ", facts(document), document.job.source.date)


def render_certificate(certificate: Facts) -> bytes:
    """Return a paper's certificate as a PDF file; the same facts always yield the same bytes."""
    return _typeset("certificate.typ", certificate, certificate["date"])


def _typeset(template: str, content: Facts, date: str | None) -> bytes:
    """Return a PDF file, tagged as PDF/UA-1 demands, from facts and a template."""
    source = resources.files("claimaudit.report").joinpath("templates", template).read_bytes()
    compiler = typst.Compiler(source, font_paths=fonts(), sys_inputs={"facts": json.dumps(content)})
    day = datetime.fromisoformat(date or "1970-01-01")
    made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=day.replace(tzinfo=UTC))
    assert isinstance(made, bytes)  # other formats are one file for each page
    return made


def facts(document: Document) -> Facts:
    """Return all that the template shows, as JSON."""
    job, source = document.job, document.job.source
    return {
        "title": document.about.title,
        "software": document.about.software,
        "method": document.about.method,
        "workflow": document.about.workflow,
        "origins": None if document.recomputed else document.origins,
        "date": source.date or None,
        "version": source.version,
        "commit": source.commit_in_words or None,
        "seed": job.seed,
        "libraries": plain(job.versions),
        "level": number(LEVEL),
        "family_level": number(job.family_level),
        "runs": times_stated(job.runs_factor),
        "quick": number(job.runs_factor) if job.runs_factor < 1 else None,
        "texts": plural(len(document.texts), "text"),
        "claims": scores(document.score["verdicts"], "") or "No claim counts.",
        "made_up": listed([one.record.title for one in document.made_up]) if document.made_up else None,
        "verdicts": [asdict(verdict) for verdict in VERDICTS.values()],
        "conclusions": list(_conclusions(document)),
        "weightiest": list(_weightiest(document)),
        "columns": [heading for heading, _ in COLUMNS.values()],
        "scores": list(_scores(document)),
        "papers": [_paper(paper) for paper in document.papers],
        "unfit": list(_unfit(document)),
        "limits": _limits(document),
        "references": list(_references(document)),
        "data": [
            {
                **asdict(record),
                "bytes": number(record.bytes),
                "licence": plain(record.licence),
                "doi": record.doi or None,
            }
            for record in document.data
        ],
    }


def _references(document: Document) -> Iterator[Facts]:
    """Yield the texts, then what else is cited, of methods and data sets: each once, with its DOI where it has one."""
    for paper in sorted(document.texts, key=lambda one: (plain(one.text.authors), one.text.published_in)):
        text = paper.text
        yield {"text": f"{plain(text.authors)}. {text.title}. {text.published_in}", "doi": text.doi or None}
    cited: dict[str, str] = dict.fromkeys(document.glossary.references.values(), "")
    cited |= {one.citation: one.doi for one in document.data_sets if one.citation}
    for citation in sorted(cited):
        yield {"text": citation.removesuffix("."), "doi": cited[citation] or None}


def _conclusions(document: Document) -> Iterator[Facts]:
    for conclusion in document.answers():
        beware = None if conclusion.stands else conclusion.beware
        yield {
            "text": " ".join(filter(None, (conclusion.states, conclusion.more, conclusion.numbers))),
            "beware": beware,
        }


def _weightiest(document: Document) -> Iterator[Facts]:
    """Yield the weightiest finding on each paper about which there is no conclusion."""
    concluded = {item.paper for conclusion in document.answers() for item in conclusion.evidence}
    for paper in document.papers:
        if paper.name not in concluded and paper.findings.points:
            yield {"paper": title_with(paper.short, paper.text.title), **_finding(paper.findings.points[0], [])}


def _scores(document: Document) -> Iterator[Facts]:
    """Yield the counts of each text, those of all, and those of promises, which are apart."""
    slips, uncounted = (sum(getattr(paper, kind) for paper in document.texts) for kind in ("slips", "uncounted"))
    rows = [(paper.short, paper.score, paper.slips, paper.uncounted) for paper in document.texts]
    rows.append(("All texts", document.score, slips, uncounted))
    if document.promises:
        own = document.promises
        rows.append((f"{own.short}, apart", own.score, own.slips, own.uncounted))
    for name, score, *apart in rows:
        counts = list(score["verdicts"].values())
        answers = [", ".join(f"{count} {answer}" for answer, count in score[key].items() if count) for key in COLUMNS]
        yield {"name": name, "counts": [*counts, sum(counts), *apart], "answers": answers}


def _paper(paper: ShownPaper) -> Facts:
    text, found, shown = paper.text, paper.findings, telling(paper)
    counts = paper.score["verdicts"]
    rejected, silent = ([item.name for item in paper.ran if item.source == source] for source in ("rejected", "none"))
    return {
        "name": paper.name,
        "short": paper.short,
        "own": paper.own,
        "title": title_with(paper.short, text.title),
        "authors": plain(text.authors),
        "venue": text.published_in,
        "doi": text.doi or None,
        "counts": [{**asdict(VERDICTS[verdict]), "count": str(count)} for verdict, count in counts.items() if count],
        "summary": found.summary,
        "findings": [
            {"title": title, "points": [_finding(point, _shown_by(paper, point, shown)) for point in points]}
            for weight, title in WEIGHTS.items()
            if (points := found.of_weight(weight))
        ],
        "more": _more(paper),
        "settings": [_setting(group, paper.names) for group in paper.settings],
        "runs": list(_runs(paper)),
        "rejected": labels(rejected, paper.names) if rejected else None,
        "silent": labels(silent, paper.names) if silent else None,
        "figures": [_figure(exhibit, paper) for exhibit in shown],
        "left": len(paper.figures) - len(shown),
        "tables": [table.title for table in paper.tables],
    }


def _finding(finding: Finding, figures: list[str]) -> Facts:
    """Return a finding, with the figures of the report that show claims beneath it; only one on a claim has a mark."""
    mark = None if finding.cause else asdict(VERDICTS[finding.verdict])
    return {"verdict": mark, "text": finding.text, "figures": figures}


def _shown_by(paper: ShownPaper, finding: Finding, shown: list[Figure]) -> list[str]:
    beneath = set(finding.claims)
    return [
        f"{paper.name}-{exhibit.name}"
        for exhibit in shown
        if any(claim.record.id in beneath for claim in exhibit.claims)
    ]


def _more(paper: ShownPaper) -> str | None:
    found = paper.findings
    parts = [
        (len(found.of_weight("detail")), "finding on a detail", "findings on details"),
        (
            len(found.slips),
            "slip (misprint, rounding, wrong reference)",
            "slips (misprints, rounding, wrong references)",
        ),
        (len(found.open), "suspected cause of which no claim fails", "suspected causes of which no claim fails"),
        (len(found.beyond), "question of our own", "questions of our own"),
    ]
    words = [plural(count, *names) for count, *names in parts if count]
    return listed(words) if words else None


def _setting(group: Settings, names: Names) -> Facts:
    """Return which setting explains the printed numbers of some exhibits, with the text's values."""
    inferred = [f"{labels(group.inferred, names)} (by shared settings)"] if group.inferred else []
    departing = [f"{standing} (the text: {stated})" for stated, standing, _ in group.axes]
    return {
        "exhibits": listed([labels(group.own, names), *inferred]),
        "answer": listed(departing) if departing else group.answer,
        "evidence": " ".join(group.sentences),
    }


def _runs(paper: ShownPaper) -> Iterator[Facts]:
    """Yield where the scatter of printed numbers rejects the stated number of runs."""
    groups: dict[str, list[str]] = {}
    for item in paper.ran:
        if item.known.runs and item.known.runs.rejected:
            groups.setdefault(item.on_runs, []).append(item.name)
    for says, names in groups.items():
        yield {"exhibits": labels(names, paper.names), "says": says}


def _figure(exhibit: Figure, paper: ShownPaper) -> Facts:
    """Return a figure: its drawing without the line that names it, which the caption does."""
    return {
        "label": f"{paper.name}-{exhibit.name}",
        "svg": svg_without(exhibit.picture.svg, FOOT),
        "width": exhibit.picture.drawing.width,
        "height": exhibit.picture.drawing.height,
        "foot": exhibit.picture.drawing.foot,
        "title": exhibit.title,
        "of_the_paper": exhibit.of_the_paper,
        "caption": exhibit.caption,
        "numbers": f"figures/{paper.name}/{exhibit.name}.csv",
    }


def telling(paper: ShownPaper) -> list[Figure]:
    """Return the figures that the report shows, in the paper's order.

    Figures with printed numbers come first, then those about which most counted claims fail as stated, then the paper's
    before ours.
    """

    def rank(exhibit: Figure) -> tuple[bool, int, bool]:
        printed = exhibit.shown.published or (exhibit.ran and exhibit.ran.printed)
        fallen = sum(claim.record.counted and claim.record.verdict in FALLEN for claim in exhibit.claims)
        return not printed, -fallen, exhibit.shown.shows is None

    chosen = sorted(paper.figures, key=rank)[:FIGURES]
    return [exhibit for exhibit in paper.figures if exhibit in chosen]


def _unfit(document: Document) -> Iterator[str]:
    for paper in document.papers:
        if names := [item.name for item in paper.ran if item.source == "rejected"]:
            yield f"{labels(names, paper.names)} of {paper.short}"


def _limits(document: Document) -> Facts:
    claims = [claim.record for paper in document.papers for claim in paper.claims]
    return {
        "undecided": undecided(claims) or None,
        "unfit": listed(unfit) if (unfit := list(_unfit(document))) else None,
        "untested": untested(claims) or None,
    }
