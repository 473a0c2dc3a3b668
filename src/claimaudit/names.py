"""Errors in configuration, which show the nearest known name."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

LONGEST = 80  # characters of a mistaken value that a message shows
MOST_NAMES = 60  # that a message lists


class ConfigurationError(ValueError):
    """Invalid configuration; the message has one line per error."""


class Faults:
    """Faults of many files, all reported by one plan."""

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}

    @contextmanager
    def of(self, directory: str) -> Iterator[None]:
        """Collect the faults that the block raises, of files in a directory."""
        try:
            yield
        except ConfigurationError as error:
            self.lines |= dict.fromkeys(f"{directory}/{line}" for line in str(error).splitlines())

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))


def nearest(value: object, known: Iterable[object]) -> str:
    """Format a hint with the known name nearest to a mistaken one; empty if none is close."""
    found = get_close_matches(str(value), [str(name) for name in known], n=1)
    return f"; did you mean {found[0]}?" if found else ""


def known_names(value: object, known: Iterable[object]) -> str:
    """Format the end of an error message: the nearest known name, if one is close, and all names unless too many."""
    names = sorted(map(str, known))
    return nearest(value, names) + (f" (there are: {', '.join(names)})" if len(names) <= MOST_NAMES else "")


def require_known(value: object, known: Iterable[object], what: str) -> None:
    """Raise a ConfigurationError that lists the known names and the nearest, unless `value` is one of them."""
    known = list(known)
    if value not in known:
        listed = ", ".join(map(str, known)) or "none"
        raise ConfigurationError(f"no {what} {value!r}; there are {listed}{nearest(value, known)}")


def shown(value: object) -> str:
    """Format a mistaken value; of a long one only its start."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
