"""Checks that a protocol spends no more than its budget, on domains of several shapes; the rest is in `testing`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from corrldp.arrays import Integers
from corrldp.collection import Aggregator, Client, Reports
from corrldp.mechanisms.coding import RawReports
from corrldp.mechanisms.hashing import Keys, LocalHashing, supported_values
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.privacy import epsilon_spent, exceeds_budget
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.two_phase import Phased

Factory = Callable[[float, tuple[int, ...]], RecordProtocol]
Budget = Callable[[float, int], float]

EPSILON = 1.2
EPSILONS = (0.3, EPSILON, 4.0)
SIZES = ((2, 3), (3, 3), (3,), (2, 2), (2,), (5, 4), (2, 2, 2), (3, 2, 4), (2, 2, 2, 2), (2, 3, 2, 3))
"""Shapes of domains, up to four attributes; the first that a protocol can have is used for all other checks."""

FALSE_ALARM = 1e-7  # of one test; there are below 1000
SAMPLED_EPSILON = 2.0
MANY, SOME, MOST_NUMBERS = 2**19, 2**15, 2**23
"""Users whose reports are drawn: on two binary attributes, or the first shape there is, and on all others. Together
they report at most so many numbers."""
USERS = 300


class ContractError(AssertionError):
    """A protocol breaks its contract; the message says where."""


def whole_budget(epsilon: float, d: int) -> float:
    """Return what a record may spend: epsilon, whatever the number of attributes."""
    return epsilon


def check_budgets(factory: Factory, sizes: Sequence[tuple[int, ...]], budget: Budget) -> RecordProtocol:
    """Check the budget on all sizes that the factory can have, and return the protocol on the first of them.

    Raises
    ------
    ContractError
        A record spends more, a client fails, or the factory can have none of the sizes.
    """
    found, refusals = [], []
    for shape in sizes:
        try:
            protocol = factory(EPSILON, shape)
        except ValueError as error:
            refusals.append(str(error))
            continue
        claim(tuple(protocol.sizes) == tuple(shape), f"sizes={shape} became {protocol.sizes}")
        found.append(protocol)
    if not found:
        raise ContractError(f"the factory refuses all of {tuple(sizes)}; pass sizes= that it can have: {refusals}")
    shapes = [tuple(protocol.sizes) for protocol in found]
    best = (2, 2) if (2, 2) in shapes else shapes[0]
    for shape in shapes:
        for epsilon in EPSILONS:
            for part in parts(factory(epsilon, shape)):
                check_budget(part, budget(epsilon, len(shape)), shape)
        for part in parts(factory(EPSILON, shape)):
            check_client(part)
        for part in parts(factory(SAMPLED_EPSILON, shape)):
            allowed = budget(SAMPLED_EPSILON, len(shape))
            check_sent(part, allowed, MANY if shape == best else SOME, np.random.default_rng(11))
    return found[0]


def check_budget(protocol: RecordProtocol, allowed: float, shape: tuple[int, ...]) -> None:
    """Check what the protocol guarantees and what its channel gives away."""
    try:
        over = exceeds_budget(protocol, allowed)
    except ValueError as error:
        raise ContractError(f"sizes={shape}: its privacy is unknown: {error}") from error
    if over:
        spent = epsilon_spent(protocol)
        raise ContractError(f"sizes={shape}: a record spends {spent:.6g}, above the budget {allowed:.6g}")


def check_client(protocol: RecordProtocol) -> None:
    """Check that a user of any record can report, and that the server takes the report."""
    rng = np.random.default_rng(10)
    if protocol.phases > 1:
        return  # its phases have the clients
    for record in _extremes(protocol):
        try:
            report = Client(protocol, protocol.deal(2, rng)[0]).report(record.tolist(), rng)
            Aggregator(protocol).add([report])
        except Exception as error:
            what = f"sizes={tuple(protocol.sizes)}: the client of record {record.tolist()}"
            raise ContractError(f"{what} fails: {type(error).__name__}: {error}") from error


def check_sent(protocol: RecordProtocol, allowed: float, users: int, rng: np.random.Generator) -> None:
    """Check the reports of users with two records; see `epsilon_of_reports`."""
    found = epsilon_of_reports(protocol, allowed, users, rng)
    what = f"sizes={tuple(protocol.sizes)}: reports show an epsilon of about {found:.3g}"
    claim(math.isnan(found), f"{what}, more than epsilon={allowed:.4g}")


def epsilon_of_users(factory: Factory, epsilon: float, sizes: tuple[int, ...]) -> float:
    """Estimate the epsilon of a record by what users send, if that is surely more than `epsilon`; else NaN.

    Parameters
    ----------
    factory : class or function of (epsilon, sizes)
    epsilon : float
        The budget of a record.
    sizes : (d,)
        Domain sizes, for a factory that cannot have two attributes of two values.
    """
    for shape in ((2, 2), sizes):
        try:
            phases = parts(factory(epsilon, shape))
            found = [epsilon_of_reports(one, epsilon, MANY, np.random.default_rng(11)) for one in phases]
        except (AttributeError, NotImplementedError, TypeError, ValueError):  # it cannot be built, or only simulates
            continue
        return max(found, key=lambda one: -1 if math.isnan(one) else one)
    return math.nan


def epsilon_of_reports(protocol: RecordProtocol, allowed: float, users: int, rng: np.random.Generator) -> float:
    """Estimate epsilon by the reports of users with two records, drawn twice; NaN unless it is surely above `allowed`.

    The first draw picks the reports that are likelier under one record than the budget allows, as far as one can see;
    the second one tests whether these together are.
    """
    if protocol.phases > 1:
        return math.nan
    one, other = _extremes(protocol)
    width = sum(k if getattr(protocol, "oracle", "GRR") != "GRR" else 1 for k in protocol.sizes)
    if any(isinstance(oracle, LocalHashing) for oracle in getattr(protocol, "mechanisms", ())):
        users = min(users, SOME // 2)  # to find the values that a report supports takes long
    users = min(users, MOST_NUMBERS // max(width, protocol.d * getattr(protocol, "bits", 1)))
    (picked, first), (tested, second) = (_counts(protocol, (one, other), users, rng) for _ in range(2))
    share = 1 / (1 + np.exp(-allowed))
    for a, b in ((0, 1), (1, 0)):
        likely = picked[first[:, a] >= (share - LOW) * first.sum(axis=1)]
        seen = second[np.isin(tested, likely)].sum(axis=0)
        if seen.sum() and bdtrc(seen[a] - 1, seen.sum(), share) <= FALSE_ALARM:
            return math.log(seen[a] / max(seen[b], 1))
    return math.nan


LOW = 0.02  # below the largest share that the budget allows, reports do not attain it


def _counts(
    protocol: RecordProtocol,
    records: Sequence[Integers],
    users: int,
    rng: np.random.Generator,
) -> tuple[Any, Integers]:
    """Count equal reports (m, 2) of the users of each of two records, and return a number (m,) for each."""
    sides = [
        np.concatenate(list(_rows(protocol, protocol.privatize(np.tile(record, (users, 1)), rng))))
        for record in records
    ]
    keys = np.unique(np.concatenate(sides))
    counts = [np.bincount(np.searchsorted(keys, side), minlength=len(keys)) for side in sides]
    return keys, np.stack(counts, axis=1)


def _rows(protocol: RecordProtocol, reports: RawReports) -> Iterator[Keys]:
    """Yield a number for each user's report; those of local hashing are taken for the values that they support."""
    mechanisms = getattr(protocol, "mechanisms", [None] * protocol.d)
    if isinstance(reports, dict):
        for j, column in reports.items():
            yield _packed([np.full((len(column), 1), j), _plain_column(mechanisms[j], column)])
    elif isinstance(reports, list | tuple):
        yield _packed([_plain_column(oracle, column) for oracle, column in zip(mechanisms, reports, strict=True)])
    else:
        yield _packed([reports.reshape(len(reports), -1)])


def _plain_column(oracle: FrequencyOracle | None, column: RawReports) -> NDArray[np.generic]:
    if isinstance(oracle, LocalHashing):
        return np.concatenate(list(supported_values(column, oracle.k, oracle.g)))
    return np.reshape(column, (len(column), -1))


def _packed(columns: Sequence[NDArray[np.generic]]) -> Keys:
    """Return a number for each row; rows that share one by chance count as equal, which can only hide a difference."""
    width = sum(column.shape[1] for column in columns)
    factors = np.random.default_rng(12).integers(2**64, size=width, dtype=np.uint64)
    numbers = np.zeros(len(columns[0]), dtype=np.uint64)
    for values, factor in zip((values for column in columns for values in column.T), factors, strict=True):
        numbers += values.astype(np.uint64) * factor
    return numbers


def _extremes(protocol: RecordProtocol) -> tuple[Integers, Integers]:
    return np.zeros(protocol.d, dtype=np.int64), np.array(protocol.sizes) - 1


def parts(protocol: RecordProtocol) -> list[RecordProtocol]:
    """Return the protocol and, if it has two, its phases."""
    return [protocol, *phases(protocol)] if isinstance(protocol, Phased) else [protocol]


def phases(protocol: Phased) -> tuple[RecordProtocol, RecordProtocol]:
    """Return the phases of a two-phase protocol, the second one as the first one's reports teach it."""
    first, rng = protocol.first_phase(), np.random.default_rng(7)
    learned = Aggregator(first).add(Reports.draw(first, records(protocol.sizes), rng))
    return first, protocol.second_phase(learned)


def records(sizes: Sequence[int]) -> Integers:
    """Return records (n, d) whose attributes depend on each other."""
    rng = np.random.default_rng(8)
    first = rng.choice(min(sizes), size=USERS, p=np.arange(min(sizes), 0, -1) / np.arange(min(sizes) + 1).sum())
    return np.column_stack([np.where(rng.random(USERS) < 0.5, first, rng.integers(k, size=USERS)) for k in sizes])


def claim(holds: bool | np.bool_, otherwise: str) -> None:
    """Raise ContractError unless something holds."""
    if not holds:
        raise ContractError(otherwise)
