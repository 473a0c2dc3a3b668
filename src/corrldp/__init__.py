"""Local differential privacy for correlated data: protocols, what they leak, and the replication of research on both.

The names in `__all__` are stable. Each is imported when it is first used, so that a program pays for what it uses.
"""

from importlib import import_module

__version__ = "0.1.0"

HOMES = {
    "Table": "data.table",
    "RecordTable": "protocols.records",
    "Study": "study.study",
    "Client": "collection",
    "Aggregator": "collection",
    "Collection": "collection",
    "Reports": "collection",
    "Ledger": "collection",
    "Memory": "collection",
    "Seen": "collection",
    "Estimates": "protocols.estimates",
    "Domain": "domain",
    "plan": "deployment.plan",
    "protocol": "protocols.registry",
    "list_protocols": "protocols.registry",
    "protocol_from_json": "protocols.registry",
    "SPL": "protocols.smp",
    "SMP": "protocols.smp",
    "RSFD": "protocols.rs_fd",
    "RSRFD": "protocols.rs_rfd",
    "CorrRR": "protocols.corr_rr.protocol",
    "CondRR": "protocols.corr_rr.protocol",
    "LSPL": "protocols.smp",
    "LSMP": "protocols.smp",
    "JRR": "protocols.jrr.protocol",
    "Castell": "protocols.castell",
    "LoPub": "protocols.lopub",
    "postprocess": "protocols.postprocess",
    "deployment_rng": "randomness",
}
MODULES = ("protocols", "leakage", "dependence", "privacy", "testing")

__all__ = [*HOMES, *MODULES]


def __getattr__(name: str) -> object:
    if name in MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
