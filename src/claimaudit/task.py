"""A job of an audit as a file, and what runs it: ``python -m claimaudit.task TASK INPUT... OUTPUT...``.

TASK is a JSON file of a `Task`. The inputs follow in the order of its `reads`, the outputs in that of its `makes`. If
anything is wrong, the program ends with one line and writes nothing.
"""

import gc
import hashlib
import json
import logging
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from claimaudit.storage import adapter, write_bytes

Files = Mapping[str, Sequence[str]]  # the files that a job reads, by the parameter of its function


@dataclass(frozen=True)
class Task:
    """A job without the places of its files.

    `does` is its function, ``module:name``, which is called with each of the `settings`, by the name that errors give
    them: values by parameter, as plain data. It also takes lists of files by name, `reads` of them for each parameter
    in the order in which they are given, and returns what to write: the contents of files, of which `makes` are the
    names.
    """

    does: str
    settings: Mapping[str, Mapping[str, Any]]
    reads: tuple[tuple[str, int], ...]
    makes: tuple[str, ...]

    def to_json(self) -> bytes:
        """Return the task as a file."""
        return json.dumps(plain(self)).encode()

    def run(self, inputs: Sequence[Path], outputs: Sequence[Path]) -> None:
        """Call the function for each setting, and then write what it returned.

        Raises ValueError if anything is wrong with a setting or an input; a note on it names the setting.
        """
        function: Callable[..., Mapping[str, bytes]] = pkgutil.resolve_name(self.does)
        types = get_type_hints(function)
        left = iter(inputs)
        files = {name: [*islice(left, count)] for name, count in self.reads}
        made: list[bytes] = []
        for name, setting in self.settings.items():
            try:
                taken = {key: adapter(types[key]).validate_json(json.dumps(value)) for key, value in setting.items()}
                contents = function(**taken, **files)
            except (OSError, ValueError) as error:
                error.add_note(name)
                raise
            made += [contents[part] for part in self.makes]
        for path, content in zip(outputs, made, strict=True):
            write_bytes(path, content)


def plain(content: object) -> Any:  # noqa: ANN401
    """Return a dataclass or model as the plain data of JSON, from which its type reads it back."""
    kind = adapter(type(content))  # type: ignore[arg-type]  # types are hashable
    return kind.dump_python(content, mode="json", exclude_unset=True)


def keep(content: bytes, place: Path) -> str:
    """Write a file to a directory, under a name that changes with its content, unless it is there; return its path."""
    path = place / f"{hashlib.sha256(content).hexdigest()[:16]}.json"
    if not path.exists():
        write_bytes(path, content)
    return str(path)


def main(arguments: Sequence[str]) -> None:
    """Run a task from a file."""
    gc.set_threshold(100_000)  # imports and jobs make many objects that last: cycles among them are not worth the time
    logging.basicConfig(format="%(message)s")
    logging.getLogger("claimaudit").setLevel(logging.INFO)
    path, *files = map(Path, arguments)
    task = TypeAdapter(Task).validate_json(path.read_bytes())
    inputs = sum(count for _, count in task.reads)
    try:
        task.run(files[:inputs], files[inputs:])
    except (OSError, ValueError) as error:
        sys.exit(": ".join([*getattr(error, "__notes__", ()), str(error)]))
    gc.freeze()  # or Python would look for cycles among all objects once more as it ends


if __name__ == "__main__":
    main(sys.argv[1:])
