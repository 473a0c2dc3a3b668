"""What comes after a study or a plan: the protocol as a file, code for both sides, words for a privacy notice."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from claimaudit.report.markup import environment
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.storage import write_bytes
from claimaudit.words.numbers import listed
from corrldp.collection import Collection
from corrldp.deployment.plan import Plan
from corrldp.deployment.plan_command import best_of, by_attribute, by_protocol, left_out, meanings, question
from corrldp.domain import Domain
from corrldp.formats import EXAMPLE, at_most, digits, percent
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import protocol as build
from corrldp.study.columns import ColumnFacts
from corrldp.study.leakage import convinced, odds
from corrldp.study.tables import PUBLIC, Recommendation, StudyFacts, Tables, rows_of

PROTOCOL, PAGE = "protocol.json", "collect.html"


def promise(protocol: RecordProtocol, names: Sequence[str]) -> dict[str, str]:
    """Return the guarantee of a protocol as a privacy notice states it; `names` (d,) are those of the attributes."""
    guarantee = protocol.guarantee()
    factor = float(odds(guarantee.record))
    parts = [
        f"{name} {digits(float(odds(epsilon)), upwards=True)}"
        for name, epsilon in zip(names, guarantee.attributes, strict=True)
    ]
    return {
        "protocol": protocol.describe()["name"],
        "epsilon": digits(guarantee.record, upwards=True),
        "factor": digits(factor, upwards=True),
        "of_single_answers": listed(parts) if len(parts) > 1 else "",
        "before": percent(EXAMPLE),
        "after": at_most(float(convinced(EXAMPLE, factor))),
    }


def after_study(tables: Tables, about: StudyFacts) -> tuple[str, dict[str, str]]:
    """Return why to collect with a protocol, the choice from public facts at the middle budget, and the files to do so.

    Both are empty if there is no such choice.
    """
    epsilon, collected = about.middle, about.collected
    rows = rows_of(Recommendation, tables["recommendation"])
    name = next((row.protocol for row in rows if (row.basis, row.epsilon) == (PUBLIC, epsilon)), None)
    if name is None:
        return "", {}
    why = f"{name} is the choice from public facts at ε = {epsilon:g}, the budget of a whole record"
    facts = [one for one in about.facts.columns if one.name in collected]
    bins = [one.domain.bins or () for one in facts]
    domain = Domain(tuple(collected), tuple(one.values for one in facts), tuple(bins))
    protocol = build(name, epsilon, tuple(collected.values()))
    page = environment("corrldp.study").get_template("collect.html")
    text = page.render(
        title="Collect with it",
        why=why,
        file=about.facts,
        renamed=[one.name for one in facts if _renames(one)],
        answers=repr({one.name: edges[0] if edges else one.values[0] for one, edges in zip(facts, bins, strict=True)}),
        promise=promise(protocol, domain.names),
    )
    return why, {PROTOCOL: Collection(protocol, domain=domain).to_json() + "\n", PAGE: text}


def _renames(column: ColumnFacts) -> bool:
    """Whether values have other names than in the file: some are merged, or what is missing is a value."""
    merges = isinstance(column.domain.values, dict) or column.domain.other is not None
    return merges or (column.treatment == "keep" and column.missing > 0)


def settings_of(about: StudyFacts) -> str:
    """Return the settings of a study as YAML, with every domain as it was used, to be corrected and used again."""
    facts = about.facts
    read_by = {"delimiter", "encoding", "decimal", "missing_texts", "missing", "most_values", "most_numbers"}
    kept = about.settings.model_dump(mode="json", exclude={"file", "columns", "leave_out", *read_by})
    domains = {one.name: one.domain.model_dump(mode="json", exclude_defaults=True) for one in facts.columns}
    found = {**facts.options, "columns": domains, "leave_out": [*facts.left_out], **kept}
    return yaml.safe_dump(found, allow_unicode=True, sort_keys=False, default_flow_style=None, width=120)


def write_plan(found: Plan, path: Path) -> None:
    """Write the page of a plan, one file that needs no network; the same plan always yields the same bytes."""
    best, protocol, protocols = found.options[0], best_of(found), by_protocol(found.options)
    tables = {"Protocols, the best first": protocols, f"{best.protocol}, by attribute": by_attribute(best)}
    page = environment("corrldp.study").get_template("plan.html")
    text = page.render(
        title="A plan",
        question=question(found),
        best=best,
        answer=dict(zip(*protocols[:2], strict=True)),
        meanings=meanings(found),
        sheets=[{"title": title, "numbers": _sheet(*rows)} for title, rows in tables.items()],
        left_out=left_out(found),
        protocol=protocol.to_json(),
        promise=promise(protocol, [f"attribute {one.attribute}" for one in best.attributes]),
    )
    write_bytes(path, text.encode())


def _sheet(heads: Sequence[str], *rows: Sequence[str]) -> Sheet:
    columns = [Column(head, head, number > 0) for number, head in enumerate(heads)]
    return Sheet(columns, [[Cell(text, text) for text in row] for row in rows])
