"""What the code of a runner says of the names in its result tables, read from its syntax tree before anything runs.

The mechanism, the metric and the place of a `Measure` are often written out. An f-string is a pattern. Anything else is
text that the runner's modules or the setting contain somewhere. A runner that takes a name from data writes
``f"{name}"``, which may be anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from fnmatch import translate
from functools import cache, cached_property, reduce
from glob import escape
from operator import or_

from corrldp.experiments.measures import Measure
from corrldp.fingerprint import SOURCE, local_modules
from corrldp.papers.registry import PREFIX

ARGUMENTS = tuple(argument.name for argument in fields(Measure))
OF_RUNS = ("mechanism", "metric", "values", "theory", "place")
ENGINE = {f"{PREFIX}{name}" for name in ("axes", "engine", "measures", "memo", "setting")}
"""Modules of every runner, which name nothing."""


@dataclass(frozen=True)
class Names:
    """Texts, and patterns as shells have them; `open` if a name may be any text of the runner or the setting."""

    texts: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    open: bool = False

    def __or__(self, other: Names) -> Names:
        return Names(self.texts | other.texts, self.patterns | other.patterns, self.open or other.open)

    def __contains__(self, name: str) -> bool:
        return name in self.texts or self._pattern.fullmatch(name) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, sorted(self.patterns))) or "(?!)")

    def closed(self, everything: Names) -> Names:
        """Return the names, with `everything` that they may be if they are open."""
        return self | everything if self.open else self

    def changed(self, change: Callable[[str], str]) -> Names:
        """Return the names after a change of each, which leaves ``*`` alone."""
        return Names(frozenset(map(change, self.texts)), frozenset(map(change, self.patterns)), self.open)


@dataclass(frozen=True)
class Measured:
    """What the measures of a runner can be, the columns that they add, and everything that its modules have as text."""

    mechanism: Names = field(default_factory=Names)
    metric: Names = field(default_factory=Names)
    place: Names = field(default_factory=Names)
    everything: Names = field(default_factory=Names)

    def __or__(self, other: Measured) -> Measured:
        return Measured(*(getattr(self, item.name) | getattr(other, item.name) for item in fields(Measured)))


UNREAD = Measured(*[Names(open=True)] * 3)


@cache
def measured(runner: str) -> Measured:
    """Return what the modules of a runner say."""
    modules = local_modules(f"{PREFIX}{runner}")
    found = reduce(or_, (_of_module(name) for name in modules if name.startswith(PREFIX) and name not in ENGINE))
    return found | UNREAD if found.metric == Names() else found


@cache
def _of_module(name: str) -> Measured:
    path = SOURCE.joinpath(*name.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found, texts, patterns = [], set[str](), set[str]()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(str(text)) | ast.keyword(str(text)) | ast.AnnAssign(ast.Name(text)):
                texts.add(text)
            case ast.FunctionDef(text) | ast.ClassDef(text):
                texts.add(text)
            case ast.JoinedStr():
                patterns |= _text(node).patterns
            case ast.Call(ast.Name("Measure") | ast.Attribute(_, "Measure")):
                found.append(_of_call(node, ARGUMENTS))
            case ast.Call(ast.Attribute(ast.Name("Measure") | ast.Attribute(_, "Measure"), "of_runs")):
                found.append(_of_call(node, OF_RUNS))
            case ast.alias("Measure", str()) | ast.Assign(value=ast.Name("Measure")):
                found.append(UNREAD)
            case ast.Call() if _makes_measures(node):
                found.append(UNREAD)
    return reduce(or_, found, Measured(everything=Names(frozenset(texts), frozenset(patterns))))


def _of_call(call: ast.Call, names: tuple[str, ...]) -> Measured:
    """Read the arguments of one measure."""
    given = dict(zip(names, call.args, strict=False)) | {item.arg: item.value for item in call.keywords}
    if None in given or any(isinstance(argument, ast.Starred) for argument in call.args):
        return UNREAD
    place = given.get("place", ast.Dict([], []))
    keys = place.keys if isinstance(place, ast.Dict) else [None]
    return Measured(_text(given.get("mechanism")), _text(given.get("metric")), _any(map(_text, keys)))


def _makes_measures(call: ast.Call) -> bool:
    """Return whether a call makes measures otherwise: a function that is given the class, or a change of names."""
    if any(isinstance(argument, ast.Name) and argument.id == "Measure" for argument in call.args):
        return True
    changed = {item.arg for item in call.keywords} & set(OF_RUNS)
    return isinstance(call.func, ast.Name) and call.func.id == "replace" and bool(changed)


def _text(node: ast.expr | None) -> Names:
    """Return what a text can be."""
    match node:
        case ast.Constant(str(text)):
            return Names(frozenset([text]))
        case ast.IfExp():
            return _any([_text(node.body), _text(node.orelse)])
        case ast.JoinedStr():
            parts = [escape(str(part.value)) if isinstance(part, ast.Constant) else "*" for part in node.values]
            return Names(patterns=frozenset(["".join(parts)]))
        case ast.BinOp():
            return Names(patterns=frozenset("*"))
    return Names(open=True)


def _any(names: Iterable[Names]) -> Names:
    return reduce(or_, names, Names())
