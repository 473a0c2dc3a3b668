"""The grammar of protocol names: ``SPL``, ``RS+FD[OUE-z]``, ``path/to/file.py:Class[OUE]``, ``package.module:Class``.

``NAME`` or ``NAME[ORACLE]``; a name has no brackets, so that none is taken for another one by another reader.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from corrldp.arrays import in_short

_FORM = re.compile(r"([^\[\]\n]+)(?:\[([^\[\]:\n]+)\])?")


@dataclass(frozen=True)
class Name:
    """A protocol's name in its parts.

    Parameters
    ----------
    base : str
        The name without an oracle.
    oracle : str, optional
        What stands in brackets.
    """

    base: str
    oracle: str | None = None

    @property
    def place(self) -> str | None:
        """The file or module that has the class, or None if the name is not that of a class."""
        place, _, attribute = self.base.rpartition(":")
        return place if attribute.isidentifier() and (place.endswith(".py") or _is_dotted(place)) else None

    @property
    def attribute(self) -> str:
        """The name of the class."""
        return self.base.rpartition(":")[2]


def parse(name: object) -> Name:
    """Return the parts of a name, wherever one is read: the registry, documents, settings and rules.

    Raises
    ------
    ValueError
        The text is not of the grammar.
    """
    found = _FORM.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"no protocol {in_short(name)}: write NAME or NAME[ORACLE], or path/to/file.py:Class for NAME")
    return Name(found[1], found[2])


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))
