"""StudySettings of a study are described in docs/study.md; a mistake in them is one line with file, line and key."""

import re
from pathlib import Path

import pytest
import yaml

from claimaudit.names import ConfigurationError
from corrldp.study.settings import StudySettings, load, parse
from corrldp.study.tables import TABLES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/study.md").read_text(encoding="utf-8")


def test_the_committed_settings_are_the_defaults_and_name_no_table():
    assert load(ROOT / "config/study.yaml") == StudySettings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epsilon: [1]", r"study\.yaml, line 1: epsilon: unknown key; .*did you mean epsilons\?"),
        ("epsilons: [1, 0]", r"line 1: epsilons\.1: "),
        ("epsilons: [1, 1]", r"epsilons=\[1\.0, 1\.0\] must be one or more different values"),
        ("columns:\n  a:\n    values: [yes, no]", r"line 3: columns\.a\.values.*write it in quotes"),
        ("columns: {a: {bins: [3, 2, 1]}}", r"columns\.a: bins=.* must be three or more increasing numbers"),
        ("columns: {a: {}}", r"columns\.a: a column needs either values or bins"),
        ("columns: {a: {values: {u: [x, y], v: [x]}}}", r"columns\.a: values name 'x' twice"),
        ("postprocess: [clip, none, norm]", r"postprocess\.2: how='norm' must be one of none, clip"),
        ("sensitive: [a]\nleave_out: [a]", r"'a' is both sensitive and left out"),
        ("protocols: [SPL, RSFD]", r"line 1: protocols\.1: no protocol 'RSFD'; did you mean RS\+FD or RS\+RFD"),
        ("a: 1\na: 2", r"study\.yaml, line 2: the key a appears twice"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, text, message):
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        load(path)


def test_every_setting_and_every_file_is_described():
    described = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.+?) \|", PAGE, re.MULTILINE))))
    assert set(StudySettings.model_fields) <= described
    assert all(f"`{name}.csv`" in PAGE for name in TABLES)


def test_the_settings_shown_are_valid():
    settings = parse(yaml.safe_load(re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]))
    assert settings.columns["region"].names == ("north", "south")
