"""What tests read on the pages of the report."""

import base64
import gzip
import json
import re
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}
CLAIM = re.compile(r'<details class="claim [a-z-]+" id="claim-[^"]*".*?</script>\s*</details>', re.DOTALL)
"""The row of a claim with its card."""

WAITING = re.compile(r'<script type="text/html">(.*?)</script>', re.DOTALL)
"""What a part of a page shows when it opens."""


class Outline(HTMLParser):
    """Parser for the parts of a page that tests examine; an element not closed in order is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.elements, self.headings = [], [], [], []
        self.feed(WAITING.sub(r"<template>\1</template>", text))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def claims_on(text):
    return [attributes for _, attributes in Outline(text).elements if "data-claim" in attributes]


def words_of(markup):
    return " ".join(re.sub("<.*?>", " ", markup).split())


def unfolded(html):
    """Return a page with its packed cards and drawings where its scripts put them."""
    for name, place in (
        ("cards", r'(<details class="claim [a-z-]+" id="([^"]*)".*?</summary>)'),
        ("drawings", r'(<article class="exhibit" id="(figure-[^"]*)".*?<div class="scroll drawing"[^>]*>)'),
    ):
        if f'id="{name}"' in html:
            parts = json.loads(unpacked(html, name))
            waiting = '<script type="text/html">{}</script>'.format
            html = re.sub(place, lambda found: found[1] + waiting(parts[found[2]]), html, flags=re.DOTALL)  # noqa: B023
    return html


def unpacked(html, name):
    text = re.search(rf'<script type="application/gzip" id="{name}">([^<]*)</script>', html)[1]
    return gzip.decompress(base64.b64decode(text)).decode()
