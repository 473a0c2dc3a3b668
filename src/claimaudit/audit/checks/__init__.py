"""The kinds of check, by name; docs/verdicts.md says what each checks. Pages list them in this order."""

from claimaudit.audit.checks.agreement import Agreement
from claimaudit.audit.checks.base import Check
from claimaudit.audit.checks.cells import PublishedCells
from claimaudit.audit.checks.contradiction import Contradiction
from claimaudit.audit.checks.flat import Flat
from claimaudit.audit.checks.monotone import Monotone
from claimaudit.audit.checks.ordering import Ordering
from claimaudit.audit.checks.value import Value

KINDS: tuple[type[Check], ...] = (Ordering, Monotone, Flat, Value, PublishedCells, Agreement, Contradiction)
CHECKS = {kind.name: kind for kind in KINDS}
