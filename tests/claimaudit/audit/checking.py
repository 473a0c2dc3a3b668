"""Claims and kinds of check for tests."""

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.audit.claims.files import typed


def claim(content):
    """Return the claim that the fields of interest describe."""
    return typed({"id": "a-claim", "place": "Section 5", "states": "So it is.", **content})


def of_kind(kind):
    """Function (fields of a claim, rows of one reading, levels, printed numbers) -> Evidence."""
    check = CHECKS[kind]

    def judged(fields, rows, levels, published=None):
        made = claim({"kind": kind, **fields})
        [compared] = check.compare(made, rows, published)
        return check.judge(made, compared, levels)

    return judged
