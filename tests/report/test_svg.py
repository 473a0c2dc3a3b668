import re
import xml.etree.ElementTree as ET

import pytest

from corrldp.report.svg import inline

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


def test_ids_and_all_references_carry_the_prefix(svg_source):
    result = ET.fromstring(inline(svg_source, "svg-jrr-fig3", "Figure 3"))
    ids = {element.get("id") for element in result.iter() if element.get("id")}
    assert ids == {f"svg-jrr-fig3{end}" for end in ("", "-axes_1", "-m15", "-p41", "-hatch")}
    path = result.find("g/path")
    assert path.get("clip-path") == "url(#svg-jrr-fig3-p41)"
    assert path.get("style") == "fill: url(#svg-jrr-fig3-hatch)"
    assert result.find("g/use").get("href") == "#svg-jrr-fig3-m15"


def test_two_figures_share_no_id(svg_source):
    ids = [re.findall(r'\bid="([^"]+)"', inline(svg_source, prefix, "t")) for prefix in ("svg-a-f", "svg-b-f")]
    assert not set(ids[0]) & set(ids[1])


def test_styles_stay_inside_and_metadata_is_dropped(svg_source):
    result = inline(svg_source, "svg-x", "t")
    assert "#svg-x * {stroke-linejoin: round; stroke-linecap: butt}" in result
    assert "rdf" not in result
    assert "http" not in result


def test_page_controls_the_size_and_text_survives(svg_source):
    result = ET.fromstring(inline(svg_source, "svg-x", 'Error "1"'))
    assert result.get("width") is None
    assert result.get("style") == "--width: 240pt"
    assert (result.get("role"), result.get("aria-label")) == ("img", 'Error "1"')
    assert result.find("g/text").text == "epsilon < 1 & n"
    assert result.find("g/path").get("d") == "M 57.60 307.58 L 219.92 41"


def test_embedded_bitmaps_are_kept():
    source = f'{HEAD}<image xlink:href="data:image/png;base64,AAAA"/></svg>'
    assert 'href="data:image/png;base64,AAAA"' in inline(source, "svg-x", "t")


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
