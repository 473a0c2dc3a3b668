"""The folder of a paper: ``paper.yaml``, ``claims.yaml``, ``published/*.csv``, ``runners/*.py`` and ``notebook.py``.

Authors may answer in ``replies.yaml``. Its name is the paper's id. The directory that it lies in is searched for
modules, so that the runners of the paper ``jrr`` are the modules ``jrr.runners.*``. What papers share is in the folder
``shared`` beside theirs, which is no paper's; a file names it as ``../shared/runners/FILE.py``.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from claimaudit.names import ConfigurationError

HOME = "papers"  # where a project has the papers that it names without a path

SHARED = "shared"  # the folder of runners that papers share

ID = re.compile(f"(?!{SHARED}$)[a-z][a-z0-9_]*")
FILE = re.compile(r"(?P<path>[^:]+\.py):(?P<function>\w+)")


@dataclass(frozen=True)
class Folder:
    """The folder of a paper; messages name it as `shown`."""

    path: Path
    shown: str = ""

    @classmethod
    def of(cls, root: Path, name: str) -> Folder:
        """Return the folder of a paper in a project by name or path; a name that is no id is a ConfigurationError."""
        shown = f"{HOME}/{name}" if ID.fullmatch(name) else name
        path = (root / shown).resolve()
        if not ID.fullmatch(path.name):
            raise ConfigurationError(
                f"the name {path.name!r} of a paper's folder becomes its id: choose one other than {SHARED!r} that "
                "begins with a lower-case letter and goes on with lower-case letters, digits and _"
            )
        return cls(path, shown)

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def paper(self) -> Path:
        return self.path / "paper.yaml"

    @property
    def claims(self) -> Path:
        return self.path / "claims.yaml"

    @property
    def replies(self) -> Path:
        return self.path / "replies.yaml"

    @property
    def published(self) -> Path:
        return self.path / "published"

    @property
    def notebook(self) -> Path:
        return self.path / "notebook.py"

    def source(self, name: str) -> str:
        """Return the file of a runner; of an installed one the module."""
        found = FILE.fullmatch(name)
        return os.path.normpath(f"{self.shown}/{found['path']}") if found else name.partition(":")[0]

    def runner(self, name: str) -> str:
        """Return the name ``MODULE:FUNCTION`` of a runner, which a file may name as ``runners/FILE.py:FUNCTION``.

        A path is relative to the folder, and leads to a file below the directory in which the folder lies; if there is
        none, it is a ConfigurationError.
        """
        found = FILE.fullmatch(name)
        if not found:
            return name
        path, home = (self.path / found["path"]).resolve(), self.path.parent
        if not path.is_file() or home not in path.parents:
            there = ", ".join(sorted(f"runners/{file.name}" for file in self.path.glob("runners/*.py")))
            raise ConfigurationError(f"no file {found['path']} of runners; there are {there or 'none in runners/'}")
        if str(home) not in sys.path:
            sys.path.append(str(home))
        return f"{'.'.join(path.relative_to(home).with_suffix('').parts)}:{found['function']}"
