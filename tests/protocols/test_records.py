import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.protocols.records import RecordTable, average_error

RECORDS = np.array([[0, 2], [1, 0], [0, 2], [1, 1]])


def test_table_of_records():
    table = RecordTable.from_records(RECORDS, (2, 3))
    assert table.rows.tolist() == [[0, 2], [1, 0], [1, 1]]
    assert table.counts.tolist() == [2, 1, 1]
    assert (table.n, table.d) == (4, 2)
    assert table.marginals().tolist() == [[2, 2, 0], [1, 1, 2]]
    np.testing.assert_array_equal(table.frequencies(), [[0.5, 0.5, np.nan], [0.25, 0.25, 0.5]])


@given(st.data())
def test_marginals_are_those_of_the_records(data):
    sizes = tuple(data.draw(st.lists(st.integers(2, 5), min_size=1, max_size=4)))
    record = st.tuples(*(st.integers(0, k - 1) for k in sizes))
    records = np.array(data.draw(st.lists(record, min_size=1, max_size=30)))
    table = RecordTable.from_records(records, sizes)
    assert sorted(np.repeat(table.rows, table.counts, axis=0).tolist()) == sorted(records.tolist())
    for j, k in enumerate(sizes):
        assert table.marginals()[j, :k].tolist() == np.bincount(records[:, j], minlength=k).tolist()


def test_a_table_per_run():
    table = RecordTable(RECORDS[1:], np.array([[1, 2, 3], [4, 1, 1]]), (2, 3))
    assert table.marginals().tolist() == [[[2, 4, 0], [1, 3, 2]], [[1, 5, 0], [4, 1, 1]]]
    assert table.counts_of(2).tolist() == [[1, 2, 3], [4, 1, 1]]
    assert table.marginals_of(2).shape == (2, 2, 3)


def test_average_error_is_the_mean_of_the_attributes_means():
    assert average_error([[1.0, 2.0, np.nan], [3.0, 4.0, 5.0]]) == pytest.approx((1.5 + 4) / 2)


@pytest.mark.parametrize(
    ("rows", "counts", "sizes", "message"),
    [
        ([[0, 3]], [1], (2, 3), "records reach"),
        ([[-1, 0]], [1], (2, 3), "records reach"),
        ([[0.5, 0]], [1], (2, 3), "type float64"),
        ([[0]], [1], (2, 3), r"must be \(n, 2\)"),
        ([[0, 0]], [0], (2, 3), "sum n >= 1"),
        ([[0, 0]], [-1], (2, 3), "counts from -1"),
        ([[0, 0]], [1.5], (2, 3), "counts of shape"),
        ([[0, 0]], [1, 2], (2, 3), "counts of shape"),
        ([[0, 0], [1, 1]], [[1, 1], [1, 2]], (2, 3), "one sum"),
        (np.empty((0, 2), dtype=int), [], (2, 2), "n >= 1"),
        ([[0, 0]], [1], (2, 1), "k=1"),
        ([[0, 0]], [1], (), "at least 1"),
    ],
)
def test_bad_tables(rows, counts, sizes, message):
    with pytest.raises(ValueError, match=message):
        RecordTable(np.array(rows), np.array(counts), sizes)


def test_distinct_records_are_counted_however_many_are_possible():
    rng = np.random.default_rng(1)
    codes = rng.integers(2, size=(200, 5)).astype(np.uint8)
    for records, k in ((codes, 2), (np.tile(codes, (1, 10)), 60)):  # of 60^50 possible ones
        found = RecordTable.from_records(records, (k,) * records.shape[1])
        rows, counts = np.unique(records, axis=0, return_counts=True)
        assert np.array_equal(found.rows, rows)
        assert np.array_equal(found.counts, counts)
