"""Names in configuration: errors that show the nearest known one."""

from collections.abc import Iterable
from difflib import get_close_matches


class ConfigurationError(ValueError):
    """Invalid configuration; the message has one line per error."""


def nearest(value: object, known: Iterable[object]) -> str:
    """Format a hint with the known name nearest to a mistaken one; empty if none is close."""
    found = get_close_matches(str(value), [str(name) for name in known], n=1)
    return f"; did you mean {found[0]}?" if found else ""


def known_names(value: object, known: Iterable[object]) -> str:
    """Format the end of an error message: the nearest known name, if one is close, and all known names."""
    names = sorted(map(str, known))
    return f"{nearest(value, names)} (there are: {', '.join(names)})"


def require_known(value: object, known: Iterable[object], what: str) -> None:
    """Raise a ConfigurationError that lists the known names and the nearest, unless `value` is one of them."""
    known = list(known)
    if value not in known:
        raise ConfigurationError(f"no {what} {value!r}; there are {', '.join(map(str, known))}{nearest(value, known)}")
