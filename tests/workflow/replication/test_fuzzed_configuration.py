"""Random edits of configuration change the plan, or nothing, or are refused in lines that name file and line."""

import random
import re
from copy import deepcopy
from functools import cache

import pytest
import yaml
from copied import made_copy
from fuzzing import draws

from claimaudit import yaml_files
from claimaudit.names import ConfigurationError

pytestmark = pytest.mark.thorough

PAPERS = ("jrr", "castell", "corr_rr", "cpl", "corr_rr_preprint")
KINDS = (
    "config/config.yaml",
    "config/smoke.yaml",
    "config/datasets.yaml",
    "config/conclusions.yaml",
    "papers/{paper}/paper.yaml",
    "papers/{paper}/paper.yaml",
    "papers/{paper}/claims.yaml",
    "papers/{paper}/claims.yaml",
    "papers/{paper}/published/*.csv",
)
OTHERS = [None, True, "", "no such thing", "x" * 200, "{n}", -1, 0, 0.5, 1e300, 10**400, float("nan"), float("inf"), []]
OTHERS += [{}, [1, "two"], {"a": 1}, "1e-3", "__import__('os')", "n ==", "a.b", [[]], {"strict": 1, "generous": "x"}]
LINE = re.compile(r"(config|papers)/(\w+/)*\w+\.(yaml|csv)(, line \d+)?(, column [^:]*)?: \S")


def places(content, above=()):
    """Yield the place of everything inside mappings and lists."""
    inside = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in inside:
        yield (*above, key)
        yield from places(value, (*above, key))


def mutated(content, rng):
    """Return content with one entry deleted, renamed, replaced, repeated, moved or added, and what was done."""
    content = deepcopy(content)
    place = rng.choice(list(places(content)))
    holder = content
    for key in place[:-1]:
        holder = holder[key]
    last, action = place[-1], rng.choice(["delete", "rename", "add", "replace", "replace", "scale", "exchange"])
    value = holder[last]
    if action == "rename" and isinstance(holder, dict):
        entries = [(f"{key}x" if key == last else key, entry) for key, entry in holder.items()]
        holder.clear()
        holder.update(entries)
    elif action == "delete":
        del holder[last]
    elif action == "add" and isinstance(holder, dict):
        holder["no such key"] = 1
    elif action == "scale" and isinstance(value, int | float):
        holder[last] = value * rng.choice([-1, 0, 1e-9, 1e9, 1e200])
    elif action == "exchange" and len(holder) > 1:
        other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        holder[last], holder[other] = holder[other], holder[last]
    else:
        holder[last] = rng.choice(OTHERS)
    return content, f"{action} {place}"


def garbled(text, rng):
    """Return text with a line repeated, deleted or damaged, and what was done."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    action = rng.choice(["repeat", "remove", "indent", "insert"])
    if action == "repeat":
        lines.insert(at, lines[at])
    elif action == "remove":
        del lines[at]
    elif action == "indent":
        lines[at] = f"  {lines[at]}"
    else:
        column = rng.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:column] + rng.choice(list("{}[]:&*!#\"'\t\0,-?|>%@`~é0")) + lines[at][column:]
    return "\n".join(lines) + "\n", f"{action} line {at + 1}"


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A copy of the configuration, which each edit leaves as it was."""
    return made_copy(tmp_path_factory.mktemp("original"))


@pytest.fixture(scope="module")
def meaning(tmp_path_factory):
    """Function that returns what the configuration of a paper means without an edit."""
    return cache(made_copy(tmp_path_factory.mktemp("unedited")).meaning)


def plain(text, path):
    """Return the content of a text as it stood at a path, but for titles of sections, which only readers need."""
    if path.suffix == ".csv":
        return [row.split(",") for row in text.split()]
    content = yaml.safe_load(text)
    if path.name == "claims.yaml":
        return content | {"sections": [{**section, "title": ""} for section in content["sections"]]}
    return content


def edit(path, rng):
    if path.suffix == ".csv" or rng.random() < 0.3:
        return garbled(path.read_text(encoding="utf-8"), rng)
    content, done = mutated(yaml_files.read(path), rng)
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True), done


@pytest.mark.parametrize("part", range(5))
def test_an_edit_changes_the_plan_or_nothing_or_is_refused(original, meaning, part):
    for seed in range(part, draws(15, 400), 5):
        rng = random.Random(seed)
        paper = rng.choice(PAPERS)
        path = rng.choice(sorted(original.root.glob(rng.choice(KINDS).format(paper=paper))))
        smoke, text, (changed, done) = path.name == "smoke.yaml", path.read_text(encoding="utf-8"), edit(path, rng)
        path.write_text(changed, encoding="utf-8")
        try:
            now = original.meaning(paper, smoke)
        except ConfigurationError as error:
            lines = str(error).splitlines()
            assert all(LINE.match(line) and len(line) < 1000 for line in lines), (path.name, seed, done, lines)
        else:
            same = plain(changed, path) == plain(text, path)
            assert same or now != meaning(paper, smoke), f"{path.name}, {seed}: {done} changes nothing"
        finally:
            path.write_text(text, encoding="utf-8")
