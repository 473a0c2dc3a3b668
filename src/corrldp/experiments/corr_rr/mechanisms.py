"""The mechanisms that the Corr-RR papers compare, under one reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from corrldp.experiments.corr_rr.single_phase import SinglePhaseRSRFD
from corrldp.protocols.cond_rr import CondRR
from corrldp.protocols.corr_rr.preprint import preprint, preprint_appendix
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import (
    Fixed,
    Oracle,
    Postprocessed,
    Rule,
    Transposed,
    exact,
    pets_appendix,
    pets_body,
    pets_body_clipped,
)
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL
from corrldp.protocols.two_phase import TwoPhase, first_users, weigh

RS_RFD_AXES = ("phase1_fraction", "rs_rfd", "prior", "prior_repair", "rs_rfd_postprocess")
AXES = {
    "SPL": (),
    "SMP": (),
    "RS+FD": ("amplify", "rs_fd_estimator"),
    "RS+FD amplified": ("rs_fd_estimator",),
    "RS+RFD": ("amplify", *RS_RFD_AXES),
    "RS+RFD amplified": RS_RFD_AXES,
    "Corr-RR": ("phase1_fraction", "py_rule", "py_input", "py_order"),
    "Corr-RR oracle": ("phase1_fraction",),
    "Cond-RR": ("phase1_fraction",),
    "Uniform": (),
}
"""Mechanisms with the axes, other than those of the data, on which their estimates depend."""

RULES: dict[str, Rule] = {
    "body": pets_body,
    "body_clipped": pets_body_clipped,
    "appendix": pets_appendix,
    "exact": exact,
    "preprint": preprint,
    "preprint_appendix": preprint_appendix,
    "always_copy": Fixed(1.0),
    "never_copy": Fixed(0.0),
}


class Estimator(Protocol):
    """What an experiment needs of a mechanism."""

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""


class UniformGuess:
    """The estimate without any data: every value is equally frequent."""

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        guess = np.where(np.isnan(table.frequencies()), np.nan, 1 / np.asarray(table.sizes)[:, None])
        return np.broadcast_to(guess, (runs, *guess.shape[-2:]))

    def expected_mse(self, table: Population) -> np.ndarray:
        """Squared error of each frequency, (d, K) or (runs, d, K)."""
        return (1 / np.asarray(table.sizes)[:, None] - table.frequencies()) ** 2


@dataclass(frozen=True)
class GRREstimated:
    """RS+FD with the estimator of GRR, which takes the fake values for reports and so leans towards uniform ones."""

    protocol: RSFD

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        real = 1 / table.d
        uniform = 1 / np.asarray(table.sizes)[:, None]
        return real * self.protocol.simulate(table, runs, rng) + (1 - real) * uniform


@dataclass(frozen=True)
class SecondPhaseNormalised:
    """A two-phase protocol whose second estimate is clipped and normalised before both are weighted."""

    protocol: TwoPhase

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        first, second = self.protocol.simulate_phases(table, runs, rng)
        n1 = first_users(table.n, self.protocol.phase1_fraction)
        return weigh(first, n1, postprocess(second, "clip_normalise"), table.n - n1)


@dataclass(frozen=True)
class Normalised:
    """A protocol whose estimates are clipped and normalised."""

    protocol: Estimator

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        return postprocess(self.protocol.simulate(table, runs, rng), "clip_normalise")


def build(name: str, table: Population, point: dict[str, Any], axes: dict[str, Any]) -> Estimator:
    """Return a mechanism for the records of a point.

    Raises
    ------
    ValueError
        The mechanism or the value of an axis is unknown.
    """
    epsilon, sizes = point["epsilon"], table.sizes
    fraction = {**axes, **point}.get("phase1_fraction", 0.1)
    amplify = name.endswith("amplified") or axes.get("amplify", False)
    match name.removesuffix(" amplified"):
        case "SPL":
            return SPL(epsilon, sizes)
        case "SMP":
            return SMP(epsilon, sizes)
        case "RS+FD":
            protocol = RSFD(epsilon, sizes, amplify)
            return _choice(
                "rs_fd_estimator", axes, {"unbiased": lambda: protocol, "grr": lambda: GRREstimated(protocol)}
            )
        case "RS+RFD":
            return rs_rfd(epsilon, sizes, fraction, amplify, axes)
        case "Corr-RR":
            return CorrRR(epsilon, sizes, fraction, rule(axes))
        case "Corr-RR oracle":
            return CorrRR(epsilon, sizes, fraction, Oracle(table.frequencies()))
        case "Cond-RR":
            return CondRR(epsilon, sizes, fraction)
        case "Uniform":
            return UniformGuess()
    raise ValueError(f"mechanism {name!r} is none of {', '.join(AXES)}")


def rs_rfd(epsilon: float, sizes: tuple[int, ...], fraction: float, amplify: bool, axes: dict[str, Any]) -> Estimator:
    """Return RS+RFD in two phases (PETS version) or in one with a known prior (preprint)."""
    two_phase = TwoPhaseRSRFD(epsilon, sizes, fraction, amplify, axes.get("prior_repair", "clip_normalise"))
    protocol = _choice(
        "rs_rfd",
        axes,
        {
            "two_phase": lambda: two_phase,
            "single_phase": lambda: SinglePhaseRSRFD(epsilon, sizes, axes.get("prior", "true"), amplify),
        },
    )
    return _choice(
        "rs_rfd_postprocess",
        axes,
        {
            "none": lambda: protocol,
            "clip_normalise": lambda: Normalised(protocol),
            "second_phase_clip_normalise": lambda: SecondPhaseNormalised(two_phase),
        },
    )


def rule(axes: dict[str, Any]) -> Rule:
    """Return the rule for p_y of a reading.

    Raises
    ------
    ValueError
        The value of an axis is unknown.
    """
    chosen = _choice("py_rule", axes, {name: lambda rule=rule: rule for name, rule in RULES.items()})
    informed = _choice(
        "py_input",
        axes,
        {"raw": lambda: chosen, "clip_normalise": lambda: Postprocessed(chosen, "clip_normalise")},
    )
    return _choice("py_order", axes, {"follower": lambda: informed, "transposed": lambda: Transposed(informed)})


def _choice(axis: str, axes: dict[str, Any], options: dict[str, Any]) -> Any:  # noqa: ANN401
    """Build the option that a reading chooses; the first where the axis is not among its axes."""
    value = axes.get(axis, next(iter(options)))
    if value not in options:
        raise ValueError(f"{axis}={value!r} is none of {', '.join(options)}")
    return options[value]()
