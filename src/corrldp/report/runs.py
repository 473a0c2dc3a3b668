"""What seems to have been run for each exhibit: the standing readings in words, with the evidence for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from corrldp.audit.exhibits import LEVEL
from corrldp.report.markup import anchor
from corrldp.results import STRICT
from corrldp.words.names import labels
from corrldp.words.numbers import listed, number, p_words, percent, plural

Record = dict[str, Any]

SOURCES = {
    "own": "its own printed numbers",
    "inferred": "inferred from exhibits that share its settings",
    "rejected": "no reading tried fits its printed numbers",
    "inadmissible": "the printed numbers fit only what breaks a condition of the paper",
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
class Settings:
    """What seems to have been run for the exhibits of a pool.

    `own` have printed numbers, `inferred` share settings with them. `answer` says it in words; `axes` are the axes on
    which it departs from the text, each with the value in the text, the standing one, and what the numbers say of it.
    """

    own: tuple[str, ...]
    inferred: tuple[str, ...]
    answer: str
    axes: tuple[tuple[str, str, str], ...] = ()
    sentences: tuple[str, ...] = ()
    settings: tuple[Record, ...] = ()


def pooled(pools: Iterable[Record], ran: Iterable[Ran]) -> list[Settings]:
    """Return what was run by pool, the one with most printed numbers first, those that nothing fits last."""
    found = [_settings(pool) for pool in sorted(pools, key=lambda pool: -pool["numbers"])]
    rejected = tuple(item.name for item in ran if item.record["source"] == "rejected")
    return [*found, *([Settings(rejected, (), "no reading tried fits the printed numbers")] if rejected else [])]


def _settings(pool: Record) -> Settings:
    departing = [value for value in pool["values"] if value["departs"]]
    return Settings(
        tuple(pool["exhibits"]),
        tuple(pool["inferred"]),
        listed([value["standing"] for value in departing]) if departing else "the text as it stands",
        tuple((_text(value), value["standing"], _told(value["axis"], pool)) for value in departing),
        tuple(filter(None, (_competition(pool), _untold(pool), _apart(pool)))),
        tuple(pool["settings"]),
    )


def _text(value: Record) -> str:
    """Return the value of an axis in the text, or the one that we took where the text states none."""
    return str(value["stated"]) if value["is_stated"] else f"not stated; we took {value['stated']}"


def _told(axis: str, pool: Record) -> str:
    """Say what the printed numbers tell of an axis on which the named setting departs from the text."""
    if axis not in pool["demanded"]:
        return "not demanded: a setting without this departure stands as well"
    return "departs; the numbers cannot tell to which value" if axis in pool["untold"] else "the numbers demand it"


def _competition(pool: Record) -> str:
    """Say how many settings competed for how many numbers, and how the text fares."""
    first, text = pool["settings"][0], pool["as_stated"]
    jointly = plural(pool["numbers"], "different printed number") + " jointly" * (pool["numbers"] > 1)
    competed = (
        f"{jointly}; {plural(pool['competed'], 'setting')} competed, {plural(pool['standing'], 'stands', 'stand')}."
    )
    fits = f"The one named here fits with {p_words(first['p_value'])}"
    if text is None or text["p_value"] == first["p_value"]:
        return f"{competed} {fits}."
    departing = [value for value in pool["values"] if value["departs"]]
    ours = bool(departing) and not any(value["is_stated"] for value in departing)
    named = "the values that we took" if ours else "the text as it stands"
    behind = round(first["log_likelihood"] - text["log_likelihood"], 1)
    likely = f" (log-likelihood {number(abs(behind))} {'lower' if behind > 0 else 'higher'})" if behind else ""
    return f"{competed} {fits}, {named} with {p_words(text['p_value'])}{likely}."


def _untold(pool: Record) -> str:
    """Name the axes of which the numbers do not tell the value."""
    open_ = [value["standing"] for value in pool["values"] if value["axis"] in pool["untold"]]
    return f"The numbers do not tell these from other values: {'; '.join(open_)}." if open_ else ""


def _apart(pool: Record) -> str:
    """Say that no one setting explains these exhibits and others with which they share settings by the text."""
    if not pool["apart"]:
        return ""
    return (
        f"No setting tried explains these and {labels(pool['apart'])}, although they share settings by the text: at "
        f"best, {p_words(pool['together'])} for all their numbers jointly."
    )


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
        sentences=tuple(filter(None, (_fit(record), _runs(record), _pooled(record)))),
        others=tuple(dict.fromkeys(others)),
        shown_by=anchor(kind, paper, name) if kind else None,
    )


def _answer(record: Record) -> str:
    """Say in a few words what seems to have been run."""
    readings = record["readings"]
    if not readings or _fits_text(record):
        return _short(record)
    more = f", or {plural(len(readings) - 1, 'other reading')}" if len(readings) > 1 else ""
    not_text = "" if _stands(record) else "not the text as it stands; "
    return f"{not_text}{readings[0]['words']}{more}{_inferred(record)}"


def _short(record: Record) -> str:
    """Say in a heading whether the text fits, and how many readings stand."""
    readings = record["readings"]
    if record["source"] == "rejected":
        return f"none of {plural(record['competed'], 'reading')} tried fits its printed numbers"
    if not readings:
        return SOURCES["none"]
    if not _stands(record):
        return f"not the text as it stands, but {plural(len(readings), 'other reading')}{_inferred(record)}"
    first = "the text as it stands" if _fits_text(record) else readings[0]["words"]
    more = f", or {plural(len(readings) - 1, 'other reading')}" if len(readings) > 1 else ""
    return f"{first}{more}{_inferred(record)}"


def _stands(record: Record) -> bool:
    """Return whether a reading stands that departs from nothing that the text states."""
    return any(reading["reading"] == STRICT or reading["open"] for reading in record["readings"])


def _fits_text(record: Record) -> bool:
    """Return whether the reading named first is the text."""
    return bool(record["readings"]) and record["readings"][0]["reading"] == STRICT


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
    """Name the exhibits whose printed numbers count as well."""
    if not record["pooled"]:
        return ""
    return f"Judged together with {labels(record['pooled'])}, with which it shares settings by the text."
