import xml.etree.ElementTree as ET

import pytest
from small_report import SVG

from claimaudit.report.markup import inline_svg, svg_without

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def markup(source, prefix="svg-x", title="t"):
    return inline_svg(source, prefix, title)


def test_ids_and_all_references_carry_the_prefix():
    result = ET.fromstring(markup(SVG, "svg-figure-jrr-fig3", "Figure 3"))
    ids = {element.get("id") for element in result.iter() if element.get("id")}
    assert ids == {f"svg-figure-jrr-fig3{end}" for end in ("", "-m15", "-p41", "-hatch")}
    path = result.find(".//path[@clip-path]")
    assert path.get("clip-path") == "url(#svg-figure-jrr-fig3-p41)"
    assert path.get("style") == "fill: url(#svg-figure-jrr-fig3-hatch)"
    assert result.find(".//use").get("href") == "#svg-figure-jrr-fig3-m15"


def test_styles_stay_inside_and_metadata_is_dropped():
    result = markup(SVG)
    assert "#svg-x *{stroke-linejoin: round; stroke-linecap: butt}" in result
    assert "rdf" not in result
    assert "http" not in result


def test_page_controls_the_size_and_text_survives():
    result = ET.fromstring(markup(SVG, title='Error "1"'))
    assert result.get("width") is None
    assert result.get("style") is None
    assert (result.get("role"), result.get("aria-label")) == ("img", 'Error "1"')
    assert result.find(".//text").text == "epsilon < 1 & n"
    assert result.find(".//path[@clip-path]").get("d") == "M 57.60 307.58 L 219.92 41"


def test_a_group_is_left_out_wherever_it_is():
    source = f'{HEAD}<g><g id="foot"><text>Source</text></g><use xlink:href="#a"/></g><text id="a">b</text></svg>'
    left = svg_without(source, "foot")
    assert "Source" not in left
    assert inline_svg(left, "x", "t") == inline_svg(
        source.replace('<g id="foot"><text>Source</text></g>', ""), "x", "t"
    )


def test_panels_and_layers_become_classes():
    assert ET.fromstring(markup(SVG)).find("g[@class='panel']/g[@class='layer-theory']/path") is not None


def test_groups_without_meaning_are_unwrapped_and_order_is_kept():
    source = (
        f'{HEAD}<g id="a"><path d="M 1 1"/><g style="opacity: 1"><g><text>b</text></g></g></g><path d="M 2 2"/></svg>'
    )
    root = ET.fromstring(markup(source))
    assert [child.tag for child in root] == ["path", "g", "path"]
    assert root.find("g/text").text == "b"


def test_a_damaged_file_is_an_error():
    with pytest.raises(ValueError, match=r"^svg-figure-jrr-fig3: not well-formed SVG .*; draw the figure again$"):
        inline_svg(f"{HEAD}<g>", "svg-figure-jrr-fig3", "t")
