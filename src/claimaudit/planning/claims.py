"""Check what claims name, and what names claims: a paper's tables, figures and numbers, coverage and conclusions.

Names in expressions are checked against the result table that is the evidence, before there is one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

from claimaudit import configuration
from claimaudit.audit.claim import Claim
from claimaudit.audit.claims.files import load_with_places
from claimaudit.configuration import Fault, Place, keys_of, refuse
from claimaudit.expressions import names_in, parse
from claimaudit.names import known_names, nearest, shown
from claimaudit.papers.claims import ConclusionEntry, ConclusionsFile, CoverageFile
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning.tables import TableNames
from claimaudit.words.quoted import QUOTED, quotes, unknown


def load(folder: Folder, paper: Paper | None, table_of: Callable[[str], TableNames]) -> dict[str, Claim]:
    """Read the claims on a paper, by id, and check what they name, unless the paper could not be read.

    `table_of` tells of each experiment what its result table can contain.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file, line and claim.
    """
    placed = load_with_places(folder.claims)
    if paper is not None:
        refuse(folder.claims, _unknown(placed, paper, table_of), keyed=False)
    return {claim.id: claim for _, claim in placed}


def _unknown(placed: list[tuple[Place, Claim]], paper: Paper, table_of: Callable[[str], TableNames]) -> Iterator[Fault]:
    """Yield what claims, or their alternatives, name and does not exist."""
    entry = paper.entry
    known = {
        "table": ("experiment", [*entry.experiments]),
        "figure": ("figure or table", [*entry.figures, *entry.tables]),
        "published": ("file of printed numbers", [file.stem for file in paper.folder.published.glob("*.csv")]),
        "exhibits": ("exhibit", [*entry.exhibits]),
    }
    for place, claim in placed:
        for number, (name, meaning) in enumerate(claim.meanings):
            above = (*place, "alternatives", number - 1) if number else place
            where = f"claim {claim.id}" + (f", alternative {name}" if name else "")
            found = [*_missing(meaning, known)]
            if meaning.table and not found:
                found += _not_in(table_of(meaning.table), meaning)
            for key, words in found:
                yield (*above, *key), f"{where}: {keys_of(key)}: {words}"


def _missing(claim: Claim, known: Mapping[str, tuple[str, list[str]]]) -> Iterator[Fault]:
    """Yield what a claim names, each by its field, and the paper lacks."""
    for key, (what, names) in known.items():
        given = getattr(claim, key) or ()
        for name in [given] if isinstance(given, str) else given:
            if name not in names:
                yield (key,), f"no {what} {name!r}{known_names(name, names)}"


def _not_in(table: TableNames, claim: Claim) -> Iterator[Fault]:
    """Yield the names in a claim that its result table cannot contain, each with the field concerned."""
    if claim.rows is not None:
        for name in sorted(names_in(claim.rows) - table.columns):
            yield ("rows",), _words("column", name, table.columns)
        if not claim.lacking:  # it is about data that the setting may not have
            yield from ((("rows",), words) for words in unknown_values(claim.rows, table))
    for key, names in (("along", [claim.along] if claim.along else []), ("by", claim.by or ())):
        for name in names:
            if name not in table.settings:
                yield (key,), _words("setting column", name, table.settings)
    if claim.metric and claim.metric not in table.values["metric"]:
        yield ("metric",), _words("metric", claim.metric, table.values["metric"])
    for place, text in _quantities(claim):
        for name in sorted(names_in(text)):
            if not table.has_variable(name):
                near = nearest(name, table.variables_like(name))
                yield place, f"no variable {name!r}, a setting or {{metric}}_{{mechanism}}, in {shown(text)}{near}"


def _quantities(claim: Claim) -> Iterator[tuple[Place, str]]:
    """Yield the expressions over numbers of the table, with their fields."""
    ends = claim.against if isinstance(claim.against, Mapping) else {}
    sides: dict[Place, object] = {("quantity",): claim.quantity, ("against",): claim.against}
    sides |= {("against", end): side for end, side in ends.items()}
    return ((place, side) for place, side in sides.items() if isinstance(side, str) and side)


def unknown_values(condition: str, table: TableNames) -> Iterator[str]:
    """Yield what is wrong with the texts with which a condition compares columns."""
    for node in ast.walk(parse(condition)):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        columns = [side.id for side in sides if isinstance(side, ast.Name) and side.id in table.values]
        items = [item for side in sides for item in (side.elts if isinstance(side, ast.List | ast.Tuple) else [side])]
        texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        for column, text in product(columns, texts):
            if text not in table.values[column]:
                yield _words(column, text, table.values[column])


def _words(what: str, name: str, known: Collection[str]) -> str:
    return f"no {what} {name!r}{known_names(name, known)}"


def check_coverage(path: Path, claims: Mapping[str, Claim] | None) -> None:
    """Check that each pattern of a paper's coverage names a claim, and that each claim of the paper has a section.

    A paper may lack the file. Without `claims`, which could not be read, only its form is checked.

    Raises
    ------
    ConfigurationError
        One line for each fault.
    """
    if path.exists():
        coverage = configuration.load(path, CoverageFile)
        if claims is not None:
            refuse(path, _uncovered(coverage, claims))


def _uncovered(coverage: CoverageFile, claims: Mapping[str, Claim]) -> Iterator[Fault]:
    patterns = {
        pattern: ("sections", number, "claims", position)
        for number, section in enumerate(coverage.sections)
        for position, pattern in enumerate(section.claims or ())
    }
    for pattern, place in patterns.items():
        if not any(fnmatchcase(name, pattern) for name in claims):
            yield place, f"no claim {pattern!r}{nearest(pattern, claims)}"
    for name, claim in claims.items():
        if claim.origin == "paper" and not any(fnmatchcase(name, pattern) for pattern in patterns):
            yield ("sections",), f"no section has the claim {name}; add it where the text makes it"


def check_conclusions(path: Path, stated: Mapping[str, Mapping[str, Claim]], known: list[str]) -> None:
    """Check conclusions against the `known` papers, and the claims of each one that is replicated.

    Raises
    ------
    ConfigurationError
        One line for each fault.
    """
    entries = configuration.load(path, ConclusionsFile).root
    refuse(path, [fault for number, entry in enumerate(entries) for fault in _unfounded(number, entry, stated, known)])


def _unfounded(
    number: int, entry: ConclusionEntry, stated: Mapping[str, Mapping[str, Claim]], papers: list[str]
) -> Iterator[Fault]:
    for name in entry.rests_on:
        paper, _, claim = name.partition("/")
        place = (number, "rests_on", name)
        if paper not in papers:
            yield place, f"no paper {paper!r}{known_names(paper, papers)}"
        elif paper in stated and claim not in stated[paper]:
            yield place, f"{paper} has no claim {claim!r}{nearest(claim, stated[paper])}"
    for name, what in quotes(entry.numbers):
        if name not in entry.rests_on:
            yield (number, "numbers"), f"{name!r} is not in rests_on{nearest(name, entry.rests_on)}"
        elif unknown(what):
            yield (number, "numbers"), f"nothing called {what!r} can be quoted{known_names(what, QUOTED)}"
