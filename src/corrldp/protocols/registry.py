"""Protocols by name, each built from the budget of a whole record and the domain sizes of its attributes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from corrldp.arrays import in_short, plain
from corrldp.mechanisms.oracles import ADAPTIVE, ORACLES
from corrldp.protocols.castell.protocol import Castell
from corrldp.protocols.cond_rr import CondRR
from corrldp.protocols.corr_rr.alignment import Aligned, Mappings, even_mappings
from corrldp.protocols.corr_rr.joint_rule import joint
from corrldp.protocols.corr_rr.pivot import PivotProtocol
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Rule, exact, pets_appendix, pets_body
from corrldp.protocols.fakes import FAKED_ORACLES
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.lopub.protocol import LoPub
from corrldp.protocols.names import parse
from corrldp.protocols.own import load, offered, source_of
from corrldp.protocols.postprocess import Postprocess
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import check_sizes
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

Sizes = tuple[int, ...]

PHASE1_FRACTION = 0.1  # the Corr-RR paper recommends 10 to 20 %

RULES: dict[str, Rule] = {"exact": exact, "appendix": pets_appendix, "body": pets_body, "joint": joint}
"""Rules for Corr-RR's copy probabilities by name; `exact` minimises the error of Theorem 5."""


def corr_rr(
    epsilon: float,
    sizes: Sizes,
    phase1_fraction: float = PHASE1_FRACTION,
    rule: str = "exact",
    mappings: Mappings | None = None,
) -> CorrRR | Aligned:
    """Return Corr-RR, on merged values if the domain sizes differ or `mappings` are given."""
    if rule not in RULES:
        raise ValueError(f"rule={in_short(rule)} must be one of {', '.join(RULES)}")
    return _aligned(lambda classes: CorrRR(epsilon, classes, phase1_fraction, RULES[rule]), sizes, mappings)


def cond_rr(
    epsilon: float, sizes: Sizes, phase1_fraction: float = PHASE1_FRACTION, mappings: Mappings | None = None
) -> CondRR | Aligned:
    """Return Cond-RR, on merged values if the domain sizes differ or `mappings` are given."""
    return _aligned(lambda classes: CondRR(epsilon, classes, phase1_fraction), sizes, mappings)


def rs_rfd(
    epsilon: float,
    sizes: Sizes,
    oracle: str = "GRR",
    amplify: bool = False,
    priors: Sequence[Sequence[float]] | None = None,
    phase1_fraction: float = PHASE1_FRACTION,
    repair: Postprocess = "clip_normalise",
) -> RSRFD | TwoPhaseRSRFD:
    """Return RS+RFD with known `priors`, or with priors that a first phase estimates."""
    if priors is not None:
        protocol = RSRFD(epsilon, tuple(map(tuple, priors)), amplify, oracle)
        if protocol.sizes != sizes:
            raise ValueError(f"priors of {protocol.sizes} values must fit sizes={sizes}")
        return protocol
    if oracle != "GRR":
        raise ValueError(f"RS+RFD[{oracle}] needs known priors: pass priors=..., or use GRR to estimate them first")
    return TwoPhaseRSRFD(epsilon, sizes, phase1_fraction, amplify, repair)


def rs_fd(epsilon: float, sizes: Sizes, oracle: str = "GRR", amplify: bool = False) -> RSFD:
    """Return RS+FD."""
    return RSFD(epsilon, sizes, amplify, oracle)


BUILDERS: dict[str, Callable[..., RecordProtocol]] = {
    "SPL": SPL,
    "SMP": SMP,
    "RS+FD": rs_fd,
    "RS+RFD": rs_rfd,
    "Corr-RR": corr_rr,
    "Cond-RR": cond_rr,
    "Castell": Castell,
    "LoPub": LoPub,
    "JRR": JRR,
}
"""The protocols of the package by name."""

ORACLES_OF: dict[str, tuple[str, ...]] = {
    "SPL": (*ORACLES, ADAPTIVE),
    "SMP": (*ORACLES, ADAPTIVE),
    "RS+FD": (*FAKED_ORACLES, ADAPTIVE),
    "RS+RFD": (*RSRFD.oracles, ADAPTIVE),
}
"""The oracles of each protocol that has a choice; RS+RFD has one if its priors are known."""


def protocols() -> tuple[str, ...]:
    """Return the names that `protocol` builds from a budget and domain sizes alone, entry points included."""
    names = []
    for name in BUILDERS:
        names.append(name)
        if name != "RS+RFD":
            names += [f"{name}[{oracle}]" for oracle in ORACLES_OF.get(name, ()) if oracle != "GRR"]
    return (*names, *sorted(offered()))


def protocol(
    name: str,
    epsilon: float,
    sizes: Sequence[int],
    oracle: str | None = None,
    **options: Any,  # noqa: ANN401
) -> RecordProtocol:
    """Build a protocol by name.

    Parameters
    ----------
    name : str
        One of `protocols()`, possibly with an oracle in brackets, such as ``"RS+FD[OUE-z]"``; or a class of one's own,
        built from `(epsilon, sizes)`: ``"path/to/my_protocol.py:Mine"`` (relative to the project, in the workflow),
        ``"package.module:Mine"`` or the name of an entry point in the group ``corrldp.protocols``.
    epsilon : float
        Privacy budget of a whole record, whatever the protocol does with it.
    sizes : (d,)
        Domain sizes. Corr-RR and Cond-RR merge values if they differ; JRR takes one attribute.
    oracle : str, optional
        The oracle instead of GRR, if the name has none in brackets.
    **options
        Further parameters of the protocol, such as `amplify`, `priors`, `phase1_fraction`, `rule` or `mappings`.

    Raises
    ------
    ValueError
        A name is unknown, a parameter is outside its range, or an option does not belong to the protocol.
    """
    epsilon, sizes, options = plain(epsilon), check_sizes(sizes), {key: plain(value) for key, value in options.items()}
    if not isinstance(name, str) or not isinstance(oracle, str | None):
        raise ValueError(f"name={in_short(name)} and oracle={in_short(oracle)} must be texts")
    check_name(name)
    parts = parse(name)
    base, inside = parts.base, parts.oracle
    if inside is not None and oracle not in (None, inside):
        raise ValueError(f"{name} and oracle={in_short(oracle)} disagree: name the oracle once")
    oracle = inside or oracle
    if oracle is not None:
        check_name(f"{base}[{oracle}]")
        if base in ORACLES_OF or base not in BUILDERS:
            options["oracle"] = oracle
    build = BUILDERS[base] if base in BUILDERS else load(base)
    try:
        inspect.signature(build).bind(epsilon, sizes, **options)
    except TypeError as error:
        raise ValueError(f"{name} is not built from epsilon, sizes and {sorted(options)}: {error}") from error
    return build(epsilon, sizes, **options)


def check_name(name: str) -> None:
    """Check that a name may be that of a protocol, without importing classes of one's own.

    Raises
    ------
    ValueError
        There is no such protocol, or it takes no such oracle; the message has the nearest names.
    """
    parts = parse(name)
    base, oracle = parts.base, parts.oracle
    if base not in BUILDERS:
        if source_of(base) is None:
            raise ValueError(_unknown(name))
    elif oracle not in (None, "GRR"):
        if base not in ORACLES_OF:
            raise ValueError(f"{base} takes no oracle: only {', '.join(ORACLES_OF)} do")
        if oracle not in ORACLES_OF[base]:
            raise ValueError(f"{base} has no oracle {in_short(oracle)}: use one of {', '.join(ORACLES_OF[base])}")


def _aligned(build: Callable[[Sizes], PivotProtocol[Any]], sizes: Sizes, mappings: Mappings | None) -> Any:  # noqa: ANN401
    """Build a protocol for one domain size on merged values, unless all sizes are equal and nothing is to be merged."""
    if mappings is None:
        if len(set(sizes)) == 1:
            return build(sizes)
        mappings = even_mappings(sizes)
    mappings = tuple(map(tuple, mappings))
    if tuple(map(len, mappings)) != sizes:
        raise ValueError(f"mappings={mappings} must give the class of each value of domains of sizes {sizes}")
    classes = max((max(mapping) for mapping in mappings), default=0) + 1
    return Aligned(build((classes,) * len(sizes)), mappings)


def _unknown(name: str) -> str:
    known = {one.casefold(): one for one in (*BUILDERS, *sorted(offered()))}
    near = [known[one] for one in get_close_matches(parse(name).base.casefold(), known)]
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    names = ", ".join(known.values())
    return f"no protocol {in_short(name)}{hint} There are {names}, and classes as path/to/file.py:Class"
