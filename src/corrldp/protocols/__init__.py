"""Protocols that collect whole records or have users perturb in groups.

Called, the package lists their names: `corrldp.protocols()` is `corrldp.protocols.registry.protocols()`.
"""

import sys
from importlib import import_module
from types import ModuleType


class _Protocols(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        return import_module(f"{__name__}.registry").protocols()


sys.modules[__name__].__class__ = _Protocols
