"""The report's content, independent of format: papers with findings, claims, figures, tables and experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from claimaudit.audit.summary import Score, score
from claimaudit.plots.layers import Drawing
from claimaudit.report import claims as claims_of
from claimaudit.report import conclusions, families, overview, pairs, runs, sheets, sources, winners
from claimaudit.report.about import About
from claimaudit.report.claims import ShownClaim
from claimaudit.report.conclusions import Conclusion
from claimaudit.report.findings import Findings, findings
from claimaudit.report.inputs import Contents
from claimaudit.report.markup import anchor
from claimaudit.report.runs import Ran, Settings, Shared
from claimaudit.report.sheets import Sheet
from claimaudit.report.ways import WaysFile
from claimaudit.verdicts import NO_DATA, Reply, Verdicts
from claimaudit.verdicts import Meeting as MeetingRecord
from claimaudit.words.glossary import METHOD, GlossaryFile, Term
from claimaudit.words.names import heading, label
from claimaudit.words.numbers import listed
from claimaudit.words.origins import origins
from claimaudit.words.readings import reading, value

STANDIN = "stand-in"
PLACES = ("Figure ", "Table ", "Section ", "Appendix ")


@dataclass(frozen=True)
class Exhibit:
    """One figure or table: its configuration, its numbers and the claims about it.

    `ran` says what seems to have been run for it. `shows` is the exhibit of the paper that it shows, if any, and
    `predictions` the number of those for it.
    """

    name: str
    entry: dict[str, Any]
    id: str
    numbers: Sheet
    claims: list[ShownClaim]
    experiment: str
    standin: bool
    ran: Ran | None
    shows: str | None
    predictions: int

    @property
    def title(self) -> str:
        """Its title, with its number in the paper unless it names its place; it says if the data are made up."""
        title = f"{self.entry['title']} (stand-in data)" if self.standin else self.entry["title"]
        return title if self.shows is None or title.startswith(PLACES) else f"{label(self.name)}: {title}"

    @property
    def of_the_paper(self) -> bool:
        """Whether its title names a place in the paper."""
        return self.title.startswith(PLACES)


@dataclass(frozen=True)
class Figure(Exhibit):
    """A figure with its drawing, and what a page must know of that."""

    svg: str
    drawing: Drawing


@dataclass(frozen=True)
class Experiment:
    """One experiment: its code, its axes and readings in words, and the record of its result table."""

    name: str
    runner: str
    axes: dict[str, dict[str, Any]]
    readings: dict[str, str]
    id: str
    record: dict[str, Any]


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
    entry: dict[str, Any]
    score: Score
    ran: list[Ran]
    settings: list[Settings]
    shared: list[Shared]
    findings: Findings
    meetings: list[Meeting]
    claims: list[ShownClaim]
    figures: list[Figure]
    tables: list[Exhibit]
    experiments: list[Experiment]
    pairs: list[pairs.Pair]
    winners: list[winners.Grid]
    overview: list[overview.Row]
    replies: tuple[Reply, ...] = ()

    @property
    def origins(self) -> str:
        """Where its result tables come from."""
        return origins(experiment.record for experiment in self.experiments)

    @property
    def recomputed(self) -> bool:
        """Whether a runner computed all its result tables."""
        return not any("source" in experiment.record for experiment in self.experiments)

    @property
    def short(self) -> str:
        """Its short name, which distinguishes two texts with one title."""
        return self.entry.get("short") or self.name

    @property
    def own(self) -> bool:
        """Whether it is a comparison of ours: no claim is anybody else's."""
        return bool(self.claims) and all(claim.record.origin == "ours" for claim in self.claims)

    @property
    def mechanisms(self) -> list[str]:
        """The mechanisms that its exhibits compare, the best first."""
        return list(dict.fromkeys(pair.one for pair in self.pairs))

    @property
    def families(self) -> list[families.Row]:
        """Its counted claims by exhibit and by what they say."""
        return families.rows(self.claims)

    @property
    def states(self) -> dict[str, str]:
        """What each claim states, by its id."""
        return {claim.record.id: claim.record.states for claim in self.claims}

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
    def slips(self) -> int:
        """Number of claims on possible slips."""
        return sum(self.score["slips"].values())

    @property
    def uncounted(self) -> int:
        """Number of our own checks, definitions and checks that could not fail."""
        return len(self.claims) - self.counted - self.slips


@dataclass(frozen=True)
class StandIn:
    """The record of a data set that synthetic records replace, and the papers whose experiments read them."""

    record: dict[str, Any]
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
    """The whole report.

    `setting` has ``about``, seed, family_level, runs_factor, versions, the papers with a notebook, the ``datasets`` and
    ``views`` of the project (`claimaudit.report.sources`) and ``source``: the commit, its date, and whether files
    differ from it. It may have the terms of the ``glossary``, and ``ways`` on, see `claimaudit.report.ways`.
    """

    papers: list[ShownPaper]
    data: list[dict[str, Any]]
    setting: dict[str, Any]
    conclusions: list[Conclusion]

    @property
    def about(self) -> About:
        """What the report says of itself."""
        return About(**self.setting["about"])

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
        return Glossary(GlossaryFile.model_validate(self.setting.get("glossary", []), strict=False).root)

    @property
    def texts(self) -> list[ShownPaper]:
        """The papers of others, whose claims are judged."""
        return [paper for paper in self._studied if not paper.own]

    @property
    def promises(self) -> ShownPaper | None:
        """What the publishers of the report promise, if that is judged too."""
        return next((paper for paper in self.papers if paper.name == self.about.promises), None)

    @property
    def rates(self) -> list[ShownClaim]:
        """The promises on how often verdicts are wrong."""
        claims = self.promises.claims if self.promises else []
        return [claim for claim in claims if claim.record.figure in self.about.rates]

    @property
    def ways(self) -> WaysFile:
        """What a reader may do next."""
        return WaysFile.model_validate(self.setting.get("ways", {}), strict=False)

    @property
    def _studied(self) -> list[ShownPaper]:
        return [paper for paper in self.papers if paper.name != self.about.promises]

    @property
    def claims(self) -> int:
        """Number of claims of all papers, counted or not."""
        return sum(len(paper.claims) for paper in self.papers)

    @property
    def made_up(self) -> list[StandIn]:
        """The data sets replaced by stand-ins."""
        return [
            StandIn(record, [paper for paper in self.papers if self._reads(paper, record)])
            for record in self.data
            if record["status"] == STANDIN
        ]

    def stand_ins_of(self, paper: ShownPaper) -> list[StandIn]:
        """Return the data sets replaced by stand-ins that a paper reads."""
        return [one for one in self.made_up if paper in one.papers]

    @property
    def data_of_texts(self) -> list[tuple[ShownPaper, list[sources.Used]]]:
        """The data sets that each text names or that its experiments read; papers without any are left out."""
        setting, records = self.setting, {record["dataset"]: record for record in self.data}
        found = (
            (paper, sources.used(paper.entry, setting["datasets"], setting["views"], records)) for paper in self.papers
        )
        return [(paper, rows) for paper, rows in found if rows]

    @property
    def data_sets(self) -> list[sources.ShownDataSet]:
        """All data sets that the papers use, by name."""
        found = {one.name: one for _, rows in self.data_of_texts for row in rows for one in row.datasets}
        return [found[name] for name in sorted(found)]

    def _reads(self, paper: ShownPaper, record: dict[str, Any]) -> bool:
        """Return whether an experiment of a paper reads the stand-in for a data set."""
        views = {view for view, facts in self.setting["views"].items() if record["dataset"] in facts["datasets"]}
        return any(not views.isdisjoint(experiment.record["standin"]) for experiment in paper.experiments)


def assemble(setting: dict[str, Any], contents: Contents) -> Document:
    """Return the report of a setting that holds the configuration of each paper under `papers`."""
    papers = [_paper(name, entry, contents) for name, entry in sorted(setting["papers"].items())]
    return Document(papers, contents.data, setting, conclusions.hold(contents.conclusions, contents.verdicts))


def _paper(name: str, entry: dict[str, Any], contents: Contents) -> ShownPaper:
    verdicts = contents.verdicts[name]
    records = {experiment: contents.records[name, experiment] for experiment in entry["experiments"]}
    claims = [claims_of.describe(name, entry, verdict, verdicts, records) for verdict in verdicts.claims]
    settings = runs.pooled(name, verdicts)
    ran = runs.describe(name, entry, verdicts, settings, contents.predictions[name])
    return ShownPaper(
        name=name,
        entry=entry,
        score=score(verdicts.claims),
        ran=ran,
        settings=settings,
        shared=runs.shared_settings(entry),
        findings=findings(verdicts),
        meetings=[_meeting(each, claims, entry["names"]) for each in verdicts.meetings],
        claims=claims,
        figures=[_figure(name, figure, entry, claims, ran, contents) for figure in entry["figures"]],
        tables=[_table(name, table, entry, claims, ran, contents) for table in entry["tables"]],
        experiments=[
            Experiment(
                name=experiment,
                runner=entry["experiments"][experiment].get("runner", ""),
                axes=entry["experiments"][experiment]["axes"],
                readings=entry["experiments"][experiment]["readings"],
                id=anchor("experiment", name, experiment),
                record=records[experiment],
            )
            for experiment in entry["experiments"]
        ],
        pairs=pairs.compared(contents.predictions[name], entry["less_is_better"], _standing(verdicts), entry["names"]),
        winners=winners.grids(contents.predictions[name], entry["less_is_better"], _standing(verdicts), entry["names"]),
        replies=verdicts.replies,
        overview=overview.rows(name, entry, verdicts.exhibits, contents.predictions[name]),
    )


def _meeting(record: MeetingRecord, claims: list[ShownClaim], called: Mapping[str, str]) -> Meeting:
    """Return two claims that no one setting makes true, each with a reading in words under which it holds."""
    by_id = {claim.record.id: claim for claim in claims}
    one, other = (
        (by_id[name], reading(by_id[name].names, by_id[name].record.table, held))
        for name, held in zip(record.claims, record.readings, strict=True)
    )
    return Meeting(listed([heading(axis, called) for axis in record.axes]), one, other)


def _standing(verdicts: Verdicts) -> dict[str, list[str]]:
    """Return the standing readings of each exhibit."""
    return {name: [each.reading for each in known.readings] for name, known in verdicts.exhibits.items()}


def _figure(
    paper: str, name: str, entry: dict[str, Any], claims: list[ShownClaim], ran: list[Ran], of: Contents
) -> Figure:
    key, shown = (paper, name), entry["figures"][name]
    labels = {**entry["names"], **shown["style"].get("labels", {})}
    called = partial(value, of.verdicts[paper].names, entry["names"], shown["experiment"])
    numbers = sheets.from_csv(of.figure_tables[key], labels, called)
    return Figure(
        **_exhibit("figure", key, entry, numbers, claims, ran, of), svg=of.figures[key], drawing=of.drawings[key]
    )


def _table(
    paper: str, name: str, entry: dict[str, Any], claims: list[ShownClaim], ran: list[Ran], of: Contents
) -> Exhibit:
    return Exhibit(**_exhibit("table", (paper, name), entry, of.tables[paper, name], claims, ran, of))


def _exhibit(
    kind: str,
    key: tuple[str, str],
    entry: dict[str, Any],
    numbers: Sheet,
    claims: list[ShownClaim],
    ran: list[Ran],
    contents: Contents,
) -> dict[str, Any]:
    """Return what is the same of figures and tables; `entry` is the configuration of the whole paper."""
    paper, name = key
    own = anchor(kind, paper, name)
    part = entry[f"{kind}s"][name]
    shows = part.get("shows")
    return {
        "name": name,
        "entry": {**part, "caption": " ".join([part["caption"], *numbers.notes])},
        "id": own,
        "numbers": numbers,
        "claims": [claim for claim in claims if claim.shown_by == own],
        "experiment": anchor("experiment", paper, part["experiment"]),
        "standin": bool(contents.records[paper, part["experiment"]]["standin"]),
        "ran": next((item for item in ran if item.name == shows), None),
        "shows": shows,
        "predictions": int((contents.predictions[paper]["exhibit"] == shows).sum()) if shows else 0,
    }
