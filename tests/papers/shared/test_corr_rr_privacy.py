"""Exact epsilons of the multi-attribute mechanisms."""

import numpy as np
import pytest
from picked import rows_of
from shared.runners import privacy

SETTING = {"d": [2, 3], "k": [2, 3], "epsilon": [0.5, 2], "p_y": [0, 0.4, 1], "largest_domain": 27}
MECHANISMS = {"SPL", "SMP", "RS+FD", "RS+RFD", "Corr-RR", "Cond-RR"}


@pytest.fixture(scope="module")
def found(table):
    return table(privacy.levels, SETTING, {"amplify": [False, True]})


def test_settings_with_too_many_records_are_left_out(table):
    small = table(privacy.levels, {**SETTING, "largest_domain": 8})
    assert set(zip(small["d"], small["k"], strict=True)) == {(2, 2), (3, 2)}
    assert set(small["mechanism"]) == MECHANISMS


@pytest.mark.parametrize("mechanism", sorted(MECHANISMS))
def test_whole_reports_give_exactly_the_nominal_budget(found, mechanism):
    rows = rows_of(found, amplify=False, level="record", mechanism=mechanism)
    np.testing.assert_allclose(rows["mean"], rows["epsilon"], rtol=1e-9)


def test_only_corr_rr_depends_on_p_y(found):
    keys = ["reading", "mechanism", "level", "d", "k", "epsilon"]
    varies = found.groupby(keys)["mean"].agg(np.ptp).groupby("mechanism").max() > 1e-9
    assert set(varies.index[varies]) == {"Corr-RR"}
