from made_up_verdicts import OURS
from small_report import assemble

from claimaudit.audit.summary import score
from claimaudit.verdicts import read


def test_scores_and_evidence_are_those_of_the_verdict_files(setting, contents, inputs):
    document = assemble(setting, contents)
    for paper in document.papers:
        path = next(path for path in inputs["verdicts"] if path.stem == paper.name)
        records = list(read(path).claims)
        assert paper.score == score(records)
        assert [claim.record for claim in paper.claims] == records
        for claim in paper.claims:
            values = [
                {column.name: cell.value for column, cell in zip(claim.evidence.columns, row, strict=True)}
                for row in claim.evidence.rows
            ]
            for shown, evidence in zip(values, claim.record.evidence, strict=True):
                assert all(
                    shown[name] == str(getattr(evidence, name)) for name in ("estimate", "se", "p_value", "rows")
                )
    assert document.claims == 7
    assert document.score["verdicts"]["reproduced"] == 2


def test_own_checks_definitions_and_slips_are_never_counted(setting, contents, change_claims):
    change_claims(
        OURS,
        {"origin": "definition", "counted": False, "uncounted": "definition"},
        {"weight": "slip"},
        {"counted": False, "uncounted": "cannot fail"},
    )
    paper = assemble(setting, contents).papers[1]
    assert (paper.counted, paper.slips, paper.uncounted, len(paper.claims)) == (2, 1, 3, 6)
    assert {name: count for name, count in paper.score["verdicts"].items() if count} == {"undecided": 1, "no data": 1}
    assert sum(paper.score["as_run"].values()) == 2
    assert [claim.counts for claim in paper.claims] == ["no", "no", "slip", "no", "yes", "yes"]


def test_figures_stand_in_the_order_of_the_configuration(setting, contents, copy_figure):
    names = ("fig2", "fig10", "appendix", "fig3")
    figures = copy_figure("castell", *names)
    setting["papers"]["castell"]["figures"] = {name: figures[name] for name in names}
    assert [figure.name for figure in assemble(setting, contents).papers[0].figures] == list(names)


def test_a_table_stands_among_the_figures_where_most_claims_about_it_do(setting, contents, change_claims, copy_figure):
    """The claims follow the text; ours, which has no place in the paper, comes last."""
    figures = copy_figure("jrr", "own", "fig9")
    figures["own"] = {**figures["own"], "title": "Ours", "shows": None}
    figures["fig9"] = {**figures["fig9"], "title": "Figure 9"}
    change_claims(*({"figure": name} for name in ("table3", "fig3", "table3", "table3", "own", "fig9")))
    jrr = assemble(setting, contents).papers[1]
    assert [item.name for item in jrr.exhibits] == ["fig3", "table3", "fig9", "own"]


def test_exhibits_list_the_claims_that_name_them(setting, contents, change_claims):
    change_claims({"figure": "table3"})
    jrr = assemble(setting, contents).papers[1]
    assert [claim.record.id for claim in jrr.tables[0].claims] == ["reproduced"]
    assert len(jrr.figures[0].claims) == 5


def test_an_experiment_names_its_figures_and_tables_else_the_place_of_a_claim(setting, contents, change_claims):
    change_claims({}, *({"table": "more", "place": place} for place in ("Section 5.3.5", "Section 6")))
    paper = next(paper for paper in assemble(setting, contents).papers if paper.name == "jrr")
    named = [paper.feeds(name) for name in ("fig3", "more", "less")]
    assert named == ["Table 3 (stand-in data); Figure 3 (stand-in data)", "Section 5.3.5", ""]


def test_stand_ins_and_what_rests_on_them(document):
    assert [record.dataset for record in document.made_up] == ["mushroom"]
    assert [document.stand_ins_of(paper) for paper in document.papers] == [[], document.made_up]
    assert [paper.figures[0].standin for paper in document.papers] == [False, True]
    assert document.papers[1].figures[0].title == "Figure 3 (stand-in data)"


def test_an_exhibit_counts_the_predictions_of_what_it_shows(setting, contents, copy_figure):
    figures = copy_figure("jrr", "fig3b")
    figures["fig3b"] = {**figures["fig3b"], "title": "Small n"}
    castell, jrr = assemble(setting, contents).papers
    assert [(figure.title, figure.shown.shows, figure.predictions) for figure in jrr.figures] == [
        ("Figure 3 (stand-in data)", "fig3", 8),
        ("Figure 3(b): Small n (stand-in data)", "fig3", 8),
    ]
    assert [(figure.shown.shows, figure.predictions) for figure in castell.figures] == [(None, 0)]


def test_papers_compare_their_mechanisms_and_their_printed_numbers(document):
    castell, jrr = document.papers
    assert (jrr.short, castell.short) == ("JRR", "castell")
    assert jrr.mechanisms == ["JRR", "RR"]
    assert [(pair.one, pair.lines["run"][0].lower) for pair in jrr.pairs] == [("JRR", 1), ("RR", 1)]
    assert {name: [len(pairs) for pairs in rows.values()] for name, rows in jrr.strips.items()} == {"fig3": [4, 4]}
    assert (castell.mechanisms, castell.strips) == ([], {})
