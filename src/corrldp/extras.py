"""The extras of the package: a part that needs one says so if it is not installed."""

from importlib.metadata import PackageNotFoundError, distribution


class MissingExtraError(ImportError):
    """A part of the package needs an extra that is not installed; the message has the command."""


def require(extra: str, what: str, *packages: str) -> None:
    """Raise MissingExtraError unless the packages of an extra that `what` needs are installed."""
    missing = []
    for name in packages:
        try:
            distribution(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        raise MissingExtraError(f"{what} needs {', '.join(missing)}: in a clone, pip install ./src '.[{extra}]'")
