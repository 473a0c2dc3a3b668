"""CPL of the reports themselves; `effective_channel`, in contrast, describes what one attack infers from them.

Eq. 7 of the CPL paper takes the supremum over everything that is released. Unary encodings, hashing with an ideal
family and SHE all have, for every set S of values, a report that is e^epsilon times likelier under the values in S than
under the others: they attain `leakage_bound`, the largest CPL that epsilon allows. GRR can single out only one
value, subset selection only sets of its fixed size.
"""

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats
from corrldp.leakage.cpl import check_laws, leakage_bound, leakage_of_channel
from corrldp.mechanisms.grr import GRR, Exponential
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding


@singledispatch
def leakage_of_reports(mechanism: Any, conditional: ArrayLike) -> Floats:  # noqa: ANN401
    """CPL (...) of the reports of `mechanism`, given the distribution (..., m, t) of the neighbour, in nats.

    Raises
    ------
    TypeError
        The mechanism is not one of the eight of the CPL paper.
    """
    raise TypeError(f"the reports of {type(mechanism).__name__} have no known leakage: use leakage_of_channel")


@leakage_of_reports.register
def _(mechanism: GRR | Exponential, conditional: ArrayLike) -> Floats:
    return leakage_of_channel(conditional, mechanism.channel())


@leakage_of_reports.register
def _(mechanism: UnaryEncoding | RAPPOR | LocalHashing | SummationHistogram, conditional: ArrayLike) -> Floats:
    return leakage_bound(conditional, mechanism.epsilon)


@leakage_of_reports.register
def _(mechanism: SubsetSelection, conditional: ArrayLike) -> Floats:
    """Raise a ratio h, as `leakage_bound` does, with the best set of the mechanism's size for each pair of values."""
    laws = check_laws(conditional)
    rest = np.exp(-mechanism.epsilon)
    law, other = laws[..., :, None, :], laws[..., None, :, :]
    ratio = np.ones(laws.shape[:-2])
    while True:
        margins = law - ratio[..., None, None, None] * other
        best = np.argpartition(-margins, mechanism.size - 1, axis=-1)[..., : mechanism.size]
        inside, outside = (
            np.take_along_axis(np.broadcast_to(side, margins.shape), best, axis=-1).sum(axis=-1)
            for side in (law, other)
        )
        larger = ((rest + (1 - rest) * inside) / (rest + (1 - rest) * outside)).max(axis=(-2, -1))
        if not (larger > ratio).any():
            return np.log(ratio)
        ratio = np.maximum(ratio, larger)
