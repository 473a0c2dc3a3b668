"""Claims and kinds of check for tests."""

from picked import claim_with

from claimaudit.audit.arrays import NO_ROWS, Arrays, Result
from claimaudit.audit.checks import CHECKS
from claimaudit.audit.judging.cases import prepare
from claimaudit.verdicts import Levels

LEVELS = Levels(0.001, 0.0001)
LOOSE, SHARP = Levels(0.05, 0.05), Levels(0.001, 0.001)


def claim(content):
    """Return the claim that the fields of interest describe, without those that only other kinds of check have."""
    content = {"id": "a-claim", "place": "Section 5", "states": "So it is.", "table": "fig3", **content}
    foreign = {name for kind in CHECKS.values() for name in kind.model_fields} - {*CHECKS[content["kind"]].model_fields}
    return claim_with({name: value for name, value in content.items() if name not in foreign})


def case_of(content, rows, published=None, standins=(), **more):
    """The case of a claim on the rows of Figure 3 and on printed numbers, by file."""
    return prepare(claim(content), {"fig3": Result(rows, standins)}, published or {}, **more)


def of_kind(kind):
    """Function (fields of a claim, rows of one reading, levels, printed numbers) -> Evidence."""

    def judged(fields, rows, levels, published=None):
        check = claim({"kind": kind, **fields}).check
        [compared] = check.compare(NO_ROWS if rows is None else Arrays.of(rows), published).by_reading()
        return check.judge(compared, levels)

    return judged
