"""The page of a text: who beats whom, what was run, figures, and claims with their cards."""

import json
import re
from dataclasses import replace

import pytest
from outline import CLAIM, claims_on, unpacked
from small_report import ran_exhibit

from claimaudit.verdicts import VERDICTS, Cause, Meeting, Threshold

pytestmark = pytest.mark.thorough


BETTER = "at 1 of 2 settings as stated; at 1 of 2 settings as run; at 1 of 2 settings as printed"
WORSE = "at 0 of 2 settings as stated; at 1 of 2 settings as run; at 1 of 2 settings as printed"


def test_who_beats_whom_is_counted_and_its_numbers_open_the_settings(jrr):
    (table,) = re.findall(r'<table class="pairs">.*?</table>', jrr, re.DOTALL)
    cells = re.findall(r'<a href="#(pair-jrr-\w+-\w+)" aria-label="([^"]*)">(.*?)</a>', table)
    plain = [(target, label, re.sub("<.*?>", "", text)) for target, label, text in cells]
    assert plain == [
        (f"pair-jrr-{one.lower()}-{other.lower()}", f"{one} has a lower error than {other} {where}.", counts)
        for one, other, counts, where in (
            ("JRR", "RR", "1 of 2 (1 of 2)", BETTER),
            ("RR", "JRR", "0 of 2 (1 of 2)", WORSE),
        )
    ]
    opened = re.search(r'<details class="pair" id="pair-jrr-jrr-rr">.*?</details>', jrr, re.DOTALL)[0]
    assert "Figure 3: 1 of 2; not at epsilon = 1 (cannot tell)." in opened
    assert "Figure 3: 1 of 2; not at epsilon = 0.01 (higher)." in opened


def test_a_page_says_which_parts_of_the_text_no_claim_checks(setting, render):
    setting["papers"]["jrr"]["unchecked"] = {"6 Related Work": "It is cited."}
    section = render(papers=setting["papers"])["jrr.html"].split('id="unchecked-jrr"')[1]
    assert "<strong>6 Related Work</strong>: It is cited." in section.split("</section>")[0]


def test_where_a_mechanism_always_wins_its_exhibits_are_listed_together(contents, render):
    predictions = contents.predictions["jrr"]
    of_jrr = (predictions["mechanism"] == "JRR") & (predictions["exhibit"] == "fig3")
    predictions.loc[of_jrr, "value"] = 1
    jrr = render()["jrr.html"]
    won = re.search(r'<details class="pair" id="pair-jrr-jrr-rr">.*?</details>', jrr, re.DOTALL)[0]
    ours = won[won.index("<h3>As stated") :]
    assert ours.count("At every setting of Figure 3.") == 2
    assert "not at" not in ours


def test_a_text_without_errors_to_compare_has_no_such_section(pages):
    assert 'id="pairs-castell"' not in pages["castell.html"]
    assert "pairs-castell" not in pages["index.html"]


def test_a_claim_names_its_files_and_how_to_judge_it_again(claims):
    claim = CLAIM.findall(claims)[1]
    for part in (
        "result table (<code>results/jrr/fig3.csv</code>)",
        "configuration (<code>papers/jrr/claims.yaml</code>) at abc1234",
        "<code>judge jrr/reproduced</code>",
        '<span class="term">against</span> <code>mse_rr</code>',
        'data-link="#claim-jrr-reproduced"',
    ):
        assert part in claim


@pytest.mark.parametrize(
    ("repository", "told"),
    [
        ("", "has no public address: complete this text and send it to whoever gave you the report, who can show"),
        ("https://code.example/it", '<a href="https://code.example/it/issues/new?title='),
    ],
)
def test_a_card_says_where_to_send_what_is_wrong(setting, render, repository, told):
    pages = render(source={**setting["source"], "repository": repository, "changed": True})
    cards = json.loads(unpacked(pages["claims.html"], "cards"))
    assert told in cards["claim-jrr-reproduced"]
    for line in ("Claim: jrr/reproduced (JRR, Section 5.3", "Commit: abc1234, with local changes, version 0.1.0"):
        assert line in cards["claim-jrr-reproduced"]
    assert ("https://code.example/it/issues" in pages["certificate_jrr.html"]) == bool(repository)
    assert ("whoever gave you this report" in pages["certificate_jrr.html"]) != bool(repository)


def test_what_seems_to_have_been_run_is_shown_and_linked_from_figure_and_claims(jrr, claims):
    ran = re.search('<article class="ran" id="run-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    assert "63 printed numbers. The text as it stands is rejected" in ran
    assert "about 520 (95 % interval 430 to 631)" in ran
    assert jrr.count('href="#run-jrr-fig3"') == 1
    assert claims.count('href="jrr.html#run-jrr-fig3"') == 6
    assert '<span id="run-jrr-fig4">Figure 4</span>' in jrr  # nothing printed says what was run


def test_causes_are_findings_with_their_claims_beneath_them(change_claims, render):
    causes = {"step": Cause("The step is half of what Table 4 states.")}
    change_claims(*[{"cause": "step"}] * 4, causes=causes)
    pages = render()
    (finding,) = re.findall('<li id="cause-jrr-step".*?</details>', pages["jrr.html"], re.DOTALL)
    assert pages["claims.html"].count('<a href="jrr.html#cause-jrr-step">the finding</a>') == 4
    assert "The step is half of what Table 4 states." in finding
    statement, numbers = finding.split("<summary>")
    assert "Printed: ours 0.07" in numbers
    assert "Printed: ours" not in statement
    named = ["reproduced", "reproduced-as-run", "not-reproduced", "contradicted-by-the-paper"]
    assert re.findall('href="claims.html#claim-jrr-([a-z-]*)"', finding) == named


def test_long_comparisons_are_capped_with_a_pointer_to_all(contents, change_claims, render):
    first, other = contents.verdicts["jrr"].claims[0].evidence
    comparisons = {"n": list(range(500)), "outcome": ["satisfied"] * 499 + ["violated"]}
    change_claims({"evidence": (replace(first, comparisons=comparisons), other)})
    html = render()["claims.html"]
    assert "502 comparisons, the first 200 here" in html
    assert 'All 502 are in <a href="verdicts/jrr.json">' in html
    rows = json.loads(unpacked(html, "numbers"))["sheets"]["claim-jrr-reproduced-comparisons"]["rows"]
    assert len(rows) == 200
    assert rows[0][1] == "499"


def test_every_value_of_an_attribute_can_be_chosen(claims):
    selects = re.findall('<select id="filter-([a-z_]+)"(.*?)</select>', claims, re.DOTALL)
    assert len(selects) == 10
    for name, select in selects:
        values = {value or text for value, text in re.findall(r'<option(?: value="([^"]*)")?>([^<]*)', select)}
        assert {claim[f"data-{name}"] for claim in claims_on(claims)} <= values


def test_who_beats_whom_says_who_is_compared_and_what_the_paper_leaves_out(setting, render):
    setting["papers"]["jrr"]["compared"] = "SMP is not among them."
    said = re.sub("<.*?>", "", render()["jrr.html"])
    assert "the paper's own figures and tables: JRR, RR. SMP is not among them." in said


def test_layers_that_a_figure_has_can_be_switched(pages):
    assert re.findall('<[^>]* data-layer="?(\\w+)', pages["jrr.html"] + pages["castell.html"]) == ["theory", "theory"]


def test_the_box_of_a_drawing_has_its_shape(jrr):
    box = re.search('<div class="scroll drawing".*?</script></div>', jrr, re.DOTALL)[0]
    assert 'style="--width: 240.0pt; --shape: 240.0 / 120.0"' in box
    assert 'aria-label="Drawing of Figure 3 (stand-in data); arrow keys go from value to value"' in box
    assert re.search('<script type="text/html"><svg .*</svg></script>', box, re.DOTALL)


def test_a_claim_shows_who_says_so_what_it_refines_and_why_it_falls(change_claims, render):
    ours = {"origin": "ours", "refines": "undecided", "cause": "step", "note": "For n of 10,000."}
    vague = {"word": "close", "thresholds": (Threshold("printed", 0.05, 0.25),)}
    causes = {"step": Cause("The step is too small.")}
    change_claims({**ours, **vague, "counted": False, "uncounted": "ours"}, causes=causes)
    *others, first = CLAIM.findall(render()["claims.html"])  # what does not count comes last
    assert "our own question, not a statement of the paper" in first
    assert '<a href="#claim-jrr-undecided">statement undecided</a>' in first
    assert "<dt>Cause</dt><dd>The step is too small. </dd>" in first  # of questions of ours only, which is no finding
    assert "For n of 10,000. We took &#34;close&#34; as within 5 % (strict) or" in first
    assert len(others) == 6
    assert not any(name in claim for claim in others for name in ("Our own", "Refines", "Cause"))


def test_figures_with_predictions_link_to_them(pages, jrr):
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?\n</article>', jrr, re.DOTALL)[0]
    assert 'href="predictions.csv" data-predictions="fig3"' in figure
    assert "exhibit <code>fig3</code>: 8 predictions" in figure
    for paper, name in (("castell", "figure-castell-fig3"), ("jrr", "table-jrr-table3")):
        text = pages[f"{paper}.html"]
        other = re.search(f'<article class="exhibit" id="{name}".*?\n</article>', text, re.DOTALL)[0]
        assert "predictions.csv" not in other


def test_what_was_run_is_told_once_for_all_exhibits(jrr):
    ran = re.search('<section id="ran-jrr".*?</section>', jrr, re.DOTALL)[0]
    (pool,) = re.findall('<article class="pool" id="settings-jrr-fig3">.*?</article>', ran, re.DOTALL)
    assert "<h3>Figure 3</h3>" in pool
    told = ["a step of 0.0001", "a vanishing step", "no setting that we tried fits without it"]
    assert re.findall('<td class="prose"[^>]*>(.*?)</td>', pool) == told


def test_claims_that_no_one_setting_makes_true_are_shown_together(change_claims, render):
    first = Meeting(("reproduced", "not-reproduced"), ("strict", "strict"), ("non_copy",))
    pair = Meeting(("reproduced", "undecided"), ("strict", "vanishing_step"), ("grid_step", "n"))
    change_claims(meetings=(first, pair, replace(pair, readings=("vanishing_step", "strict"))))
    clashes = re.findall("<li data-clash>.*?</details></li>", render()["jrr.html"], re.DOTALL)
    assert [re.search("<summary>(.*?)</summary>", clash)[1] for clash in clashes] == [
        "2 pairs: different values of grid step and users n",
        "1 pair: different values of non copy",
    ]
    shown = re.findall("<li data-meeting>.*?</li>", clashes[0], re.DOTALL)[0]
    assert re.findall("Holds with (.*?)[.]<", shown) == ["the text as it stands", "a vanishing step"]
    assert re.findall('href="claims.html#claim-jrr-([a-z-]*)"', shown) == [*pair.claims]


def test_an_exhibit_has_its_printed_numbers_against_ours_and_its_verdicts(jrr):
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    strip = re.search('<svg class="small".*?</svg>', figure)[0]
    assert re.findall(">([^<]+)</text>", strip) == [
        *("2 of 4 printed numbers fit as stated", "4 of 4 printed numbers fit as run", "0.1", "1", "10")
    ]
    centres = [float(x) for x in re.findall('cx="([0-9.]+)"', strip)][:4]
    assert centres == [12.4, 100.0, 100.1, 126.5]  # 100 to 990, 1000 to 1000, 99,000 to 98,700, 160,000 to 80,000
    assert strip.count("violated") == 2
    verdicts = re.search('<p class="verdicts">(.*?)</p>', figure)[1]
    assert re.findall("</span> 1 (.*?)</span>", verdicts) == [*VERDICTS]


def test_where_no_setting_fits_the_exhibit_says_so(contents, render):
    contents.verdicts["jrr"].exhibits["fig3"] = ran_exhibit(source="rejected", readings=())
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?</article>', render()["jrr.html"], re.DOTALL)[0]
    assert "fit as run" not in figure
    assert "No setting that we tried fits." in figure


def test_an_answer_of_a_paper_stands_on_its_page_alone(contents, render):
    contents.conclusions[0] = contents.conclusions[0].model_copy(update={"about": "jrr"})
    pages = render()
    assert [name for name, text in pages.items() if '<div class="answer-of-paper">' in text] == ["jrr.html"]
    assert "JRR has the lower error." not in pages["index.html"]
