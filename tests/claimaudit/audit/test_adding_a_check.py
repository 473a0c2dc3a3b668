"""Follow docs/adding-a-check.md literally."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from checking import LEVELS
from picked import printed_in

from claimaudit.audit.arrays import Result
from claimaudit.audit.checks import CHECKS
from claimaudit.audit.claims import load
from claimaudit.audit.judging.cases import can_fail, prepare
from claimaudit.audit.judging.decide import Known, judge
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import Context
from claimaudit.planning.claims import TableNames, unknown_names
from claimaudit.words.evidence import effect

PAGE = (Path(__file__).resolve().parents[3] / "docs/adding-a-check.md").read_text(encoding="utf-8")
CURVE = {100: 3.0, 200: 1.0, 400: 2.0, 800: 4.0}


@pytest.fixture(autouse=True)
def followed(monkeypatch):
    """The module of the page is there, and its class in the registry."""
    [source] = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    module = ModuleType("least")
    monkeypatch.setitem(sys.modules, "least", module)
    exec(source, module.__dict__)
    monkeypatch.setitem(CHECKS, module.Least.name, module.Least)


def claim(tmp_path, check):
    content = {"id": "a", "place": "Section 5", "states": "So it is.", "of": "fig3", "check": check}
    path = tmp_path / "claims.yaml"
    path.write_text(yaml.safe_dump({"sections": [{"title": "A", "claims": [content]}]}))
    return load(path, Context())[0]


@pytest.fixture
def case(simulate, rng, tmp_path):
    rows = simulate(lambda setting, *_: CURVE[setting["n"]], rng, {"n": [*CURVE]}, ["SPL"], runs=0)
    return lambda check: prepare(claim(tmp_path, check), {"fig3": Result(rows)}, printed_in(tmp_path))


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("mse_spl is least along n from 100 to 400", True),
        ("mse_spl is least along n from 200 to 200, in theory", True),
        ("mse_spl is least along n from 300 to 1e3", False),
        ("1 / mse_spl is least along n from 300 to 1e3, where n != 200", True),
    ],
)
def test_the_sentence_is_read_and_judged(case, check, holds):
    assert case(check).stated(LEVELS).holds is holds


def test_what_it_finds_has_words_and_it_can_fail(case, tmp_path):
    found = case("mse_spl is least along n from 100 to 400")
    assert can_fail(found, LEVELS)
    verdict = judge(found, "jrr", LEVELS, Known(("strict",), "none"))
    assert verdict.verdict == "reproduced"
    assert verdict.check["between"] == [100, 400]
    assert effect(verdict, verdict.stated) == "1, outside 4"


def test_mistakes_are_refused_when_it_is_read_or_planned(tmp_path):
    with pytest.raises(ConfigurationError, match=r"check: between: \[5, 2\] is empty; put the smaller number first"):
        claim(tmp_path, "mse_spl is least along n from 5 to 2")
    settings = frozenset({"n"})
    texts = {"mechanism": frozenset({"SPL"}), "metric": frozenset({"mse"})}
    table = TableNames(settings, settings, texts, [{"n": n} for n in CURVE], settings)
    [found] = unknown_names(table, claim(tmp_path, "mse_spl is least along n from 25 to 30"))
    assert found.startswith("between: no n lies from 25 to 30 (there are: 100, 200, 400,")
