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


def test_nothing_is_fetched_and_the_page_is_there(studied):
    assert not (studied.root / "data/raw").exists()
    text = (studied.root / "report/study/index.html").read_text()
    assert "A study of my table.csv" in text
    assert f"{OWN}:Mine" in (studied.root / "report/study/privacy.csv").read_text()
    assert studied.plan("study") == set()


ADDED = "\n\nADDED = 1\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "jobs"),
    [
        ("my table.csv", "Ely,no,44", "Ely,no,43", {STUDYING}),
        ("config/study.yaml", "- 60", "- 50", {STUDYING}),
        ("config/study.yaml", "", "# Mine.\n", set()),
        (OWN, "", ADDED, {STUDYING}),
        ("protocols/helper.py", "", ADDED, {STUDYING}),
        ("src/corrldp/study/templates/collect.html", "", ADDED, {STUDYING}),
    ],
)
def test_what_the_study_rests_on_makes_it_a_new_run(studied, file, old, new, jobs):
    with studied.edited(file, lambda text: text.replace(old, new, 1) if old else text + new):
        assert studied.plan("study") == jobs


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"file": None}, "config/study.yaml names no table: write file: path/to/table.csv"),
        ({"protocols": ["none.py:Mine"]}, "config/study.yaml: protocols: no module 'none.py'"),
    ],
)
def test_a_mistake_is_one_line_before_anything_runs_and_nothing_else_minds(studied, changes, message):
    changed = lambda text: yaml.safe_dump({**yaml.safe_load(text), **changes})  # noqa: E731
    with studied.edited("config/study.yaml", changed):
        text = studied.run("--dry-run", "study", fails=True)
        assert len(re.findall(re.escape(message), text)) == 1
        assert "Traceback" not in text
        if "file" in changes:
            assert studied.plan("figures/jrr/fig6.pdf")
