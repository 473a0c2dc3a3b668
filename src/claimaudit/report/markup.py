"""What all pages share: addresses of their parts, the environment of their templates, and what they carry packed."""

import base64
import gzip
import re
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from claimaudit.words.names import label, labels, plain
from claimaudit.words.numbers import number, p_value, percent, plural, times_stated


def anchor(kind: str, *names: str) -> str:
    """Return the id of a part of the page, such as ``claim-jrr-mse-at-low-epsilon``, for deep links."""
    return "-".join((kind, *names))


def slug(name: str) -> str:
    """Return a name for addresses: ``A+BC`` is ``a-bc``."""
    return re.sub(r"\W+", "-", name).strip("-").lower()


def environment(*packages: str) -> Environment:
    """Return an environment with the templates and filters that all pages share, and the templates of more packages.

    An unknown name in a template is an error.
    """
    shared = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, "claimaudit.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters = (anchor, label, labels, number, p_value, percent, plain, plural, slug, times_stated)
    shared.filters |= {one.__name__: one for one in filters}
    return shared


def pack(text: str) -> str:
    """Return a text compressed with gzip and encoded in base64, which needs no escaping inside a page."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def data_tables() -> str:
    """Return DataTables, which sorts, searches and saves tables: the bundle of the package itables, packed."""
    return pack(resources.files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8"))
