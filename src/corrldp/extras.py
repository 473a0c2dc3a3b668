"""The extras that the metadata of the package declare, and which of their packages are missing."""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires

PACKAGE = "corrldp"
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[(?P<extra>[\w-]+)\])?[^;]*;\s*extra == ['\"](?P<of>[\w-]+)['\"]")


class MissingExtraError(ImportError):
    """A part of the package needs an extra that is not installed; the message has the command."""


def require(extra: str, what: str) -> None:
    """Raise MissingExtraError unless the extra that `what` needs is installed."""
    missing = [name for name in packages(extra) if not _installed(name)]
    if missing:
        raise MissingExtraError(f"{what} needs {', '.join(missing)}: in a clone, pip install ./src '.[{extra}]'")


@cache
def packages(extra: str) -> list[str]:
    """Return the packages of an extra and of those that it includes; none if the package itself is not installed."""
    try:
        declared = [found for line in requires(PACKAGE) or () if (found := REQUIREMENT.match(line))]
    except PackageNotFoundError:
        return []
    mine = [found for found in declared if found["of"] == extra]
    names = [found["name"] for found in mine if found["name"] != PACKAGE]
    return names + [name for found in mine if found["name"] == PACKAGE for name in packages(found["extra"])]


def _installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
