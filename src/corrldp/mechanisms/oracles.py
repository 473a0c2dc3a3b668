"""Frequency oracles by name."""

from collections.abc import Callable

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding

ORACLES: dict[str, Callable[[float, int], FrequencyOracle]] = {
    "GRR": GRR,
    "SUE": UnaryEncoding.symmetric,
    "OUE": UnaryEncoding.optimized,
    "OLH": LocalHashing.optimal,
    "SS": SubsetSelection.rounded,
}
"""Oracles by name, each built from a budget and a domain size."""

ADAPTIVE = "adaptive"
NAMES = (*ORACLES, ADAPTIVE)
"""What a protocol's `oracle` may be, unless the protocol has its own."""
