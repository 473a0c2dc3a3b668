"""Tests of whether a protocol keeps its budget, by enumeration and draws; the rest of its contract is in `testing`."""

import json
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corrldp.arrays import Floats, Integers
from corrldp.collection import Aggregator, Client, Reports
from corrldp.mechanisms.hashing import Keys, LocalHashing, supported_values
from corrldp.mechanisms.pure import FrequencyOracle, RawReports
from corrldp.privacy import LARGEST_DOMAIN, epsilon_of_channel
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.smp import Memoised
from corrldp.protocols.two_phase import Phased

Factory = Callable[[float, tuple[int, ...]], RecordProtocol]
Budget = Callable[[float, int], float]

EPSILON = 1.2
EPSILONS = (0.3, EPSILON, 4.0)
SIZES = ((2, 3), (3, 3), (3,), (2, 2), (2,), (5, 4), (2, 2, 2), (3, 2, 4), (2, 2, 2, 2), (2, 3, 2, 3), (2,) * 5)
"""Shapes of domains, up to five attributes; the first that a protocol can have is used for all other checks."""

FALSE_ALARM = 1e-7  # of one test; there are below 1000
SAMPLED_EPSILON = 2.0
MANY, SOME, MOST_NUMBERS = 2**19, 2**15, 2**21
"""Users whose reports are drawn: on two binary attributes, or the first shape there is, and on all others. Together
they report at most so many numbers."""
FEWEST_TEXTS, MOST_TEXTS = 2**7, 2**13
"""Users whose clients draw the text that they send; more where a larger budget allows texts to differ more."""
USERS = 300
ROUNDING = 1e-9


class ContractError(AssertionError):
    """A protocol breaks its contract; the message says where."""


def check_budgets(factory: Factory, sizes: Sequence[tuple[int, ...]], budget: Budget) -> RecordProtocol:
    """Check the budget on all sizes that the factory can have, and return the protocol on the first of them."""
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
            whole = factory(epsilon, shape)
            for part in (whole, *(phase for phase in phases(whole) if phase is not whole)):
                check_budget(part, budget(epsilon, len(shape)), shape)
        for part in phases(factory(EPSILON, shape)):
            check_client(part)
        for part in phases(factory(SAMPLED_EPSILON, shape)):
            shown: dict[str, Callable[..., float]] = {
                "reports": partial(epsilon_of_reports, users=MANY if shape == best else SOME)
            }
            if shape in (best, max(shapes, key=len)):
                shown["texts that clients send"] = epsilon_of_texts
            for what, estimate in shown.items():
                allowed = budget(SAMPLED_EPSILON, len(shape))
                spent = estimate(part, allowed, rng=np.random.default_rng(11))
                words = f"sizes={shape}: {what} show an epsilon of about {spent:.3g}, more than epsilon={allowed:.4g}"
                claim(math.isnan(spent), words)
    return found[0]


def check_budget(protocol: RecordProtocol, allowed: float, shape: tuple[int, ...]) -> None:
    """Check what the protocol guarantees and what its channel gives away."""
    try:
        spent = epsilon_spent(protocol)
    except ValueError as error:
        raise ContractError(f"sizes={shape}: its privacy is unknown: {error}") from error
    claim(not above(spent, allowed), f"sizes={shape}: a record spends {spent:.6g}, above the budget {allowed:.6g}")


def check_client(protocol: RecordProtocol) -> None:
    """Check that a user of any record can report, and that the server takes the report."""
    rng = np.random.default_rng(10)
    for record in _extremes(protocol):
        try:
            report = Client(protocol, protocol.deal(2, rng)[0]).report(record.tolist(), rng)
            Aggregator(protocol).add([report])
        except Exception as error:
            what = f"sizes={tuple(protocol.sizes)}: the client of record {record.tolist()}"
            raise ContractError(f"{what} fails: {type(error).__name__}: {error}") from error


def exceeds_budget(protocol: RecordProtocol, budget: float | None = None) -> bool:
    """Whether a record is found to spend more than a budget, by default the protocol's `epsilon`.

    Its guarantee, its channel if that is small, and reports that are drawn (a false alarm has a probability below 1e-6)
    are held against the budget. If none exceeds it, the budget is kept as the class states: no draw proves it. A
    protocol that guarantees nothing and has no channel is a ValueError.
    """
    allowed = protocol.epsilon if budget is None else budget
    return above(epsilon_spent(protocol), allowed) or not math.isnan(_epsilon_shown(protocol, allowed))


def epsilon_spent(protocol: RecordProtocol) -> float:
    """Largest epsilon of a record that is known of a protocol: by its guarantee, and by its channel if that is small.

    Both are what the class states; `exceeds_budget` draws what users send, too. A protocol that guarantees nothing and
    has no channel is a ValueError.
    """
    stated = float(protocol.guarantee().record)
    if math.prod(protocol.sizes) > LARGEST_DOMAIN or not hasattr(protocol, "channel"):
        return stated
    try:
        channel = protocol.channel()
    except ValueError:  # too many reports
        return stated
    return max(stated, epsilon_of_channel(channel))


def above(epsilon: float, budget: float) -> bool:
    """Whether an epsilon is above a budget by more than rounding, in 53 bits, of it and of a ratio to e^-budget."""
    return epsilon > budget * (1 + ROUNDING) + ROUNDING + 2.0**-50 * math.exp(min(budget, 30.0))


def epsilon_of_users(factory: Factory, epsilon: float, sizes: tuple[int, ...]) -> float:
    """Estimate the epsilon of a record by what users send, if that is surely more than `epsilon`; else NaN.

    It is the larger one of those on `sizes` and on two attributes of two values, where few reports show most.
    """
    found = [math.nan]
    for shape in dict.fromkeys(((2, 2), sizes)):
        with suppress(*FAILURES):
            found.append(_epsilon_shown(factory(epsilon, shape), epsilon))
    return float(np.fmax.reduce(found))


FAILURES = (AttributeError, NotImplementedError, TypeError, ValueError)
"""What a protocol raises that cannot be built for some domains, or that only simulates."""


def _epsilon_shown(protocol: RecordProtocol, allowed: float) -> float:
    """Estimate epsilon by reports and by texts of all phases, as far as they can be drawn; NaN unless above."""
    found = [math.nan]
    for part in phases(protocol):
        for estimate in (partial(epsilon_of_reports, users=MANY), epsilon_of_texts):
            with suppress(*FAILURES):
                found.append(estimate(part, allowed, rng=np.random.default_rng(11)))
    return float(np.fmax.reduce(found))


def epsilon_of_reports(
    protocol: RecordProtocol, allowed: float, users: int, rng: np.random.Generator, attribute: int | None = None
) -> float:
    """Estimate epsilon by the reports of users with two records, drawn twice; NaN unless it is surely above `allowed`.

    The records differ in everything or in one `attribute`. See `_epsilon_of`.
    """
    width = sum(k if getattr(protocol, "oracle", "GRR") != "GRR" else 1 for k in protocol.sizes)
    if any(isinstance(oracle, LocalHashing) for oracle in getattr(protocol, "mechanisms", ())):
        users = min(users, SOME // 2)  # to find the values that a report supports takes long
    users = min(users, MOST_NUMBERS // max(width, protocol.d * getattr(protocol, "bits", 1)))

    def draw(record: Integers) -> Keys:
        return _columns(protocol, protocol.privatize(np.tile(record, (users, 1)), rng))

    return _epsilon_of(draw, protocol, allowed, attribute)


def epsilon_of_texts(protocol: RecordProtocol, allowed: float, rng: np.random.Generator) -> float:
    """Estimate epsilon by the JSON that clients send, and its length, as `epsilon_of_reports` does by reports."""
    users = int(np.clip(20 * math.exp(min(allowed, 10)), FEWEST_TEXTS, MOST_TEXTS))

    def draw(record: Integers) -> Keys:
        client = partial(Client, protocol)
        of_token = client if isinstance(protocol, Memoised) else cache(client)  # responses are a user's own
        clients = map(of_token, protocol.deal(users, rng))
        texts = [json.dumps(client.report(record.tolist(), rng)) for client in clients]
        return np.array([[crc32(text.encode()), len(text)] for text in texts], dtype=np.uint64)

    return _epsilon_of(draw, protocol, allowed)


def _epsilon_of(
    draw: Callable[[Integers], Keys], protocol: RecordProtocol, allowed: float, attribute: int | None = None
) -> float:
    """Estimate epsilon by what users of two records send, drawn twice; NaN unless it is surely above `allowed`.

    The first draw picks what is likelier under one record than the budget allows, as far as one can see; the second one
    tests whether that is. What is picked is, once, reports as a whole, so many that each is seen often; and once those
    whose parts together speak for the record, which shows an overspend where no report is seen twice.
    """
    first, last = _extremes(protocol)
    if attribute is not None:
        last = np.where(np.arange(protocol.d) == attribute, last, first)
    picked, tested = ([draw(record) for record in (first, last)] for _ in range(2))
    share, found = 1 / (1 + math.exp(-allowed)), [math.nan]
    for one, other in ((0, 1), (1, 0)):
        for choose in (_by_reports, _by_parts):
            chosen = choose(picked[one], picked[other], share)
            times, others = (int(chosen(tested[side]).sum()) for side in (one, other))
            if times and _tail(times, others, share) <= FALSE_ALARM:
                found.append(math.log(times / max(others, 1)))
    return float(np.fmax.reduce(found))


Choice = Callable[[Keys], NDArray[np.bool_]]  # whether each of the reports (m, parts) is among those that were picked

LOW = 0.02  # below the largest share that the budget allows, reports do not attain it


def _by_reports(one: Keys, other: Keys, share: float) -> Choice:
    keys, (times, others) = _counted(_packed(one), _packed(other))
    likely = keys[times >= (share - LOW) * (times + others)]
    return lambda reports: np.isin(_packed(reports), likely)


def _by_parts(one: Keys, other: Keys, share: float) -> Choice:
    """Choose reports whose parts, taken as independent, speak for the first record as much as is most telling.

    Half of the reports say what each part speaks for, the others how much is most telling: those that were learnt from
    would overrate parts that occur once.
    """
    laws = []
    for column, against in zip(one[:SOME:2].T, other[:SOME:2].T, strict=True):
        keys, (times, others) = _counted(column, against)
        laws.append((keys, np.log(times + 1) - np.log(others + 1)))

    def score(reports: Keys) -> Floats:
        total = np.zeros(len(reports))
        for column, (keys, weights) in zip(reports.T, laws, strict=True):
            places = np.minimum(np.searchsorted(keys, column), len(keys) - 1)
            total += np.where(keys[places] == column, weights[places], 0)
        return total

    scores, against = score(one[1:SOME:2]), score(other[1:SOME:2])
    bounds = np.unique(np.quantile(scores, np.arange(100) / 100))
    times, others = (len(side) - np.searchsorted(np.sort(side), bounds - ROUNDING) for side in (scores, against))
    bound = bounds[int(np.argmin(_tail(times, others, share)))] - ROUNDING
    return lambda reports: score(reports) >= bound


def _tail(times: int | Integers, others: int | Integers, share: float) -> Floats:
    """Chance of at least so many `times` where each of `times + others` succeeds with chance `share`."""
    from scipy.special import bdtrc  # here, since most programs never need it and it takes long to import

    return np.asarray(bdtrc(times - 1, times + others, share), dtype=float)


def _counted(one: Keys, other: Keys) -> tuple[Keys, list[Integers]]:
    keys = np.unique(np.concatenate([one, other]))
    return keys, [np.bincount(np.searchsorted(keys, side), minlength=len(keys)) for side in (one, other)]


def _columns(protocol: RecordProtocol, reports: RawReports) -> Keys:
    """Return numbers (users, parts) for the parts of reports; local hashing's are the values that they support."""
    mechanisms = getattr(protocol, "mechanisms", [None] * protocol.d)
    if isinstance(reports, dict):
        columns = (
            (np.full((len(column), 1), j), _plain_column(mechanisms[j], column)) for j, column in reports.items()
        )
        return np.concatenate([_packed(np.hstack(pair))[:, None] for pair in columns])
    if isinstance(reports, list | tuple):
        plain = (_plain_column(oracle, column) for oracle, column in zip(mechanisms, reports, strict=True))
        return np.stack([_packed(column) for column in plain], axis=1)
    return reports.reshape(len(reports), -1).astype(np.uint64)


def _plain_column(oracle: FrequencyOracle | None, column: RawReports) -> NDArray[np.generic]:
    if isinstance(oracle, LocalHashing):
        return np.concatenate(list(supported_values(column, oracle.k, oracle.g)))
    return np.reshape(column, (len(column), -1))


def _packed(columns: NDArray[np.generic]) -> Keys:
    """Return a number for each row; rows that share one by chance count as equal, which can only hide a difference."""
    factors = np.random.default_rng(12).integers(2**64, size=(columns.shape[1],), dtype=np.uint64)
    numbers = np.zeros(len(columns), dtype=np.uint64)
    for values, factor in zip(columns.T, factors, strict=True):
        numbers += values.astype(np.uint64) * factor
    return numbers


def _extremes(protocol: RecordProtocol) -> tuple[Integers, Integers]:
    return np.zeros(protocol.d, dtype=np.int64), np.array(protocol.sizes) - 1


def phases(protocol: RecordProtocol) -> tuple[RecordProtocol, ...]:
    """Return both phases of a protocol, the second one as the first one's reports teach it, or itself if it has one."""
    if not isinstance(protocol, Phased):
        return (protocol,)
    first, rng = protocol.first_phase(), np.random.default_rng(7)
    learned = Aggregator(first).add(Reports.draw(first, dependent_records(protocol.sizes), rng))
    return first, protocol.second_phase(learned)


def dependent_records(sizes: Sequence[int]) -> Integers:
    """Return records (n, d) whose attributes depend on each other."""
    rng = np.random.default_rng(8)
    first = rng.choice(min(sizes), size=USERS, p=np.arange(min(sizes), 0, -1) / np.arange(min(sizes) + 1).sum())
    return np.column_stack([np.where(rng.random(USERS) < 0.5, first, rng.integers(k, size=USERS)) for k in sizes])


def claim(holds: bool | np.bool_, otherwise: str) -> None:
    """Raise ContractError unless something holds."""
    if not holds:
        raise ContractError(otherwise)
