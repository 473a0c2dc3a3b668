"""The estimates of a joint law that the experiments compare, by mechanism and variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

import numpy as np

from corrldp.data.table import Table
from corrldp.experiments.castell.collection import observe
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.repair import iterative_bayesian_update, project_to_simplex
from corrldp.protocols.castell.schemes import (
    IndependentRR,
    RRJoint,
    hybrid_by_bounds,
    hybrid_by_data,
    rr_ind_joint,
    rr_independent,
    truncated,
    truncated_in_order,
)
from corrldp.protocols.castell.tables import tabulate
from corrldp.protocols.counting import has_few_users
from corrldp.protocols.records import Integers

ARITHMETIC = 1e-12  # smaller errors come from the arithmetic, not from the estimate
MechanismName = Literal["RR-Ind-Joint", "RR-Independent", "RR-Joint", "hybrid", "truncated", "projected", "EM"]
Variant = tuple[str, str]


def hybrid_up_to_four(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """RR-Ind-Joint for up to four attributes, else RR-Independent: Section IV-B's preference for Adult."""
    return (rr_ind_joint if len(mechanisms) <= 4 else rr_independent)(observed, mechanisms)


# Post-processing of one observed table: (mechanism, variant) -> estimate of (observed, mechanisms, n).
ESTIMATES: dict[Variant, Callable[[Floats, list[GRR], int], Floats]] = {
    ("RR-Ind-Joint", ""): lambda observed, mechanisms, _: rr_ind_joint(observed, mechanisms),
    ("RR-Independent", ""): lambda observed, mechanisms, _: rr_independent(observed, mechanisms),
    ("hybrid", "appendix_c"): hybrid_by_bounds,
    ("hybrid", "data"): hybrid_by_data,
    ("hybrid", "w_up_to_4"): hybrid_up_to_four,
    ("truncated", "printed"): lambda observed, mechanisms, _: truncated(observed, mechanisms),
    ("truncated", "clipped"): lambda observed, mechanisms, _: np.maximum(truncated(observed, mechanisms), 0),
    ("truncated", "in_order"): lambda observed, mechanisms, _: truncated_in_order(observed, mechanisms),
    ("projected", ""): lambda observed, mechanisms, _: project_to_simplex(rr_ind_joint(observed, mechanisms)),
    ("EM", ""): lambda observed, mechanisms, _: iterative_bayesian_update(observed, mechanisms),
}
AXIS_OF = {"hybrid": "thresholds", "truncated": "truncation"}


def variant(mechanism: str, choices: Mapping[str, Any]) -> Variant:
    """Return the variant of a mechanism that a reading asks for."""
    return mechanism, choices[AXIS_OF[mechanism]] if mechanism in AXIS_OF else ""


def errors(
    view: Table, epsilon: float, noise: str, variants: Iterable[Variant], rng: np.random.Generator
) -> Iterator[tuple[Variant, Floats]]:
    """Yield the error (k_1, ..., k_w) of each estimate from one collection of reports.

    `epsilon` is the budget of each attribute. RR-Joint draws separate reports, with the same budget for the record.
    """
    counts = view.counts()
    frequencies = counts / view.n
    protocol = IndependentRR(epsilon, view.sizes)

    def reports() -> np.ndarray:
        if has_few_users(view.n, counts.size):
            return tabulate(protocol.privatize(view.codes, rng), view.sizes)
        return protocol.simulate(counts, 1, rng)[0]

    observed = observe(counts, protocol.mechanisms, noise, reports, rng)
    for chosen in variants:
        if chosen[0] == "RR-Joint":
            estimate = rr_joint(counts, protocol.epsilon, noise, rng)
        else:
            estimate = ESTIMATES[chosen](observed, protocol.mechanisms, view.n)
        error = estimate - frequencies
        error[np.abs(error) < ARITHMETIC] = 0
        yield chosen, error


def rr_joint(counts: Integers, epsilon: float, noise: str, rng: np.random.Generator) -> Floats:
    """Return the estimate of RR-Joint from one collection of reports, with a budget of `epsilon` for the record."""
    protocol = RRJoint(epsilon, counts.shape)
    observed = observe(
        counts.ravel(), [protocol.mechanism], noise, lambda: protocol.simulate(counts, 1, rng).ravel(), rng
    )
    return protocol.unbias(observed.reshape(counts.shape))
