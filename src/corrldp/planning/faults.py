"""Collect the faults of many files, so that one plan reports them all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corrldp.names import ConfigurationError


class Faults:
    """Lines that each name a file, a line, a key and what is wrong."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def of(self, directory: str) -> Iterator[None]:
        """Collect the faults that the block raises, of files in a directory."""
        try:
            yield
        except ConfigurationError as error:
            self.lines += [f"{directory}/{line}" for line in str(error).splitlines()]

    def raise_if_any(self) -> None:
        """Raise all faults so far as one ConfigurationError."""
        if self.lines:
            raise ConfigurationError("\n".join(self.lines))
