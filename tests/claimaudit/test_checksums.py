"""A product that was edited or damaged is refused by whoever reads it, in one line that says what to do."""

import json
import re

import pytest
from written import write_text

from claimaudit.audit.summary import together_files
from claimaudit.checksums import read_sealed, sealed, verify
from claimaudit.results import verified, write_sealed

CONTENT = {"rows": [[{"mean": 0.1, "theory": None}], []], "read": ["p_step"], "standin": []}


@pytest.fixture
def path(tmp_path):
    write_sealed(tmp_path / "part.json", CONTENT)
    return tmp_path / "part.json"


def refusal(path):
    return f"^{re.escape(str(path))} .*; delete {re.escape(str(path.resolve()))} and re-run$"


def test_what_was_written_is_read_without_the_checksum(path):
    assert read_sealed(path) == CONTENT
    assert list(json.loads(path.read_text()))[-1] == "checksum"


def test_layout_and_order_of_keys_do_not_matter(path):
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert read_sealed(path) == CONTENT


def test_a_second_checksum_replaces_the_first():
    assert sealed(sealed(CONTENT)) == sealed(CONTENT)
    assert sealed({1: (2, float("nan"))})["checksum"] == sealed({"1": [2, float("nan")]})["checksum"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("0.1", "0.2"),
        lambda text: text.replace('"standin": []', '"standin": ["adult"]'),
        lambda text: text.replace("checksum", "sum"),
        lambda text: text[:-9],
        lambda text: "[]",
        lambda text: "",
    ],
)
def test_an_edited_file_is_refused(path, change):
    path.write_text(change(path.read_text()))
    with pytest.raises(ValueError, match=refusal(path)):
        read_sealed(path)


def test_a_link_is_named_with_the_file_behind_it(path):
    link = path.with_name("link.json")
    link.symlink_to(path)
    path.write_text("{}")
    with pytest.raises(
        ValueError, match=f"delete {re.escape(str(link))} and {re.escape(str(path.resolve()))} and re-run"
    ):
        read_sealed(link)


def test_a_table_fits_its_record(tmp_path):
    table = write_text("a,b\n1,2\n", tmp_path / "fig3.csv")
    assert verified(table) == table
    table.write_bytes(b"a,b\n1,3\n")
    with pytest.raises(ValueError, match=r"but its record says .*; delete .* and re-run"):
        verified(table)
    with pytest.raises(ValueError, match="but the registry says"):
        verify(table, "0", "the registry")


def test_edited_verdicts_are_not_summed_up(tmp_path):
    verdicts = tmp_path / "jrr.json"
    write_sealed(verdicts, {"claims": [], "exhibits": {}, "pools": [], "meetings": [], "causes": {}})
    together_files(None, [verdicts])
    verdicts.write_text(verdicts.read_text().replace('"claims": []', '"claims": [{}]'))
    with pytest.raises(ValueError, match=refusal(verdicts)):
        together_files(None, [verdicts])
