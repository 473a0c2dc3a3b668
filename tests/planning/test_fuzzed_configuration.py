"""Random edits of configuration: each gives a valid plan or lines that name file and line; what is wrong is refused.

`CORRLDP_EDITS` sets the number of edits of each kind, 20 by default.
"""

import os
import random
import re
from copy import deepcopy

import pytest
import yaml

from claimaudit import configuration

EDITS = int(os.environ.get("CORRLDP_EDITS", "20"))
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
    "papers/{paper}/coverage.yaml",
)
OTHERS = [None, True, "", "no such thing", "x" * 200, "{n}", -1, 0, 0.5, 1e300, 10**400, float("nan"), float("inf"), []]
OTHERS += [{}, [1, "two"], {"a": 1}, "1e-3", "__import__('os')", "n ==", "a.b", [[]], {"strict": 1, "generous": "x"}]
FREE = {"papers", "style", "for_each", "printed", "defaults"}
"""Keys below which there may be names of one's own; what they stand for is checked where it is used."""
FIXED = {"id", "runner", "experiment", "where", "states", "title", "section", "seed", "retries", "strict", "rest"}
"""Keys of entries that may have no others than the format knows."""
LINE = re.compile(r"(config|papers)/(\w+/)*\w+\.(yaml|csv)(, line \d+)?(, column \w+)?: \S")


def places(content, above=()):
    """Yield the place of everything inside mappings and lists."""
    inside = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in inside:
        yield (*above, key)
        yield from places(value, (*above, key))


def mutated(content, rng):
    """Return content with one entry deleted, renamed, replaced, repeated or moved, and what was done."""
    content = deepcopy(content)
    place = rng.choice(list(places(content)))
    holder = content
    for key in place[:-1]:
        holder = holder[key]
    last, action = place[-1], rng.choice(["delete", "rename", "replace", "replace", "scale", "exchange"])
    value = holder[last]
    if action == "rename" and isinstance(holder, dict):
        entries = [(f"{key}x" if key == last else key, entry) for key, entry in holder.items()]
        holder.clear()
        holder.update(entries)
    elif action == "delete":
        del holder[last]
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


def edited(copy, seed, edit):
    """Edit a file at random with `edit`, and return the lines in which planning refuses, and what was done."""
    rng = random.Random(seed)
    paper, kind = rng.choice(PAPERS), rng.choice(KINDS)
    path = copy.root / kind.format(paper=paper)
    text, done = edit(path, rng)
    path.write_text(text, encoding="utf-8")
    return copy.refused(papers=[paper], smoke=kind == "config/smoke.yaml"), f"{path.name}: {done}"


def any_edit(path, rng):
    if rng.random() < 0.3:
        return garbled(path.read_text(encoding="utf-8"), rng)
    content, done = mutated(configuration.read(path), rng)
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True), done


@pytest.mark.parametrize("seed", range(EDITS))
def test_an_edit_gives_a_plan_or_lines_that_say_what_is_wrong(copy, seed):
    lines, done = edited(copy, seed, any_edit)
    assert all(LINE.match(line) and len(line) < 1000 for line in lines), (done, lines)


def wrong(path, rng):
    """Replace a value by what no entry may be, or add a key where the keys are fixed."""
    content = configuration.read(path)
    found = [place for place in places(content) if FREE.isdisjoint(place)]
    fixed = [place for place in found if place[-1] in FIXED]
    beside = bool(fixed) and rng.random() < 0.5
    place = rng.choice(fixed if beside else found)
    holder = content
    for key in place[:-1]:
        holder = holder[key]
    if beside:
        holder["no such key"], done = 1, f"a key beside {place}"
    else:
        holder[place[-1]], done = {"no such key": [{}]}, f"nonsense in place of {place}"
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True), done


@pytest.mark.parametrize("seed", range(EDITS))
def test_what_is_wrong_is_refused(copy, seed):
    lines, done = edited(copy, seed, wrong)
    assert lines, done
