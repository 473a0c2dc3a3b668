"""Protocols by name: those of the package, with oracles and options, and classes of a user's own."""

import sys

import numpy as np
import pytest

import corrldp
from corrldp.protocols import names
from corrldp.protocols.corr_rr.alignment import Aligned
from corrldp.protocols.jrr.privacy import exact_epsilon
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import protocol
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SPL

OWN = """
from dataclasses import dataclass

from corrldp import SPL


@dataclass(frozen=True)
class Mine(SPL):
    factor: float = {factor}
"""


def test_the_oracle_is_named_in_brackets_or_as_an_argument():
    assert protocol("RS+FD[OUE-z]", 1.0, [2, 3]) == protocol("RS+FD", 1.0, [2, 3], "OUE-z")
    assert protocol("RS+FD[OUE-z]", 1.0, [2, 3], amplify=True) == RSFD(1.0, (2, 3), True, "OUE-z")
    assert protocol("SPL[GRR]", 1.0, [2, 3]) == SPL(1.0, (2, 3))


def test_rs_rfd_learns_its_priors_unless_it_is_given_them():
    priors = [[0.5, 0.5], [0.2, 0.3, 0.5]]
    assert isinstance(protocol("RS+RFD", 1.0, (2, 3)), TwoPhaseRSRFD)
    assert protocol("RS+RFD[OUE-r]", 1.0, (2, 3), priors=priors) == RSRFD(
        1.0, tuple(map(tuple, priors)), oracle="OUE-r"
    )


@pytest.mark.parametrize("name", ["Corr-RR", "Cond-RR"])
def test_domains_of_different_sizes_are_merged_evenly_in_order(name):
    built = protocol(name, 1.0, (2, 5))
    assert isinstance(built, Aligned)
    assert built.mappings == ((0, 1), (0, 0, 0, 1, 1))
    chosen = protocol(name, 1.0, (4, 4), mappings=((0, 0, 1, 1), (0, 1, 1, 1)))
    assert chosen.protocol.sizes == (2, 2)


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("colluders", [0, 1, 40])
def test_jrr_keeps_its_budget_exactly_and_is_more_accurate_than_plain_randomized_response(k, colluders):
    n = 1000
    jrr = protocol("JRR", 1.0, (k,), users=n, colluders=colluders)
    assert exact_epsilon(jrr.mechanism, n, colluders) <= 1.0 + 1e-9
    assert jrr.guarantee().record == pytest.approx(1.0, abs=1e-6)
    assert jrr.guarantee().record <= 1.0
    table = RecordTable.from_records(np.repeat([[0], [1]], [n - 10, 10], axis=0), (k,))
    if colluders <= 1 or k == 2:  # with many colluders Algorithm 1 gives up more than the correlation gains
        assert jrr.expected_mse(table)[0, 0] < SPL(1.0, (k,)).expected_mse(table)[0, 0]


def test_a_class_in_a_file_is_built_and_an_edited_file_is_another_class(tmp_path):
    path = tmp_path / "my_protocol.py"
    for factor in (1.0, 2.0):
        path.write_text(OWN.format(factor=factor))
        assert protocol(f"{path}:Mine", 1.0, (2, 3)).factor == factor
    assert protocol(f"{path}:Mine", 1.0, (2, 3), oracle="OUE").oracle == "OUE"


def test_entry_points_are_listed_and_built(tmp_path, monkeypatch):
    (tmp_path / "theirs.py").write_text(OWN.format(factor=3.0))
    information = tmp_path / "theirs-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[corrldp.protocols]\nTheirs = theirs:Mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    names.offered.cache_clear()
    assert "Theirs" in corrldp.list_protocols()
    assert protocol("Theirs", 1.0, (2, 3)).factor == 3.0
    assert protocol("theirs:Mine", 1.0, (2, 3)).factor == 3.0
    sys.modules.pop("theirs")
    names.offered.cache_clear()


@pytest.mark.parametrize(
    ("name", "sizes", "options", "words"),
    [
        ("SPLL", (2, 3), {}, "no protocol 'SPLL'; did you mean SPL or L-SPL?"),
        ("rsfd", (2, 3), {}, "no protocol 'rsfd'; did you mean RS+FD or RS+RFD?"),
        ("SPL[XUE]", (2, 3), {}, "SPL has no oracle 'XUE': use one of GRR"),
        ("SPL[OUE]", (2, 3), {"oracle": "SUE"}, "name the oracle once"),
        ("RS+RFD[OUE-r]", (2, 3), {}, "needs known priors"),
        ("RS+RFD", (2, 3), {"priors": [[0.5, 0.5], [0.5, 0.5]]}, "must fit sizes"),
        ("JRR", (2, 3), {}, "JRR collects one attribute"),
        ("JRR", (2,), {"colluders": 3}, "pass users=n"),
        ("SPL", (2, 3), {"amplify": True}, "not built from"),
        ("Corr-RR", (2, 3), {"rule": "best"}, "rule='best' must be one of"),
        ("Corr-RR", (2, 3), {"mappings": ((0, 1), (0, 1))}, "must give the class of each value"),
        ("LoPub", (300,), {"bits": 8}, "cannot tell"),
        ("missing.py:Mine", (2, 3), {}, "no file missing.py"),
        ("no.such.module:Mine", (2, 3), {}, "no module"),
        ("corrldp.protocols.smp:Spl", (2, 3), {}, "has no class 'Spl'"),
    ],
)
def test_mistakes_are_one_line(name, sizes, options, words):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        protocol(name, 1.0, sizes, **options)
    assert words in str(error.value)


def test_a_file_that_cannot_be_imported_says_why(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import no_such_module\n")
    with pytest.raises(ValueError, match=r"broken.py cannot be imported: ModuleNotFoundError"):
        protocol(f"{path}:Mine", 1.0, (2, 3))
    assert not [name for name in sys.modules if name.startswith("corrldp_own_broken")]
