"""Addresses of the parts of a page, and the filters of its templates."""

import re

from corrldp.words.names import label, labels, plain
from corrldp.words.numbers import number, p_value, percent, plural, times_stated


def anchor(kind: str, *names: str) -> str:
    """Return the id of a part of the page, such as ``claim-jrr-mse-at-low-epsilon``, for deep links."""
    return "-".join((kind, *names))


def slug(name: str) -> str:
    """Return a name for addresses: ``RS+FD`` is ``rs-fd``."""
    return re.sub(r"\W+", "-", name).strip("-").lower()


FILTERS = {
    "anchor": anchor,
    "label": label,
    "labels": labels,
    "number": number,
    "p_value": p_value,
    "percent": percent,
    "plain": plain,
    "plural": plural,
    "slug": slug,
    "times_stated": times_stated,
}
