"""What the search of the start page can find: pairs of mechanisms, figures and tables, facts on the run, and claims."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimaudit.report.claims import ShownClaim
from claimaudit.report.document import Document, ShownPaper
from claimaudit.report.markup import anchor, slug
from claimaudit.verdicts import AS_RUN, CONTRADICTED, NO_DATA, NOT_REPRODUCED, REPRODUCED, UNDECIDED
from claimaudit.words.findings import DISPUTED
from claimaudit.words.glossary import METHOD
from claimaudit.words.names import label, labels
from claimaudit.words.numbers import listed, plural
from claimaudit.words.verdicts import Badge

Entry = dict[str, Any]

COLOURS = {REPRODUCED: "blue", AS_RUN: "yellow", NOT_REPRODUCED: "orange", CONTRADICTED: "red", UNDECIDED: "grey gray"}
"""How the bars show verdicts, by which the search finds them."""

ORDER = (NOT_REPRODUCED, CONTRADICTED, AS_RUN, UNDECIDED, REPRODUCED, NO_DATA)
"""In which claims are listed: those that fail first."""

OBJECTING = "report a problem compared object appeal authors reply dispute wrong error rerun"
RELIABILITY = "true claim called false alarm mistake error rate uncertainty how sure trust made-up papers"
DATA = "where from get download license mirror stand-in internet offline"
"""Further words by which the search finds some places."""


def vocabulary(document: Document) -> tuple[list[Entry], list[Badge]]:
    """Return the entries, in the order in which results are listed, and the marks of claims.

    Each entry has ``link``, ``name`` (where it leads), ``states``, ``mark`` (its place among the marks, or None) and
    ``more``, further words by which it is found; a page for a reader's own case also ``numbers``: it is found by any.
    """
    papers = document.papers
    claims = sorted(((paper, claim) for paper in papers for claim in paper.claims), key=lambda item: rank(item[1]))
    marks = list(dict.fromkeys(claim.mark for _, claim in claims))
    kinds = (_pairs, _winners, _exhibits, _ran, _settings, _whole)
    entries = [
        *_conclusions(document),
        *_beside(document),
        *(entry for kind in kinds for paper in papers for entry in kind(paper)),
        *_facts(document),
        *(_claim(paper, claim, marks.index(claim.mark)) for paper, claim in claims),
    ]
    return entries, marks


def rank(claim: ShownClaim) -> tuple[int, int]:
    """Sort verdicts on the paper before what is counted apart, and before what does not count; then by verdict."""
    return ("yes", "slip", "no").index(claim.counts), ORDER.index(claim.record.verdict)


def _entry(link: str, name: str, states: str, more: str = "", mark: int | None = None) -> Entry:
    return {"link": link, "name": name, "states": states, "mark": mark, "more": more}


def _conclusions(document: Document) -> Iterator[Entry]:
    """Yield the conclusions that this run shows, found also by the names of their papers."""
    short = {paper.name: paper.short for paper in document.papers}
    for number, one in enumerate(document.answers(), start=1):
        if one.stands:
            names = " ".join({short[item.paper]: None for item in one.evidence})
            more = f"{one.more} {one.numbers} {names}"
            yield _entry(f"index.html#{anchor('conclusion', str(number))}", "conclusion", one.states, more)
    for one in document.conclusions:
        if one.about in short and one.stands:
            name = short[one.about]
            yield _entry(f"{one.about}.html", name, one.states, f"{name} user should know do advice summary")


def _beside(document: Document) -> Iterator[Entry]:
    for beside in document.job.beside:
        states = f"{beside.asks}: {beside.title}" if beside.asks else beside.title
        entry = _entry(beside.address, "page", states, f"{beside.words} {' '.join(beside.papers)}")
        yield entry | ({"numbers": True} if beside.words else {})


def _pairs(paper: ShownPaper) -> Iterator[Entry]:
    for pair in paper.pairs:
        yield _entry(
            f"{paper.name}.html#{anchor('pair', paper.name, slug(pair.one), slug(pair.other))}",
            f"{paper.short}, who beats whom",
            pair.states,
            f"{paper.name} threshold where",
        )


def _winners(paper: ShownPaper) -> Iterator[Entry]:
    for grid in paper.winners:
        if grid.changes:
            yield _entry(
                f"{paper.name}.html#{anchor('winners', paper.name, slug(grid.place))}",
                f"{paper.short}, who beats whom",
                f"{grid.place}: where the winner changes. {grid.changes}",
                f"{paper.name} threshold crossing lowest error beats",
            )


def _exhibits(paper: ShownPaper) -> Iterator[Entry]:
    more = f"{paper.name} rerun command"
    for item in (*paper.figures, *paper.tables):
        yield _entry(f"{paper.name}.html#{item.id}", f"{paper.short}, {item.name}", item.title, more)


def _ran(paper: ShownPaper) -> Iterator[Entry]:
    name, more = f"{paper.short}, what was run", f"{paper.name} number of trials runs setting reading printed algorithm"
    for item in paper.ran:
        if item.source != "none":
            states = f"{label(item.name, paper.names)}: {item.answer}. {item.on_runs}".rstrip()
            yield _entry(f"{paper.name}.html#{item.id}", name, states, more)
    rejected = [item.name for item in paper.ran if item.source == "rejected"]
    states = f"Printed points that no setting fits: {labels(rejected, paper.names) if rejected else 'none'}."
    place = f"{paper.name}.html#{anchor('exhibits', paper.name)}"
    yield _entry(place, name, states, "figures do not under any numbers explained")
    if paper.asked:
        states = f"What guide words propose for {plural(len(paper.asked), 'choice point')}."
        yield _entry(f"{paper.name}.html#{anchor('asked', paper.name)}", name, states, "HAZOP")


def _settings(paper: ShownPaper) -> Iterator[Entry]:
    """Yield the choices that a text leaves open, each once, with the values tried and the exhibits that have it."""
    described = paper.text.experiments
    found: dict[tuple[str, str, str], list[str]] = {}
    for name, one in described.items():
        for axis, choice in one.axes.items():
            found.setdefault((axis, choice.strict, listed([*choice.others.values()])), []).append(name)
    for (axis, strict, others), tried in found.items():
        names = [name for name, exhibit in paper.text.exhibits.items() if exhibit.experiment in tried]
        states = f"{axis.replace('_', ' ').capitalize()}: {strict}; also tried: {others}."
        more = f"{paper.name} {described[tried[0]].axes[axis].why}"
        place = f"{paper.short}, settings{f' of {labels(names, paper.names)}' if names else ''}"
        yield _entry(f"{paper.name}.html#{anchor('experiment', paper.name, tried[0])}", place, states, more)


def _whole(paper: ShownPaper) -> Iterator[Entry]:
    if paper.replies:
        names = listed(list(dict.fromkeys(reply.by for reply in paper.replies)))
        place = f"{paper.name}.html#{anchor('replies', paper.name)}"
        more = " ".join([paper.name, "authors", DISPUTED, *(reply.says for reply in paper.replies)])
        yield _entry(place, f"{paper.short}, replies", f"Answers of {names}.", more)
    states = f"Certificate of {paper.short} on one page: commit, date, data and outcome of the audit."
    yield _entry(f"certificate_{paper.name}.html#certificate", f"{paper.short}, certificate", states, paper.name)
    states = f"Limits: what was not checked of {paper.short}: no data, undecided ones, the rest of the text."
    place = f"{paper.name}.html#{anchor('unchecked', paper.name)}"
    yield _entry(place, f"{paper.short}, not checked", states, f"{paper.name} untested left out missing")
    states = f"{paper.short} claims: all {len(paper.claims)} with their verdicts."
    yield _entry(f"claims.html#claims?paper={paper.name}", "claims", states, paper.name)


def _facts(document: Document) -> Iterator[Entry]:
    names = " ".join(paper.short for paper in document.papers)
    for link, states, more in (
        ("provenance.html#cite", "How to cite this report: BibTeX and CITATION.cff; its licence.", "reference"),
        ("provenance.html#provenance", "Run time: how long one claim, all take.", "memory disk space random seed"),
        ("provenance.html#provenance", "Where the sources are: code, files on the texts.", "address repository github"),
        ("provenance.html#stages", "Rerun: the command for one claim, figure or table.", f"run only make time {names}"),
        ("method.html#method", "How a claim gets its verdict, in two minutes.", "strict authors own programs code"),
        ("method.html#counted", "Counted: which claims count; the tolerance for chance.", "score"),
        ("method.html#disagree", "If you disagree with or contest a verdict: what to edit, run and send.", OBJECTING),
        ("method.html#wrong", "How often verdicts are wrong: chance, planted errors, checks by readers.", RELIABILITY),
        ("claims.html#scoreboard", "Why undecided: totals; where more runs decide.", "scoreboard reason share correct"),
        ("claims.html#claims", "Dots: red, comparisons that do not hold; grey, undecided.", "point picture colour"),
        ("claims.html#claims", "All claims as CSV or JSON.", "spreadsheet excel in_score"),
        ("glossary.html#glossary", "All words and abbreviations.", "abbreviation meaning mechanism"),
        ("data.html#data", "Data sets: which are missing, their licences, how to supply a file.", DATA),
        *([("report.pdf", "PDF: the whole report.", "print download file")] if document.about.workflow else []),
    ):
        yield _entry(link, link.partition(".")[0], states, more)
    for place, way in enumerate(document.job.ways.ways):
        link = f"ways.html#{anchor('way', slug(way.name))}"
        button = "" if place else "My data: "
        more = " ".join(["own add new", way.words, *(step.says for step in way.steps)])
        yield _entry(link, "what next", f"{button}{way.name} {way.says}", more)
    for term in (*document.job.glossary.root, *METHOD):
        yield _entry(
            f"glossary.html#{anchor('term', slug(term.term))}",
            "glossary",
            f"{term.term}: {term.expands or term.means}",
            f"what is {' '.join(term.also)} {COLOURS.get(term.term, '')}",
        )
    for one in document.data_sets:
        yield _entry(
            f"data.html#{anchor('data', one.name)}",
            "data",
            f"{one.title}: {one.state}. Licence: {one.licence}. Address, how to supply it.",
            f"data set {one.name} license without lose lost absent absence {one.supply} {one.unavailable}",
        )
    for paper, rows in document.data_of_texts:
        lacking = [row.name for row in rows if row.missing]
        yield _entry(
            f"data.html#{anchor('theirs', paper.name)}",
            f"{paper.short}, data",
            f"{f'No data, {paper.short}: {listed(lacking)}. ' if lacking else ''}"
            f"Data sets of {paper.short}: {listed([row.name for row in rows])}.",
            f"{paper.name} could not be tested data unavailable needs",
        )


def _claim(paper: ShownPaper, claim: ShownClaim, mark: int) -> Entry:
    found = (claim.mark.name, claim.record.as_stated.answer, DISPUTED if claim.disputed else "")
    named = (paper.name, paper.text.title, claim.record.id, *found)
    remarks = (remark for view in claim.views.values() for remark in view.remarks)
    more = (*named, claim.record.note, claim.open, *remarks)
    return _entry(
        f"claims.html#{claim.id}",
        f"{paper.short}, {claim.record.place}",
        claim.record.states,
        " ".join(filter(None, more)),
        mark,
    )
