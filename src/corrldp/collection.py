"""Clients and servers: a client perturbs one user's record, aggregators add reports up; both are written as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from corrldp.arrays import as_array, in_short
from corrldp.mechanisms.coding import Report, Reports
from corrldp.mechanisms.validation import check_generator, check_integer
from corrldp.protocols.documents import MOST_USERS, dump, load
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import from_description, protocol_from_json
from corrldp.protocols.tally import Estimate, Key, Tally

SLACK = 1e-6
ONE_PHASE = (
    "the protocol has two phases: use those of first_phase() and of second_phase(first), then combine(first, second)"
)


class Client:
    """Perturbs the record of one user: it has the parameters of a protocol and returns what may leave the device.

    Parameters
    ----------
    protocol : RecordProtocol
        What the user runs; of a two-phase protocol one of its phases.
    token : int, optional
        What the server dealt to the user, see `JRR.deal`; other protocols have no tokens.

    Raises
    ------
    ValueError
        The protocol has two phases, a token is missing, or the budget is so large that reports as drawn, with numbers
        of 53 binary digits, spend more than the guarantee says.
    """

    def __init__(self, protocol: RecordProtocol, token: int | None = None) -> None:
        _check_phases(protocol)
        protocol.check_user(token)
        check_sampling(protocol)
        self.protocol = protocol
        self.token = token

    def report(self, record: Sequence[int], rng: np.random.Generator) -> Report:
        """Return the report on a `record` (d,) of codes, as JSON has it.

        Parameters
        ----------
        record : (d,) integers
        rng : numpy.random.Generator
            `corrldp.randomness.deployment_rng()` on a user's device; a seeded one in experiments.

        Raises
        ------
        ValueError
            The record does not fit the domains, or there is no generator.
        """
        check_generator(rng)
        values = as_array(record)
        if values.ndim != 1:
            raise ValueError(f"record={in_short(record)} must be the {self.protocol.d} codes of one user")
        [report] = self.protocol.encode(self.protocol.privatize_alone(values[None], self.token, rng))
        return report

    def to_json(self) -> str:
        """Return the protocol as JSON, without the token; `from_json` is the inverse."""
        return self.protocol.to_json()

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None, token: int | None = None) -> Client:
        """Read what `to_json` of a client or of a protocol wrote; `protocol`: see `Aggregator.from_json`."""
        return cls(protocol_from_json(text, protocol), token)


class Aggregator:
    """Integer counts of the reports of a protocol's users, in as many places as you like.

    Parameters
    ----------
    protocol : RecordProtocol
        What the users run; of a two-phase protocol one of its phases.
    tally : Tally, optional
        Counts so far.

    Raises
    ------
    ValueError
        It is no protocol, or one of two phases.
    """

    def __init__(self, protocol: RecordProtocol, tally: Tally | None = None) -> None:
        _check_phases(protocol)
        self.protocol = protocol
        self.tally = Tally() if tally is None else tally

    @property
    def n(self) -> int:
        """Number of reports so far."""
        return self.tally.n

    def add(self, reports: Iterable[Report]) -> Aggregator:
        """Add reports of single users, as `Client.report` made them, all or, after a ValueError, none of them."""
        if isinstance(reports, str | bytes | dict) or not isinstance(reports, Iterable):
            raise ValueError("add takes a list of reports, one per user: put a single one in brackets")
        listed = list(reports)
        return self.add_privatized(self.protocol.decode(listed)) if listed else self

    def add_privatized(self, reports: Reports) -> Aggregator:
        """Add the reports of many users as `privatize` returned them: the same, but faster."""
        self.tally.update(self.protocol.tally(reports))
        return self

    def merge(self, other: Aggregator) -> Aggregator:
        """Return the aggregator of the reports of both, which stay as they are; exact, in any order.

        Raises
        ------
        ValueError
            The other is no aggregator, or one of another protocol.
        """
        if not isinstance(other, Aggregator):
            raise ValueError(f"{in_short(other)} is no aggregator: merge takes one of the same protocol")
        if self.protocol.describe() != other.protocol.describe():
            raise ValueError("aggregators of different protocols or parameters cannot be merged")
        return Aggregator(self.protocol, self.tally + other.tally)

    def estimate(self) -> Estimate:
        """Estimate frequencies (d, K) and their standard errors from the reports alone.

        Raises
        ------
        ValueError
            Nothing was reported.
        """
        return self.protocol.estimate_from(self.tally.check())

    def estimate_joint(self, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table (k_1, ..., k_w) of some attributes; Castell and LoPub only."""
        return self.protocol.estimate_joint_from(self.tally.check(), attributes)

    def to_json(self) -> str:
        """Return protocol and counts as JSON; `from_json` is the inverse."""
        counts = [[*key, count] for key, count in sorted(self.tally.counts.items())]
        return dump("aggregator", {"protocol": self.protocol.describe(), "n": self.n, "counts": counts})

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Aggregator:
        """Read what `to_json` wrote.

        Parameters
        ----------
        text : str
        protocol : RecordProtocol, optional
            The protocol, which must be the one of the text; needed if it is a class of your own, since a text never
            runs code.

        Raises
        ------
        ValueError
            The text is something else, of another version, or has impossible counts.
        """
        content = load("aggregator", text, ("protocol", "n", "counts"))
        found = from_description(content["protocol"], protocol)
        return cls(found, _tally(found, content["n"], content["counts"]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Aggregator) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]


def check_sampling(protocol: RecordProtocol) -> None:
    """Raise ValueError if a protocol of the package draws reports with more epsilon than it guarantees for a record.

    Up to about 20 for one report the two agree to six digits; above, probabilities close to 1 have too few digits.
    """
    try:
        drawn = protocol.sampled_epsilon()
    except ValueError:
        return  # a class or an oracle of the user's own: its sampling is unknown
    stated = protocol.guarantee().record
    if drawn > stated + SLACK:
        raise ValueError(f"reports have epsilon {drawn:.9g} as drawn, above {stated:.9g}: take at most 20 per report")


def _check_phases(protocol: RecordProtocol) -> None:
    if not isinstance(protocol, RecordProtocol):
        raise ValueError(
            f"{in_short(protocol)} is no protocol: build one, as corrldp.protocol('SPL', 1.0, (2, 3)) does"
        )
    if protocol.phases > 1:
        raise ValueError(ONE_PHASE)


def _tally(protocol: RecordProtocol, n: object, counts: object) -> Tally:
    """Return the tally of a document, or raise ValueError unless some reports have it."""
    users = check_integer(n, "n", 0, MOST_USERS)
    if not isinstance(counts, list):
        raise ValueError(f"counts={in_short(counts)} must be a list")
    found: Counter[Key] = Counter()
    for entry in counts:
        if not isinstance(entry, list) or not all(map(_is_count, entry)) or not entry or not entry[-1]:
            raise ValueError(f"{in_short(entry)} in counts must be integers, the last one a count >= 1")
        *place, count = entry
        key = tuple(place)
        if not protocol.admits(key) or key in found:
            name = protocol.describe()["name"]
            raise ValueError(f"{in_short(entry)} in counts names nothing that {name} reports once")
        if count > users:
            raise ValueError(f"{in_short(entry)} in counts has more reports than the {users} there are")
        found[key] = count
    tally = Tally(users, found)
    if not protocol.possible(tally):
        raise ValueError(f"counts do not add up to the n={n} reports")
    return tally


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
