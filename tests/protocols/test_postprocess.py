import numpy as np
import pytest

from corrldp.protocols.castell import project_to_simplex
from corrldp.protocols.postprocess import METHODS, base_cut, norm_sub, postprocess, simplex

RAW = np.array([[-0.5, 0.25, 1.25], [0.5, 0.5, np.nan]])


def test_what_each_way_does():
    np.testing.assert_array_equal(postprocess(RAW, "none"), RAW)
    np.testing.assert_array_equal(postprocess(RAW, "clip"), [[0, 0.25, 1], [0.5, 0.5, np.nan]])
    np.testing.assert_allclose(postprocess(RAW, "clip_normalise"), [[0, 0.2, 0.8], [0.5, 0.5, np.nan]])
    np.testing.assert_allclose(postprocess(RAW, "floor_normalise"), [[0, 1 / 6, 5 / 6], [0.5, 0.5, np.nan]])


def test_simplex_is_the_projection_of_each_attribute():
    rng = np.random.default_rng(1)
    raw = rng.normal(0.2, 0.5, size=(50, 2, 5))
    raw[:, 1, 3:] = np.nan
    found = simplex(raw)
    for one, estimate in zip(found, raw, strict=True):
        np.testing.assert_allclose(one[0], project_to_simplex(estimate[0]), atol=1e-12)
        np.testing.assert_allclose(one[1, :3], project_to_simplex(estimate[1, :3]), atol=1e-12)
    assert np.isnan(found[:, 1, 3:]).all()


def test_norm_sub_is_the_projection_if_positive_estimates_sum_to_one_or_more():
    rng = np.random.default_rng(2)
    raw = rng.normal(0.2, 0.5, size=(500, 6))
    raw[:, 5] = np.nan
    raw = raw[(raw > 0).any(axis=1)]
    found, enough = norm_sub(raw), np.where(raw > 0, raw, 0).sum(axis=1) >= 1
    assert 0.2 < enough.mean() < 0.8
    np.testing.assert_allclose(found[enough], simplex(raw)[enough], atol=1e-12)
    np.testing.assert_allclose(np.nansum(found, axis=1), 1)
    assert np.nanmin(found) >= 0
    np.testing.assert_array_equal(np.isnan(found), np.isnan(raw))
    np.testing.assert_allclose(norm_sub([-0.2, 0.1, 0.5]), [0, 0.3, 0.7])  # 0.4 is missing: 0.2 for each positive one


def test_base_cut_keeps_what_differs_significantly_from_zero():
    np.testing.assert_allclose(base_cut([0.1, 0.2, 0.4, np.nan], 0.1), [0, 0, 0.4, np.nan])  # threshold 2.13 errors
    absent = np.random.default_rng(3).normal(size=(20_000, 8))
    assert (base_cut(absent, 1.0) > 0).sum(axis=1).mean() == pytest.approx(0.05, abs=0.01)
    with pytest.raises(ValueError, match="base_cut needs the standard errors"):
        postprocess([0.5], "base_cut")


@pytest.mark.parametrize("how", METHODS)
def test_no_method_makes_a_distribution_worse(how):
    law = np.array([0.5, 0.3, 0.2])
    np.testing.assert_allclose(postprocess(law, how, 1e-6), law)


def test_methods_that_need_a_positive_frequency_say_so():
    for how in ("norm_sub", "clip_normalise"):
        with pytest.raises(ValueError, match="no estimated frequency"):
            postprocess([[-0.1, 0.0], [0.5, 0.5]], how)
    with pytest.raises(ValueError, match="how='round' must be one of none, clip"):
        postprocess([0.5, 0.5], "round", 0)
    np.testing.assert_allclose(simplex([-0.1, -0.3]), [0.6, 0.4])
