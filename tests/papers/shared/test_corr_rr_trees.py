"""Tables of a tree's edges against whole records: exact distributions of two users, errors of whole protocols."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from shared.runners.data import TreeTable
from shared.runners.synthetic import CopyModel
from support_laws import fit, smallest_p_value

from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import exact
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SMP

pytestmark = pytest.mark.thorough

# A correct program fails a test of this file with probability at most 1e-4 (seeds are fixed): under 100 p-values.
FALSE_ALARM = 1e-4 / 100

RUNS = 40_000
TREES = {
    "star": ((0, 0), 0),
    "chain": ((0, 1), 0),
    "hidden_root": ((0, 0, 0), 1),
    "hidden_chain": ((0, 1, 1), 1),
}
every_tree = pytest.mark.parametrize(("parents", "hidden"), TREES.values(), ids=TREES)


def copy_model(parents):
    return CopyModel((0.7, 0.3), 0.6, tuple((parent,) for parent in parents), "any")


def draw(parents, hidden, rng, n=2, runs=RUNS):
    model = copy_model(parents)
    return TreeTable.draw(n, model.marginal, model.transition, np.tile(parents, (runs, 1)), rng, hidden)


def law_of_record(parents, hidden):
    law = copy_model(parents).law.sum(axis=tuple(range(hidden)))
    return {record: law[record] for record in np.ndindex(law.shape)}


def counts(records):
    """Marginal counts (d, 2) of a few records, flat."""
    return tuple(np.eye(2, dtype=int)[list(records)].sum(axis=0).ravel().tolist())


@every_tree
def test_two_users_split_into_one_and_one(parents, hidden):
    """The chosen and the other user are two independent records."""
    rng = np.random.default_rng(1)
    chosen, other = draw(parents, hidden, rng).split(1, RUNS, rng)
    law = Counter()
    for (first, p), (second, q) in product(law_of_record(parents, hidden).items(), repeat=2):
        law[counts([first]) + counts([second])] += p * q
    samples = np.concatenate([table.marginals().reshape(RUNS, -1) for table in (chosen, other)], axis=1)
    assert (chosen.n, other.n) == (1, 1)
    assert fit(samples, law) > FALSE_ALARM


@every_tree
def test_two_users_draw_an_attribute_each(parents, hidden):
    """The joint distribution of all marginals and of who drew which attribute."""
    rng = np.random.default_rng(2)
    table = draw(parents, hidden, rng)
    law = law_of_pairs(law_of_record(parents, hidden), table.d)
    samples = np.concatenate([table.marginals(), table.draw_one_attribute(RUNS, rng)], axis=1).reshape(RUNS, -1)
    assert fit(samples, law) > FALSE_ALARM


def law_of_pairs(law_of_one, d):
    law = Counter()
    for (first, p), (second, q) in product(law_of_one.items(), repeat=2):
        for choice in product(range(d), repeat=2):
            drawn = np.zeros((d, 2), dtype=int)
            for record, attribute in zip((first, second), choice, strict=True):
                drawn[attribute, record[attribute]] += 1
            law[counts([first, second]) + tuple(drawn.ravel().tolist())] += p * q / d**2
    return law


def test_each_run_has_its_own_tree_and_rejects_the_other_one():
    """A star and a chain in turn."""
    parents = np.tile([[0, 0], [0, 1]], (20_000, 1))
    rng = np.random.default_rng(4)
    model = copy_model((0, 0))
    table = TreeTable.draw(2, model.marginal, model.transition, parents, rng)
    samples = np.concatenate([table.marginals(), table.draw_one_attribute(RUNS, rng)], axis=1).reshape(RUNS, -1)
    for start, tree in enumerate([(0, 0), (0, 1)]):
        law = law_of_pairs(law_of_record(tree, 0), 3)
        assert fit(samples[start::2], law) > FALSE_ALARM > fit(samples[1 - start :: 2], law)


PROTOCOLS = {
    "smp": SMP(1.0, (3,) * 4),
    "rs_fd": RSFD(1.0, (3,) * 4, amplify=True),
    "corr_rr": CorrRR(2.0, (3,) * 4, 0.3, exact),
}
PARENTS = (0, 1, 0, 2)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_errors_have_the_law_of_the_user_level(name):
    protocol, rng, by_users = PROTOCOLS[name], np.random.default_rng(5), []
    model = CopyModel((0.5, 0.3, 0.2), 0.8, tuple((parent,) for parent in PARENTS), "different")
    for _ in range(200):
        records = model.records(150, rng)[:, 1:]
        truth = RecordTable.from_records(records, protocol.sizes).frequencies()
        by_users.append(protocol.estimate(protocol.privatize(records, rng)) - truth)
    table = TreeTable.draw(150, model.marginal, model.transition, np.tile(PARENTS, (2000, 1)), rng, hidden=1)
    by_counts = protocol.simulate(table, 2000, rng) - table.frequencies()
    assert smallest_p_value(np.array(by_users), by_counts, rng) > FALSE_ALARM


def test_runs_must_be_as_many_as_data_sets():
    rng = np.random.default_rng(7)
    table = draw((0, 1), 0, rng, n=1000, runs=5)
    chosen, other = table.split(300, 5, rng)
    assert (chosen.n, other.n, table.d, table.sizes) == (300, 700, 3, (2, 2, 2))
    np.testing.assert_array_equal(chosen.marginals() + other.marginals(), table.marginals())
    for ask in (
        lambda: table.split(1, 4, rng),
        lambda: table.draw_one_attribute(4, rng),
        lambda: table.marginals_of(4),
    ):
        with pytest.raises(ValueError, match="runs=4 differ from the 5 data sets"):
            ask()
