"""The plan of a project as Snakemake asks for it: checked and read anew when anything changes, else remembered."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimaudit.fingerprint import SOURCE, arithmetic, last_commit, looked_for, whereabouts
from claimaudit.names import ConfigurationError
from claimaudit.papers.folder import HOME, SHARED, Folder
from claimaudit.storage import read_sealed, sealed, temporary_file

if TYPE_CHECKING:
    from replication.jobs import Jobs

MEMORY = Path(".snakemake/plans")
KEPT = 5  # plans that are remembered

LARGE = 10**7  # bytes above which the date of a file, and not its content, tells whether it changed

PROCESSOR = ("vendor_id", "cpu family", "model", "flags", "Features", "CPU ")
ARITHMETIC = ("NPY_", "OPENBLAS_", "MKL_", "BLIS_", "GLIBC_")
"""How lines of /proc/cpuinfo, and variables of the environment, begin that decide which instructions are used."""


class Planned:
    """Answers that `replication.jobs.Jobs` gives, from memory while all that decides on them is as it was.

    They are plain data. A mistake in the configuration is told at once, and never remembered.
    """

    def __init__(self, root: Path, config: Mapping[str, Any], sources: Sequence[Path], memory: Path = MEMORY) -> None:
        """Plan the project at `root`; for `config`, `sources` and errors see `replication.validation.load`."""
        self.root, self.config, self.sources = root, config, [path.absolute() for path in sources]
        self._place, self._path = Path.cwd(), [*sys.path]
        self._state = self._now()
        self.memory = self._place / memory / f"{self._state}.json"
        self._answers = self._remembered()
        self._known = len(self._answers)
        if not self._known:
            _ = self.jobs
        atexit.register(self.remember)

    def ask(self, what: str, *about: str) -> Any:  # noqa: ANN401
        """Return what `Jobs` has under a name, or its method returns; the JSON of both is remembered."""
        key = " ".join((what, *about))
        if key not in self._answers:
            answer = getattr(self.jobs, what)
            self._answers[key] = answer(*about) if callable(answer) else answer
        return self._answers[key]

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs of the project, which is checked unless its present state was."""
        from replication import jobs, validation  # they import all that runs experiments, which takes a second

        if self._known:
            return jobs.Jobs(self.root, self.config, *validation.read(self.root, self.config))
        return jobs.Jobs(self.root, self.config, *validation.load(self.root, self.config, self.sources))

    def remember(self) -> None:
        """Write the answers to memory, unless they are there, or rest on a user's own code, which is no part of it."""
        if len(self._answers) == self._known or self._now() != self._state:
            return
        if any(paper.own_modules() for paper in self.jobs.papers.values()):
            return
        added = [place for place in sys.path if place not in self._path]
        content = {"path": added, "modules": whereabouts(looked_for), "answers": self._answers}
        with suppress(OSError), temporary_file(self.memory) as part:
            part.write_text(json.dumps(sealed(content)), encoding="utf-8")
        for old in sorted(self.memory.parent.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            old.unlink(missing_ok=True)

    def _remembered(self) -> dict[str, Any]:
        """Return the answers in memory; none if it is damaged, or what they rest on beside the state has changed."""
        with suppress(OSError, ValueError):
            known = read_sealed(self.memory)
            sys.path += [place for place in known["path"] if place not in sys.path]
            tasks = (answer["task"] for name, answer in known["answers"].items() if name.startswith("job "))
            if all(map(os.path.exists, tasks)) and whereabouts(known["modules"]) == known["modules"]:
                return known["answers"]
        return {}

    def _now(self) -> str:
        """Return a digest of all that decides on the plan but the modules that runners import from elsewhere."""
        variables = {name: value for name, value in os.environ.items() if name.startswith(ARITHMETIC)}
        told = [self.config, str(self.root), str(self._place), self._path, sorted(variables.items())]
        told += [platform.python_version(), _processor(), [*_installed(self._path)], last_commit(self.root, own=True)]
        digest = hashlib.sha256(json.dumps(told, default=str).encode())
        places = [self.root / "config", self.root / HOME, SOURCE, Path(__file__).parent, *self._folders()]
        for file in [*map(str, self.sources), str(self.root / "CITATION.cff"), *_files(dict.fromkeys(places))]:
            digest.update(f"{file} {_content(file)}\n".encode())
        return digest.hexdigest()

    def _folders(self) -> Iterator[Path]:
        for name in self.config["papers"]:
            with suppress(ConfigurationError):  # the check says so
                path = Folder.of(self.root, name).path
                yield from (path, path.with_name(SHARED))


def _files(places: Iterable[Path]) -> Iterator[str]:
    for place in places:
        for folder, below, names in os.walk(place):
            below[:] = sorted({*below} - {"__pycache__"})
            yield from (os.path.join(folder, name) for name in sorted(names))  # noqa: PTH118 (there are hundreds)


def _content(file: str) -> str:
    with suppress(OSError), Path(file).open("rb") as content:
        about = os.fstat(content.fileno())
        if about.st_size > LARGE:
            return f"{about.st_size} {about.st_mtime_ns}"
        return hashlib.sha256(content.read()).hexdigest()
    return ""


def _installed(path: Iterable[str]) -> Iterator[str]:
    """Yield the names of installed distributions, with their versions, in the order in which they are found."""
    for place in path:
        yield from sorted(found.name for found in Path(place).glob("*.*-info"))


def _processor() -> str:
    """Return what tells processors apart where the system says it; numpy, which knows as well, takes long to import."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return "\n".join(sorted({line for line in lines if line.startswith(PROCESSOR)}))
    return arithmetic()
