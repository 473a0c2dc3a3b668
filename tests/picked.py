"""Rows and numbers of result tables, printed numbers, and claims."""

from dataclasses import replace

from claimaudit.audit.claims import Claim
from claimaudit.published import read_files


def rows_of(table, **chosen):
    """Return the rows that have some values, at least one."""
    for name, value in chosen.items():
        table = table[table[name] == value]
    assert len(table), chosen
    return table


def number(table, **chosen):
    """Return the mean in the rows that have some values, which agree."""
    [found] = rows_of(table, **chosen)["mean"].unique()
    return found


def printed_in(directory):
    """Return the files of printed numbers in a directory, by name."""
    return read_files(sorted(directory.glob("*.csv")))


def claim_with(content):
    """Return the claim with these fields; ``alternatives`` has those that change, by name.

    It is of the exhibit that is called as its table, unless it says of which.
    """
    content = {"exhibits": (content["table"],), **content} if "table" in content else content
    own = {name: value for name, value in content.items() if name != "alternatives"}
    others = [(name, Claim.of(own | changed)) for name, changed in content.get("alternatives", {}).items()]
    return replace(Claim.of(own), alternatives=tuple(others))
