"""A run of the workflow: its messages, and the links that Snakemake's cache leaves.

Snakemake logs events. In the terminal, though not in its log file, they become a line for each job that is done, how
long the others may take, and how the run ended.
"""

import json
import logging
import os
import re
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType

from claimaudit.storage import temporary_file
from corrldp.formats import duration

QUIET = (
    "Moving output file",
    "Symlinking output file",
    "Copying output file",
    "Select jobs",
    "Execute ",
    "Complete log",
    "Elapsed time",
)
USUAL = ("Missing output files", "Input files updated", "Forced execution", "Rules with neither")
"""How messages begin that are not shown, and reasons for which any job runs."""

LONGEST_REASON = 160

USUAL_SECONDS = {
    **{"fetch": 0.6, "align": 0.7, "given": 0.6, "experiment": 4.9, "experiment_on_data": 4.5, "part": 9.9},
    **{"join": 0.8, "search": 30.0, "verdicts": 6.7, "figure": 1.6, "difference": 3.0, "table": 0.9, "claims": 5.3},
    **{"predictions_of_paper": 1.5, "predictions": 1.6, "notebook": 8.2, "report": 13.2},
    **{"archive": 0.9, "all": 0.0},
}
"""Mean seconds of a job of each rule, while no run is remembered: of a whole run on two cores, docs/benchmarks.md."""

ALONE = ("report", "archive")  # rules whose jobs wait for nearly all others, so that nothing runs beside them

TRUST = 30.0
"""Jobs of so many expected seconds have to be done before this run's pace counts as much as that of earlier ones."""

CACHE = re.compile(r"((?P<stored>Moving)|Symlinking|Copying) output file (?P<path>.+?) (to|from) cache")
COUNTED = ("figures", "tables", "results", "report")


class Progress(logging.Formatter):
    """Formats Snakemake's events for a terminal; `memory` is a file with the seconds of each job of earlier runs."""

    def __init__(self, memory: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.memory, self.clock = memory, clock
        self.inner: logging.Formatter = logging.Formatter()
        self.left: dict[str, str] = {}
        self.total, self.cores, self.done, self.begun, self.interrupted = 0, 1, 0, clock(), False
        self.known = _read(memory)
        self.spent: dict[str, float] = {}
        self.expected = 0.0
        self.running: dict[int, tuple[logging.LogRecord, float]] = {}
        self.made: Counter[str] = Counter()
        self.fetched: dict[str, bool] = {}  # whether a file came from the cache, or is on its way to it

    def start(self, jobs: Sequence[tuple[str, str]], cores: int, handlers: Iterable[logging.Handler]) -> None:
        """Format what handlers of Snakemake's logger write to a terminal about jobs, each a message and its rule.

        When the user interrupts the run, it ends with one line.
        """
        self.left = dict(jobs)
        self.total, self.cores, self.begun = len(jobs), max(1, cores), self.clock()
        [*streams] = (
            one for one in handlers if isinstance(one, logging.StreamHandler) and not hasattr(one, "baseFilename")
        )
        for stream in streams:
            self.inner = stream.formatter or self.inner
            stream.setFormatter(self)
            stream.addFilter(self.filter)
        if threading.current_thread() is not threading.main_thread():
            return

        def interrupted(number: int, frame: FrameType | None) -> None:
            if not self.interrupted:
                words = self.interrupt()
                for stream in streams:
                    stream.handle(logging.LogRecord(__name__, logging.WARNING, __file__, 0, words, None, None))
            signal.default_int_handler(number, frame)

        signal.signal(signal.SIGINT, interrupted)

    def filter(self, record: logging.LogRecord) -> bool:
        """Hold back what is said of a job until it is done."""
        if getattr(record, "event", None) == "job_info":
            self.running[record.jobid] = (record, self.clock())  # type: ignore[attr-defined]
            return False
        return not self.interrupted or record.name == __name__

    def format(self, record: logging.LogRecord) -> str:
        """Return the words of an event; those that are empty are not shown."""
        event = getattr(record, "event", None)
        if event == "job_finished":
            return self._finished(record.job_id)  # type: ignore[attr-defined]
        if event is None and (moved := CACHE.match(str(record.msg))):
            self.fetched.setdefault(moved["path"], not moved["stored"])
        if event in ("job_started", "progress") or (event is None and str(record.msg).startswith(QUIET)):
            return ""
        return self.inner.format(record)

    def _finished(self, number: int) -> str:
        if number not in self.running:
            return ""
        record, started = self.running.pop(number)
        job, seconds = record.__dict__, self.clock() - started
        fetched = any(self.fetched.get(path) for path in job["output"])
        name = job["rule_msg"] or job["rule_name"]
        self.done += 1
        rule = self.left.pop(name, job["rule_name"])
        if not fetched:
            self.expected += self._usual(name, rule)
            self.spent[name] = seconds
        self.made.update(name.partition("/")[0] for name in job["output"])
        place = f"[{self.done:{len(str(self.total))}}/{self.total}]"
        reason = str(job["reason"])
        why = "" if reason.startswith(USUAL) else f" ({reason[:LONGEST_REASON]})"
        rest = self.seconds_left()
        ahead = f"; {duration(rest)} left" if self.done < self.total else ""
        took = "from the cache" if fetched else duration(seconds)
        return f"{place} {name}: {took}{why}{ahead}"

    def _usual(self, name: str, rule: str) -> float:
        """Return the seconds that a job took when last run, or that jobs of its rule take."""
        return self.known.get(name, USUAL_SECONDS.get(rule, 1.0))

    def seconds_left(self) -> float:
        """Return the seconds that jobs to come may take, at the pace of those that are done."""
        pace = (TRUST + sum(self.spent.values())) / (TRUST + self.expected)
        at_once = {rule: 1 if rule in ALONE else self.cores for rule in self.left.values()}
        return pace * sum(self._usual(name, rule) / at_once[rule] for name, rule in self.left.items())

    def ended(self) -> str:
        """Return what was made and in how long, and remember how long jobs took."""
        with suppress(OSError), temporary_file(self.memory) as part:  # it only serves the next forecast
            part.write_text(json.dumps(self.known | self.spent, sort_keys=True), encoding="utf-8")
        counts = ", ".join(f"{self.made[place]} in {place}/" for place in COUNTED if self.made[place])
        return f"{self.done} of {self.total} jobs in {duration(self.clock() - self.begun)}; files: {counts or 'none'}"

    def interrupt(self) -> str:
        """Return the last words of a run that its user ends."""
        self.interrupted = True
        return f"Interrupted: {self.done} of {self.total} jobs are done; the same command goes on from there"


def _read(memory: Path) -> dict[str, float]:
    with suppress(OSError, ValueError):
        content = json.loads(memory.read_text(encoding="utf-8"))
        return {str(name): float(seconds) for name, seconds in content.items()}
    return {}


def broken_links(place: Path) -> list[Path]:
    """Return the links below a directory that lead nowhere."""
    return [path for path in place.rglob("*") if path.is_symlink() and not path.exists()]


def links_to_files(place: Path) -> None:
    """Put a copy in place of each link below a directory, since no copy or archive of a project could use links.

    It has the date of the link, so that nothing becomes stale.
    """
    for path in place.rglob("*"):
        if path.is_symlink() and path.is_file():
            dated = path.lstat()
            with temporary_file(path) as part:
                shutil.copyfile(path, part)
                os.utime(part, ns=(dated.st_atime_ns, dated.st_mtime_ns))
