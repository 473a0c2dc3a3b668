"""Exact laws of the support counts of protocols that report by oracles, on small domains; and tests of fit."""

from collections import Counter, defaultdict
from itertools import combinations, product

import numpy as np
from scipy.stats import chi2_contingency, chisquare, ks_2samp

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.protocols.records import RecordTable
from corrldp.protocols.smp import SMP


def marginals_and_correlations(law):
    """Return the marginals (d, k) of a joint law (k, ..., k), and the Pearson correlations (d, d) of the codes."""
    codes, axes, weights = np.indices(law.shape).reshape(law.ndim, -1), range(law.ndim), law.ravel()
    centred = codes - (codes @ weights)[:, None]
    covariance = (centred * weights) @ centred.T
    deviations = np.sqrt(np.diag(covariance))
    marginals = [law.sum(axis=tuple(axis for axis in axes if axis != j)) for j in axes]
    return np.stack(marginals), covariance / np.outer(deviations, deviations)


def p_of_law(seen, law):
    """p-value of the chi-square test of a Counter of outcomes against their probabilities; 0 if one is impossible."""
    law = {point: chance for point, chance in law.items() if chance > 1e-12}
    if not set(seen) <= set(law):
        return 0.0
    table = np.array([(seen[point], chance * seen.total()) for point, chance in law.items()])
    rare = table[:, 1] < 10
    table = np.concatenate([table[~rare], table[rare].sum(axis=0, keepdims=True)])
    found, expected = table[table[:, 1] > 0].T
    return chisquare(found, expected * found.sum() / expected.sum()).pvalue


def fit(samples, law):
    """p-value of the chi-square test of rows of integers against {tuple: probability}."""
    return p_of_law(Counter(map(tuple, samples.tolist())), law)


def same_law(first, second, fewest=20):
    """p-value of the chi-square test that two Counters of outcomes have one law; those of fewer in all are pooled."""
    table = np.array([[first[kind], second[kind]] for kind in {*first, *second}])
    rare = table.sum(axis=1) < fewest
    table = np.concatenate([table[~rare], table[rare].sum(axis=0, keepdims=True)])
    table = table[table.sum(axis=1) > 0]
    return chi2_contingency(table, correction=False).pvalue if len(table) > 1 else 1.0


def largest_deviations(mechanism, counts, seed, runs=10_000):
    """Largest deviations of means and of variances of the estimated `counts` (k,), in standard errors."""
    n = int(np.sum(counts))
    estimates = mechanism.estimate_counts(mechanism.simulate(counts, runs, np.random.default_rng(seed)), n)
    variance = mechanism.variance_of_counts(counts, n)
    of_means = np.abs(estimates.mean(axis=0) - counts) / np.sqrt(variance / runs)
    return of_means.max(), (np.abs(estimates.var(axis=0) / variance - 1) / np.sqrt(2 / runs)).max()


def smallest_p_value(first, second, rng, directions=8):
    """Smallest KS p-value over projections of the estimates (runs, d, k) of one or all attributes, corrected."""
    axes = rng.normal(size=(directions, *first.shape[1:]))
    axes[::2, 1:] = 0
    tests = [ks_2samp(np.tensordot(first, axis, 2), np.tensordot(second, axis, 2)) for axis in axes]
    return directions * min(test.pvalue for test in tests)


def rounds(oracle):
    """Channels (k, m) of a longitudinal oracle's permanent response, and (m, m) of a report given it, as defined."""
    if hasattr(oracle, "stay"):
        return oracle.lasting.channel(), np.where(np.eye(oracle.k) == 1, oracle.stay, oracle.flip)
    outputs = np.array(list(product((0, 1), repeat=oracle.k)))
    different = (outputs[:, None] != outputs).sum(axis=-1)
    return oracle.lasting.channel(), oracle.flip**different * (1 - oracle.flip) ** (oracle.k - different)


def several_reports(oracle, reports):
    """Channel (k, m^reports) of so many reports from one permanent response."""
    first, second = rounds(oracle)
    many = second
    for _ in range(reports - 1):
        many = (many[:, :, None] * second[:, None, :]).reshape(len(second), -1)
    return first @ many


def supported(oracle):
    """Which values each report supports, (reports, k), in the order of the oracle's channel."""
    values = np.arange(oracle.k)
    if isinstance(oracle, GRR):
        return np.eye(oracle.k, dtype=int)
    if isinstance(oracle, SubsetSelection):
        return np.array([np.isin(values, chosen) for chosen in combinations(values, oracle.size)], dtype=int)
    if isinstance(oracle, LocalHashing):
        functions = np.array(list(product(range(oracle.g), repeat=oracle.k)))
        return (functions[:, None, :] == np.arange(oracle.g)[:, None]).reshape(-1, oracle.k).astype(int)
    return np.array(list(product((0, 1), repeat=oracle.k)))


def record_patterns(protocol):
    """Support of a user's report on each attribute, (outputs, d, K), and who is heard, (outputs, d)."""
    d, width = len(protocol.sizes), max(protocol.sizes)
    each = [np.pad(supported(oracle), ((0, 0), (0, width - oracle.k))) for oracle in protocol.mechanisms]
    if isinstance(protocol, SMP):
        patterns = np.zeros((sum(map(len, each)), d, width), dtype=int)
        heard = np.repeat(np.eye(d, dtype=int), list(map(len, each)), axis=0)
        patterns[heard == 1] = np.concatenate(each)
        return patterns, heard
    places = np.unravel_index(np.arange(np.prod(list(map(len, each)))), tuple(map(len, each)))
    patterns = np.stack([rows[place] for rows, place in zip(each, places, strict=True)], axis=1)
    return patterns, np.ones((len(patterns), d), dtype=int)


def one_user(protocol):
    """Pr[pattern | record] (records, distinct patterns), and the patterns with who is heard, as flat integers."""
    patterns, heard = record_patterns(protocol)
    flat, place = np.unique(np.column_stack([patterns.reshape(len(patterns), -1), heard]), axis=0, return_inverse=True)
    channel = protocol.channel()
    merged = np.zeros((len(channel), len(flat)))
    for row, chances in zip(merged, channel, strict=True):
        row += np.bincount(place.ravel(), chances, minlength=len(flat))
    return merged, flat


def estimates_of(protocol, flat):
    """Estimates (..., d, K) by the protocol from support counts and numbers of reports (..., d K + d) of all users."""
    d, width = len(protocol.sizes), max(protocol.sizes)
    flat = np.asarray(flat)
    support, heard = flat[..., : d * width].reshape(*flat.shape[:-1], d, width), flat[..., d * width :]
    if isinstance(protocol, SMP):
        return protocol.unbias(support, heard)
    n = int(heard.flat[0])
    return protocol.unbias(support, n)


def law_of_estimates(protocol, records):
    """{rounded estimates: probability} for `records` (n, d), by convolution over the users."""
    channel, flat = one_user(protocol)
    law = {(0,) * flat.shape[1]: 1.0}
    for record in np.ravel_multi_index(np.asarray(records).T, protocol.sizes):
        step = defaultdict(float)
        possible = np.flatnonzero(channel[record])
        for counts, chance in law.items():
            sums = np.asarray(counts) + flat[possible]
            for total, own in zip(map(tuple, sums.tolist()), channel[record, possible].tolist(), strict=True):
                step[total] += chance * own
        law = step
    points = estimates_of(protocol, np.array(list(law)))
    total = defaultdict(float)
    for point, chance in zip(map(key, points), law.values(), strict=True):
        total[point] += chance
    return dict(total)


def key(estimates):
    """Estimates (d, K) as a tuple that can be compared, without the places beyond a domain."""
    return tuple((np.round(estimates[~np.isnan(estimates)], 6) + 0.0).tolist())


def p_of_projections(samples, law, rng, directions=4):
    """Smallest p-value, corrected, of chi-square tests of estimates (runs, d, K) against their law.

    Outcomes are ordered by their projections on random directions and divided into classes that expect 20 runs or more.
    Zero if an outcome is impossible.
    """
    seen = Counter(map(key, samples))
    if not set(seen) <= set(law):
        return 0.0
    points, chances = np.array(list(law)), np.array(list(law.values()))
    p_values = []
    for _ in range(directions):
        order = np.argsort(points @ rng.normal(size=points.shape[1]))
        place = np.empty(len(points), dtype=int)
        place[order] = np.minimum(chances[order].cumsum() * len(samples) // 20, len(samples) // 20 - 1)
        classes = dict(zip(law, place.tolist(), strict=True))
        expected, found = defaultdict(float), Counter()
        for point, chance in law.items():
            expected[classes[point]] += chance
        for point, times in seen.items():
            found[classes[point]] += times
        p_values.append(p_of_law(found, expected))
    return directions * min(p_values)


def correlated_records(n, d, k, rng):
    """Records in which most attributes copy the first, so that assignments are strongly coupled."""
    first = rng.choice(k, size=n, p=np.arange(1, k + 1) / (k * (k + 1) / 2))
    others = [np.where(rng.random(n) < 0.7, first, rng.integers(k, size=n)) for _ in range(d - 1)]
    return np.column_stack([first, *others])


def largest_covariance_difference(first, second):
    """Largest difference of the (d k)^2 covariances of two samples of estimates, in standard errors."""
    first, second = products(first), products(second)
    error = np.sqrt(first.var(axis=0) / len(first) + second.var(axis=0) / len(second))
    return np.max(np.abs(first.mean(axis=0) - second.mean(axis=0)) / error)


def products(estimates):
    centred = (estimates - estimates.mean(axis=0)).reshape(len(estimates), -1)
    return centred[:, :, None] * centred[:, None, :]


# At most 256 covariances in each of 40 tests: a normal deviate of 6.5 has probability 8e-11.
WIDEST = 6.5


def assert_one_joint_law(protocol, records, false_alarm, rng):
    """Compare the estimates from reports of 300 runs with 3000 runs of the count level."""
    by_users = np.array([protocol.estimate(protocol.privatize(records, rng)) for _ in range(300)])
    by_counts = protocol.simulate(RecordTable.from_records(records, protocol.sizes), 3000, rng)
    assert smallest_p_value(by_users, by_counts, rng) > false_alarm
    assert largest_covariance_difference(by_users, by_counts) < WIDEST
