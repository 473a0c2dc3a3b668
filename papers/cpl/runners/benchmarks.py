"""The paper's benchmarks of algorithms and of utility against leakage, and what an attack gains."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from cpl.runners.axes import BUILT, DATA, LINKED, POSTPROCESS, SYMMETRIC
from cpl.runners.data import (
    Budgets,
    Compared,
    MechanismName,
    bound,
    build,
    inferred_channel,
    inferred_leakage,
    pair_tables,
    report_leakage,
    view_of,
)

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import Measure
from corrldp.dependence import pcc
from corrldp.leakage.baselines import (
    cbp,
    cbp_of_correlation,
    grf,
    its,
    nmse,
    off_diagonal,
    spl_anl,
    undershoot,
)
from corrldp.leakage.cpl import conditional
from corrldp.leakage.total import leakage_matrix, total_correlation_leakage
from corrldp.protocols.postprocess import postprocess
from corrldp.runners import Probability, runner


class Algorithms(Budgets):
    """Data sets and budgets; `thresholds` are the correlations from which each GRF links two attributes."""

    thresholds: dict[str, Probability]


@runner(
    Algorithms,
    mechanisms=lambda setting: ("SPL-ANL", *setting.thresholds, "ITS", "CBP", "GRR-ANL", "EXP-ANL"),
    metrics=("undershoot", "overshoot"),
    columns=("truth",),
    axes=DATA | by_name(SYMMETRIC, LINKED),
)
def algorithms(cell: Cell) -> Iterator[Measure]:
    """Yield normalised undershoot and overshoot (Eq. 21) of every algorithm (Figure 6).

    `truth` names the reference: "Algorithm 2", "GRR" (by Algorithm 1), "OUE" (its inferred values) or "OUE reports".
    """
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    references = {
        "Algorithm 2": cell.once(bound, dataset, epsilon),
        **{name: cell.once(inferred_leakage, dataset, name, epsilon) for name in ("GRR", "OUE")},
        "OUE reports": cell.once(report_leakage, dataset, "OUE", epsilon),
    }
    for (reference, truth), (name, estimate) in product(references.items(), _estimates(cell).items()):
        pair = off_diagonal(estimate), off_diagonal(truth)
        for metric, (low, high) in (("undershoot", pair), ("overshoot", pair[::-1])):
            value = undershoot(low, high, epsilon)
            shown = value if value >= 1e-12 else 0.0  # what is 0 up to rounding is plotted on its axis
            yield Measure(name, metric, shown, place={"truth": reference})


def _estimates(cell: Cell) -> dict[str, np.ndarray]:
    """Return the matrix (d, d) of every algorithm."""
    dataset, epsilon, thresholds = cell["dataset"], cell["epsilon"], cell.setting.thresholds
    tables = cell.once(pair_tables, dataset)
    correlations = leakage_matrix(tables, pcc)
    grr = cell.once(inferred_leakage, dataset, "GRR", epsilon)
    symmetric, linked = cell["symmetric"], cell["linked"]
    return {
        "SPL-ANL": spl_anl(len(grr), epsilon),
        **{name: grf(correlations, epsilon, threshold, linked) for name, threshold in thresholds.items()},
        "ITS": leakage_matrix(tables, lambda joint: its(conditional(joint), epsilon)),
        "CBP": cbp_of_correlation(correlations, epsilon) if symmetric == "covariance" else cbp(grr, symmetric),
        "GRR-ANL": grr,
        "EXP-ANL": cell.once(inferred_leakage, dataset, "EXP", epsilon),
    }


@runner(
    Compared,
    mechanisms=lambda setting: (*setting.mechanisms, "data"),
    metrics=("tcpl", "tcpl_reports", "zero_one_error", "frequency_error", "commonest_error"),
    axes=DATA | BUILT | by_name(POSTPROCESS),
    simulates=True,
)
def utility(cell: Cell) -> Iterator[Measure]:
    """Yield normalised TCPL (Eq. 22), frequency error (Eq. 23) and 0-1 error (Eq. 24) of every mechanism (Figure 7).

    `tcpl` is that of the inferred values, `tcpl_reports` that of the reports; both are exact, and so is the expected
    0-1 error of the attack. `commonest_error` is that of each attribute's commonest value, without any report.
    """
    frequencies, how = cell.once(_frequencies, cell["dataset"]), cell["postprocess"]
    truth = np.concatenate(frequencies)
    yield Measure("data", "commonest_error", float(np.mean([1 - shares.max() for shares in frequencies])))
    for name in cell.setting.mechanisms:
        yield from cell.once(_exact, name)
        raw, variance = cell.once(_raw_estimates, name)
        estimates = np.concatenate([postprocess(attribute, how) for attribute in raw], axis=1)
        theory = float(variance / (truth**2).sum()) if how == "none" else np.nan
        yield Measure.of_runs(name, "frequency_error", nmse(estimates, truth), theory)


def _frequencies(cell: Cell, dataset: str) -> list[np.ndarray]:
    """Return the frequencies (k,) of the values of every attribute."""
    view = view_of(cell, dataset)
    return [np.bincount(codes, minlength=k) / view.n for codes, k in zip(view.codes.T, view.sizes, strict=True)]


def _exact(cell: Cell, name: MechanismName) -> list[Measure]:
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    most = total_correlation_leakage(cell.once(bound, dataset, epsilon))
    inferred, reports = (of(cell, dataset, name, epsilon) for of in (inferred_leakage, report_leakage))
    errors = [
        1 - frequency @ cell.once(inferred_channel, name, epsilon, frequency.size).diagonal()
        for frequency in cell.once(_frequencies, dataset)
    ]
    return [
        Measure(name, "tcpl", total_correlation_leakage(inferred) / most),
        Measure(name, "tcpl_reports", total_correlation_leakage(reports) / most),
        Measure(name, "zero_one_error", float(np.mean(errors))),
    ]


def _raw_estimates(cell: Cell, name: MechanismName) -> tuple[list[np.ndarray], float]:
    """Return the estimated frequencies (runs, k) of every attribute, and the sum of all their variances."""
    dataset, epsilon = cell["dataset"], cell["epsilon"]
    n, rng = view_of(cell, dataset).n, cell.rng(dataset=dataset, epsilon=epsilon, mechanism=name)
    estimates, variance = [], 0.0
    for frequency in cell.once(_frequencies, dataset):
        mechanism = build(cell, name, epsilon, frequency.size)
        counts = np.rint(frequency * n).astype(np.int64)
        estimates.append(mechanism.unbias(mechanism.simulate(counts, cell.runs, rng), n))
        variance += mechanism.variance(frequency, n).sum()
    return estimates, variance


OF_ATTACKS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
    "cpl_mean": lambda cpl, gain, shift: cpl.mean(),
    "cpl_highest": lambda cpl, gain, shift: cpl.max(),
    "gain_mean": lambda cpl, gain, shift: gain.mean(),
    "gain_highest": lambda cpl, gain, shift: gain.max(),
    "share_without_gain": lambda cpl, gain, shift: float(np.mean(gain < 1e-12)),
    "shift_over_cpl_mean": lambda cpl, gain, shift: float(np.mean(shift / cpl)),
    "excess_of_gain": lambda cpl, gain, shift: np.max(gain - cpl),
    "excess_of_shift": lambda cpl, gain, shift: np.max(shift - cpl),
}
"""Statistics over all ordered pairs of attributes of their leakage and of what the attack gains."""


@runner(
    Compared,
    mechanisms=lambda setting: setting.mechanisms,
    metrics=tuple(OF_ATTACKS),
    axes=DATA | BUILT,
)
def attack(cell: Cell) -> Iterator[Measure]:
    """Yield statistics over all ordered pairs of the gain of the best guess of the attacked attribute.

    The gain is the logarithm of the ratio of the probabilities of a right guess with and without the inferred value of
    the neighbour, the shift the largest logarithm of the ratio of a value's posterior and prior probability; both are
    at most the CPL.
    """
    for name in cell.setting.mechanisms:
        gain, shift = (off_diagonal(matrix) for matrix in _gain_and_shift(cell, name))
        cpl = off_diagonal(inferred_leakage(cell, cell["dataset"], name, cell["epsilon"]))
        for metric, statistic in OF_ATTACKS.items():
            yield Measure(name, metric, statistic(cpl, gain, shift))


def _gain_and_shift(cell: Cell, name: MechanismName) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain and the shift (d, d) in nats, [about, by]."""

    def gain(counts: np.ndarray) -> np.ndarray:
        joint, prior = _joint(counts)
        return np.log(joint.max(axis=1).sum(axis=-1) / prior.max(axis=1))

    def shift(counts: np.ndarray) -> np.ndarray:
        joint, prior = _joint(counts)
        expected = prior[:, :, None] * joint.sum(axis=1, keepdims=True)
        ratios = np.divide(joint, expected, out=np.ones_like(joint), where=expected > 0)
        return np.abs(np.log(ratios)).max(axis=(1, 2))

    def _joint(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        law = counts / counts.sum(axis=(1, 2), keepdims=True)
        channel = cell.once(inferred_channel, name, cell["epsilon"], counts.shape[-1])
        return law @ channel, law.sum(axis=2)

    tables = cell.once(pair_tables, cell["dataset"])
    return leakage_matrix(tables, gain), leakage_matrix(tables, shift)
