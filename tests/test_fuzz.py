"""Calls of the public library with drawn arguments: a right result, or a ValueError or TypeError of one line."""

import inspect
import math
import warnings

import numpy as np
import pytest
from fuzzing import draws, odd
from listed_mechanisms import BUILDERS

import corrldp
from corrldp import dependence
from corrldp.collection import Aggregator, Client, Collection, Ledger, Memory, Reports
from corrldp.data.table import Table
from corrldp.domain import Domain
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_limit
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import list_protocols, protocol, protocol_from_json
from corrldp.protocols.two_phase import Phased

OPTIONS = ["amplify", "priors", "phase1_fraction", "rule", "mappings", "users", "colluders", "bits", "hashes", "seed"]


def calls(rng):
    """Return one use of the library, whose arguments are right or drawn."""

    def maybe(right):
        return right if rng.random() < 0.6 else odd(rng)

    def any_of(items):
        return items[rng.integers(len(items))]

    name, sizes = str(any_of(list_protocols())), (3,) if rng.random() < 0.2 else (2, 3)
    records = np.zeros((40, len(sizes)), dtype=int)

    def use_protocol():
        options = {any_of(OPTIONS): odd(rng)} if rng.random() < 0.3 else {}
        one = protocol(maybe(name), maybe(1.0), maybe(sizes), **options)
        reports = one.privatize(maybe(records), rng)
        found = one.estimate(reports if rng.random() < 0.6 else odd(rng))
        users = RecordTable.from_records(maybe(records), maybe(sizes))
        return found, one.simulate(users, maybe(2), rng)[0]

    def use_mechanism():
        one = any_of([*BUILDERS.values()])(maybe(1.0), maybe(3))
        found = one.unbias(maybe([1, 2, 3]), maybe(6)), one.variance(maybe(0.3), maybe(7))
        reports = one.privatize(maybe([0, 1, 2]), rng)
        drawn = one.simulate(maybe([1, 2, 3]), maybe(2), rng)
        return *found, one.estimate(reports if rng.random() < 0.6 else odd(rng)), drawn

    def use_client():
        one = protocol(name, 1.0, (3,) if name == "JRR" else (2, 3))
        one = one.first_phase() if isinstance(one, Phased) else one
        client = Client(maybe(one), maybe(1)) if name == "JRR" else Client(maybe(one))
        report = client.report(maybe([0] * one.d), maybe(rng))
        found = Aggregator(maybe(one)).add(maybe([report])).add([maybe(report)])
        found.add(maybe(Reports(maybe(one), maybe(np.zeros((1, one.d), dtype=int)))))
        estimates = found.merge(maybe(Aggregator.from_json(found.to_json()))).estimate()
        joint = found.estimate_joint(maybe([0, 1])) if rng.random() < 0.3 else estimates.raw
        repaired = corrldp.postprocess(maybe(joint.frequencies), maybe("simplex"))
        rows = [row[2] for row in estimates.postprocess(maybe("clip")).rows(maybe(0.9))]
        return *repaired, *joint.interval(maybe(0.9)), rows

    def use_repeatedly():
        one = protocol(maybe("L-SPL[OSUE]"), maybe(1.0), maybe((2, 3)), permanent=maybe(2.0))
        domain = Domain(maybe(("a", "b")), maybe((("x", "y"), ("u", "v", "w"))))
        started = Collection(maybe(one), maybe("0" * 32), maybe(domain))
        ledger = Ledger(maybe(5.0))
        ledger.spend(maybe(1.0), maybe("before"))
        ledger = Ledger.from_json(maybe(ledger.to_json()))
        client = Client(maybe(started), ceiling=maybe(3.0), ledger=maybe(ledger), memory=maybe(Memory(one)))
        sent = [client.report(maybe({"a": "x", "b": "w"}), rng) for _ in range(2)]
        Memory.from_json(maybe(client.memory.to_json()))
        total = Aggregator.from_json(maybe(Aggregator(started).add(maybe(sent)).to_json()))
        return list(total.estimate()[maybe("a")].values())

    def use_documents():
        one = protocol(name, 1.0, (3,) if name == "JRR" else (2, 3))
        one = one.first_phase() if isinstance(one, Phased) else one
        protocol_from_json(maybe(one.to_json()), maybe(one))
        Client(Collection.from_json(maybe(one.to_json()), maybe(None)), maybe(1 if name == "JRR" else None))
        return Aggregator.from_json(maybe(Aggregator(one).to_json()), maybe(None)).n

    def use_plan():
        users, epsilon, error = maybe(10**4), maybe(1.0), None
        if rng.random() < 0.2:
            users, error = None, maybe(0.05)
        answer = corrldp.plan(maybe((2, 3)), users, epsilon, error, names=maybe(["SPL", "SMP[OUE]"]))
        return [option.error for option in answer.options]

    def use_tables():
        table = Table(maybe(records), maybe(("a", "b")), maybe((("x", "y"), ("u", "v", "w"))))
        return table.counts(maybe(["a"])), table.subset(maybe([0])).n, table.records(maybe(slice(3))).n

    def use_measures():
        table = maybe([[1, 2], [3, 4]])
        laws = conditional(table)
        epsilon_of_channel(maybe(laws))  # rightly infinite where a report excludes a value
        measures = (dependence.cramers_v, dependence.pcc, dependence.mutual_information)
        return leakage_bound(maybe(laws), maybe(1.0)), any_of(measures)(maybe(table))

    uses = [use_protocol, use_mechanism, use_client, use_measures, use_documents, use_plan, use_tables]
    return any_of([*uses, use_repeatedly])


def finite(result):
    if isinstance(result, tuple | list):
        return all(map(finite, result))
    return not np.isinf(np.asarray(result, dtype=float)).any()


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(10))
def test_drawn_arguments_give_results_or_errors_of_one_line(part):
    count = draws(50, 500)
    right = 0
    for case in range(count):
        rng = np.random.default_rng([2, part, case])
        use = calls(rng)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                result = use()
        except (ValueError, TypeError) as error:
            message = str(error)
            assert message, (part, case, use)
            assert "\n" not in message, (part, case, use)
            assert len(message) < 1000, (part, case, use)
        except BaseException as error:
            raise AssertionError(f"part {part}, case {case}, {inspect.unwrap(use).__name__}: {error!r}") from error
        else:
            right += 1
            assert finite(result), (part, case, use, result)
    assert 0 < right < count
    assert leakage_limit(np.eye(2)) == math.inf  # an infinite result that is right
