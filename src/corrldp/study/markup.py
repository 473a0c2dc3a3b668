"""The templates of a study's pages, beside those that all pages share."""

from __future__ import annotations

from jinja2 import ChoiceLoader, Environment, PackageLoader

from claimaudit.report import markup


def environment() -> Environment:
    """Return the environment of all pages, with the templates of a study."""
    shared = markup.environment()
    assert shared.loader is not None
    shared.loader = ChoiceLoader([PackageLoader("corrldp.study"), shared.loader])
    return shared
