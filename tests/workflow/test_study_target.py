"""The target `study`: only its own data, one line if there is none, and a changed cell is a new run."""

import re

import pytest
import yaml

pytestmark = pytest.mark.end_to_end

STUDYING = "Studying my table.csv"
ROWS = ['"Dover, Kent",yes,31', "Ely,no,44", ",no,50", "Ely,yes,62.5", '"Dover, Kent",no,70']
OWN = "protocols/mine.py"
PROTOCOL = """\
from protocols.helper import Helped


class Mine(Helped):
    pass
"""
HELPER = "from corrldp import SPL as Helped\n"


@pytest.fixture(scope="module")
def studied(project):
    copy = project("study")
    (copy.root / "my table.csv").write_text("\n".join(["place,answer,age", *ROWS * 40]) + "\n")
    (copy.root / "protocols").mkdir()
    (copy.root / OWN).write_text(PROTOCOL)
    (copy.root / "protocols/helper.py").write_text(HELPER)
    settings = {
        **{"file": "my table.csv", "epsilons": [1], "protocols": ["SPL", "SMP", f"{OWN}:Mine"], "runs": 10},
        **{"columns": {"age": {"bins": [0, 40, 60, 100]}}, "tables": {"ways": [2], "sets": 1}},
    }
    (copy.root / "config/study.yaml").write_text(yaml.safe_dump(settings))
    copy.run("study")
    return copy


def with_settings(studied, **changes):
    return studied.edited("config/study.yaml", lambda text: yaml.safe_dump({**yaml.safe_load(text), **changes}))


def test_nothing_is_fetched_and_the_page_is_there(studied):
    assert not (studied.root / "data/raw").exists()
    text = (studied.root / "report/study/index.html").read_text()
    assert "A study of my table.csv" in text
    assert f"{OWN}:Mine" in (studied.root / "report/study/privacy.csv").read_text()
    assert studied.plan("study") == set()


def test_a_changed_cell_is_a_new_run(studied):
    with studied.edited("my table.csv", lambda text: text.replace("Ely,no,44", "Ely,no,43", 1)):
        assert studied.plan("study") == {STUDYING}


def test_a_changed_setting_is_a_new_run(studied):
    with with_settings(studied, columns={"age": {"bins": [0, 50, 100]}}):
        assert studied.plan("study") == {STUDYING}


def test_a_comment_is_none(studied):
    with studied.edited("config/study.yaml", lambda text: f"# Mine.\n{text}"):
        assert studied.plan("study") == set()


@pytest.mark.parametrize("module", [OWN, "protocols/helper.py", "src/corrldp/study/templates/collect.html"])
def test_an_edit_of_a_protocol_of_what_it_imports_or_of_a_template_is_a_new_run(studied, module):
    with studied.edited(module, lambda text: text + "\n\nADDED = 1\n"):
        assert studied.plan("study") == {STUDYING}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"file": None}, "config/study.yaml names no table: write file: path/to/table.csv"),
        ({"file": "none.csv"}, "config/study.yaml: there is no file none.csv; correct file"),
        ({"epsilons": [0]}, "epsilons.0: "),
        ({"protocols": ["none.py:Mine"]}, "config/study.yaml: protocols: no module 'none.py'"),
    ],
)
def test_a_mistake_is_one_line_before_anything_runs(studied, changes, message):
    with with_settings(studied, **changes):
        text = studied.run("--dry-run", "study", fails=True)
        assert len(re.findall(re.escape(message), text)) == 1
        assert "Traceback" not in text


def test_nothing_else_minds_a_mistake(studied):
    with with_settings(studied, file=None):
        assert studied.plan("figures/jrr/fig6.pdf")


def test_a_value_outside_its_domain_stops_the_run_in_one_line(studied):
    with studied.edited("my table.csv", lambda text: text.replace("Ely,no,44", "Ely,no,444", 1)):
        text = studied.run("study", fails=True)
        assert "my table.csv: row 2, column age: '444' is outside its bins, 0 to 100" in text
