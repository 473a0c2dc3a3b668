"""All mechanisms for one attribute by name, each built from a budget and a domain size."""

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding

BUILDERS = {
    "GRR": GRR,
    "SUE": UnaryEncoding.symmetric,
    "OUE": UnaryEncoding.optimized,
    "OLH": LocalHashing.optimal,
    "BLH": LocalHashing.binary,
    "SS": SubsetSelection.rounded,
    "SHE": SummationHistogram,
    "RAPPOR": lambda epsilon, k: RAPPOR(k) if GRR(epsilon, k) else None,  # its budget is fixed
}
