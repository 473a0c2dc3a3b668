"""Collect the faults of many files, so that one plan reports them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from corrldp.audit.claim import ClaimError
from corrldp.configuration import Place, located
from corrldp.names import ConfigurationError
from corrldp.published import PublishedError


class Faults:
    """Lines that each name a file, a line, a key and what is wrong."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def of(self, directory: str) -> Iterator[None]:
        """Collect the faults that the block raises, of files in a directory."""
        try:
            yield
        except (ConfigurationError, ClaimError, PublishedError) as error:
            self.lines += [f"{directory}/{line}" for line in str(error).splitlines()]

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))


def refuse(path: Path, found: Iterable[tuple[Place, str]]) -> None:
    """Raise a ConfigurationError with a line for each fault of a file, if there is any."""
    if lines := located(path, found):
        raise ConfigurationError("\n".join(lines))
