"""A client: it perturbs the record of one user, within what the user may spend, and keeps what must last."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from corrldp.arrays import as_array, in_short
from corrldp.collection.collection import Collection
from corrldp.domain import Answer
from corrldp.mechanisms.pure import Report
from corrldp.mechanisms.validation import check_epsilon, check_generator, check_integer
from corrldp.protocols.documents import MOST_USERS, dump, load, text
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import as_records, check_records
from corrldp.protocols.registry import from_description
from corrldp.protocols.smp import Memoised

ROUNDING = 1e-9
SLACK = 1e-6
KEYS = ("protocol", "attributes", "responses")


class Ledger:
    """Epsilon spent by one user, each amount for what it was spent on, and a ceiling > 0 on the sum.

    Budgets are added as the decimal numbers that they print as, so three times 0.1 is 0.3. The sum bounds what all
    reports together reveal about the user, if everything that leaves the device is entered.
    """

    def __init__(self, ceiling: float) -> None:
        self.ceiling = check_epsilon(ceiling, "ceiling")
        self.entries: Counter[tuple[str, float]] = Counter()

    @property
    def spent(self) -> float:
        return float(self._sum())

    @property
    def left(self) -> float:
        """What may still be spent, 0 or more."""
        return max(0.0, float(exactly(self.ceiling) - self._sum()))

    def spend(self, epsilon: float, purpose: str) -> None:
        """Enter an amount `epsilon` > 0 for a `purpose`, the id of a collection or any other name.

        If the sum would exceed the ceiling, it is a ValueError, and nothing is entered.
        """
        amount, purpose = check_epsilon(epsilon), text(purpose, "purpose")
        if self._sum() + exactly(amount) > exactly(self.ceiling):
            raise ValueError(
                f"epsilon={amount:.6g} for {in_short(purpose)} is more than the {self.left:.6g} that is left of the "
                f"ceiling {self.ceiling:.6g}: nothing is reported"
            )
        self.entries[purpose, amount] += 1

    def to_json(self) -> str:
        """Return ceiling and entries as JSON; `from_json` is the inverse."""
        spent = [[purpose, epsilon, times] for (purpose, epsilon), times in sorted(self.entries.items())]
        return dump("ledger", {"ceiling": self.ceiling, "spent": spent})

    @classmethod
    def from_json(cls, document: str) -> Ledger:
        """Read what `to_json` wrote; anything else, or a damaged text, is a ValueError."""
        content = load("ledger", document, ("ceiling", "spent"))
        found = cls(content["ceiling"])
        if not isinstance(content["spent"], list):
            raise ValueError(f"spent={in_short(content['spent'])} must be a list")
        for entry in content["spent"]:
            if not isinstance(entry, list) or len(entry) != 3:
                raise ValueError(f"{in_short(entry)} in spent must be a purpose, an epsilon and how often")
            purpose, epsilon, times = entry
            key = text(purpose, "purpose"), check_epsilon(epsilon)
            found.entries[key] += check_integer(times, "how often", 1, MOST_USERS)
        return found

    def _sum(self) -> Fraction:
        return sum((exactly(epsilon) * times for (_, epsilon), times in self.entries.items()), Fraction(0))


def exactly(epsilon: float) -> Fraction:
    """Return the decimal number as which a float prints."""
    return Fraction(repr(epsilon))


def epsilon_of_use(protocol: RecordProtocol) -> float:
    """Return what one record spends on a protocol: by one report, or by all reports if it is memoised.

    Sums of the budgets of attributes may differ from the protocol's budget by rounding; then it is the budget.
    """
    if isinstance(protocol, Memoised):
        spent, budget = protocol.guarantee_after(math.inf).record, protocol.permanent
    else:
        spent, budget = protocol.guarantee().record, protocol.epsilon
    return budget if math.isclose(spent, budget, rel_tol=ROUNDING) else spent


class Memory:
    """Which attributes a user of a memoised protocol reports in every round, and the permanent response to each value.

    It has the user's values in the clear: it must not leave the device.
    """

    def __init__(self, protocol: RecordProtocol) -> None:
        if not isinstance(protocol, Memoised):
            raise ValueError(f"{type(protocol).__name__} keeps no responses: take L-SPL or L-SMP for repeated reports")
        self.protocol = protocol
        self.attributes: list[int] = []
        self.responses: dict[tuple[int, int], Report] = {}

    @property
    def spent(self) -> float:
        return sum(self.protocol.rounds[j].permanent for j, _ in self.responses)

    def price(self, record: Sequence[int]) -> float:
        """Return what the responses spend that a report on a `record` (d,) of codes needs and that are not there."""
        if not self.attributes:
            return self.protocol.permanent
        missing = [j for j in self.attributes if (j, record[j]) not in self.responses]
        return min(self.protocol.permanent, sum(self.protocol.rounds[j].permanent for j in missing))

    def report(self, record: Sequence[int], rng: np.random.Generator) -> Report:
        """Return a report on a `record` (d,) of codes, as JSON has it, and draw and keep the responses it needs."""
        as_records([record], self.protocol.sizes)
        if not self.attributes:
            self.attributes = self.protocol.reported(rng)
        reports = [self._one(j, record[j], rng) for j in sorted(self.attributes)]
        return reports if self.protocol.all_reported else [*self.attributes, *reports]

    def _one(self, attribute: int, value: int, rng: np.random.Generator) -> Report:
        oracle, key = self.protocol.rounds[attribute], (attribute, value)
        if key not in self.responses:
            [self.responses[key]] = oracle.encode(oracle.remember([value], rng))
        [report] = oracle.encode(oracle.repeat(oracle.decode([self.responses[key]]), rng))
        return report

    def to_json(self) -> str:
        """Return the memory as JSON; `from_json` is the inverse."""
        responses = [[*key, response] for key, response in sorted(self.responses.items())]
        content = {"protocol": self.protocol.describe(), "attributes": self.attributes, "responses": responses}
        return dump("memory", content)

    @classmethod
    def from_json(cls, text: str) -> Memory:
        """Read what `to_json` wrote; anything else, or a damaged text, is a ValueError."""
        content = load("memory", text, KEYS)
        found, attributes = cls(from_description(content["protocol"])), content["attributes"]
        protocol = found.protocol
        if not isinstance(attributes, list) or not isinstance(content["responses"], list):
            raise ValueError("attributes and responses must be lists")
        found.attributes = [check_integer(j, "attribute", 0, protocol.d - 1) for j in attributes]
        if attributes and not len({*attributes}) == len(attributes) == (protocol.d if protocol.all_reported else 1):
            raise ValueError(f"attributes={in_short(attributes)} must be those that a user reports, each once")
        for entry in content["responses"]:
            if not isinstance(entry, list) or len(entry) != 3 or entry[0] not in found.attributes:
                raise ValueError(f"{in_short(entry)} in responses must be an attribute, a value and a response")
            j, value, response = check_integer(entry[0], "attribute", 0, protocol.d - 1), *entry[1:]
            found.responses[j, check_integer(value, "value", 0, protocol.sizes[j] - 1)] = response
            protocol.rounds[j].decode([response])
        return found


class Client:
    """Perturbs the record of one user: it has the parameters of a protocol and returns what may leave the device.

    Of a two-phase protocol it runs one of the phases. The `token` is what the server dealt to the user, see `JRR.deal`;
    other protocols have none. The `ceiling` is the most that the user allows a protocol to spend: by one report or, if
    it is memoised, by all of them.

    In the `ledger` each report is entered before it is drawn; one that exceeds the ledger's ceiling is refused. A
    memoised protocol enters its permanent responses, which are in the `memory`, by default a new one; without a ledger
    they may spend up to `ceiling`, by default as much as those of one record.

    A protocol that has two phases or exceeds the ceiling, a missing token, the memory of another protocol, or a budget
    so large that reports as drawn, with numbers of 53 binary digits, spend more than the guarantee says, is a
    ValueError.
    """

    def __init__(
        self,
        protocol: RecordProtocol | Collection,
        token: int | None = None,
        *,
        ceiling: float | None = None,
        ledger: Ledger | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.collection = Collection.of(protocol)
        self.protocol = self.collection.protocol
        self.protocol.check_user(token)
        check_sampling(self.protocol)
        if ceiling is not None and (spent := epsilon_of_use(self.protocol)) > check_epsilon(ceiling, "ceiling"):
            reports = "all reports on a record spend" if isinstance(self.protocol, Memoised) else "a report spends"
            words = f"{reports} epsilon={spent:.6g}, above the user's ceiling {ceiling:.6g}"
            raise ValueError(f"{words}: nothing is reported")
        if not isinstance(ledger, Ledger | None):
            raise ValueError(f"ledger={in_short(ledger)} must be a Ledger of what the user has spent")
        self.token, self.ledger = token, ledger
        self.memory = _memory(self.protocol, memory)
        if self.memory is not None and ledger is None:
            self.ledger = Ledger(self.memory.protocol.permanent if ceiling is None else ceiling)
            if self.memory.spent:
                self.ledger.entries["the responses in the memory", self.memory.spent] = 1

    def report(self, record: Sequence[int] | Mapping[str, Answer], rng: np.random.Generator) -> Report:
        """Return the report on a record, as JSON has it, in its envelope if the collection has an id.

        The `record` has the code of each attribute (d,) or, if the collection has names, the value of each by name, or
        a number in a bin. On a user's device, `rng` is `corrldp.deployment_rng()`; in experiments a seeded one. A
        record that does not fit the domains, too little left in the ledger, or no generator, is a ValueError.
        """
        check_generator(rng)
        values = as_array(self.collection.codes(record))
        if values.ndim != 1:
            raise ValueError(f"record={in_short(record)} must be the {self.protocol.d} codes of one user")
        if self.ledger is not None:
            codes = check_records(values[None], self.protocol.sizes)[0].tolist()
            price = epsilon_of_use(self.protocol) if self.memory is None else self.memory.price(codes)
            if price:
                self.ledger.spend(price, self.collection.id or self.protocol.describe()["name"])
            if self.memory is not None:
                return self.collection.seal(self.memory.report(codes, rng))
        [report] = self.protocol.report(values[None], rng, self.token)
        return self.collection.seal(report)

    def reports(
        self, records: Sequence[Sequence[int] | Mapping[str, Answer]], rng: np.random.Generator
    ) -> list[Report]:
        """Return the report on each of at least one record, in their order, as `report` draws them; faster.

        Reports are drawn one by one where there is a token, a ledger or a memory.
        """
        if self.token is not None or self.ledger is not None:
            return [self.report(record, rng) for record in records]
        check_generator(rng)
        codes = check_records([self.collection.codes(record) for record in records], self.protocol.sizes)
        return [self.collection.seal(report) for report in self.protocol.report(codes, rng)]

    def to_json(self) -> str:
        """Return the protocol or the collection as JSON, without what is the user's; `from_json` is the inverse."""
        return self.collection.to_json()

    @classmethod
    def from_json(cls, text: str, protocol: RecordProtocol | None = None) -> Client:
        """Read what `to_json` of a client, a protocol or a collection wrote; `protocol`: see `Collection.from_json`."""
        return cls(Collection.from_json(text, protocol))


def check_sampling(protocol: RecordProtocol) -> None:
    """Raise ValueError if a protocol of the package draws reports with more epsilon than it guarantees for a record.

    Up to about 20 for one report the two agree to six digits; above, probabilities close to 1 have too few digits.
    """
    if isinstance(protocol, Memoised):
        check_sampling(protocol.lasting)
    try:
        drawn = protocol.sampled_epsilon()
    except ValueError:
        return  # a class or an oracle of the user's own: its sampling is unknown
    stated = protocol.guarantee().record
    if drawn > stated + SLACK:
        raise ValueError(f"reports have epsilon {drawn:.9g} as drawn, above {stated:.9g}: take at most 20 per report")


def _memory(protocol: RecordProtocol, memory: Memory | None) -> Memory | None:
    if not isinstance(protocol, Memoised):
        if memory is not None:
            raise ValueError(f"{type(protocol).__name__} keeps no responses: leave the memory out")
        return None
    if memory is None:
        return Memory(protocol)
    if not isinstance(memory, Memory):
        raise ValueError(f"memory={in_short(memory)} must be a Memory of the user's permanent responses")
    if memory.protocol != protocol:
        raise ValueError(f"the memory is of {memory.protocol.describe()}, not of {protocol.describe()}")
    return memory
