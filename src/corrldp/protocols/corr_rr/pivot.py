"""What Corr-RR, its extensions and Cond-RR share: the second phase reports pivots by GRR and synthesises the rest."""

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.records import RecordTable
from corrldp.protocols.two_phase import TwoPhase, TwoPhaseReports, Users


class PivotProtocol(TwoPhase[Users]):
    """A two-phase protocol that estimates all Phase II reports by the pivots' GRR; all domain sizes are equal."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.sizes)) != 1:
            raise ValueError(f"sizes={self.sizes} must be equal: align the domains first, see corr_rr.alignment")

    @property
    def mechanism(self) -> GRR:
        """Randomizer of the pivot."""
        return GRR(self.epsilon, self.sizes[0])

    def estimate_second(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, k) from the second phase alone, biased."""
        second = RecordTable.from_records(reports.second, self.sizes)
        return self.mechanism.unbias(second.marginals(), second.n)
