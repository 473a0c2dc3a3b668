"""The copies of data sets that come with the project: which, whose bytes, under which licence, how large."""

import lzma
from hashlib import sha256
from pathlib import Path

import pytest

from claimaudit import yaml_files
from replication.data.registry import Registry
from replication.data.store import SHIPPED

ROOT = Path(__file__).resolve().parents[4]
FILES = {dataset.file: dataset for dataset in yaml_files.load(ROOT / "config/datasets.yaml", Registry).files.values()}
COPIES = sorted((ROOT / SHIPPED).glob("*.xz"))


@pytest.mark.parametrize("copy", COPIES, ids=lambda path: path.stem)
def test_a_copy_has_the_bytes_of_the_registry_and_a_licence_to_share(copy):
    entry = FILES[copy.stem]
    assert sha256(lzma.decompress(copy.read_bytes())).hexdigest() == entry.sha256
    assert entry.licence.startswith(("CC BY 4.0", "CC0"))


def test_their_authors_and_licences_are_named_beside_them():
    text = " ".join((ROOT / SHIPPED / "README.md").read_text().split())
    for copy in COPIES:
        entry = FILES[copy.stem]
        assert f"`{copy.name}`" in text
        assert entry.citation in text
        assert f"doi.org/{entry.doi}" in text or entry.doi is None
        assert entry.licence.split(":")[0] in text


def test_all_that_may_be_shared_is_there_and_small():
    """But the US Census file, which is large and fetched only on request."""
    free = {name for name, entry in FILES.items() if entry.licence.startswith("CC") and not entry.optional}
    assert {copy.stem for copy in COPIES} == free
    assert sum(copy.stat().st_size for copy in COPIES) < 2 * 2**20
