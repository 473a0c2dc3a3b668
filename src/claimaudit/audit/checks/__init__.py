"""The kinds of check, by name in the order of the pages, and the language of ``check`` that they share.

A check is the statement of a kind and, after commas, what qualifies it::

    1 - mse_corr_rr / mse_spl > 0.7 .. 0.5, where epsilon == 0.1, in some settings, for "well", as reduction [%]

Each kind of check reads its own statement, and its fields have the qualifiers that go with them. The last one, which
any kind may have, is ``as``: what the left side is called and its unit. docs/claims.md has the whole language,
docs/verdicts.md what each kind checks.
"""

import re
from collections.abc import Iterator

from claimaudit.audit.checks.base import Check, Fields, OfRows, Qualifier, cut
from claimaudit.audit.checks.contradiction import Contradiction
from claimaudit.audit.checks.fits import Agreement, Flat, PublishedCells
from claimaudit.audit.checks.ordering import Monotone, Ordering
from claimaudit.audit.checks.value import Value
from claimaudit.names import nearest

KINDS: tuple[type[Check], ...] = (Ordering, Monotone, Flat, Value, PublishedCells, Agreement, Contradiction)
CHECKS = {kind.name: kind for kind in KINDS}

CALLED = re.compile(r",\s+as\s+([^\[\]]*?)\s*(?:\[([^\[\]]+)\])?\s*$")


def qualifiers(kind: type[Check]) -> Iterator[tuple[str, Qualifier]]:
    """Yield the fields of a kind of check that a qualifier gives, each with it."""
    for name, field in kind.model_fields.items():
        yield from ((name, each) for each in field.metadata if isinstance(each, Qualifier))


def examples() -> list[str]:
    """Return an example of each qualifier."""
    found = (each.example for kind in CHECKS.values() for _, each in qualifiers(kind))
    return [*dict.fromkeys(found), "as error [%]"]


def parse(text: str, printed: bool = False) -> Fields:
    """Return the fields of a check, with its ``kind``; one of `printed` numbers compares them with each other.

    Raises ValueError if the text is no check; the message has the part that cannot be read, and what is allowed.
    """
    called = CALLED.search(text)
    parts = cut(text[: called.start()] if called else text, ",")
    statement, *rest = (" ".join(part.split()) for part in parts)
    kind, fields = _statement(statement, [kind for kind in CHECKS.values() if issubclass(kind, OfRows) is not printed])
    if called:
        unit = "percent" if called[2] == "%" else called[2]
        fields |= {name: part for name, part in (("measure", called[1]), ("unit", unit)) if part}
    for qualifier in rest:
        found = _qualifier(qualifier, kind)
        if twice := found.keys() & fields.keys():
            raise ValueError(f"{qualifier!r} says the {twice.pop()} twice; keep one")
        fields |= found
    return {"kind": kind.name, **fields}


def _statement(text: str, kinds: list[type[Check]]) -> tuple[type[Check], Fields]:
    for kind in kinds:
        if (fields := kind.read(text)) is not None:
            return kind, fields
    known = (example for kind in kinds for example in kind.says)
    raise ValueError(f"cannot read {text!r}; a check is one of: {'; '.join(known)}")


def _qualifier(text: str, kind: type[Check]) -> Fields:
    for other in (kind, *CHECKS.values()):
        for name, each in qualifiers(other):
            if found := re.fullmatch(each.pattern, text):
                if name in kind.model_fields:
                    return {name: each.value(*found.groups())}
                raise ValueError(f"{text!r} says nothing here; it does not go with a check of this kind ({kind.name})")
    known = examples()
    raise ValueError(f"cannot read {text!r} after a comma{nearest(text, known)}; there may be: {', '.join(known)}")
