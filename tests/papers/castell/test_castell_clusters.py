"""RR-Clusters: its budget, its estimate and its clusters."""

import numpy as np
import pytest
from castell.runners.clusters import RRClusters, dependent_clusters

SIZES = (2, 3, 2)


def test_clusters_spend_epsilon_together():
    protocol = RRClusters(0.6, SIZES, ((0, 2), (1,)))
    assert protocol.epsilon == pytest.approx(sum(part.epsilon for part in protocol.parts)) == pytest.approx(1.8)
    assert [part.epsilon for part in protocol.parts] == pytest.approx([1.2, 0.6])


@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, np.nan])
def test_a_budget_out_of_range_is_refused_under_its_parameter_s_name(value):
    with pytest.raises(ValueError, match=rf"^epsilon_per_attribute={value} must be finite and > 0"):
        RRClusters(value, SIZES, ((0, 1, 2),))


def test_reports_with_a_huge_budget_are_the_truth_of_each_cluster():
    records = np.array([[0, 0, 1]] * 50 + [[1, 2, 0]] * 30 + [[0, 1, 1]] * 20)
    clusters = RRClusters(40.0, SIZES, ((2, 0), (1,)))
    expected = np.einsum("ac,b->abc", [[0, 0.7], [0.3, 0]], [0.5, 0.2, 0.3])
    estimate = clusters.estimate(clusters.privatize(records, np.random.default_rng(5)))
    np.testing.assert_allclose(estimate, expected, atol=1e-9)


def test_clusters_merge_the_most_dependent_attributes_within_their_size():
    dependence = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.1], [0.1, 0.3, 1, 0.6], [0.2, 0.1, 0.6, 1]])
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.5, 100) == ((0, 1), (2, 3))
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.5, 10) == ((0, 1), (2,), (3,))
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.25, 120) == ((0, 1, 2, 3),)
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.95, 120) == ((0,), (1,), (2,), (3,))
    with pytest.raises(ValueError, match="name each of 3 attributes once"):
        RRClusters(1.0, SIZES, ((0, 1),))
