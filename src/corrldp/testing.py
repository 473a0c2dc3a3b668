"""Checks that a protocol keeps its contract, for tests of your own protocols.

`check_protocol(Mine)` builds the protocol from `(epsilon, sizes)` and tries everything that others rely on. Statistical
checks have fixed seeds and a stated rate of false alarms, so a correct protocol passes always or, with a probability
below 1e-4, never.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import ks_2samp, norm

from corrldp.arrays import Floats, Integers, in_short
from corrldp.collection import Aggregator, Reports
from corrldp.mechanisms.pure import RawReports
from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.privacy_tests import (
    EPSILON,
    FALSE_ALARM,
    ROUNDING,
    SIZES,
    SOME,
    Budget,
    ContractError,
    Factory,
    check_budgets,
    claim,
    dependent_records,
    epsilon_of_reports,
    phases,
)
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable
from corrldp.protocols.two_phase import Phased

RUNS = 400

NO_BUDGETS = (0, -1.0, float("nan"), float("inf"), "1", None, True, np.bool_(True), 1j, [1.0])
NUMBERS = (np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.longdouble, np.array, Fraction, Decimal)
NO_SIZES = ((), (1, 2), (0,), (2, -3), (2.0, 3.0), ("2", "3"), (True, 2), 3, None)


def check_protocol(
    factory: Factory,
    *,
    unbiased: bool = True,
    sizes: Sequence[tuple[int, ...]] = SIZES,
    budget: Budget = lambda epsilon, _: epsilon,
) -> None:
    """Check privacy, estimates, their errors, both levels, collection, JSON and bad input.

    A two-phase protocol is checked as a whole and in both of its phases.

    The budget is checked on each of `sizes` that the factory can have, the rest on the first of them. Its power:

    - more than the budget by `guarantee()`, or by a `channel()` of at most 256 records, is found for certain;
    - what the text that clients send shows of a record whatever the draw, by a longer text, say, is found for certain
      on (2, 2) or the first sizes, and on those with most attributes;
    - an overspend of 5 % that shows only in what users send is found with a probability of at least 0.99 on one of
      `sizes`, (2, 2) if it is among them: between the records (0, 0) and (1, 1), if the reports that attain epsilon = 2
      have probabilities under the two that add up to 1/8, as with GRR, SUE and OUE in SPL and SMP;
    - on the other sizes, and by local hashing, draws are fewer: twice the budget of SPL with GRR is found, or a value
      in the clear;
    - less is not promised.

    The `factory`, a class or a function of (epsilon, sizes), makes the protocol; sizes that it cannot have are a
    ValueError. Only `unbiased` estimates must have errors of mean 0 and those of `expected_mse`. Other `sizes`, of (d,)
    each, are for a factory that has none of the usual ones; small ones are enumerated. The `budget` is what a record
    may spend, a function of (epsilon, d): `corrldp.protocols.rs_fd.amplified` for amplified budgets.

    If something is wrong, it is a ContractError, whose message names the check and the numbers.
    """
    protocol = check_budgets(factory, sizes, budget)
    check_parameters(factory, protocol)
    check_numbers(factory, protocol)
    if isinstance(protocol, Phased):
        check_levels(protocol)
    for phase in phases(protocol):
        check_phase(phase, unbiased)


def check_phase(protocol: RecordProtocol, unbiased: bool = True) -> None:
    """Check a protocol that is built, of one phase."""
    check_generator(protocol)
    check_channel(protocol)
    check_reports(protocol)
    check_levels(protocol)
    if unbiased:
        check_errors(protocol)
    check_collection(protocol, unbiased)
    check_bad_input(protocol)


def check_parameters(factory: Factory, protocol: RecordProtocol) -> None:
    """Check that wrong parameters are refused in one line."""
    for epsilon in NO_BUDGETS:
        _refuses(f"epsilon={epsilon!r}", factory, epsilon, protocol.sizes)
    for sizes in NO_SIZES:
        _refuses(f"sizes={sizes!r}", factory, EPSILON, sizes)


def check_numbers(factory: Factory, protocol: RecordProtocol) -> None:
    """Check that a budget and sizes mean the same in all types of numbers, or are refused in one line."""
    expected = _law(protocol, factory(2.0, tuple(protocol.sizes)))
    kinds: tuple[Any, ...] = NUMBERS
    for kind in kinds:
        for what, epsilon, sizes in (
            ("epsilon", kind(2), tuple(protocol.sizes)),
            ("sizes", 2.0, tuple(map(kind, protocol.sizes))),
        ):
            try:
                found = factory(epsilon, sizes)
            except ValueError as error:
                claim("\n" not in str(error), f"{what} of type {kind.__name__}: the ValueError must be one line")
                continue
            same = np.array_equal(_law(protocol, found), expected, equal_nan=True)
            claim(same, f"{what} of type {kind.__name__} makes another protocol: use corrldp.arrays.plain")


def _law(shape: RecordProtocol, protocol: RecordProtocol) -> Floats:
    table, rng = RecordTable.from_records(dependent_records(shape.sizes), shape.sizes), np.random.default_rng(9)
    drawn = _simulate(protocol, table, 2, rng)
    stated = protocol.guarantee()
    return np.concatenate([np.ravel(drawn), [stated.record, *stated.attributes, protocol.epsilon]])


def check_generator(protocol: RecordProtocol) -> None:
    """Check that all chance comes from the generator that is passed in, and that records stay as they are."""
    records = dependent_records(protocol.sizes)
    given = records.copy()
    reports = [_coded(protocol, given, np.random.default_rng(13)) for _ in range(2)]
    claim(np.array_equal(given, records), "privatize changes the records that it is given")
    claim(reports[0] == reports[1], "privatize with the same generator in the same state gives other reports")
    table = RecordTable.from_records(records, protocol.sizes)
    one, other = (_simulate(protocol, table, 2, np.random.default_rng(13)) for _ in range(2))
    claim(
        np.array_equal(one, other, equal_nan=True),
        "simulate with the same generator in the same state gives other estimates",
    )


def check_channel(protocol: RecordProtocol) -> None:
    """Check that the channel is a distribution for each record, with the epsilons of `guarantee()`."""
    guarantee = protocol.guarantee()
    claim(guarantee.record > 0 and len(guarantee.attributes) == protocol.d, f"guarantee {guarantee} is incomplete")
    if not hasattr(protocol, "channel"):
        return
    channel = protocol.channel()
    claim(len(channel) == np.prod(protocol.sizes), f"channel of {len(channel)} records")
    claim(bool((channel >= 0).all()) and np.allclose(channel.sum(axis=1), 1), "a row of channel() is no distribution")
    found = [epsilon_of_channel(channel), *(attribute_epsilon(channel, protocol.sizes, j) for j in range(protocol.d))]
    for exact, stated in zip(found, (guarantee.record, *guarantee.attributes), strict=True):
        claim(exact <= stated + ROUNDING, f"the channel has epsilon {exact:.6g}, above the guarantee {stated:.6g}")
        claim(
            not guarantee.exact or exact >= stated - ROUNDING, f"the guarantee {stated:.6g} is not exact: {exact:.6g}"
        )


def check_reports(protocol: RecordProtocol) -> None:
    """Check that reports on two records are as alike as guaranteed, by what users send, not by what `channel` says."""
    guarantee, last = protocol.guarantee(), protocol.d - 1
    for attribute, epsilon in ((None, guarantee.record), (last, guarantee.attributes[last])):
        shown = epsilon_of_reports(protocol, epsilon, SOME, np.random.default_rng(1), attribute)
        where = "records" if attribute is None else f"records that differ in attribute {attribute}"
        claim(np.isnan(shown), f"{where} show an epsilon of about {shown:.3g}, more than epsilon={epsilon:.4g}")


def check_levels(protocol: RecordProtocol) -> None:
    """Check that estimates of perturbed users and simulated estimates have one distribution."""
    records = dependent_records(protocol.sizes)
    table, rng = RecordTable.from_records(records, protocol.sizes), np.random.default_rng(2)
    users = np.stack([protocol.estimate(protocol.privatize(records, rng)) for _ in range(RUNS)])
    counted = _simulate(protocol, table, RUNS, rng)
    claim(users.shape == counted.shape, f"simulate gives {counted.shape} but estimate {users.shape[1:]} in each run")
    for j, k in enumerate(protocol.sizes):
        for v in range(k):
            p = ks_2samp(users[:, j, v], counted[:, j, v]).pvalue
            claim(p > FALSE_ALARM, f"users and simulate differ in frequency {v} of attribute {j}: p = {p:.2g}")


def check_errors(protocol: RecordProtocol) -> None:
    """Check that simulated estimates have the true mean and, if there is a closed form, its squared error."""
    table, rng = RecordTable.from_records(dependent_records(protocol.sizes), protocol.sizes), np.random.default_rng(3)
    truth, runs = table.frequencies(), 4 * RUNS
    errors = _simulate(protocol, table, runs, rng) - truth
    reach = norm.isf(FALSE_ALARM / 2)
    spread = errors.std(axis=0) / np.sqrt(runs)
    claim(
        bool((np.abs(errors.mean(axis=0)) <= reach * spread + ROUNDING)[~np.isnan(truth)].all()),
        f"estimates are biased by {np.nanmax(np.abs(errors.mean(axis=0))):.3g}",
    )
    closed_form = protocol.error_of != "frequencies" or hasattr(protocol, "expected_mse")
    claim(closed_form, "error_of = 'frequencies' needs expected_mse(table)")
    if hasattr(protocol, "expected_mse"):
        closed, squares = protocol.expected_mse(table), errors**2
        noise = reach * squares.std(axis=0) / np.sqrt(runs)
        apart = np.abs(squares.mean(axis=0) - closed) > noise
        claim(not apart[~np.isnan(truth)].any(), f"squared errors differ from expected_mse, {closed.tolist()}")


def check_collection(protocol: RecordProtocol, unbiased: bool = True) -> None:
    """Check that reports of single users, as JSON, add up to the protocol's estimate, wherever they are added."""
    records, rng = dependent_records(protocol.sizes), np.random.default_rng(4)
    reports = [json.loads(report) for report in _coded(protocol, records, rng)]
    parts = [Aggregator(protocol).add(reports[start::3]) for start in range(3)]
    parts = [Aggregator.from_json(part.to_json(), protocol) for part in parts]
    whole = Aggregator(protocol).add(reports)
    a, b, c = parts
    for merged in (a.merge(b).merge(c), a.merge(b.merge(c)), c.merge(a).merge(b)):
        claim(merged == whole and merged.n == len(records), "merged aggregators differ from one that got all reports")
    estimate, again = whole.estimate().raw, a.merge(b).merge(c).estimate().raw
    claim(np.array_equal(estimate.frequencies, again.frequencies, equal_nan=True), "merged estimates differ")
    expected = protocol.estimate(protocol.decode(reports))
    claim(
        np.allclose(estimate.frequencies, expected, rtol=1e-9, atol=1e-9, equal_nan=True),
        "the aggregator's estimate is not the protocol's",
    )
    if unbiased:
        check_standard_errors(protocol)


def check_standard_errors(protocol: RecordProtocol) -> None:
    """Check that standard errors from the reports alone are those of the estimates, within a factor of 1.5."""
    records, rng = dependent_records(protocol.sizes), np.random.default_rng(5)
    truth = RecordTable.from_records(records, protocol.sizes).frequencies()
    reports = (Reports.draw(protocol, records, rng) for _ in range(RUNS // 2))
    estimates = [Aggregator(protocol).add(one).estimate().raw for one in reports]
    errors = np.stack([estimate.frequencies - truth for estimate in estimates])
    stated = np.stack([estimate.standard_errors for estimate in estimates])
    ratio = np.sqrt((errors**2).mean(axis=0) / (stated**2).mean(axis=0))[~np.isnan(truth)]
    claim(bool((ratio < 1.5).all() and (ratio > 1 / 1.5).all()), f"errors are {ratio} times the standard errors")


def check_bad_input(protocol: RecordProtocol) -> None:
    """Check that unfit records, reports and populations are refused in one line."""
    rng, d, sizes = np.random.default_rng(6), protocol.d, np.array(protocol.sizes)
    good = dependent_records(protocol.sizes)[:3]
    for what, records in _no_records(good, sizes):
        _refuses(f"privatize of {what}", protocol.privatize, records, rng)
    larger = tuple((sizes + 1).tolist())
    table = RecordTable.from_records(dependent_records(larger), larger)
    fitting = RecordTable.from_records(good, protocol.sizes)
    simulate = partial(_simulate, protocol)
    _refuses("simulate of a population with larger domains", simulate, table, 2, rng)
    if hasattr(protocol, "expected_mse"):
        _refuses("expected_mse of a population with larger domains", protocol.expected_mse, table)
    for runs in (0, -1, 1.5, "2"):
        _refuses(f"simulate of runs={runs!r}", simulate, fitting, runs, rng)
    for none in (None, 0, np.random, np.random.RandomState(0)):
        _refuses(f"simulate with rng={none!r}", simulate, fitting, 2, none)
        _refuses(f"privatize with rng={none!r}", protocol.privatize, good, none)
    for what, reports in _no_reports(protocol.privatize(good, rng), d):
        _refuses(f"estimate of {what}", protocol.estimate, reports)
    wrong: list[Any] = [None, "x", {}, [[]], [None] * (d + 1), -1]
    for report in wrong:
        _refuses(f"add of the report {report!r}", Aggregator(protocol).add, [report])
    _refuses("an estimate from nothing", Aggregator(protocol).estimate)


def _no_records(good: Integers, sizes: Integers) -> Iterator[tuple[str, Any]]:
    for j, k in enumerate(sizes):
        for code in (-1, k):
            wrong = good.copy()
            wrong[1, j] = code
            yield f"code {code} of attribute {j}", wrong
    yield "no records", good[:0]
    yield "a column too many", np.column_stack([good, good[:, 0]])
    yield "a single record without brackets", good[0]
    yield "fractions", good + 0.5
    yield "text", good.astype(str)
    yield "NaN", np.where(good == good[0, 0], np.nan, good)
    yield "rows of different lengths", [good[0].tolist(), [0] * (len(sizes) + 1)]
    yield "nothing", None


def _no_reports(good: RawReports, d: int) -> Iterator[tuple[str, RawReports]]:
    yield "nothing", None
    yield "a number", 3
    yield "text", "reports"
    if isinstance(good, np.ndarray):
        yield "no reports", good[:0]
        yield "a column too many", np.column_stack([good, good[:, 0]])
        yield "a column too few", good[:, :-1]
        yield "negative codes", -1 - good.astype(np.int64)
        yield "codes beyond the domain", good + 100
        yield "fractions", good + 0.5
    elif isinstance(good, list):
        yield "an attribute too few", good[:-1]
        yield "an attribute too many", [*good, good[0]]
        yield "attributes by different users", [good[0][:-1], *good[1:]] if d > 1 else good[:0]
        yield "too wide a report", [np.column_stack([part, np.atleast_1d(part)]) for part in good]
    elif isinstance(good, dict):
        yield "an unknown attribute", {d: next(iter(good.values()))}
        yield "attribute -1", {-1: next(iter(good.values()))}
        yield "too wide a report", {j: np.column_stack([part, part]) for j, part in good.items()}


def _coded(protocol: RecordProtocol, records: Integers, rng: np.random.Generator) -> list[str]:
    """Return the reports of users, as clients send them, as JSON; JRR's users are paired first."""
    return [json.dumps(report, allow_nan=False) for report in protocol.encode(protocol.privatize(records, rng))]


def _simulate(protocol: Any, table: Any, runs: Any, rng: Any) -> Floats:  # noqa: ANN401 (wrong ones, too)
    estimates: Floats = protocol.simulate(table, runs, rng)
    return estimates


def _refuses(what: str, call: Callable[..., object], *given: object) -> None:
    try:
        result = call(*given)
    except ValueError as error:
        claim("\n" not in str(error) and bool(str(error)), f"{what}: the ValueError must be one line, not {error}")
    except Exception as error:
        raise ContractError(f"{what}: {type(error).__name__} instead of a ValueError: {error}") from error
    else:
        raise ContractError(f"{what} must be a ValueError, but it gives {in_short(result)}")
