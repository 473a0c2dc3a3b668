"""The example and the table of settings in docs/study.md are true."""

import re
from pathlib import Path

import yaml

from corrldp.study.names import TABLES
from corrldp.study.settings import Settings, parse

TEXT = (Path(__file__).parents[2] / "docs/study.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(capsys):
    code, printed = re.search(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", TEXT, re.DOTALL).groups()
    exec(code, {})
    assert capsys.readouterr().out.split() == printed.split()


def test_every_setting_and_every_file_is_described():
    described = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.+?) \|", TEXT, re.MULTILINE))))
    assert set(Settings.model_fields) <= described
    assert all(f"`{name}.csv`" in TEXT for name in TABLES)


def test_the_settings_shown_are_valid():
    settings = parse(yaml.safe_load(re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)[1]))
    assert settings.columns["region"].names == ("north", "south")
