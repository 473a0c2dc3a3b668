"""The server: an aggregator adds up reports, in as many places as one likes, and estimates from the sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from corrldp.arrays import in_short
from corrldp.mechanisms.validation import check_integer
from corrldp.protocols.collection import documents
from corrldp.protocols.collection.choice import tallier_of
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.collection.estimate import Estimate
from corrldp.protocols.collection.limits import MOST_USERS
from corrldp.protocols.collection.tally import NO_REPORT, Tallier, Tally
from corrldp.protocols.protocol import RecordProtocol

KIND = "aggregator"


class Aggregator:
    """Integer counts of the reports of a protocol's users.

    Parameters
    ----------
    protocol : RecordProtocol
        What the users run.
    tally : Counter, optional
        Counts so far.
    n : int
        Reports so far.
    """

    def __init__(self, protocol: RecordProtocol, tally: Tally | None = None, n: int = 0) -> None:
        self.protocol = protocol
        self.tally: Tally = Counter() if tally is None else Counter(tally)
        self.n = n

    @cached_property
    def tallier(self) -> Tallier:
        """What counts the reports."""
        return tallier_of(self.protocol)

    def add(self, reports: Iterable[Report]) -> Aggregator:
        """Add reports of single users, as `Client.report` made them, all or, after a ValueError, none of them."""
        if isinstance(reports, str | bytes | dict) or not isinstance(reports, Iterable):
            raise ValueError("add takes a list of reports, one per user: put a single one in brackets")
        listed = list(reports)
        if listed:
            self._add(self.tallier.decode(listed), len(listed))
        return self

    def add_privatized(self, reports: Any) -> Aggregator:  # noqa: ANN401
        """Add the reports of many users as `privatize` returned them: the same, but faster."""
        return self._add(reports, users_of(reports))

    def merge(self, other: Aggregator) -> Aggregator:
        """Return the aggregator of the reports of both, which stay as they are; exact, in any order.

        Raises
        ------
        ValueError
            The other aggregates another protocol.
        """
        if documents.describe(self.protocol) != documents.describe(other.protocol):
            raise ValueError("aggregators of different protocols or parameters cannot be merged")
        return Aggregator(self.protocol, self.tally + other.tally, self.n + other.n)

    def estimate(self) -> Estimate:
        """Estimate frequencies (d, K) and their standard errors from the reports alone.

        Raises
        ------
        ValueError
            Nothing was reported.
        """
        if not self.n:
            raise ValueError(NO_REPORT)
        return self.tallier.estimate(self.tally, self.n)

    def estimate_joint(self, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table (k_1, ..., k_w) of some attributes; Castell and LoPub only."""
        if not self.n:
            raise ValueError(NO_REPORT)
        return self.tallier.estimate_joint(self.tally, self.n, attributes)

    def to_json(self) -> str:
        """Return protocol and counts as JSON; `from_json` is the inverse."""
        counts = [[*key, count] for key, count in sorted(self.tally.items())]
        return documents.dump(KIND, {"protocol": documents.describe(self.protocol), "n": self.n, "counts": counts})

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Aggregator:
        """Read what `to_json` wrote.

        Parameters
        ----------
        text : str
        protocol : RecordProtocol, optional
            The protocol, which must be the one of the text; needed if it is a class of one's own, since a text never
            runs code.

        Raises
        ------
        ValueError
            The text is something else, of another version, or has impossible counts.
        """
        content = documents.load(KIND, text, ("protocol", "n", "counts"))
        protocol, n, counts = documents.build(content["protocol"], protocol), content["n"], content["counts"]
        check_integer(n, "n", 0, MOST_USERS)
        if not isinstance(counts, list):
            raise ValueError(f"counts={in_short(counts)} must be a list")
        tally: Tally = Counter()
        tallier = tallier_of(protocol)
        for entry in counts:
            if not isinstance(entry, list) or not all(map(_count, entry)) or not entry or not entry[-1]:
                raise ValueError(f"{in_short(entry)} in counts must be integers, the last one a count >= 1")
            if not tallier.fits(key := tuple(entry[:-1])) or key in tally:
                raise ValueError(
                    f"{in_short(entry)} in counts names nothing that {content['protocol']['name']} reports once"
                )
            if entry[-1] > n:
                raise ValueError(f"{in_short(entry)} in counts has more reports than the {n} there are")
            tally[key] = entry[-1]
        if not tallier.possible(tally, n):
            raise ValueError(f"counts do not add up to the n={n} reports")
        return cls(protocol, tally, n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aggregator) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def _add(self, reports: Any, users: int) -> Aggregator:  # noqa: ANN401
        self.tally.update(self.tallier.count(reports))
        self.n += users
        return self


def users_of(reports: Any) -> int:  # noqa: ANN401
    """Count the users of reports as `privatize` returns them: an array, a list of columns, or columns by attribute."""
    if isinstance(reports, dict):
        return sum(map(len, reports.values()))
    return len(reports[0]) if isinstance(reports, list) else len(reports)


def _count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
