"""The kinds of check, by name; docs/verdicts.md says what each checks. Pages list them in this order."""

from corrldp.audit.checks.agreement import Agreement
from corrldp.audit.checks.base import Check
from corrldp.audit.checks.cells import PublishedCells
from corrldp.audit.checks.contradiction import Contradiction
from corrldp.audit.checks.flat import Flat
from corrldp.audit.checks.inequalities import Monotone, Ordering
from corrldp.audit.checks.value import Value

KINDS: tuple[Check, ...] = (Ordering(), Monotone(), Flat(), Value(), PublishedCells(), Agreement(), Contradiction())
CHECKS: dict[str, Check] = {kind.name: kind for kind in KINDS}
