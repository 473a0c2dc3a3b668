"""How pages are rendered: the environment of their templates, and what they carry packed."""

import base64
import gzip

from jinja2 import Environment, PackageLoader, StrictUndefined

from corrldp.report.markup import FILTERS


def plain_environment() -> Environment:
    """Return an environment with the filters that all pages share; an unknown name in a template is an error."""
    environment = Environment(
        loader=PackageLoader("corrldp.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= FILTERS
    return environment


def pack(text: str) -> str:
    """Return a text compressed with gzip and encoded in base64, which needs no escaping inside a page."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
