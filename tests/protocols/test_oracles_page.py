import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/oracles.md"


def test_the_page_s_example_prints_what_its_comments_say(capsys):
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    exec(code, {})
    comments = re.findall(r"^print.*  # (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == comments
    assert len(comments) == 3
