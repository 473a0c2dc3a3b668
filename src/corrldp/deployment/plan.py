"""Plan a collection before there are data: of error, users and budget two are given, and the third is answered.

The squared error of an estimated frequency is, for all protocols planned here, a polynomial of degree 2 in the
frequency and depends on nothing else about the records, as their classes say (`error_of`). Three values of the exact
`expected_mse` determine it, so its maximum over all possible tables is exact as well. Only the step from a squared
error to an interval is approximate: it takes estimates to be normal.
"""

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import ndtri

from corrldp.arrays import Floats, in_short, plain
from corrldp.mechanisms.validation import check_epsilon, check_integer, check_share
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable, check_sizes
from corrldp.protocols.registry import check_name, list_protocols, protocol

LEVEL = 0.95
INTERVAL, POWER = float(ndtri((1 + LEVEL) / 2)), float(ndtri(LEVEL))
"""Standard errors in half a two-sided interval, and below which an estimate falls with probability `LEVEL`."""

FEWEST_USERS, FEWEST_PER_ATTRIBUTE = 100, 10
MOST_USERS = 10**10
LEAST_EPSILON, MOST_EPSILON = 1e-3, 16.0
"""Where answers are sought; above 16, random numbers of 53 binary digits begin to matter, see `collection`."""

PRECISION = 1e-6

NEEDS_TABLE = "neither the exact error nor a bound follows from the frequencies alone: study a table"
BIASED = "its bias alone may be larger for some records, so study a table"

Sought = Literal["error", "users", "epsilon"]

UNREACHED = {
    "epsilon": (f"no budget up to {MOST_EPSILON:g} is", "take more users, or allow a larger error"),
    "users": (f"{MOST_USERS} users are not", "take a larger budget, or allow a larger error"),
}
"""What is not enough if an answer is out of reach, and what would be, unless it is the bias."""


@dataclass(frozen=True)
class AttributePlan:
    """What to expect of one attribute, by its number and its domain size.

    `epsilon` is the largest of records that differ in this attribute only. `error` is half of a 95 % interval of an
    estimated frequency, of the given share or the largest of all shares. For `smallest_share` see `Option`; it is None
    if no share can be distinguished from 0.
    """

    attribute: int
    size: int
    epsilon: float
    error: float
    smallest_share: float | None


@dataclass(frozen=True)
class Option:
    """A protocol with its users, its budget of a whole record and its errors.

    Under the other names in `same`, estimates have the same errors. An estimated frequency lies within the `error` of
    the frequency among the users with probability 95 %, whatever the records are (normal approximation). A value that a
    `smallest_share` of the users has is distinguished from 0 with probability 95 %, by an estimate above what an absent
    value exceeds with probability 2.5 %. Both are the largest of all attributes, and of all values; `attributes` (d,)
    has each.

    The `bias` is the largest for which the error allows, which neither more users nor a larger budget reduce. Unless
    they are `exact`, squared errors are upper bounds, and users and budgets more than enough.
    """

    protocol: str
    same: tuple[str, ...]
    users: int
    epsilon: float
    error: float
    smallest_share: float | None
    attributes: tuple[AttributePlan, ...]
    bias: float
    exact: bool


@dataclass(frozen=True)
class LeftOut:
    """A protocol that the plan leaves out, and why."""

    protocol: str
    reason: str


@dataclass(frozen=True)
class Plan:
    """The answer for domains of some `sizes` (d,): protocols in order, the best first, and those left out.

    What is `sought` was not given. Of `users`, `epsilon`, `error` and `smallest_share`, those that were not given are
    None. Errors refer to a `share` of the users; None is the largest error of all shares.
    """

    sizes: tuple[int, ...]
    sought: Sought
    users: int | None
    epsilon: float | None
    error: float | None
    smallest_share: float | None
    share: float | None
    options: tuple[Option, ...]
    left_out: tuple[LeftOut, ...]

    def to_json(self) -> str:
        """Return the plan as JSON, with the names of its fields."""
        return json.dumps({"corrldp": "plan", "version": 1, **asdict(self)}, allow_nan=False)


def plan(
    sizes: Sequence[int],
    users: int | None = None,
    epsilon: float | None = None,
    error: float | None = None,
    smallest_share: float | None = None,
    share: float | None = None,
    names: Sequence[str] | None = None,
) -> Plan:
    """Rank the protocols for a collection of records with given domains: two are given, the third is answered.

    The two are of the number of `users`, from 100 or ten per attribute to 10^10; the budget `epsilon` of a whole
    record; and what is to be reached, either the `error` or the `smallest_share`, in (0, 1), see `Option`. The `sizes`
    (d,) of the domains are each >= 2. Errors refer to a `share` of the users, in [0, 1], or are by default the largest
    of all shares. The protocols are those in `names`, of `corrldp.list_protocols()`, by default all.

    If users or the budget are sought, each protocol has the smallest that reaches what is asked, and its error then.
    The budget is exact to 10^-6 of itself; where the error does not fall steadily with it (oracles that round a
    parameter, OLH and SS), a slightly smaller one may do.

    If not exactly two of users, budget and error are given, a number is out of range, or no protocol does it, it is a
    ValueError.
    """
    sizes = check_sizes(plain(sizes))
    sought = _sought(users, epsilon, error, smallest_share)
    fewest = max(FEWEST_USERS, FEWEST_PER_ATTRIBUTE * len(sizes))
    users = None if users is None else check_integer(users, "users", fewest, MOST_USERS)
    epsilon = None if epsilon is None else check_epsilon(epsilon)
    error = None if error is None else check_share(error, "error")
    smallest_share = None if smallest_share is None else check_share(smallest_share, "smallest_share")
    share = None if share is None else _check_frequency(share)
    names = list_protocols() if names is None else list(names)
    for name in names:
        check_name(name)

    def enough(one: RecordProtocol, n: int) -> bool:
        curves = curves_of(one, n)
        if error is not None:
            return max(curve.error(share) for curve in curves) <= error
        shares = [curve.smallest_share() for curve in curves]
        return all(found is not None and found <= smallest_share for found in shares)  # type: ignore[operator]

    def answer(name: str) -> Option:
        n, one = users or MOST_USERS, _closed(name, epsilon or MOST_EPSILON, sizes)
        if sought != "error" and not enough(one, n):
            what, advice = UNREACHED[sought]
            raise ValueError(f"{what} enough: {BIASED if bias_of(curves_of(one, n)) else advice}")
        if sought == "epsilon":
            one = _closed(name, _least_epsilon(lambda e: enough(_closed(name, e, sizes), n)), sizes)
        elif sought == "users":
            n = fewest + bisect_left(range(fewest, MOST_USERS), True, key=lambda n: enough(one, n))
        return _option(name, one, n, share)

    options: list[Option] = []
    left_out: list[LeftOut] = []
    for name in dict.fromkeys(names):
        try:
            options.append(answer(name))
        except ValueError as reason:
            left_out.append(LeftOut(name, str(reason)))
    if not options:
        raise ValueError(
            "; ".join(f"{one.protocol}: {one.reason}" for one in left_out[:1]) or "names=[] leave no protocol"
        )
    ordered = tuple(sorted(_merged(options), key=lambda option: _rank(option, sought, smallest_share is not None)))
    return Plan(sizes, sought, users, epsilon, error, smallest_share, share, ordered, tuple(left_out))


def _option(name: str, one: RecordProtocol, users: int, share: float | None) -> Option:
    guarantee = one.guarantee()
    if guarantee.record > one.epsilon * (1 + PRECISION):
        raise ValueError(f"over its budget: a record spends {guarantee.record:.4g} where {one.epsilon:.4g} is stated")
    curves = curves_of(one, users)
    attributes = tuple(
        AttributePlan(j, k, float(spent), curve.error(share), curve.smallest_share())
        for j, (k, spent, curve) in enumerate(zip(one.sizes, guarantee.attributes, curves, strict=True))
    )
    shares = [each.smallest_share for each in attributes if each.smallest_share is not None]
    smallest = max(shares) if len(shares) == len(attributes) else None
    error, exact = max(each.error for each in attributes), one.error_of == "frequencies"
    return Option(name, (), users, one.epsilon, error, smallest, attributes, bias_of(curves), exact)


def _merged(options: Sequence[Option]) -> list[Option]:
    """Return the options, those with the same numbers (to nine digits) as one with several names."""
    groups: dict[tuple[str, ...], list[Option]] = {}
    for option in options:
        parts = (astuple(part)[2:] for part in option.attributes)
        numbers = (option.users, option.epsilon, *(number for part in parts for number in part))
        groups.setdefault(tuple(str(number and f"{number:.9g}") for number in numbers), []).append(option)
    return [replace(first, same=tuple(one.protocol for one in others)) for first, *others in groups.values()]


def _rank(option: Option, sought: Sought, by_share: bool) -> tuple[float, ...]:
    smallest = math.inf if option.smallest_share is None else option.smallest_share
    errors = (smallest, option.error) if by_share else (option.error, smallest)
    return errors if sought == "error" else (getattr(option, sought), *errors)


def _closed(name: str, epsilon: float, sizes: tuple[int, ...]) -> RecordProtocol:
    """Build a protocol whose error, or a bound of it, is known whatever the records are."""
    one = protocol(name, epsilon, sizes)
    if getattr(one, "error_of", None) is None:
        raise ValueError(NEEDS_TABLE)
    return one


def _least_epsilon(enough: Callable[[float], bool]) -> float:
    low, high = LEAST_EPSILON, MOST_EPSILON
    if enough(low):
        return low
    while high / low > 1 + PRECISION:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _sought(users: object, epsilon: object, error: object, smallest_share: object) -> Sought:
    if error is not None and smallest_share is not None:
        raise ValueError("give the error or the smallest share, not both")
    goal = error if smallest_share is None else smallest_share
    given: dict[Sought, object] = {"error": goal, "users": users, "epsilon": epsilon}
    missing = [name for name, number in given.items() if number is None]
    if len(missing) != 1:
        raise ValueError("give exactly two of users, epsilon and error (or smallest share): the third is answered")
    return missing[0]


def _check_frequency(share: object) -> float:
    number = plain(share)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
        raise ValueError(f"share={in_short(share)} must be a share of the users, from 0 to 1")
    return float(number)


@dataclass(frozen=True)
class ErrorCurve:
    """The squared error of the estimates of one attribute as a function of the frequency: its coefficients (k,).

    A `bias` (k,) is the largest absolute one of each value's estimate, by which intervals are wider; the squared error
    is that of the rest.
    """

    constant: Floats
    linear: Floats
    square: Floats
    bias: Floats | float = 0.0

    def at(self, share: float | Floats) -> Floats:
        """Return the expected squared error (k,) of each value if this share of the users has it."""
        return self.constant + self.linear * share + self.square * share**2

    def largest(self) -> Floats:
        """Return the largest expected squared error (k,) of each value over all shares."""
        with np.errstate(divide="ignore", invalid="ignore"):
            top = np.where(self.square < 0, -self.linear / (2 * self.square), 0.0)
        inside = np.clip(np.nan_to_num(top), 0, 1)
        return np.maximum.reduce([self.at(0.0), self.at(1.0), self.at(inside)])

    def error(self, share: float | None) -> float:
        """Return half of a 95 % interval at a share, or the largest of all shares; the largest of all values."""
        squares = self.largest() if share is None else self.at(share)
        return float((self.bias + INTERVAL * np.sqrt(squares)).max())

    def smallest_share(self) -> float | None:
        """Return the least share f that is `POWER` standard errors at f above `INTERVAL` standard errors at 0.

        A bias may raise the estimate of an absent value and lower the other one.
        """
        threshold = INTERVAL * np.sqrt(self.constant) + 2 * self.bias
        quadratic = 1 - POWER**2 * self.square
        half = threshold + POWER**2 * self.linear / 2
        rest = threshold**2 - POWER**2 * self.constant
        found = (half + np.sqrt(np.maximum(half**2 - quadratic * rest, 0))) / quadratic
        largest = float(found.max())
        return largest if (quadratic > 0).all() and largest <= 1 else None


def curves_of(one: RecordProtocol, users: int) -> list[ErrorCurve]:
    """Return the squared error of each attribute's estimates, from the protocol's `expected_mse` of three tables.

    If only a bound is known, the curve is constant. Else none, half or all of the users have value 1 of every
    attribute, the others value 0. Values from 2 on differ from value 1 by a constant, if at all.
    """
    if one.error_of == "bound":
        bounds, biases = one.error_bound(users), one.bias_bound(users)  # type: ignore[attr-defined]
        none = np.zeros_like(bounds)
        return [ErrorCurve(*(part[j, :k] for part in (bounds, none, none, biases))) for j, k in enumerate(one.sizes)]
    rows = np.stack([np.zeros(one.d, dtype=np.int64), np.ones(one.d, dtype=np.int64)])
    half = users // 2
    tables = [RecordTable(rows, np.array([users - ones, ones]), one.sizes) for ones in (0, half, users)]
    absent, middle, present = (one.expected_mse(table) for table in tables)  # type: ignore[attr-defined]
    curves = []
    for j, k in enumerate(one.sizes):
        first = _through(present[j, 0], middle[j, 0], absent[j, 0], (users - half) / users)
        second = _through(absent[j, 1], middle[j, 1], present[j, 1], half / users)
        constant, linear, square = np.array([first, *[second] * (k - 1)]).T
        constant[1:] = absent[j, 1:k]
        curves.append(ErrorCurve(constant, linear, square))
    return curves


def _through(absent: float, middle: float, present: float, share: float) -> tuple[float, float, float]:
    """Return constant, linear and square coefficients, given values at 0, at a share and at 1."""
    square = ((present - absent) * share - (middle - absent)) / (share * (1 - share))
    return absent, present - absent - square, square


def bias_of(curves: Sequence[ErrorCurve]) -> float:
    """Return the largest bias of all values of all attributes."""
    return float(max(np.max(curve.bias) for curve in curves))
