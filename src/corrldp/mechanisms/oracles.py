"""Frequency oracles by name, and the adaptive choice between two of them."""

from collections.abc import Callable, Sequence

from corrldp.arrays import in_short
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.randomness import rounded

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

ADAPTIVE_CHOICE = ("GRR", "OUE")


def choose(name: str, epsilon: float, k: int) -> str:
    """Return the name of an oracle as it is, or that of the adaptive choice for a budget and a domain size.

    The adaptive choice has the smaller variance, averaged over the values. As the variance is linear in the frequency
    of a value, this average is the variance at 1 / k, whatever the frequencies are. (Wang et al., USENIX Security 2017,
    Section 4.4, compare the variances at frequency 0, the limit for many values, so that GRR is chosen for k < 3
    e^epsilon + 2; near this bound the exact comparison can differ.)
    """
    check_oracle(name, NAMES)
    if name != ADAPTIVE:
        return name
    return min(ADAPTIVE_CHOICE, key=lambda choice: float(rounded(ORACLES[choice](epsilon, k).variance(1 / k, 1))))


def check_oracle(name: str, allowed: Sequence[str]) -> None:
    """Raise ValueError unless `name` is one of the `allowed` oracles."""
    if name not in allowed:
        raise ValueError(f"oracle={in_short(name)} must be one of {', '.join(allowed)}")
