import numpy as np
import pytest

from corrldp.protocols.postprocess import METHODS, Method
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD

SIZES = (2, 4, 3)


def test_uniform_priors_are_rs_fd():
    rows = np.stack(np.unravel_index(np.arange(24), SIZES), axis=1)
    table = RecordTable(rows, np.arange(1, 25) * 200, SIZES)
    uniform = tuple((1 / k,) * k for k in SIZES)
    np.testing.assert_array_equal(RSFD(1.0, SIZES).channel(), RSRFD(1.0, uniform).channel())
    np.testing.assert_array_equal(RSFD(1.0, SIZES).expected_mse(table), RSRFD(1.0, uniform).expected_mse(table))


def test_priors_must_become_probabilities(monkeypatch):
    with pytest.raises(ValueError, match="repair='none' must be one of clip_normalise, floor_normalise"):
        TwoPhaseRSRFD(1.0, (2, 2), 0.5, repair="none")
    weighted = Method("simplex by variances", METHODS["simplex"].apply, normalises=True, needs_errors=True)
    monkeypatch.setitem(METHODS, "weighted", weighted)
    with pytest.raises(ValueError, match="repair='weighted' must be one of clip_normalise"):
        TwoPhaseRSRFD(1.0, (2, 2), 0.5, repair="weighted")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((lambda prior=prior: RSRFD(1.0, (prior, (0.5, 0.5))), "sum to 1") for prior in ((0.5, 0.6), (-0.1, 1.1))),
        *((lambda share=share: TwoPhaseRSRFD(1.0, (2, 2), share), "phase1_fraction") for share in (0.0, 1.0, -0.1)),
        (
            lambda: TwoPhaseRSRFD(1.0, (2, 2), 0.1).privatize(np.zeros((3, 2), dtype=int), np.random.default_rng()),
            "leaves a phase empty",
        ),
    ],
)
def test_mistakes(call, words):
    with pytest.raises(ValueError, match=words):
        call()
