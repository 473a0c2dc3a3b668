"""What all protocols for whole records share: a privacy budget, attributes, reports and their meaning."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, in_short, make_plain
from corrldp.mechanisms import pure
from corrldp.mechanisms.pure import RawReports, Report
from corrldp.mechanisms.validation import MOST_VALUES, ChecksGenerator, check_epsilon
from corrldp.privacy import LARGEST_DOMAIN, attribute_epsilon, epsilon_of_channel
from corrldp.protocols.documents import as_json, dump
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.names import name_of_class
from corrldp.protocols.records import check_records, check_sizes

Needs = Literal["marginals", "population", "records"]
ErrorOf = Literal["frequencies", "bound"]


@dataclass(frozen=True)
class Guarantee:
    """Epsilon of a user's report, by Definition 1 of LDP.

    The largest log-ratio of a report's probabilities under any two records, and, for each of the d `attributes`, under
    records that differ in that one only. If it is `exact`, some report attains each number, in the worst case over what
    a first phase may teach; otherwise they are upper bounds.
    """

    record: float
    attributes: tuple[float, ...]
    exact: bool = True


class RecordProtocol(ChecksGenerator):
    """A protocol by which users report records of d attributes.

    A subclass defines `privatize`, `estimate` and `simulate`. What it inherits suits reports that are codes (n, d) and
    an estimate that is a mean over reports; a protocol with other reports defines the methods from `encode` to
    `estimate_from` as well.

    Parameters
    ----------
    epsilon : float
        Privacy budget of a whole record, > 0.
    sizes : (d,)
        Domain sizes, each >= 2.

    Attributes
    ----------
    name : str
        What `corrldp.protocol` and documents call the class. Subclasses do not inherit it.
    oracles : tuple of str
        The oracles among which the user may choose.
    fewest_attributes : int
        The smallest d.
    needs : {"marginals", "population", "records"}
        What `simulate` needs to know of the users: counts of each attribute, how the attributes depend on each other,
        or a table of all records.
    error_of : {"frequencies", "bound"} or None
        What is known of the error before there are data. "frequencies": `expected_mse(table)` is exact and follows from
        the number of users and, of each value, its frequency, as a polynomial of degree 2. "bound": an upper bound
        `error_bound(n)` (d, K), aside from a bias of at most `bias_bound(n)`.

    Raises ValueError if a parameter, including those of subclasses, is outside its range.
    """

    name: ClassVar[str]
    oracles: ClassVar[tuple[str, ...]] = ()
    fewest_attributes: ClassVar[int] = 1
    needs: ClassVar[Needs] = "records"
    error_of: ClassVar[ErrorOf | None] = None

    if TYPE_CHECKING:  # in subclasses fields or properties

        @property
        def epsilon(self) -> float:
            """Privacy budget of a whole record."""

        @property
        def sizes(self) -> tuple[int, ...]:
            """Domain sizes (d,)."""

        def privatize(self, records: ArrayLike, rng: np.random.Generator) -> RawReports:
            """Perturb the `records` (n, d) of users into reports."""

    def __post_init__(self) -> None:
        make_plain(self)
        sizes = check_sizes(self.sizes, self.fewest_attributes)
        if "sizes" in getattr(self, "__dataclass_fields__", {}):
            object.__setattr__(self, "sizes", sizes)
        check_epsilon(self.epsilon)

    @property
    def d(self) -> int:
        return len(self.sizes)

    def guarantee(self) -> Guarantee:
        """Return the exact epsilon of a whole record and of each attribute, for domains of any size.

        A subclass that does not say it enumerates its `channel()`; without one, or for too many records, this is a
        ValueError.
        """
        channel = getattr(self, "channel", None)
        if channel is None:
            raise ValueError(f"{type(self).__name__} needs guarantee() or channel(): its privacy is unknown")
        if (records := math.prod(self.sizes)) > LARGEST_DOMAIN:
            what = f"a channel of {records} records is not enumerated, at most {LARGEST_DOMAIN}"
            raise ValueError(f"{type(self).__name__} needs guarantee(): {what}")
        matrix = channel()
        attributes = (attribute_epsilon(matrix, self.sizes, j) for j in range(self.d))
        return Guarantee(epsilon_of_channel(matrix), tuple(attributes))

    def bias_bound(self, n: int) -> Floats:
        """Return an upper bound (d, K) of the absolute bias of estimates from `n` users, whatever they have: here 0."""
        return np.zeros((self.d, max(self.sizes)))

    def sampled_epsilon(self) -> float:
        """Epsilon of a record as reports are drawn, with random numbers of finitely many digits.

        Exact, or an upper bound where reports are mixed; infinite if a report is possible under one record only. What
        does not depend on the record (the attribute sampled, fakes, hash keys, the synthesis from a pivot's report)
        cannot add to it. If the class does not say how it draws its reports, a ValueError.
        """
        raise ValueError(f"it is not known how {type(self).__name__} draws its reports: define sampled_epsilon")

    def deal(self, n: int, rng: np.random.Generator) -> Sequence[int | None]:
        """Return what a server deals to each of `n` users before they report: nothing, unless the protocol says so."""
        return [None] * n

    def check_user(self, token: int | None) -> None:
        """Raise ValueError unless one user can run the protocol with what others dealt: a token, or none."""
        if token is not None:
            raise ValueError(f"token={in_short(token)}: {type(self).__name__} deals no tokens; leave it out")

    def report(self, records: Integers, rng: np.random.Generator, token: int | None = None) -> list[Report]:
        """Perturb the `records` (n, d) of users into the JSON of their reports, in order; with a token, of one."""
        return self.encode(self.privatize(records, rng))

    def encode(self, reports: RawReports) -> list[Report]:
        """Return the JSON of each user's report, given what `privatize` returned."""
        return np.asarray(reports).tolist()

    def decode(self, reports: Sequence[Report]) -> RawReports:
        """Return n >= 1 reports as `privatize` returns them; a report that nobody can send is a ValueError."""
        rows = [pure.parts(report, self.d) for report in reports]
        codes = [[pure.whole(value, k) for value, k in zip(row, self.sizes, strict=True)] for row in rows]
        return np.array(codes, dtype=np.int64)

    def tally(self, reports: RawReports) -> Tally:
        """Count the reports that `privatize` returned."""
        return Tally.of_rows(check_records(reports, self.sizes))

    def admits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return len(key) == self.d and all(0 <= v < k for v, k in zip(key, self.sizes, strict=True))

    def possible(self, tally: Tally) -> bool:
        """Whether some reports have a tally, all of whose keys are admitted."""
        return tally.counts.total() == tally.n

    @property
    def most_counts(self) -> int:
        """The largest number of different keys of a tally, which bounds the memory of a server."""
        return MOST_VALUES

    def estimate(self, reports: RawReports) -> Floats:
        """Frequencies (d, K) from the reports of all users."""
        return self.estimate_from(self.tally(reports)).frequencies

    def estimate_from(self, tally: Tally) -> Estimate:
        """Estimate frequencies (d, K) and their errors; the spread of the single reports' estimates gives the errors.

        An estimate that is not defined, or no mean of those of single reports, is a ValueError.
        """
        if type(self).estimate is RecordProtocol.estimate:
            raise ValueError(f"{type(self).__name__} needs estimate(), or tally() and estimate_from()")
        rows, counts = tally.check().rows()
        frequencies = self.estimate(tally.expand(rows))
        single = np.stack([self.estimate(row[None]) for row in rows])
        mean = np.tensordot(counts / tally.n, single, 1)
        if not np.allclose(mean, frequencies, rtol=1e-9, atol=1e-9, equal_nan=True):
            raise ValueError(
                f"{type(self).__name__} needs tally() and estimate_from(): its estimate is no mean over reports"
            )
        spread = np.tensordot(counts / tally.n, (single - mean) ** 2, 1)
        return Estimate(frequencies, np.sqrt(spread / max(tally.n - 1, 1)), tally.n)

    def estimate_joint_from(self, tally: Tally, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table (k_1, ..., k_w) of some attributes; only Castell's and LoPub's tallies allow it."""
        raise ValueError(f"{type(self).__name__} keeps no joint counts: use Castell or LoPub")

    def describe(self) -> dict[str, Any]:
        """Return name, epsilon, sizes and options, from which `corrldp.protocols.registry` builds an equal protocol.

        Parameters that JSON does not know are a ValueError.
        """
        if not is_dataclass(type(self)):
            raise ValueError(f"{type(self).__name__} must be a dataclass to be written as JSON")
        options = {field.name: getattr(self, field.name) for field in fields(type(self)) if field.init}  # type: ignore[arg-type]
        oracle = options.pop("oracle", "GRR")
        name = vars(type(self)).get("name") or name_of_class(type(self))
        return {
            "name": name if oracle == "GRR" else f"{name}[{oracle}]",
            "epsilon": self.epsilon,
            "sizes": list(self.sizes),
            "options": as_json({key: value for key, value in options.items() if key not in ("epsilon", "sizes")}),
        }

    def to_json(self) -> str:
        """Return the protocol as JSON, which `corrldp.protocol_from_json` reads."""
        return dump("protocol", self.describe())
