"""What all pages are made of: addresses of parts, the environment of templates, drawings, what they carry packed."""

from __future__ import annotations

import base64
import gzip
import re
import xml.etree.ElementTree as ET
from importlib import resources

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from claimaudit.plots.layers import LAYERS
from claimaudit.words.findings import reply_in_words
from claimaudit.words.names import label, labels, plain
from claimaudit.words.numbers import number, p_value, percent, plural, times_stated
from claimaudit.words.verdicts import remark_on_thresholds, why_open

SPACES = {"": "http://www.w3.org/2000/svg", "xlink": "http://www.w3.org/1999/xlink"}
SVG, XLINK_HREF = f"{{{SPACES['']}}}", f"{{{SPACES['xlink']}}}href"
REFERENCE = re.compile(r"(?<=url\(#)|^#")
ID_REFERENCE = re.compile(r"(?:^|url\()#([^)]+)")
LONG_FRACTION = re.compile(r"(\.\d\d)\d+")
PARTS = {"axes": "panel", "legend": "legend"}
NUMERIC = {"d", "x", "y", "transform", "points"}


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
    of_claims = (remark_on_thresholds, reply_in_words, why_open)
    filters = (anchor, label, labels, number, p_value, percent, plain, plural, slug, times_stated, *of_claims)
    shared.filters |= {one.__name__: one for one in filters}
    return shared


def pack(text: str) -> str:
    """Return a text compressed with gzip and encoded in base64, which needs no escaping inside a page."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def data_tables() -> str:
    """Return DataTables, which sorts, searches and saves tables: the bundle of the package itables, packed."""
    return pack(resources.files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8"))


def inline_svg(source: str, prefix: str, title: str) -> str:
    """Return an SVG figure, as Matplotlib writes it, as an element that can share a page with others.

    Every id that is referred to, and every reference, gets `prefix`. The ids of layers become classes such as
    ``layer-theory``, those of panels and legends ``panel`` and ``legend``. Other ids, groups left without attributes,
    metadata and namespaces are removed. The style sheet applies to this figure only, coordinates keep two decimals
    (1/100 point), and the page sets the width. `prefix`, of letters, digits, ``_`` and ``-``, is also the id of the
    element, and screen readers read the `title`.

    Raises
    ------
    ValueError
        If the document is not well-formed.
    """
    try:
        root = ET.fromstring(source)
    except ET.ParseError as error:
        raise ValueError(f"{prefix}: not well-formed SVG ({error}); draw the figure again") from error
    _drop_foreign(root)
    for element in root.iter():
        _localize(element, prefix)
    _drop_ids(root)
    _unwrap_groups(root)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib.update({"id": prefix, "role": "img", "aria-label": title})
    return ET.tostring(root, encoding="unicode").strip()


def svg_without(source: str, name: str) -> str:
    """Return an SVG figure without the group of this id."""
    for prefix, space in SPACES.items():
        ET.register_namespace(prefix, space)
    root = ET.fromstring(source)
    for parent in root.iter():
        for child in list(parent):
            if child.get("id") == name:
                parent.remove(child)
    return ET.tostring(root, encoding="unicode")


def _drop_foreign(parent: ET.Element) -> None:
    """Remove metadata, the title (the page has one) and every element that is not SVG."""
    for child in list(parent):
        if child.tag.startswith(SVG) and child.tag not in {f"{SVG}metadata", f"{SVG}title"}:
            _drop_foreign(child)
        else:
            parent.remove(child)


def _localize(element: ET.Element, prefix: str) -> None:
    """Rewrite one element's name, ids and references so that they apply to this figure alone."""
    element.tag = element.tag.removeprefix(SVG)
    if element.tag == "style":  # one rule without class or id
        element.text = f"#{prefix} {element.text}"
    attributes = {}
    for name, value in element.attrib.items():
        name = "href" if name == XLINK_HREF else name
        if name == "id":
            part = PARTS.get(value.rpartition("_")[0], "")
            shown = f"layer-{value}" if value in LAYERS else part
            attributes["class" if shown else "id"] = shown or f"{prefix}-{value}"
        elif name in NUMERIC:
            attributes[name] = LONG_FRACTION.sub(r"\1", " ".join(value.split()))
        else:
            attributes[name] = REFERENCE.sub(lambda found: f"{found[0]}{prefix}-", value)
    element.attrib = attributes
    if element.text and not element.text.strip():
        element.text = None
    if element.tail and not element.tail.strip():
        element.tail = None


def _drop_ids(root: ET.Element) -> None:
    referred = {
        target for element in root.iter() for value in element.attrib.values() for target in ID_REFERENCE.findall(value)
    }
    for element in root.iter():
        if element.get("id") not in referred:
            element.attrib.pop("id", None)


def _unwrap_groups(parent: ET.Element) -> None:
    """Replace each group without attributes by its content."""
    children: list[ET.Element] = []
    for child in parent:
        _unwrap_groups(child)
        children.extend(child if child.tag == "g" and not child.attrib else [child])
    parent[:] = children
