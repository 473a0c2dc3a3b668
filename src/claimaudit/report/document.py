"""The report's content, independent of format: papers with findings, claims, figures, tables and experiments."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import median

from claimaudit.audit.summary import Score, score
from claimaudit.papers.jobs import DescribedExperiment, Description, ShownExhibit
from claimaudit.plots.layers import Drawing
from claimaudit.report import claims as claims_of
from claimaudit.report import findings, mechanisms, runs, sheets, sources
from claimaudit.report.about import About, ReportJob
from claimaudit.report.claims import ShownClaim
from claimaudit.report.findings import Conclusion, Findings
from claimaudit.report.inputs import Contents, Key
from claimaudit.report.markup import anchor
from claimaudit.report.pictures import Pair
from claimaudit.report.runs import Ran, Settings
from claimaudit.report.sheets import Sheet
from claimaudit.report.sources import FileRecord
from claimaudit.results import TableRecord
from claimaudit.verdicts import NO_DATA, Names, Reply
from claimaudit.verdicts import Meeting as MeetingRecord
from claimaudit.words.glossary import METHOD, Term
from claimaudit.words.names import RUN, STATED, heading, label, reading, value
from claimaudit.words.numbers import listed
from claimaudit.words.origins import origins
from claimaudit.words.runs import asked, fitting
from claimaudit.words.verdicts import LACKING, lack

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
    """One figure or table: what it shows, its numbers and the claims about it.

    `ran` says what seems to have been run for it, and `predictions` is the number of those for the exhibit that it
    shows. `difference` draws its printed numbers against ours.
    """

    name: str
    shown: ShownExhibit
    id: str
    numbers: Sheet
    claims: list[ShownClaim]
    experiment: str
    standin: bool
    ran: Ran | None
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


@dataclass(frozen=True)
class Figure(Exhibit):
    """A figure with its picture."""

    picture: Picture


@dataclass(frozen=True)
class Experiment:
    """One experiment: what is said of it, and the record of its result table."""

    name: str
    described: DescribedExperiment
    id: str
    record: TableRecord


@dataclass(frozen=True)
class Meeting:
    """Two claims that no one setting makes true, each with a reading in words under which it holds.

    `clash` names the axes of which they need different values.
    """

    clash: str
    one: tuple[ShownClaim, str]
    other: tuple[ShownClaim, str]


@dataclass(frozen=True)
class ShownPaper:
    """Everything about one paper; `score` counts answers and verdicts: see `claimaudit.audit.summary.score`."""

    name: str
    names: Names
    text: Description
    score: Score
    ran: list[Ran]
    settings: list[Settings]
    asked: list[tuple[str, str]]
    findings: Findings
    meetings: list[Meeting]
    claims: list[ShownClaim]
    figures: list[Figure]
    tables: list[Exhibit]
    experiments: list[Experiment]
    pairs: list[mechanisms.Pair]
    winners: list[mechanisms.Grid]
    strips: dict[str, dict[str, list[Pair]]]
    replies: tuple[Reply, ...] = ()

    @property
    def origins(self) -> str:
        return origins(experiment.record for experiment in self.experiments)

    @property
    def recomputed(self) -> bool:
        return not any(experiment.record.source for experiment in self.experiments)

    @property
    def short(self) -> str:
        return self.text.short or self.name

    @property
    def own(self) -> bool:
        """Whether it is a comparison of ours: no claim is anybody else's."""
        return bool(self.claims) and all(claim.record.origin == "ours" for claim in self.claims)

    @property
    def mechanisms(self) -> list[str]:
        """The mechanisms that its exhibits compare, the best first."""
        return list(dict.fromkeys(pair.one for pair in self.pairs))

    @property
    def exhibits(self) -> list[tuple[str, Exhibit]]:
        """Its figures and tables, each with its kind: those of the paper, in its order, before ours.

        Papers number figures and tables apart; a table stands where most claims about it do, which follow the text.
        """
        order = {claim.id: place for place, claim in enumerate(self.claims)}
        found: list[tuple[bool, float, tuple[str, Exhibit]]] = []
        for kind, items in (("figure", self.figures), ("table", self.tables)):
            last = -1.0
            for item in items:
                places = [order[claim.id] for claim in item.claims]
                last = max(last, median(places)) if places and item.of_the_paper else last
                found.append((not item.of_the_paper, last, (kind, item)))
        return [item for *_, item in sorted(found, key=lambda one: one[:2])]

    def fit(self, group: Settings) -> str:
        """Say how many printed numbers of the exhibits of a pool fit as stated, and as run."""
        strips = [[*self.strips[name].values()] for name in group.own if name in self.strips]
        sides = {how: [*chain(*(strip[side] for strip in strips))] for how, side in ((STATED, 0), (RUN, -1))}
        return ", ".join(fitting(sum(not look for *_, look in of), len(of), how) for how, of in sides.items())

    def feeds(self, experiment: str) -> str:
        """Name the figures and tables of an experiment, else the place of the first claim on it."""
        titles = [item.title for _, item in self.exhibits if item.shown.experiment == experiment]
        places = (claim.record.place for claim in self.claims if claim.record.table == experiment)
        return "; ".join(titles) or next(places, "")

    @property
    def states(self) -> dict[str, str]:
        return {claim.record.id: claim.record.states for claim in self.claims}

    @property
    def places(self) -> dict[str, Exhibit]:
        """The figure or table that shows each claim, by its id."""
        return {claim.record.id: item for _, item in self.exhibits for claim in item.claims}

    @property
    def clashes(self) -> dict[str, list[Meeting]]:
        """Its claims that exclude each other, by what they need different values of; what most need comes first."""
        often = Counter(pair.clash for pair in self.meetings)
        return {clash: [pair for pair in self.meetings if pair.clash == clash] for clash, _ in often.most_common()}

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
        return Counter(claim.reason for claim in self.claims if claim.missing)

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
class StandIn:
    """The record of a data set that synthetic records replace, and the papers whose experiments read them."""

    record: FileRecord
    papers: list[ShownPaper]


@dataclass(frozen=True)
class Glossary:
    """The terms of the papers, and those of the method."""

    papers: tuple[Term, ...]
    method: tuple[Term, ...] = METHOD

    @property
    def references(self) -> dict[str, str]:
        """Sources in full, by their short form."""
        return {term.source: term.reference for term in self.papers if term.reference}


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
        return origins(experiment.record for paper in self._studied for experiment in paper.experiments)

    @property
    def score(self) -> Score:
        """The scores of all texts together."""
        return score(claim.record for paper in self.texts for claim in paper.claims)

    @property
    def glossary(self) -> Glossary:
        """The words that readers can look up."""
        return Glossary(self.job.glossary.root)

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
    def _studied(self) -> list[ShownPaper]:
        return [paper for paper in self.papers if paper.name != self.about.promises]

    @property
    def claims(self) -> int:
        """Number of claims of all papers, counted or not."""
        return sum(len(paper.claims) for paper in self.papers)

    @property
    def made_up(self) -> list[StandIn]:
        return [
            StandIn(record, [paper for paper in self.papers if self._reads(paper, record)])
            for record in self.data
            if record.made_up
        ]

    def stand_ins_of(self, paper: ShownPaper) -> list[StandIn]:
        """Return the data sets replaced by stand-ins that a paper reads."""
        return [one for one in self.made_up if paper in one.papers]

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
        lacking = [paper.lacks(claim) for paper, claim in claims if claim.missing]
        return sum(names == (dataset,) for names in lacking), sum(dataset in names for names in lacking)

    def needing(self, dataset: str) -> list[tuple[ShownPaper, list[Exhibit], int]]:
        """Return the papers that need a data set, each with the exhibits that read it and the number of claims."""
        views, found = self._views_of(dataset), []
        for paper in self.papers:
            reading = {name for name, one in paper.text.experiments.items() if not views.isdisjoint(one.views)}
            items = [item for _, item in paper.exhibits if item.shown.experiment in reading]
            needed = sum(one.record.table in reading or dataset in paper.lacks(one) for one in paper.claims)
            found.append((paper, items, needed))
        return [(paper, items, claims) for paper, items, claims in found if items or claims]

    def _views_of(self, dataset: str) -> set[str]:
        return {name for name, view in self.job.views.items() if dataset in view.datasets}

    def _reads(self, paper: ShownPaper, record: FileRecord) -> bool:
        """Return whether an experiment of a paper reads the stand-in for a data set."""
        views = self._views_of(record.dataset)
        return any(not views.isdisjoint(experiment.record.standin) for experiment in paper.experiments)


def assemble(job: ReportJob, contents: Contents) -> Document:
    """Return the report of all papers that have a description."""
    papers = [_paper(name, job.papers[name], contents) for name in sorted(job.papers)]
    return Document(papers, contents.data, job, findings.hold(contents.conclusions, contents.verdicts))


def _paper(name: str, text: Description, contents: Contents) -> ShownPaper:
    verdicts, predictions = contents.verdicts[name], contents.predictions[name]
    records = {experiment: contents.records[name, experiment] for experiment in text.experiments}
    claims = [claims_of.describe(name, text.figures, verdict, verdicts, records) for verdict in verdicts.claims]
    settings = runs.pooled(name, verdicts)
    ran = runs.describe(text, verdicts, settings, predictions)
    standing = {exhibit: [each.reading for each in known.readings] for exhibit, known in verdicts.exhibits.items()}
    of = _Exhibits(text, claims, {one.name: one for one in ran}, contents)
    places = mechanisms.places(predictions, text.less_is_better, standing, text.names, verdicts.names)
    return ShownPaper(
        name=name,
        names=verdicts.names,
        text=text,
        score=score(verdicts.claims),
        ran=ran,
        settings=settings,
        asked=asked(verdicts.asked),
        findings=findings.findings(verdicts),
        meetings=[_meeting(each, claims, text.names) for each in verdicts.meetings],
        claims=claims,
        figures=[of.figure(figure) for figure in text.figures],
        tables=[of.table(table) for table in text.tables],
        experiments=[
            Experiment(experiment, described, anchor("experiment", name, experiment), records[experiment])
            for experiment, described in text.experiments.items()
        ],
        pairs=mechanisms.compared(places, text.names),
        winners=mechanisms.grids(places, text.names),
        replies=verdicts.replies,
        strips=runs.strips(text, verdicts.exhibits, predictions),
    )


def _meeting(record: MeetingRecord, claims: list[ShownClaim], called: Mapping[str, str]) -> Meeting:
    """Return two claims that no one setting makes true, each with a reading in words under which it holds."""
    by_id = {claim.record.id: claim for claim in claims}
    one, other = (
        (by_id[name], reading(by_id[name].names, by_id[name].record.table, held))
        for name, held in zip(record.claims, record.readings, strict=True)
    )
    return Meeting(listed([heading(axis, called) for axis in record.axes]), one, other)


@dataclass(frozen=True)
class _Exhibits:
    text: Description
    claims: Iterable[ShownClaim]
    ran: Mapping[str, Ran]
    contents: Contents

    def figure(self, name: str) -> Figure:
        key, shown = (self.text.id, name), self.text.figures[name]
        picture = self._picture("figure", name, shown, key)
        return Figure(**vars(self._exhibit("figure", name, shown, picture.numbers)), picture=picture)

    def table(self, name: str) -> Exhibit:
        return self._exhibit("table", name, self.text.tables[name], self.contents.tables[self.text.id, name])

    def _picture(self, kind: str, name: str, shown: ShownExhibit, key: Key) -> Picture:
        names, contents = self.text.names, self.contents
        called = partial(value, contents.verdicts[self.text.id].names, names, shown.experiment)
        rows = csv.reader(io.StringIO(contents.figure_tables[key]))
        numbers = sheets.of_texts(rows, {**names, **shown.labels}, called)
        own = anchor(kind, self.text.id, name)
        return Picture(own, shown.title, contents.figures[key], contents.drawings[key], numbers)

    def _exhibit(self, kind: str, name: str, shown: ShownExhibit, numbers: Sheet) -> Exhibit:
        paper, own = self.text.id, anchor(kind, self.text.id, name)
        different = ("difference", name, shown, (paper, f"differences/{name}"))
        return Exhibit(
            name=name,
            shown=shown,
            id=own,
            numbers=numbers,
            claims=[claim for claim in self.claims if claim.shown_by == own],
            experiment=anchor("experiment", paper, shown.experiment),
            standin=bool(self.contents.records[paper, shown.experiment].standin),
            ran=self.ran.get(shown.shows or ""),
            predictions=int((self.contents.predictions[paper]["exhibit"] == shown.shows).sum()),
            difference=self._picture(*different) if different[-1] in self.contents.figures else None,
        )
