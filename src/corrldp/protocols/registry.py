"""Protocols by name, each built from the budget of a whole record and the domain sizes of its attributes.

A protocol of the package is its class, which says all about itself, and its place in `PROTOCOLS`.
"""

import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from corrldp.arrays import in_short, plain
from corrldp.protocols.castell import Castell
from corrldp.protocols.corr_rr.alignment import AlignedPhase
from corrldp.protocols.corr_rr.pivot import PivotPhase
from corrldp.protocols.corr_rr.protocol import CondRR, CorrRR
from corrldp.protocols.documents import as_tuples, check_parameters, load
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.lopub import LoPub
from corrldp.protocols.names import load_class, offered, parse, source_of
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import check_sizes
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import LSMP, LSPL, SMP, SPL, Memoised

PROTOCOLS: dict[str, type[RecordProtocol]] = {
    kind.name: kind for kind in (SPL, SMP, RSFD, RSRFD, CorrRR, CondRR, Castell, LoPub, JRR, LSPL, LSMP)
}
"""The protocols of the package by name; a class whose constructor takes other parameters has a classmethod `build`."""

KEYS = ("name", "epsilon", "sizes", "options")
PHASES: dict[str, type[RecordProtocol]] = {kind.name: kind for kind in (PivotPhase, AlignedPhase)}
ON_CLASSES = (PivotPhase.name, SPL.name, Castell.name)


def list_protocols() -> tuple[str, ...]:
    """Return the names that `protocol` builds from a budget and domain sizes alone, entry points included."""
    names = []
    for name, kind in PROTOCOLS.items():
        if issubclass(kind, Memoised):  # it needs a second budget
            continue
        names.append(name)
        if kind is not RSRFD:  # whose other oracles need priors
            names += [f"{name}[{oracle}]" for oracle in kind.oracles if oracle != "GRR"]
    return (*names, *sorted(offered()))


def protocol(
    name: str, epsilon: float, sizes: Sequence[int], oracle: str | None = None, **options: object
) -> RecordProtocol:
    """Build a protocol by name, from the budget of a whole record, whatever it does with it, and domain sizes (d,).

    The name is one of `list_protocols()`, possibly with an oracle in brackets, such as ``"RS+FD[OUE-z]"``, in place of
    which the `oracle` may be given; or that of a class of your own, built from `(epsilon, sizes)`:
    ``"path/to/my_protocol.py:Mine"`` (relative to the project, in the workflow), ``"package.module:Mine"`` or the name
    of an entry point in the group ``corrldp.protocols``. Corr-RR and Cond-RR merge values if sizes differ; JRR takes
    one attribute. Further parameters are options, such as `amplify`, `priors`, `phase1_fraction`, `rule` or `mappings`.

    A name that is unknown, a parameter outside its range, or an option that does not belong to the protocol, is a
    ValueError.
    """
    epsilon, sizes, options = plain(epsilon), check_sizes(sizes), {key: plain(value) for key, value in options.items()}
    if not isinstance(name, str) or not isinstance(oracle, str | None):
        raise ValueError(f"name={in_short(name)} and oracle={in_short(oracle)} must be texts")
    parts = parse(check_name(name))
    base, inside = parts.base, parts.oracle
    if inside is not None and oracle not in (None, inside):
        raise ValueError(f"{name} and oracle={in_short(oracle)} disagree: name the oracle once")
    oracle = inside or oracle
    if oracle is not None:
        check_name(f"{base}[{oracle}]")
        if base not in PROTOCOLS or PROTOCOLS[base].oracles:
            options["oracle"] = oracle
    kind = PROTOCOLS[base] if base in PROTOCOLS else load_class(base)
    return _built(name, kind, epsilon, sizes, **options)


def options_of(kind: type[RecordProtocol]) -> list[str]:
    """Return the names of a protocol's parameters beside budget, sizes and oracle."""
    return [name for name in _signature(kind).parameters if name not in ("epsilon", "sizes", "oracle")]


def _signature(kind: Callable[..., object]) -> inspect.Signature:
    return inspect.signature(getattr(kind, "build", kind))


def _built(name: str, kind: Callable[..., Any], *given: object, **options: object) -> Any:  # noqa: ANN401
    try:
        _signature(kind).bind(*given, **options)
    except TypeError as error:
        raise ValueError(f"{name} is not built from epsilon, sizes and {sorted(options)}: {error}") from error
    return getattr(kind, "build", kind)(*given, **options)


def check_name(name: str) -> str:
    """Return a name that may be a protocol's, or raise ValueError with the nearest; imports no class of the user's."""
    parts = parse(name)
    base, oracle = parts.base, parts.oracle
    if base not in PROTOCOLS:
        if source_of(base) is None:
            known = {one.casefold(): one for one in (*PROTOCOLS, *sorted(offered()))}
            near = " or ".join(known[one] for one in get_close_matches(base.casefold(), known))
            hint = f"; did you mean {near}?" if near else "."
            names = f"There are {', '.join(known.values())}, and classes as path/to/file.py:Class"
            raise ValueError(f"no protocol {in_short(name)}{hint} {names}")
    elif oracle not in (None, "GRR"):
        oracles = PROTOCOLS[base].oracles
        if not oracles:
            takers = ", ".join(one for one, kind in PROTOCOLS.items() if kind.oracles)
            raise ValueError(f"{base} takes no oracle: only {takers} do")
        if oracle not in oracles:
            raise ValueError(f"{base} has no oracle {in_short(oracle)}: use one of {', '.join(oracles)}")
    return name


def protocol_from_json(text: str, expected: RecordProtocol | None = None) -> RecordProtocol:
    """Read what `to_json` of a protocol wrote, without names of attributes; see `from_description`."""
    content = load("protocol", text, KEYS, ("attributes",))
    return from_description({key: content[key] for key in KEYS}, expected)


def from_description(content: object, expected: RecordProtocol | None = None) -> RecordProtocol:
    """Build a protocol of the package from what its `describe` returned; this never runs code of the user's own.

    If the `expected` protocol, which may be of a class of the user's own, has this description, it is returned; if
    another one is expected, or this describes none, a ValueError.
    """
    if expected is not None:
        if not isinstance(expected, RecordProtocol):
            raise ValueError(f"protocol={in_short(expected)} must be the protocol that the document describes")
        if expected.describe() != content:
            raise ValueError(f"the document is about another protocol than {expected.describe()}")
        return expected
    if not isinstance(content, dict) or set(content) != set(KEYS):
        raise ValueError(f"a protocol's document must have {', '.join(KEYS)}")
    name, options = content["name"], content["options"]
    epsilon, sizes = check_parameters(content["epsilon"], content["sizes"])
    if not isinstance(options, dict):
        raise ValueError(f"options={in_short(options)} must be a mapping")
    base = parse(name).base
    kind = PHASES.get(name) or PROTOCOLS.get(base)
    if kind is None:
        raise ValueError(
            f"no protocol {in_short(name)} of the package, and a document never runs code: build the protocol and pass "
            "it as protocol=..."
        )
    known = options_of(kind)
    if unknown := sorted(set(options) - set(known)):
        raise ValueError(f"{base} has no option {in_short(unknown[0])}: it has {', '.join(known) or 'none'}")
    options = {key: as_tuples(value) for key, value in options.items()}
    if base in PROTOCOLS:
        return protocol(name, epsilon, sizes, **options)
    if kind is PivotPhase:
        return _built(name, kind, epsilon, sizes, **options)
    inner = options.get("protocol")
    if not isinstance(inner, dict) or inner.get("name") not in ON_CLASSES:
        raise ValueError(f"protocol={in_short(inner)} on merged values must be one of {', '.join(ON_CLASSES)}")
    found: RecordProtocol = _built(name, kind, **{**options, "protocol": from_description(inner)})
    if (found.epsilon, found.sizes) != (epsilon, sizes):
        raise ValueError(f"epsilon={epsilon} and sizes={sizes} must be those of its parts, {found.describe()}")
    return found
