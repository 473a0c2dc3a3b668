"""Protocols and aggregators as versioned JSON documents."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from corrldp.arrays import in_short
from corrldp.protocols.castell.protocol import Castell
from corrldp.protocols.collection.limits import check_parameters
from corrldp.protocols.cond_rr import CondRR
from corrldp.protocols.corr_rr.alignment import Aligned, AlignedPhase
from corrldp.protocols.corr_rr.phase import PivotPhase
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.lopub.protocol import LoPub
from corrldp.protocols.names import parse
from corrldp.protocols.own import name_of_own
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import BUILDERS, RULES, protocol
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

VERSION = 1
PHASE, ALIGNED = "pivot phase", "aligned phase"
ON_CLASSES = (PHASE, "SPL", "Castell")

NAMES: dict[type, str] = {
    SPL: "SPL",
    SMP: "SMP",
    RSFD: "RS+FD",
    RSRFD: "RS+RFD",
    TwoPhaseRSRFD: "RS+RFD",
    CorrRR: "Corr-RR",
    CondRR: "Cond-RR",
    Castell: "Castell",
    LoPub: "LoPub",
    JRR: "JRR",
    PivotPhase: PHASE,
}


def dump(kind: str, content: dict[str, Any]) -> str:
    """Return a document as one line of JSON."""
    return json.dumps({"corrldp": kind, "version": VERSION, **content}, allow_nan=False)


def load(kind: str, text: str, keys: Sequence[str]) -> dict[str, Any]:
    """Return the content of a document, or raise ValueError unless it has the kind, version and keys."""
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"no JSON: {str(error).splitlines()[0]}") from error
    if not isinstance(content, dict) or content.get("corrldp") != kind:
        raise ValueError(f'the document is no corrldp {kind}: it must have "corrldp": "{kind}"')
    if content.pop("version", None) != VERSION:
        raise ValueError(f"the {kind} is of another version than {VERSION}: read it with the corrldp that wrote it")
    del content["corrldp"]
    if set(content) != set(keys):
        raise ValueError(f"the {kind} has {sorted(content)} but must have {sorted(keys)}")
    return content


def describe(one: RecordProtocol) -> dict[str, Any]:
    """Return what `build` needs to make an equal protocol.

    Raises
    ------
    ValueError
        The protocol has parameters that JSON does not know, such as a rule of one's own.
    """
    if isinstance(one, Aligned):
        inner = describe(one.protocol)
        return {**inner, "sizes": list(one.sizes), "options": {**inner["options"], "mappings": _plain(one.mappings)}}
    if isinstance(one, AlignedPhase):
        options = {"protocol": describe(one.protocol), "mappings": _plain(one.mappings)}
        return {"name": ALIGNED, "epsilon": one.epsilon, "sizes": list(one.sizes), "options": options}
    if type(one) not in NAMES and not is_dataclass(one):
        raise ValueError(f"{type(one).__name__} must be a dataclass to be written as JSON")
    options = {field.name: getattr(one, field.name) for field in fields(one) if field.init}  # type: ignore[arg-type]
    epsilon, _ = options.pop("epsilon"), options.pop("sizes", None)
    oracle = options.pop("oracle", "GRR")
    if isinstance(one, CorrRR):
        names = [name for name, rule in RULES.items() if rule == one.rule]
        if not names:
            raise ValueError(f"rule={in_short(one.rule)} has no name: JSON knows {', '.join(RULES)}")
        options["rule"] = names[0]
    name = NAMES.get(type(one)) or name_of_own(type(one))
    name = name if oracle == "GRR" else f"{name}[{oracle}]"
    return {"name": name, "epsilon": epsilon, "sizes": list(one.sizes), "options": _plain(options)}


def build(content: object, expected: RecordProtocol | None = None) -> RecordProtocol:
    """Build a protocol from its description, or return the `expected` one if it has the same description.

    Raises
    ------
    ValueError
        The description is not that of a protocol, or not of the expected one.
    """
    if expected is not None:
        if describe(expected) != content:
            raise ValueError(f"the document is about another protocol than {describe(expected)}")
        return expected
    if not isinstance(content, dict) or set(content) != {"name", "epsilon", "sizes", "options"}:
        raise ValueError("a protocol's document must have name, epsilon, sizes and options")
    name, epsilon, sizes, options = (content[key] for key in ("name", "epsilon", "sizes", "options"))
    inner = None
    if name == ALIGNED and isinstance(options, dict):
        inner, options = options.get("protocol"), {key: value for key, value in options.items() if key != "protocol"}
    epsilon, sizes, options = check_parameters(epsilon, sizes, options)
    if name == ALIGNED:
        return _aligned(inner, epsilon, sizes, options)
    if name == PHASE:
        return PivotPhase(epsilon, sizes, **_only("channels", options))
    if parse(name).base not in BUILDERS:
        raise ValueError(
            f"no protocol {in_short(name)} of the package, and a document never runs code: build the protocol and pass "
            "it as protocol=..."
        )
    return protocol(name, epsilon, sizes, **options)


def _aligned(inner: object, epsilon: float, sizes: tuple[int, ...], options: dict[str, Any]) -> AlignedPhase:
    """Build a phase on merged values, whose budget and domains follow from its parts."""
    if not isinstance(inner, dict) or inner.get("name") not in ON_CLASSES:
        raise ValueError(f"protocol={in_short(inner)} on merged values must be one of {', '.join(ON_CLASSES)}")
    found = AlignedPhase(build(inner), **_only("mappings", options))
    if (found.epsilon, found.sizes) != (epsilon, sizes):
        raise ValueError(f"epsilon={epsilon} and sizes={sizes} must be those of its parts, {describe(found)}")
    return found


def _only(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a phase, which has one."""
    if set(options) != {name} or options[name] is None:
        raise ValueError(f"options of {sorted(options)} must be {name} alone")
    return options


def protocol_to_json(one: RecordProtocol) -> str:
    """Return a protocol as JSON."""
    return dump("protocol", describe(one))


def protocol_from_json(text: str, expected: RecordProtocol | None = None) -> RecordProtocol:
    """Read what `protocol_to_json` wrote; see `build`."""
    return build(load("protocol", text, ("name", "epsilon", "sizes", "options")), expected)


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return a value as JSON has it, tuples as lists; others are refused."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError(f"{in_short(value)} cannot be written as JSON")
