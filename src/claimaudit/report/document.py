"""The report's content, independent of format: papers with findings, claims, figures, tables and experiments."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import median
from typing import Literal

from claimaudit.audit.summary import Score, score
from claimaudit.papers.jobs import Description, ShownExhibit
from claimaudit.plots.layers import Drawing
from claimaudit.report import claims as claims_of
from claimaudit.report import findings, mechanisms, runs, sheets, sources
from claimaudit.report.about import About, ReportJob
from claimaudit.report.claims import ShownClaim
from claimaudit.report.findings import Conclusion, Findings
from claimaudit.report.inputs import Contents
from claimaudit.report.markup import anchor
from claimaudit.report.pictures import Pair
from claimaudit.report.sheets import Sheet
from claimaudit.report.sources import FileRecord
from claimaudit.results import TableRecord
from claimaudit.storage import CHECKSUM, sealed
from claimaudit.verdicts import NO_DATA, Meeting, Names, Pool, Reply, Source
from claimaudit.verdicts import Exhibit as Known
from claimaudit.words.names import RUN, STATED, heading, label, plain, reading, value
from claimaudit.words.numbers import gathered, listed
from claimaudit.words.origins import origins
from claimaudit.words.runs import asked, fitting
from claimaudit.words.verdicts import LACKING, lack

FIGURES = 4
"""Figures of a paper in the PDF file."""

PLACES = ("Figure ", "Table ", "Section ", "Appendix ")


@dataclass(frozen=True)
class Picture:
    """A drawing, what a page must know of it, and the numbers drawn, which the page keeps by its id."""

    id: str
    title: str
    svg: str
    drawing: Drawing
    numbers: Sheet


@dataclass(frozen=True)
class Exhibit:
    """One figure, with its picture, or table: what it shows, its numbers and the claims about it.

    `predictions` is the number of those for the exhibit that it shows. `difference` draws its printed numbers against
    ours.
    """

    kind: Literal["figure", "table"]
    name: str
    shown: ShownExhibit
    id: str
    picture: Picture | None
    numbers: Sheet
    claims: list[ShownClaim]
    standin: bool
    predictions: int
    difference: Picture | None

    @property
    def title(self) -> str:
        """Its title, with its number in the paper unless it names its place; it says if the data are made up."""
        title = f"{self.shown.title} (stand-in data)" if self.standin else self.shown.title
        return title if self.shown.shows is None or title.startswith(PLACES) else f"{label(self.name)}: {title}"

    @property
    def caption(self) -> str:
        """Its caption, with the notes on its numbers."""
        return " ".join([self.shown.caption, *self.numbers.notes])

    @property
    def of_the_paper(self) -> bool:
        """Whether its title names a place in the paper."""
        return self.title.startswith(PLACES)


Held = tuple[ShownClaim, str]
"""A claim, and in words a reading under which it holds."""


@dataclass(frozen=True)
class ShownPaper:
    """Everything about one paper; `score` counts answers and verdicts: see `claimaudit.audit.summary.score`.

    `ran` is what is known of each exhibit. `clashes` are pairs of claims that no one setting makes true, by the axes of
    which they need different values; what most need comes first. `records` are those of its result tables, by
    experiment. Of `pools`, the one with most printed numbers comes first.
    """

    name: str
    names: Names
    text: Description
    score: Score
    ran: dict[str, Known]
    pools: list[Pool]
    asked: list[tuple[str, str]]
    findings: Findings
    clashes: dict[str, list[tuple[Held, ...]]]
    claims: list[ShownClaim]
    figures: list[Exhibit]
    tables: list[Exhibit]
    records: dict[str, TableRecord]
    pairs: list[mechanisms.Pair]
    winners: list[mechanisms.Grid]
    strips: dict[str, dict[str, list[Pair]]]
    replies: tuple[Reply, ...] = ()

    @property
    def origins(self) -> str:
        return origins(self.records.values())

    @property
    def recomputed(self) -> bool:
        return not any(record.source for record in self.records.values())

    @property
    def short(self) -> str:
        return self.text.short or self.name

    @property
    def own(self) -> bool:
        """Whether it is a comparison of ours: no claim is anybody else's."""
        return bool(self.claims) and all(claim.record.origin == "ours" for claim in self.claims)

    @property
    def identity(self) -> str:
        """The SHA-256 of what identifies the text."""
        text = {"title": self.text.title, "authors": self.text.authors, "venue": self.text.published_in}
        return str(sealed(text | ({"doi": self.text.doi} if self.text.doi else {}))[CHECKSUM])

    @property
    def telling(self) -> list[Exhibit]:
        """The figures that the PDF file shows, in the paper's order.

        Figures with printed numbers come first, then those about which most counted claims fail as stated, then the
        paper's before ours.
        """

        def rank(exhibit: Exhibit) -> tuple[bool, int, bool]:
            known = self.ran.get(exhibit.shown.shows or "")
            printed = exhibit.shown.published or (known and known.numbers is not None)
            fallen = sum(claim.record.counted and claim.record.verdict in findings.FALLEN for claim in exhibit.claims)
            return not printed, -fallen, exhibit.shown.shows is None

        chosen = sorted(self.figures, key=rank)[:FIGURES]
        return [exhibit for exhibit in self.figures if exhibit in chosen]

    @property
    def mechanisms(self) -> list[str]:
        """The mechanisms that its exhibits compare, the best first."""
        return list(dict.fromkeys(pair.one for pair in self.pairs))

    @property
    def exhibits(self) -> list[Exhibit]:
        """Its figures and tables: those of the paper, in its order, before ours.

        Papers number figures and tables apart; a table stands where most claims about it do, which follow the text.
        """
        order = {claim.id: place for place, claim in enumerate(self.claims)}
        found: list[tuple[bool, float, Exhibit]] = []
        for items in (self.figures, self.tables):
            last = -1.0
            for item in items:
                places = [order[claim.id] for claim in item.claims]
                last = max(last, median(places)) if places and item.of_the_paper else last
                found.append((not item.of_the_paper, last, item))
        return [item for *_, item in sorted(found, key=lambda one: one[:2])]

    def fit(self, pool: Pool) -> str:
        """Say how many printed numbers of the exhibits of a pool fit as stated, and as run."""
        strips = [[*self.strips[name].values()] for name in pool.exhibits if name in self.strips]
        sides = {how: [*chain(*(strip[side] for strip in strips))] for how, side in ((STATED, 0), (RUN, -1))}
        return ", ".join(fitting(sum(not look for *_, look in of), len(of), how) for how, of in sides.items())

    def run_from(self, source: Source) -> list[str]:
        """Return the exhibits of which the answer as run comes from a source."""
        return [name for name, known in self.ran.items() if known.source == source]

    def feeds(self, experiment: str) -> str:
        """Name the figures and tables of an experiment, else the place of the first claim on it."""
        titles = [item.title for item in self.exhibits if item.shown.experiment == experiment]
        places = (claim.record.place for claim in self.claims if claim.record.table == experiment)
        return "; ".join(titles) or next(places, "")

    @property
    def choices(self) -> dict[tuple[str, str, str], list[str]]:
        """The choices that the text leaves open: axis, strict value, and others tried, each with its experiments."""
        return gathered(
            ((axis, choice.strict, listed([*choice.others.values()])), name)
            for name, one in self.text.experiments.items()
            for axis, choice in one.axes.items()
        )

    def exhibits_of(self, experiments: Collection[str]) -> list[str]:
        """Return the exhibits of the paper that some experiments repeat."""
        return [name for name, exhibit in self.text.exhibits.items() if exhibit.experiment in experiments]

    @property
    def states(self) -> dict[str, str]:
        return {claim.record.id: claim.record.states for claim in self.claims}

    @property
    def places(self) -> dict[str, Exhibit]:
        """The figure or table that shows each claim, by its id."""
        return {claim.record.id: item for item in self.exhibits for claim in item.claims}

    @property
    def counted(self) -> int:
        """Number of claims that count for or against the authors."""
        return sum(self.score["verdicts"].values())

    @property
    def tested(self) -> int:
        """Number of these that had data."""
        return self.counted - self.score["verdicts"][NO_DATA]

    @property
    def lacking(self) -> Counter[str]:
        """Number of claims without data by the reason."""
        return Counter(claim.reason for claim in self.claims if claim.record.verdict == NO_DATA)

    @property
    def undecided_by(self) -> Counter[str]:
        """Number of counted claims by what leaves them undecided."""
        return Counter(claim.record.why for claim in self.claims if claim.counts == "yes")

    def lacks(self, claim: ShownClaim) -> tuple[str, ...]:
        """Return the data sets that a claim needs and that this run has not."""
        why = claim.record.lacking.partition(";")[0]
        named = (one.datasets for name, one in self.text.data.items() if why in (lack(kind, name) for kind in LACKING))
        return claim.record.standins or tuple(chain.from_iterable(named))

    @property
    def slips(self) -> int:
        return sum(self.score["slips"].values())

    @property
    def uncounted(self) -> int:
        """Number of our own checks, definitions and checks that could not fail."""
        return len(self.claims) - self.counted - self.slips


@dataclass(frozen=True)
class Document:
    """The whole report."""

    papers: list[ShownPaper]
    data: list[FileRecord]
    job: ReportJob
    conclusions: list[Conclusion]

    @property
    def about(self) -> About:
        return self.job.about

    def answers(self, paper: str = "") -> list[Conclusion]:
        """Return what the start page, or a paper's page, says first."""
        return [one for one in self.conclusions if one.about == paper]

    @property
    def recomputed(self) -> bool:
        """Whether runners computed all result tables but those of promises."""
        return all(paper.recomputed for paper in self._studied)

    @property
    def origins(self) -> str:
        """Where all result tables but those of promises come from."""
        return origins(record for paper in self._studied for record in paper.records.values())

    @property
    def score(self) -> Score:
        """The scores of all texts together."""
        return score(claim.record for paper in self.texts for claim in paper.claims)

    @property
    def texts(self) -> list[ShownPaper]:
        """The papers of others, whose claims are judged."""
        return [paper for paper in self._studied if not paper.own]

    @property
    def ours(self) -> list[ShownPaper]:
        """What is ours: comparisons, and promises."""
        return [paper for paper in self.papers if paper not in self.texts]

    @property
    def promises(self) -> ShownPaper | None:
        """What the publishers of the report promise, if that is judged too."""
        return next((paper for paper in self.papers if paper.name == self.about.promises), None)

    @property
    def rates(self) -> list[ShownClaim]:
        claims = self.promises.claims if self.promises else []
        return [claim for claim in claims if claim.record.figure in self.about.rates]

    @property
    def costs(self) -> Exhibit | None:
        tables = self.promises.tables if self.promises else []
        return next((table for table in tables if table.name == self.about.costs), None)

    @property
    def references(self) -> list[tuple[str, str]]:
        """The texts, then what else is cited, of methods and data sets: each once, with its DOI where it has one."""
        by_author = sorted(self.texts, key=lambda one: (plain(one.text.authors), one.text.published_in))
        texts = [
            (one.text, f"{plain(one.text.authors)}. {one.text.title}. {one.text.published_in}") for one in by_author
        ]
        cited = dict.fromkeys(self.job.glossary.references.values(), "")
        cited |= {one.citation: one.doi for one in self.data_sets if one.citation}
        others = ((citation.removesuffix("."), cited[citation]) for citation in sorted(cited))
        return [*((words, text.doi or "") for text, words in texts), *others]

    @property
    def _studied(self) -> list[ShownPaper]:
        return [paper for paper in self.papers if paper.name != self.about.promises]

    @property
    def claims(self) -> int:
        """Number of claims of all papers, counted or not."""
        return sum(len(paper.claims) for paper in self.papers)

    @property
    def made_up(self) -> list[FileRecord]:
        """The data sets that synthetic records replace."""
        return [record for record in self.data if record.made_up]

    def stand_ins_of(self, paper: ShownPaper) -> list[FileRecord]:
        """Return those of them that an experiment of a paper reads."""
        read = {view for record in paper.records.values() for view in record.standin}
        return [record for record in self.made_up if not read.isdisjoint(self._views_of(record.dataset))]

    @property
    def data_of_texts(self) -> list[tuple[ShownPaper, list[sources.Used]]]:
        """The data sets that each text names or that its experiments read; papers without any are left out."""
        records = {record.dataset: record for record in self.data}
        found = ((paper, sources.used(paper.text, self.job.datasets, self.job.views, records)) for paper in self.papers)
        return [(paper, rows) for paper, rows in found if rows]

    @property
    def data_sets(self) -> list[sources.ShownDataSet]:
        found = {one.name: one for _, rows in self.data_of_texts for row in rows for one in row.datasets}
        return [found[name] for name in sorted(found)]

    def unlocks(self, dataset: str) -> tuple[int, int]:
        """Return how many counted claims without data a data set decides alone, and how many with others."""
        claims = [(paper, claim) for paper in self.texts for claim in paper.claims if claim.counts == "yes"]
        lacking = [paper.lacks(claim) for paper, claim in claims if claim.record.verdict == NO_DATA]
        return sum(names == (dataset,) for names in lacking), sum(dataset in names for names in lacking)

    def needing(self, dataset: str) -> list[tuple[ShownPaper, list[Exhibit], int]]:
        """Return the papers that need a data set, each with the exhibits that read it and the number of claims."""
        views, found = self._views_of(dataset), []
        for paper in self.papers:
            reading = {name for name, one in paper.text.experiments.items() if not views.isdisjoint(one.views)}
            items = [item for item in paper.exhibits if item.shown.experiment in reading]
            needed = sum(one.record.table in reading or dataset in paper.lacks(one) for one in paper.claims)
            found.append((paper, items, needed))
        return [(paper, items, claims) for paper, items, claims in found if items or claims]

    def _views_of(self, dataset: str) -> set[str]:
        return {name for name, view in self.job.views.items() if dataset in view.datasets}


def assemble(job: ReportJob, contents: Contents) -> Document:
    """Return the report of all papers that have a description."""
    papers = [_paper(name, job.papers[name], contents) for name in sorted(job.papers)]
    return Document(papers, contents.data, job, findings.hold(contents.conclusions, contents.verdicts))


def _paper(name: str, text: Description, contents: Contents) -> ShownPaper:
    verdicts, predictions = contents.verdicts[name], contents.predictions[name]
    records = {experiment: contents.records[f"{name}/{experiment}"] for experiment in text.experiments}
    claims = [claims_of.describe(name, text.figures, verdict, verdicts, records) for verdict in verdicts.claims]
    standing = {exhibit: [each.reading for each in known.readings] for exhibit, known in verdicts.exhibits.items()}
    places = mechanisms.places(predictions, text.less_is_better, standing, text.names, verdicts.names)
    return ShownPaper(
        name=name,
        names=verdicts.names,
        text=text,
        score=score(verdicts.claims),
        ran=runs.as_predicted(verdicts.exhibits, predictions),
        pools=sorted(verdicts.pools, key=lambda pool: -pool.numbers),
        asked=asked(verdicts.asked),
        findings=findings.findings(verdicts),
        clashes=_clashes(verdicts.meetings, {claim.record.id: claim for claim in claims}, text.names),
        claims=claims,
        figures=[_exhibit("figure", *item, text, claims, contents) for item in text.figures.items()],
        tables=[_exhibit("table", *item, text, claims, contents) for item in text.tables.items()],
        records=records,
        pairs=mechanisms.compared(places),
        winners=mechanisms.grids(places),
        replies=verdicts.replies,
        strips=runs.strips(text, verdicts.exhibits, predictions),
    )


def _clashes(
    meetings: Iterable[Meeting], claims: Mapping[str, ShownClaim], called: Mapping[str, str]
) -> dict[str, list[tuple[Held, ...]]]:
    def held(each: Meeting) -> tuple[Held, ...]:
        both = ((claims[name], under) for name, under in zip(each.claims, each.readings, strict=True))
        return tuple((claim, reading(claim.names, claim.record.table, under)) for claim, under in both)

    found = gathered((listed([heading(axis, called) for axis in each.axes]), held(each)) for each in meetings)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def _exhibit(
    kind: Literal["figure", "table"],
    name: str,
    shown: ShownExhibit,
    text: Description,
    claims: Iterable[ShownClaim],
    contents: Contents,
) -> Exhibit:
    key, own = f"{text.id}/{name}", anchor(kind, text.id, name)
    picture = _picture(own, key, shown, text, contents) if kind == "figure" else None
    different = f"{text.id}/differences/{name}"
    known = different in contents.figures
    return Exhibit(
        kind=kind,
        name=name,
        shown=shown,
        id=own,
        picture=picture,
        numbers=picture.numbers if picture else contents.tables[key],
        claims=[claim for claim in claims if claim.shown_by == own],
        standin=bool(contents.records[f"{text.id}/{shown.experiment}"].standin),
        predictions=int((contents.predictions[text.id]["exhibit"] == shown.shows).sum()),
        difference=_picture(anchor("difference", text.id, name), different, shown, text, contents) if known else None,
    )


def _picture(own: str, key: str, shown: ShownExhibit, text: Description, contents: Contents) -> Picture:
    called = partial(value, contents.verdicts[text.id].names, text.names, shown.experiment)
    rows = csv.reader(io.StringIO(contents.figure_tables[key]))
    numbers = sheets.of_texts(rows, {**text.names, **shown.labels}, called)
    return Picture(own, shown.title, contents.figures[key], contents.drawings[key], numbers)
