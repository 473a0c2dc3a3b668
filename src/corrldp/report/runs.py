"""What seems to have been run for each exhibit: the standing readings in words, with the evidence for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corrldp.audit.standing import LEVEL
from corrldp.report.markup import anchor, labels, number, p_words
from corrldp.report.wording import in_common, listed, percent, plural
from corrldp.results import STRICT

Record = dict[str, Any]

SOURCES = {
    "own": "its own printed numbers",
    "inferred": "inferred from exhibits that share its settings",
    "rejected": "no reading tried fits its printed numbers",
    "none": "nothing printed says what was run",
}
"""Where the answer as run comes from, in words."""


@dataclass(frozen=True)
class Shared:
    """A setting that the paper states once for several exhibits: the place, the axes, and whether runs are shared."""

    where: str
    axes: tuple[str, ...]
    exhibits: tuple[str, ...]
    runs: bool

    @property
    def what(self) -> str:
        """The shared axes, and the number of runs, as a list."""
        return listed([*self.axes, *(["number of runs"] if self.runs else [])])


@dataclass(frozen=True)
class Ran:
    """What seems to have been run for one exhibit.

    `record` is its entry in the verdicts; `answer` says it in words, `short` in a heading, `sentences` give the
    evidence, and `others` are the exhibits with which the paper says that it shares settings. `shown_by` is the id of
    its figure or table on the page.
    """

    name: str
    id: str
    record: Record
    answer: str
    short: str
    sentences: tuple[str, ...]
    others: tuple[str, ...]
    shown_by: str | None

    @property
    def readings(self) -> list[Record]:
        """The standing readings, best fit first."""
        return self.record["readings"]

    @property
    def silent(self) -> bool:
        """Whether nothing printed says what was run."""
        return self.record["source"] == "none"


@dataclass(frozen=True)
class Group:
    """Exhibits for which the same seems to have been run, by their numbers or inferred, and the phrases of readings."""

    own: tuple[str, ...]
    inferred: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]

    @property
    def common(self) -> str:
        """What all its readings have in common, in words."""
        return in_common(self.phrases)[0]

    @property
    def besides(self) -> list[str]:
        """What each of its readings has besides; empty if there is only one."""
        return [part or "nothing else" for part in in_common(self.phrases)[1]] if len(self.phrases) > 1 else []


def grouped(ran: Iterable[Ran]) -> list[Group]:
    """Group exhibits with the same standing readings, the largest group first, those that nothing fits last."""
    groups: dict[tuple[tuple[str, ...], ...], list[Ran]] = {}
    for item in ran:
        if not item.silent:
            groups.setdefault(tuple(sorted(tuple(reading["phrases"]) for reading in item.readings)), []).append(item)
    ordered = sorted(groups.values(), key=lambda items: (not items[0].readings, -len(items)))
    return [
        Group(
            tuple(item.name for item in items if item.record["source"] != "inferred"),
            tuple(item.name for item in items if item.record["source"] == "inferred"),
            tuple(tuple(reading["phrases"]) for reading in items[0].readings),
        )
        for items in ordered
    ]


def shared_settings(entry: Record) -> list[Shared]:
    """Return the settings that a paper states once for several exhibits, from its configuration."""
    everything = tuple(entry.get("exhibits", {}))
    return [
        Shared(
            group["where"],
            tuple(group.get("axes", ())),
            tuple(group.get("exhibits") or everything),
            group.get("runs", False),
        )
        for group in entry.get("shared", [])
    ]


def exhibit_of(entry: Record, kind: str, name: str) -> str | None:
    """Return the exhibit of the paper that a figure or table shows, or of which it is a panel (``fig6a``), if any."""
    exhibits, shown = entry.get("exhibits", {}), entry[f"{kind}s"][name]
    if name in exhibits:
        return name
    whole = re.sub(r"(?<=[0-9])[a-z]$", "", name)
    return whole if whole in exhibits and exhibits[whole]["experiment"] == shown["experiment"] else None


def describe(paper: str, entry: Record, exhibits: Record) -> list[Ran]:
    """Describe all exhibits of a paper, from its configuration and the exhibits of its verdicts."""
    shared = shared_settings(entry)
    return [_described(paper, name, record, shared, entry) for name, record in exhibits.items()]


def _described(paper: str, name: str, record: Record, shared: list[Shared], entry: Record) -> Ran:
    others = [other for group in shared if name in group.exhibits for other in group.exhibits if other != name]
    kind = next((kind for kind in ("figure", "table") if name in entry[f"{kind}s"]), None)
    return Ran(
        name=name,
        id=anchor("run", paper, name),
        record=record,
        answer=_answer(record),
        short=_short(record),
        sentences=tuple(filter(None, (_fit(record), _runs(record), _pooled(record), _conflict(record)))),
        others=tuple(dict.fromkeys(others)),
        shown_by=anchor(kind, paper, name) if kind else None,
    )


def _answer(record: Record) -> str:
    """Say in a few words what seems to have been run."""
    readings = record["readings"]
    if not readings or _fits_text(record):
        return _short(record)
    more = f", or {plural(len(readings) - 1, 'other reading')}" if len(readings) > 1 else ""
    return f"not the text as it stands; {readings[0]['words']}{more}{_inferred(record)}"


def _short(record: Record) -> str:
    """Say in a heading whether the text fits, and how many readings stand."""
    readings = record["readings"]
    if record["source"] == "rejected":
        return f"none of {plural(record['competed'], 'reading')} tried fits its printed numbers"
    if not readings:
        return SOURCES["none"]
    if not _fits_text(record):
        return f"not the text as it stands, but {plural(len(readings), 'other reading')}{_inferred(record)}"
    more = f", or {plural(len(readings) - 1, 'other reading')}" if len(readings) > 1 else ""
    return f"the text as it stands{more}{_inferred(record)}"


def _fits_text(record: Record) -> bool:
    return any(reading["reading"] == STRICT for reading in record["readings"])


def _inferred(record: Record) -> str:
    return " (inferred)" if record["source"] == "inferred" else ""


def _fit(record: Record) -> str:
    """Say how many printed numbers there are and how the strict reading fits them."""
    if "numbers" not in record:
        return f"No printed numbers of its own; {plural(record['competed'], 'reading')} considered."
    strict, numbers = record["strict"], plural(record["numbers"], "printed number")
    verb = "fits" if strict["p_value"] >= LEVEL else "is rejected"
    inside = f"{percent(strict['inside'])} inside their 95 % interval"
    more = record.get("not_run", 0)
    searched = f" A search found {plural(more, 'more reading')} that fit but were not run in full." if more else ""
    return (
        f"{numbers}; {plural(record['competed'], 'reading')} competed. The text as it stands {verb} "
        f"({p_words(strict['p_value'])} for all numbers jointly; {inside}).{searched}"
    )


def _runs(record: Record) -> str:
    """Say how many runs stand behind the printed numbers."""
    runs = record.get("runs")
    if not runs or runs["estimate"] is None:
        return ""
    stated = number(runs["stated"])
    estimate, low, high = (number(round(runs[name])) for name in ("estimate", "low", "high"))
    found = f"about {estimate} (95 % interval {low} to {high})"
    if runs["rejected"]:
        return f"The scatter of these numbers rejects the stated {stated} runs: {found}, which is used instead."
    return f"The scatter of these numbers does not reject the stated {stated} runs; the estimate is {found}."


def _pooled(record: Record) -> str:
    """Name the exhibits whose printed numbers reject some of the readings."""
    if not record["pooled"] or record["conflict"]:
        return ""
    names = labels(record["pooled"])
    return f"The printed numbers of {names}, with which it shares settings by the text, reject some of its readings."


def _conflict(record: Record) -> str:
    """Say that no reading fits all exhibits that share settings."""
    if not record["conflict"]:
        return ""
    printed = "both its own numbers and those" if "numbers" in record else "the printed numbers"
    names = labels(record["pooled"])
    return f"No reading fits {printed} of {names}, although they share settings by the text."
