import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```(?:\n\nprints\n\n```\n(.*?)```)?", PAGE, re.DOTALL)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_an_example_prints_what_the_page_says(code, printed, capsys):
    exec(code, {"__name__": "example"})
    comments = re.findall(r"^ *print.*  # (.*)$", code, re.MULTILINE)
    lines = capsys.readouterr().out.splitlines()
    assert lines == (printed.splitlines() or comments)
    assert lines


def test_the_page_has_its_examples():
    assert len(EXAMPLES) == 5
