"""Made-up papers."""

import pytest

from claimaudit.papers import validation
from claimaudit.papers.folder import Folder


@pytest.fixture
def small_paper(tmp_path):
    """Function (text of paper.yaml, printed numbers by name, views) -> the checked paper."""
    folder = Folder(tmp_path / "small")
    folder.published.mkdir(parents=True)

    def load(text, printed, views=None):
        for name, numbers in printed.items():
            (folder.published / f"{name}.csv").write_text(numbers)
        folder.paper.write_text(text)
        return validation.load(folder, views)

    return load
