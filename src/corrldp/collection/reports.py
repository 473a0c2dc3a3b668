"""The reports of many users, in arrays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import in_short
from corrldp.data.table import Table
from corrldp.mechanisms.pure import RawReports, Report
from corrldp.protocols.documents import parse
from corrldp.protocols.estimates import Estimates
from corrldp.protocols.protocol import RecordProtocol


class Reports:
    """What the users of a protocol sent, in the order of the users, or of the attributes if each user reports one.

    `len` is the number of users; a slice has the reports of some of them; an iteration gives each report as JSON has
    it.

    Parameters
    ----------
    protocol : RecordProtocol
        What the users ran; of a two-phase protocol one of its phases.
    raw
        What `protocol.privatize` returned: an array with a row for each user, a list of such arrays, one for each
        attribute, or a mapping from the attributes to the arrays of those who report them.

    Raises
    ------
    ValueError
        It is no protocol, or reports of another form.
    """

    def __init__(self, protocol: RecordProtocol, raw: RawReports) -> None:
        if not isinstance(protocol, RecordProtocol):
            raise ValueError(f"{in_short(protocol)} is no protocol: the reports are of one")
        arrays = list(raw.values()) if isinstance(raw, dict) else raw if isinstance(raw, list) else [raw]
        lengths = {len(one) if isinstance(one, np.ndarray) and one.ndim else None for one in arrays}
        if not lengths or None in lengths or (isinstance(raw, list) and len(lengths) > 1):
            raise ValueError(
                f"reports={in_short(raw)} of {type(protocol).__name__} must be an array with a row for each user, "
                "a list of such arrays, or a mapping from attributes to arrays"
            )
        self.protocol, self.raw = protocol, raw

    @classmethod
    def draw(cls, protocol: RecordProtocol, records: ArrayLike | Table, rng: np.random.Generator) -> Reports:
        """Perturb the `records` (n, d) of users, codes or a table."""
        return cls(protocol, protocol.privatize(records, rng))

    @classmethod
    def from_json(cls, protocol: RecordProtocol, reports: Iterable[Report]) -> Reports:
        """Read reports of single users, at least one.

        Raises
        ------
        ValueError
            No user can send one of them.
        """
        return cls(protocol, protocol.decode(list(reports)))

    @classmethod
    def from_lines(cls, protocol: RecordProtocol, lines: Iterable[str]) -> Reports:
        """Read JSON lines, a report in each; empty lines are left out."""
        return cls.from_json(protocol, [parse(line) for line in lines if line.strip()])

    def to_lines(self) -> Iterator[str]:
        """Yield a line of JSON for each user, without the end of the line."""
        for report in self:
            yield json.dumps(report, separators=(",", ":"), allow_nan=False)

    def of(self, protocol: RecordProtocol) -> Reports:
        """Return the reports, or raise ValueError unless they are of this protocol."""
        if protocol is not self.protocol and protocol.describe() != self.protocol.describe():
            raise ValueError(f"the reports are of {self.protocol.describe()}, not of {protocol.describe()}")
        return self

    def estimate(self) -> Estimates:
        """Estimate the frequency of each value, with standard errors."""
        return Estimates(self.protocol.estimate_from(self.protocol.tally(self.raw)), self.protocol.sizes)

    def __len__(self) -> int:
        if isinstance(self.raw, dict):
            return sum(map(len, self.raw.values()))
        return len(self.raw[0] if isinstance(self.raw, list) else self.raw)

    def __getitem__(self, users: slice) -> Reports:
        if not isinstance(users, slice):
            raise ValueError("take a slice, such as reports[:10]: a single report is next(iter(reports))")
        if isinstance(self.raw, dict):
            return Reports(self.protocol, _some(self.raw, np.arange(len(self))[users]))
        some = [column[users] for column in self.raw] if isinstance(self.raw, list) else self.raw[users]
        return Reports(self.protocol, some)

    def __iter__(self) -> Iterator[Report]:
        return iter(self.protocol.encode(self.raw))


def _some(raw: dict[int, RawReports], places: Sequence[int] | np.ndarray) -> dict[int, RawReports]:
    """Return the reports at some places of all attributes one after the other."""
    found, start = {}, 0
    for j, column in raw.items():
        inside = [place - start for place in places if start <= place < start + len(column)]
        if inside:
            found[j] = column[inside]
        start += len(column)
    return found
