import numpy as np
import pytest

from corrldp.protocols.postprocess import postprocess

RAW = np.array([[-0.5, 0.25, 1.25], [0.5, 0.5, np.nan]])


def test_what_each_way_does():
    assert postprocess(RAW, "none") is RAW
    np.testing.assert_array_equal(postprocess(RAW, "clip"), [[0, 0.25, 1], [0.5, 0.5, np.nan]])
    np.testing.assert_allclose(postprocess(RAW, "clip_normalise"), [[0, 0.2, 0.8], [0.5, 0.5, np.nan]])
    np.testing.assert_allclose(postprocess(RAW, "floor_normalise"), [[0, 1 / 6, 5 / 6], [0.5, 0.5, np.nan]])


def test_errors():
    with pytest.raises(ValueError, match="how='round'"):
        postprocess(RAW, "round")
    with pytest.raises(ValueError, match="no estimated frequency"):
        postprocess([-0.1, 0.0], "clip_normalise")
