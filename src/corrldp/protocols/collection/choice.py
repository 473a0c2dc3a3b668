"""Which tallier counts the reports of which protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from corrldp.protocols.castell.protocol import Castell
from corrldp.protocols.collection.estimate import Estimate
from corrldp.protocols.collection.rows import BloomTallier, CastellTallier, RowTallier
from corrldp.protocols.collection.support import (
    PairedTallier,
    PivotTallier,
    SampledTallier,
    SupportTallier,
    ValueTallier,
)
from corrldp.protocols.collection.tally import Key, Tallier, Tally
from corrldp.protocols.corr_rr.alignment import AlignedPhase
from corrldp.protocols.corr_rr.phase import PivotPhase
from corrldp.protocols.fake_data import FakeDataProtocol
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.lopub.protocol import LoPub
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import check_records
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL


class AlignedTallier(ValueTallier):
    """Reports on merged values, tallied by class as those of the protocol on classes."""

    def __init__(self, protocol: AlignedPhase) -> None:
        super().__init__(protocol)
        self.inner = tallier_of(protocol.protocol)

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        return self.inner.count(self.protocol.merge(check_records(reports, self.protocol.sizes)))

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return self.inner.fits(key)

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return self.inner.totals(tally)

    def possible(self, tally: Tally, n: int) -> bool:
        """Whether `n` reports can have this tally."""
        return self.inner.possible(tally, n)

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        return spread(self.protocol, self.inner.estimate(tally, n))


TALLIERS: dict[type, type[Tallier]] = {
    Castell: CastellTallier,
    SPL: SupportTallier,
    FakeDataProtocol: SupportTallier,
    SMP: SampledTallier,
    JRR: PairedTallier,
    LoPub: BloomTallier,
    PivotPhase: PivotTallier,
    AlignedPhase: AlignedTallier,
    RecordProtocol: RowTallier,
}
"""How reports are counted, by kind of protocol; the first that fits counts."""


def tallier_of(protocol: RecordProtocol) -> Tallier:
    """Return what counts the reports of a protocol: its own `tallier()` if it has one."""
    own = getattr(protocol, "tallier", None)
    if own is not None:
        return own()
    return next(kind for base, kind in TALLIERS.items() if isinstance(protocol, base))(protocol)


def spread(alignment: AlignedPhase, merged: Estimate) -> Estimate:
    """Divide the frequency of each class evenly among its values.

    Reports do not tell how a class divides, so the error of a value in a class of m includes the largest possible one,
    1 - 1/m of the class's frequency.
    """
    frequencies = alignment.spread(merged.frequencies)
    members = np.full(frequencies.shape, np.nan)
    for j, mapping in enumerate(alignment.mappings):
        members[j, : len(mapping)] = alignment.members(j)[list(mapping)]
    worst = np.clip(frequencies * members, 0, 1) * (1 - 1 / members)
    return Estimate(frequencies, np.hypot(alignment.spread(merged.standard_errors), worst), merged.n)
