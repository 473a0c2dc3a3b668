import pytest
from drawing import figure_of

from claimaudit.plots import scatter

BOXES = {
    "left": {"at": [0.1, 0.5], "text": "users: {number[RR]:.3g}", "to": {"right": "report {number[JRR]:.3g}"}},
    "right": {"at": [0.9, 0.5], "text": "collector"},
}
STYLE = {
    "x": "n",
    "y": "are",
    "where": "n == 1000 and epsilon == 1 and ones_fraction == 0.1",
    "boxes": BOXES,
}


def right(text):
    """Another text of the right box."""
    return {"boxes": {**BOXES, "right": {"at": [0, 0], "text": text}}}


def diagram_of(table, **changes):
    return figure_of(scatter.draw_diagram, table, STYLE, **changes)[0]


def test_texts_show_the_numbers_of_their_mechanisms(table):
    figure = diagram_of(table)
    assert {text.get_text() for text in figure.axes[0].texts} == {"users: 0.0036", "collector", "", "report 0.0012"}


def test_a_text_names_one_of_several_metrics(table):
    text = "{number[RR|are]:.3g} and {number[JRR|mse_counts]:.4g}"
    changes = {"y": ["are", "mse_counts"], "lines": "metric"}
    figure = diagram_of(table, **changes, boxes={"only": {"at": [0.5, 0.5], "text": text}})
    assert [shown.get_text() for shown in figure.axes[0].texts] == ["0.0036 and 909.1"]


@pytest.mark.parametrize("standin", [False, True])
def test_numbers_of_standin_data_are_announced(table, standin):
    texts = [shown.get_text() for shown in diagram_of(table.assign(standin=standin)).axes[0].texts]
    assert ("STAND-IN DATA" in texts) == standin


def test_an_arrow_goes_from_frame_to_frame(table):
    figure = diagram_of(table)
    figure.draw_without_rendering()
    frames = {text.get_text(): text.get_bbox_patch().get_window_extent() for text in figure.axes[0].texts[:2]}
    (arrow,) = [text.arrow_patch for text in figure.axes[0].texts if text.arrow_patch]
    extent = arrow.get_window_extent()
    assert frames["users: 0.0036"].x1 < extent.x0 < extent.x1 < frames["collector"].x0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x": "epsilon", "where": "n == 1000 and ones_fraction == 0.1"}, "'RR' has 3 numbers; name a metric, or sel"),
        (right("{number[GRR]}"), "no mechanism 'GRR' is drawn; there are RR, JRR"),
        (right("{number[RR|mse]}"), "no metric 'mse' is drawn; there are are"),
        (right("{number}"), "needs names in brackets"),
        (right("{number[RR]:q}"), r"write .* or {number\[A\]"),
        ({"boxes": {"left": {**BOXES["left"], "to": {"rihgt": ""}}}}, "arrow to 'rihgt' .there are: left"),
    ],
)
def test_a_diagram_that_cannot_be_drawn_says_why(table, changes, message):
    with pytest.raises(ValueError, match=message):
        diagram_of(table, **changes)
