"""Frequency oracles by name, and the adaptive choice between two of them."""

from collections.abc import Callable, Iterable

from corrldp.arrays import in_short
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
ADAPTIVE_CHOICE = ("GRR", "OUE")


def build(name: str, epsilon: float, k: int) -> FrequencyOracle:
    """Return the oracle with a name, or the adaptive choice, for a budget and a domain size.

    The adaptive choice has the smaller variance, averaged over the values. As the variance is linear in the frequency
    of a value, this average is the variance at 1 / k, whatever the frequencies are. (Wang et al., USENIX Security 2017,
    Section 4.4, compare the variances at frequency 0, the limit for many values, so that GRR is chosen for
    k < 3 e^epsilon + 2; near this bound the exact comparison can differ.)

    Raises
    ------
    ValueError
        The name is unknown, or a parameter is outside the oracle's range.
    """
    check_oracle(name, ORACLES)
    if name != ADAPTIVE:
        return ORACLES[name](epsilon, k)
    return min(
        (ORACLES[choice](epsilon, k) for choice in ADAPTIVE_CHOICE), key=lambda oracle: oracle.variance(1 / k, 1)
    )


def check_oracle(name: str, allowed: Iterable[str]) -> None:
    """Raise ValueError unless `name` is one of the `allowed` oracles or the adaptive choice."""
    names = (*allowed, ADAPTIVE)
    if name not in names:
        raise ValueError(f"oracle={in_short(name)} must be one of {', '.join(names)}")
