"""A plan is remembered while nothing changes that decides on it; then it is made anew, as if there were no memory."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from claimaudit import fingerprint
from claimaudit.storage import read_sealed, to_json
from replication import jobs, validation  # noqa: F401 (so that no forked process imports all that they do)
from replication.project import Planned

pytestmark = pytest.mark.thorough

PATHS = [place for place in sys.path if Path(place).name != "papers"]
ASKED = [
    *(("rules",), ("homes",), ("variables",), ("products",), ("products", "jrr"), ("arithmetic",)),
    *(("job", "experiment", "jrr", "fig5"), ("job", "verdicts", "jrr"), ("job", "figure", "jrr", "fig3")),
    *(("job", "notebook", "jrr"), ("job", "report"), ("raw", "kosarak_ones"), ("fetch", "adult", "0")),
]
METADATA = "Metadata-Version: 2.1\nName: numpy\nVersion: 0.0\n"


def adding(new):
    return lambda text: text + new


CHANGES = {
    "the code of a runner": ("papers/jrr/runners/errors.py", adding("\n\nADDED = 1\n")),
    "a module that a runner imports from elsewhere": ("elsewhere/helping.py", adding("\n\nADDED = 1\n")),
    "a module that takes the place of that one": ("helping.py", adding("OTHER = 1\n")),
    "what papers share": ("papers/shared/runners/unused.py", adding("ADDED = 1\n")),
    "claims": ("papers/jrr/claims.yaml", adding("\n# a remark\n")),
    "replies appear": ("papers/jrr/replies.yaml", adding("[]\n")),
    "printed numbers": ("papers/jrr/published/fig3.csv", lambda text: text.replace("41.59", "41.60", 1)),
    "printed numbers disappear": ("papers/jrr/published/unused.csv", lambda text: None),
    "a file of settings": ("config/config.yaml", adding("\n# a remark\n")),
    "the citation": ("CITATION.cff", lambda text: text.replace("version: 0", "version: 9", 1)),
    "a library": ("elsewhere/numpy-0.0.egg-info", adding(METADATA)),
}


def _answer(root, memory, settings, variables, asked):
    """Plan as a process that has read no file of the project; if nothing is asked, only look into the memory."""
    if not asked:
        Planned.jobs = None
    fingerprint.looked_for.clear()
    for one in list(vars(fingerprint).values()):
        getattr(one, "cache_clear", lambda: None)()
    for name in [name for name in sys.modules if name.partition(".")[0] in ("jrr", "shared", "helping")]:
        del sys.modules[name]
    os.chdir(root)
    sys.path[:] = [str(root / "elsewhere"), *PATHS]
    os.environ.update(variables, CLAIMAUDIT_PROJECT=str(root))
    config = yaml.safe_load((root / "config/config.yaml").read_text()) | {"papers": ["jrr"]} | settings
    planned = Planned(root, config, [root / "config/config.yaml"], memory)
    known = bool(planned._answers)
    answers = []
    for one in asked:
        try:
            answers.append(planned.ask(*one))
        except ValueError as error:
            answers.append(str(error))
    planned.remember()
    return to_json(answers), known


def plan(root, settings=(), asked=ASKED, **variables):
    """Return the answers, and whether they were remembered."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(_answer, (root, Path("remembered"), dict(settings), variables, asked))


@pytest.fixture
def root(copy):
    root = copy.root
    (root / "CITATION.cff").write_text((Path(__file__).parents[3] / "CITATION.cff").read_text())
    (root / "elsewhere").mkdir()
    (root / "elsewhere/helping.py").write_text("ADDED = 0\n")
    (root / "papers/jrr/published/unused.csv").write_text((root / "papers/jrr/published/fig1.csv").read_text())
    runner = root / "papers/jrr/runners/errors.py"
    runner.write_text(runner.read_text().replace("import numpy as np\n", "import helping\nimport numpy as np\n", 1))
    return root


def test_whatever_changes_is_planned_anew(root):
    before, known = plan(root)
    assert not known
    assert plan(root) == (before, True)
    for name, (file, change) in CHANGES.items():
        path = root / file
        old = path.read_text() if path.exists() else None
        new = change(old or "")
        path.unlink() if new is None else path.write_text(new)
        assert not plan(root, asked=())[1], name
        path.unlink() if old is None else path.write_text(old)
        assert plan(root, asked=())[1], name


def test_settings_and_what_affects_arithmetic_count(root):
    before, _ = plan(root)
    after, known = plan(root, {"seed": 1})
    assert not known
    assert after != before
    assert not plan(root, asked=(), OPENBLAS_CORETYPE="Nehalem")[1]
    assert plan(root) == (before, True)


def test_a_commit_counts_since_the_report_names_it(root):
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], ["add", "CITATION.cff"]):
        subprocess.run([*git, *arguments], check=True)
    before, _ = plan(root)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    after, known = plan(root)
    assert not known
    assert after != before


def test_a_damaged_memory_is_ignored_and_a_task_that_is_gone_is_written_again(root):
    before, _ = plan(root)
    [memory] = (root / "remembered").glob("*.json")
    memory.write_text(memory.read_text().replace("fig5", "fig6"))
    assert plan(root) == (before, False)
    assert plan(root, asked=())[1]
    task = root / read_sealed(memory)["answers"]["job figure jrr fig3"]["task"]
    task.unlink()
    assert not plan(root)[1]
    assert task.is_file()


def test_a_mistake_is_told_each_time(copy):
    copy.replace("papers/jrr/paper.yaml", "short: JRR\n", "shrt: JRR\n")
    config = yaml.safe_load((copy.config / "config.yaml").read_text()) | {"papers": ["jrr"]}
    for _ in range(2):
        with pytest.raises(ValueError, match="shrt: unknown key; did you mean short"):
            Planned(copy.root, config, [copy.config / "config.yaml"], copy.root / "remembered")
    assert not (copy.root / "remembered").exists()
