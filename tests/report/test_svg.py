import re
import xml.etree.ElementTree as ET

import pytest

from corrldp.report.svg import Drawing, inline

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def markup(source, prefix="svg-x", title="t"):
    return inline(source, prefix, title).markup


def test_ids_and_all_references_carry_the_prefix(svg_source):
    result = ET.fromstring(markup(svg_source, "svg-jrr-fig3", "Figure 3"))
    ids = {element.get("id") for element in result.iter() if element.get("id")}
    assert ids == {f"svg-jrr-fig3{end}" for end in ("", "-m15", "-p41", "-hatch")}
    path = result.find("path[@clip-path]")
    assert path.get("clip-path") == "url(#svg-jrr-fig3-p41)"
    assert path.get("style") == "fill: url(#svg-jrr-fig3-hatch)"
    assert result.find("use").get("href") == "#svg-jrr-fig3-m15"


def test_two_figures_share_no_id(svg_source):
    ids = [re.findall(r'\bid="([^"]+)"', markup(svg_source, prefix)) for prefix in ("svg-a-f", "svg-b-f")]
    assert not set(ids[0]) & set(ids[1])


def test_styles_stay_inside_and_metadata_is_dropped(svg_source):
    result = markup(svg_source)
    assert "#svg-x * {stroke-linejoin: round; stroke-linecap: butt}" in result
    assert "rdf" not in result
    assert "http" not in result


def test_page_controls_the_size_and_text_survives(svg_source):
    result = ET.fromstring(markup(svg_source, title='Error "1"'))
    assert result.get("width") is None
    assert result.get("style") is None
    assert inline(svg_source, "svg-x", "t").size == "--width: 240pt; --shape: 240 / 120"
    assert (result.get("role"), result.get("aria-label")) == ("img", 'Error "1"')
    assert result.find("text").text == "epsilon < 1 & n"
    assert result.find("path[@clip-path]").get("d") == "M 57.60 307.58 L 219.92 41"


def test_embedded_bitmaps_are_kept():
    source = f'{HEAD}<image xlink:href="data:image/png;base64,AAAA"/></svg>'
    assert 'href="data:image/png;base64,AAAA"' in markup(source)


def test_layers_become_classes_and_values_become_points(svg_source):
    drawing = inline(svg_source, "svg-x", "t")
    assert (drawing.layers, drawing.points) == (["theory"], [(0, 60.12, 50.5), (1, 120.0, 70.0)])
    root = ET.fromstring(drawing.markup)
    assert root.find("g[@class='layer-theory']/path") is not None
    assert root.find(".//a") is None


@pytest.mark.parametrize("mark", ['<path d=""/>', "<path/>", ""])
def test_a_value_outside_the_axes_has_no_point(mark):
    source = (
        f'{HEAD}<g><g id="values"><a xlink:href="#0">{mark}</a><a xlink:href="#1"><path d="M 1 2"/></a></g></g></svg>'
    )
    assert inline(source, "svg-x", "t").points == [(1, 1.0, 2.0)]


def test_groups_without_meaning_are_unwrapped_and_order_is_kept():
    source = (
        f'{HEAD}<g id="a"><path d="M 1 1"/><g style="opacity: 1"><g><text>b</text></g></g></g><path d="M 2 2"/></svg>'
    )
    root = ET.fromstring(markup(source))
    assert [child.tag for child in root] == ["path", "g", "path"]
    assert root.find("g/text").text == "b"
    assert inline(source, "svg-x", "t") == Drawing(markup(source), "--width: 9pt; --shape: 9 / 9", [], [])


def test_a_view_box_may_have_commas_and_start_anywhere():
    source = HEAD.replace("0 0 9 9", "-5,-5, 12.5,40") + "</svg>"
    assert inline(source, "svg-x", "t").size == "--width: 12.5pt; --shape: 12.5 / 40"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (f"{HEAD}<script>alert(1)</script></svg>", "<script> is not allowed"),
        (f'{HEAD}<g onclick="alert(1)"/></svg>', "onclick runs code"),
        (f'{HEAD}<image xlink:href="http://x.example/a.png"/></svg>', "http://x.example/a.png"),
        (f"{HEAD}<g style=\"fill: url('//x.example/f')\"/></svg>", "//x.example/f"),
        (f"{HEAD}<style>@import 'x';</style></svg>", "@-rule"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "no viewBox"),
        ("<html/>", "expected svg"),
        (f"{HEAD}<g>", "not well-formed"),
    ],
)
def test_what_is_not_a_plain_drawing_is_an_error(source, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        inline(source, "svg-jrr-fig3", "t")
    assert str(caught.value).startswith("svg-jrr-fig3: ")
