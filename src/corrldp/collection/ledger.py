"""What one user has spent over all collections, and the most that may be spent."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from corrldp.arrays import in_short
from corrldp.mechanisms.validation import check_epsilon, check_integer
from corrldp.protocols.documents import MOST_USERS, dump, load, text
from corrldp.protocols.longitudinal import Memoised
from corrldp.protocols.protocol import RecordProtocol

ROUNDING = 1e-9


class Ledger:
    """Epsilon spent by one user, each amount for what it was spent on, and a ceiling > 0 on the sum.

    Budgets are added as the decimal numbers that they print as, so three times 0.1 is 0.3. The sum bounds what all
    reports together reveal about the user, if everything that leaves the device is entered.
    """

    def __init__(self, ceiling: float) -> None:
        self.ceiling = check_epsilon(ceiling, "ceiling")
        self.entries: Counter[tuple[str, float]] = Counter()

    @property
    def spent(self) -> float:
        return float(self._sum())

    @property
    def left(self) -> float:
        """What may still be spent, 0 or more."""
        return max(0.0, float(exactly(self.ceiling) - self._sum()))

    def spend(self, epsilon: float, purpose: str) -> None:
        """Enter an amount `epsilon` > 0 for a `purpose`, the id of a collection or any other name.

        If the sum would exceed the ceiling, it is a ValueError, and nothing is entered.
        """
        amount, purpose = check_epsilon(epsilon), text(purpose, "purpose")
        if self._sum() + exactly(amount) > exactly(self.ceiling):
            raise ValueError(
                f"epsilon={amount:.6g} for {in_short(purpose)} is more than the {self.left:.6g} that is left of the "
                f"ceiling {self.ceiling:.6g}: nothing is reported"
            )
        self.entries[purpose, amount] += 1

    def to_json(self) -> str:
        """Return ceiling and entries as JSON; `from_json` is the inverse."""
        spent = [[purpose, epsilon, times] for (purpose, epsilon), times in sorted(self.entries.items())]
        return dump("ledger", {"ceiling": self.ceiling, "spent": spent})

    @classmethod
    def from_json(cls, document: str) -> Ledger:
        """Read what `to_json` wrote; anything else, or a damaged text, is a ValueError."""
        content = load("ledger", document, ("ceiling", "spent"))
        found = cls(content["ceiling"])
        if not isinstance(content["spent"], list):
            raise ValueError(f"spent={in_short(content['spent'])} must be a list")
        for entry in content["spent"]:
            if not isinstance(entry, list) or len(entry) != 3:
                raise ValueError(f"{in_short(entry)} in spent must be a purpose, an epsilon and how often")
            purpose, epsilon, times = entry
            key = text(purpose, "purpose"), check_epsilon(epsilon)
            found.entries[key] += check_integer(times, "how often", 1, MOST_USERS)
        return found

    def _sum(self) -> Fraction:
        return sum((exactly(epsilon) * times for (_, epsilon), times in self.entries.items()), Fraction(0))


def exactly(epsilon: float) -> Fraction:
    """Return the decimal number as which a float prints."""
    return Fraction(repr(epsilon))


def epsilon_of_use(protocol: RecordProtocol) -> float:
    """Return what one record spends on a protocol: by one report, or by all reports if it is memoised.

    Sums of the budgets of attributes may differ from the protocol's budget by rounding; then it is the budget.
    """
    if isinstance(protocol, Memoised):
        return _rounded(protocol.guarantee_after(math.inf).record, protocol.permanent)
    return _rounded(protocol.guarantee().record, protocol.epsilon)


def _rounded(spent: float, budget: float) -> float:
    return budget if math.isclose(spent, budget, rel_tol=ROUNDING) else spent
