"""Code of the user's own is executed: what it does wrong is one line, and it cannot end or hold up the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn, TypeVar

T = TypeVar("T")

LONGEST = 600.0
"""Seconds that a piece of the user's own code may take, where the system has timers."""


def call(what: str, function: Callable[[], T]) -> T:
    """Call code of the user's own; a ValueError of one line that names it says if it fails, exits or does not end."""
    try:
        with _bounded():
            return function()
    except (Exception, SystemExit) as error:
        raise ValueError(f"{what}: {failure(error)}") from error


def failure(error: BaseException) -> str:
    """Return what went wrong as one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


@contextmanager
def _bounded() -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> NoReturn:
    raise TimeoutError(f"it did not end within {LONGEST:g} seconds")
