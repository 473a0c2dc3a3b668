"""Make the SVG of a figure safe to embed in an HTML page beside others, and read the positions of its values."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
ACTIVE_ELEMENTS = {"script", "foreignObject", "iframe", "animate", "set", "handler"}
# Ids of groups set by the plots (corrldp.plots.layers): layers that a reader can hide, and the marks of values.
LAYERS = {"published": "published points", "theory": "theory", "readings": "other readings"}
VALUES = "values"
# Allowed references: an element of the same figure, or an embedded bitmap.
LOCAL_REFERENCE = re.compile(r"#|data:image/")
STYLE_REFERENCE = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)")
ID_REFERENCE = re.compile(r"(?:^|url\()#([^)]+)")
LONG_FRACTION = re.compile(r"(\.\d\d)\d+")
NUMERIC = {"d", "x", "y", "transform", "points"}


@dataclass(frozen=True)
class Drawing:
    """One figure on the page.

    `layers` holds the keys of `LAYERS` present; `points` are (row of its numbers, x, y) in units of the view box, and
    `size` its natural width and its shape as CSS variables.
    """

    markup: str
    size: str
    layers: list[str]
    points: list[tuple[int, float, float]]


def inline(source: str, prefix: str, title: str) -> Drawing:
    """Return an SVG document as an element that can share a page with other figures.

    Every id that is referred to, and every reference, gets `prefix`. The ids of layers become classes such as
    ``layer-theory``. Other ids, groups left without attributes, metadata, namespaces and the marks of values are
    removed. Style sheets apply to this figure only, coordinates keep two decimals (1/100 point), and the page sets the
    width.

    Parameters
    ----------
    source
        The SVG document.
    prefix
        Prepended to each id, and the id of the element itself. Letters, digits, ``_`` and ``-``.
    title
        Text that a screen reader reads in place of the drawing.

    Raises
    ------
    ValueError
        If the document is not SVG, runs code, or refers to anything outside itself.
    """
    try:
        root = ET.fromstring(source)
    except ET.ParseError as error:
        raise ValueError(f"{prefix}: not well-formed SVG ({error}); draw the figure again") from error
    if root.tag != f"{SVG}svg":
        raise ValueError(f"{prefix}: the root element is {root.tag!r}, expected svg; draw the figure again")
    view_box = root.get("viewBox")
    if view_box is None:
        raise ValueError(f"{prefix}: the SVG has no viewBox, so it cannot be scaled; draw the figure again")
    points = _take_values(root)
    _drop_foreign(root)
    present = {element.get("id") for element in root.iter()}
    for element in root.iter():
        _localize(element, prefix)
    _drop_ids(root)
    _unwrap_groups(root)
    width, height = view_box.replace(",", " ").split()[2:]
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib.update({"id": prefix, "role": "img", "aria-label": title})
    markup = ET.tostring(root, encoding="unicode").strip()
    size = f"--width: {width}pt; --shape: {width} / {height}"
    return Drawing(markup, size, [layer for layer in LAYERS if layer in present], points)


def _take_values(root: ET.Element) -> list[tuple[int, float, float]]:
    """Remove the marks of values; return the row and the position of each."""
    points = []
    for parent in root.iter(f"{SVG}g"):
        for group in parent.findall(f"{SVG}g[@id='{VALUES}']"):
            parent.remove(group)
            for link in group.iter(f"{SVG}a"):
                mark = next(link.iter(f"{SVG}path"), None)
                if mark is None or not mark.get("d"):  # outside the axes
                    continue
                _, x, y = mark.attrib["d"].split()
                points.append((int(link.attrib[XLINK_HREF][1:]), round(float(x), 2), round(float(y), 2)))
    return points


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
    if element.tag in ACTIVE_ELEMENTS:
        raise ValueError(f"{prefix}: <{element.tag}> is not allowed in a figure; draw the figure again")
    if element.tag == "style":
        element.text = _scoped(element.text or "", prefix)
    attributes = {}
    for name, value in element.attrib.items():
        plain = "href" if name == XLINK_HREF else name
        if plain.startswith("{"):
            continue
        if plain.lower().startswith("on"):
            raise ValueError(f"{prefix}: the attribute {plain} runs code; draw the figure again")
        if plain == "id" and value in LAYERS:
            attributes["class"] = f"layer-{value}"
        else:
            attributes[plain] = _rewritten(plain, value, prefix)
    element.attrib = attributes
    if element.text and not element.text.strip():
        element.text = None
    if element.tail and not element.tail.strip():
        element.tail = None


def _drop_ids(root: ET.Element) -> None:
    """Remove ids without references."""
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


def _rewritten(name: str, value: str, prefix: str) -> str:
    """Return an attribute's value with the prefix added to ids and references."""
    if name == "id":
        return f"{prefix}-{value}"
    if name == "href":
        return _reference(value, prefix)
    if name in NUMERIC:
        return LONG_FRACTION.sub(r"\1", " ".join(value.split()))
    return STYLE_REFERENCE.sub(lambda match: f"url({_reference(match[2], prefix)})", value)


def _reference(target: str, prefix: str) -> str:
    """Return a reference to an element of the figure with its prefix; embedded bitmaps stay as they are."""
    if not LOCAL_REFERENCE.match(target):
        raise ValueError(f"{prefix}: refers to {target!r} outside the figure; embed it and draw the figure again")
    return f"#{prefix}-{target[1:]}" if target.startswith("#") else target


def _scoped(style_sheet: str, prefix: str) -> str:
    """Return a flat style sheet whose rules apply only below the element with id `prefix`."""
    if "@" in style_sheet:
        raise ValueError(f"{prefix}: the style sheet has an @-rule; use plain rules and draw the figure again")
    style_sheet = STYLE_REFERENCE.sub(lambda match: f"url({_reference(match[2], prefix)})", style_sheet)
    rules = []
    for rule in style_sheet.split("}")[:-1]:
        selectors, declarations = rule.split("{")
        scoped = ", ".join(f"#{prefix} {selector.strip()}" for selector in selectors.split(","))
        rules.append(f"{scoped} {{{declarations}}}")
    return "\n".join(rules)
