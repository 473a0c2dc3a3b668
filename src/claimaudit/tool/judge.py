"""Judge a few claims by one CSV file: no figures, no page."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from claimaudit.experiments.given import Columns
from claimaudit.names import ConfigurationError, require_known
from claimaudit.papers.folder import Folder
from claimaudit.stages import STAGES, Options
from claimaudit.tool.folder import read
from claimaudit.tool.run import execute, planned
from claimaudit.verdicts import Verdicts
from claimaudit.verdicts import read as read_verdicts

SHOWN = "judged"
SEVERAL = ("mean", "se", "settings")


def judge(
    claims: Path, table: Path, published: Sequence[Path], columns: Mapping[str, str], exact: bool = False
) -> Verdicts:
    """Judge the claims of a file by the results in another.

    Parameters
    ----------
    claims
        The claims; each is ``of`` the file of results, by its name without the suffix.
    table
        The results.
    published
        Files of printed numbers.
    columns
        What columns of the results are, see `claimaudit.experiments.given.Columns`; several are separated by commas.
    exact
        Whether the results are exact.

    Raises
    ------
    ConfigurationError
        A file has a mistake; one line for each.
    """
    for path in (claims, table, *published):
        if not path.is_file():
            raise ConfigurationError(f"there is no file {path}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "judged"
        (path / "published").mkdir(parents=True)
        shutil.copy(claims, path / "claims.yaml")
        shutil.copy(table, path / table.name)
        for file in published:
            shutil.copy(file, path / "published" / file.name)
        content = _paper(table, columns, exact)
        (path / "paper.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        try:
            plan = planned(read(Folder(path, SHOWN)), Path(place) / "out", Options())
            for stage in STAGES:
                if stage.name in ("given", "verdicts"):
                    execute(stage, plan)
            return read_verdicts(Path(*plan.verdicts(SHOWN)))
        except ConfigurationError as error:
            raise ConfigurationError(_in_own_names(str(error), claims, table, published)) from None


def _in_own_names(message: str, claims: Path, table: Path, published: Sequence[Path]) -> str:
    """Return an error with the names that the user knows in place of those of the files that were made."""
    own = {f"{SHOWN}/claims.yaml": claims, f"{SHOWN}/{table.name}": table}
    own |= {f"{SHOWN}/published/{path.name}": path for path in published}
    for name, path in own.items():
        message = message.replace(name, str(path))
    return message


def _paper(table: Path, columns: Mapping[str, str], exact: bool) -> dict[str, object]:
    """Return a paper of one experiment and no exhibits."""
    for role in columns:
        require_known(role, Columns.model_fields, "role of a column")
    named = {
        role: name.split(",") if role == "settings" or (role in SEVERAL and "," in name) else name
        for role, name in columns.items()
    }
    if str(named.get("runs", "")).isdecimal():
        named["runs"] = json.loads(str(named["runs"]))
    experiment = {"source": table.name, "setting": {**named, "se": 0} if exact else named}
    about = {"title": "Claims", "authors": "-", "venue": "-"}
    return {**about, "experiments": {table.stem: experiment}}
