"""The kinds of check, by name; see docs/verdicts.md for what each checks."""

from corrldp.audit.checks import Check
from corrldp.audit.comparisons import MONOTONE, ORDERING
from corrldp.audit.fits import AGREEMENT, CELLS, FLAT
from corrldp.audit.printed import CONTRADICTION, VALUE

CHECKS: dict[str, Check] = {
    "value": VALUE,
    "ordering": ORDERING,
    "monotone": MONOTONE,
    "flat": FLAT,
    "agreement": AGREEMENT,
    "cells": CELLS,
    "contradiction": CONTRADICTION,
}
