"""How far a study is, on one line of the terminal that is written anew, with the time left of the step at hand."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from corrldp.formats import duration

Item = TypeVar("Item")

PAUSE = 0.5  # seconds between two lines
LATE = 10.0  # seconds until it is said where nobody watches: a file or a pipe


class Silent:
    """Says nothing."""

    def track(self, step: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items of a step."""
        yield from items


SILENT = Silent()


class Progress(Silent):
    """Says on the standard error how far each step is.

    Parameters
    ----------
    who : str
        The command, which begins each line.
    """

    def __init__(self, who: str) -> None:
        self.who = who
        self.said = time.monotonic()

    def track(self, step: str, items: Sequence[Item]) -> Iterator[Item]:
        """Yield the items of a step, and say how many are done and how long the others will take."""
        live, start = sys.stderr.isatty(), time.monotonic()
        for done, item in enumerate(items):
            now = time.monotonic()
            if now - self.said > (PAUSE if live else LATE):
                self.said = now
                left = f", {duration((now - start) / done * (len(items) - done))} left" if done else ""
                line = f"{self.who}: {step}: {done} of {len(items)}{left}"
                print(f"\r\x1b[K{line}" if live else line, end="" if live else "\n", file=sys.stderr, flush=True)
            yield item
        if live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
