"""A number means the same in whatever type it comes, or is refused in one line."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from listed_mechanisms import BUILDERS

from corrldp.arrays import plain
from corrldp.leakage import baselines, cpl, printed, total
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding
from corrldp.protocols.jrr import privacy
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse as Joint
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import protocol
from corrldp.protocols.rs_fd import amplified
from corrldp.runners.protocols import Setting
from corrldp.study.settings import StudySettings

WHOLE = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.array]
REAL = [*WHOLE, np.float16, np.float32, np.float64, np.longdouble, Fraction]
NO_NUMBERS = [np.bool_(True), True, Decimal(2), np.complex128(2), np.timedelta64(2), np.datetime64(2, "s")]
LAWS = np.array([[0.3, 0.7], [0.6, 0.4]])
TABLE = RecordTable.from_records([[0, 0], [1, 2], [1, 1]], (2, 3))

BY_BUDGET = {
    "RS+FD amplified": lambda e: protocol("RS+FD", e, (2, 3), amplify=True),
    **{name: lambda e, build=build: build(e, 4) for name, build in BUILDERS.items()},
    "amplified": lambda e: amplified(e, 3),
    "corner": lambda e: privacy.corner(10, e, 2),
    "leakage_bound": lambda e: cpl.leakage_bound(LAWS, e),
    "worst_channel": lambda e: cpl.worst_channel(LAWS, e),
    "relaxation": lambda e: cpl.relaxation(0.5, e, 0.1),
    "spl_anl": lambda e: baselines.spl_anl(3, e),
    "grf": lambda e: baselines.grf(np.eye(2), e, 0.2, "edge"),
    "its": lambda e: baselines.its(LAWS, e),
    "cbp": lambda e: baselines.cbp_of_correlation(np.eye(2), e),
    "undershoot": lambda e: baselines.undershoot([0.1], [0.4], e),
    "calibrate": lambda e: total.calibrate(lambda budget: 2 * budget, e),
    "algorithm_2": lambda e: printed.algorithm_2(LAWS, e),
    "algorithm_3": lambda e: printed.algorithm_3(lambda budget: 2 * budget, e, 3),
}
BY_SIZE = {
    "GRR": lambda k: GRR(1.0, k),
    "OUE": lambda k: UnaryEncoding.optimized(1.0, k),
    "OLH": lambda k: LocalHashing.optimal(1.0, k),
    "g": lambda g: LocalHashing(1.0, 4, g),
    "size": lambda size: SubsetSelection(1.0, 4, size),
    "RAPPOR": RAPPOR,
    "Joint": lambda k: Joint(0.9, 0.0, k),
    "LoPub": lambda h: protocol("LoPub", 1.0, (2, 3), hashes=h),
    "JRR": lambda m: protocol("JRR", 1.0, (2,), users=10, colluders=m),
    "variance": lambda n: GRR(1.0, 4).variance(0.5, n),
    "claimed_epsilon": lambda m: privacy.claimed_epsilon(Joint(0.9, -0.1), 5, m),
    "runs": lambda runs: protocol("SPL", 1.0, (2, 3)).simulate(TABLE, runs, np.random.default_rng(1)),
}


def same(one, other):
    if isinstance(one, np.ndarray | float | tuple):
        np.testing.assert_array_equal(one, other)
    else:
        assert repr(one) == repr(other).replace("epsilon=2.0", "epsilon=2")


@pytest.mark.parametrize("build", BY_BUDGET.values(), ids=BY_BUDGET)
def test_budgets_of_any_type_are_numbers_or_refused_in_one_line(build):
    """Of what takes a budget but protocols, of which `check_protocol` checks the same."""
    for kind in REAL:
        same(build(2), build(kind(2)))
    for value in [*NO_NUMBERS, Fraction(10**400), 10**400]:
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            build(value)


@pytest.mark.parametrize("build", BY_SIZE.values(), ids=BY_SIZE)
def test_integers_of_any_type(build):
    for kind in WHOLE:
        same(build(2), build(kind(2)))


def test_numbers_of_users_do_not_wrap_around():
    assert GRR(1.0, 4).variance(0.5, np.uint8(200)) == GRR(1.0, 4).variance(0.5, 200)
    assert Joint(0.9, -0.1, 3).variance(0.5, np.uint8(255)) == Joint(0.9, -0.1, 3).variance(0.5, 255)
    law = Joint(0.9, -0.1)
    assert privacy.token_epsilon(law, np.uint8(255), 3) == privacy.token_epsilon(law, 255, 3)


def test_settings():
    for kind in REAL:
        one = Setting(epsilon=(kind(2),), protocols=("SPL",), uniform={"u": {"n": 10, "sizes": (2, 2)}})
        assert type(one.epsilon[0]) in (int, float)
        assert repr(StudySettings(epsilons=(kind(2),)).epsilons) == "(2.0,)"
    for value in (np.bool_(True), True, 10**400, "2"):
        with pytest.raises(ValueError, match="epsilon"):
            Setting(epsilon=(value,), protocols=("SPL",), uniform={"u": {"n": 10, "sizes": (2, 2)}})
        with pytest.raises(ValueError, match="epsilon"):
            StudySettings(epsilons=(value,))


def test_plain_leaves_what_is_no_number():
    for value in (None, "x", np.arange(2), {"a": 1}, Decimal(1), np.timedelta64(1)):
        assert plain(value) is value
    assert repr(plain((np.uint8(1), [np.float32(0.5)], np.bool_(True)))) == "(1, [0.5], True)"


def test_masked_entries_and_lengths_of_time_are_no_numbers():
    one, rng = protocol("SPL", 1.0, (2, 3)), np.random.default_rng(1)
    masked = np.ma.array([[0, 0], [1, 2]], mask=[[0, 0], [0, 1]])
    with pytest.raises(ValueError, match="masked entries"):
        one.privatize(masked, rng)
    with pytest.raises(ValueError, match="masked entries"):
        GRR(1.0, 3).simulate(masked[1:].repeat([1, 2], axis=1)[0], 1, rng)
    for epsilon in (np.ma.masked, np.ma.array(1.0, mask=True)):
        with pytest.raises(ValueError, match="must be finite"):
            protocol("SPL", epsilon, (2, 3))
    with pytest.raises(ValueError, match=r"must be .* integer"):
        one.privatize(np.array([[0, 1]], dtype="m8[s]"), rng)
    assert one.privatize(np.ma.array([[0, 1]]), rng).shape == (1, 2)
