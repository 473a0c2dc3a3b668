"""Expansion of the entries of a claims file; docs/claims.md is followed literally."""

import re
from pathlib import Path

import pytest
import yaml

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.audit.claims.files import load, typed
from claimaudit.audit.claims.templates import FORMATS, expand
from claimaudit.names import ConfigurationError
from claimaudit.papers.claims import COMMON

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
FLAT = {"id": "flat", "where": "Section 5", "states": "It is flat.", "kind": "flat", "table": "t"} | {
    "quantity": "mse_rr",
    "along": "n",
}
SUM = {"id": "sum", "where": "Section 5", "states": "They add up.", "kind": "contradiction"} | {
    "printed": {"a": 1},
    "relation": "a == 1",
}


@pytest.fixture
def read(tmp_path):
    def load_claims(claims, **section):
        path = tmp_path / "jrr.yaml"
        content = {"sections": [{"title": "Section 5", **section, "claims": claims}]}
        path.write_text(yaml.safe_dump(content, sort_keys=False))
        return load(path)

    return load_claims


def without(claim, *names, **fields):
    return {name: value for name, value in claim.items() if name not in names} | fields


def test_defaults_fill_what_a_claim_lacks_and_its_kind_may_have(read):
    claims = [without(FLAT, "where", "table"), without(FLAT, "where", id="other", table="u"), without(SUM, "where")]
    first, second, third = read(claims, defaults={"where": "Section 6", "table": "t", "tolerance": 0.1})
    assert first == typed({**FLAT, "where": "Section 6", "tolerance": 0.1})
    assert second == typed({**FLAT, "where": "Section 6", "tolerance": 0.1, "id": "other", "table": "u"})
    assert third == typed({**SUM, "where": "Section 6"})


def test_the_kind_may_be_a_default(read):
    assert read([without(FLAT, "kind"), SUM], defaults={"kind": "flat"}) == [typed(FLAT), typed(SUM)]


@pytest.mark.parametrize(
    ("defaults", "message"),
    [
        ({"where": "Section 6"}, "no claim uses the default where: each claim that may have it sets it itself"),
        ({"published": "fig3"}, "no claim uses the default published: each claim that may have it sets it itself"),
        ({"tabel": "t"}, "no claim uses the default tabel: there is no such field; did you mean table?"),
        ({"tolerance": "small"}, "claim flat: tolerance: 'small' must be a valid number"),
    ],
)
def test_a_default_that_no_claim_uses_is_refused(read, defaults, message):
    with pytest.raises(ConfigurationError, match=rf"^jrr.yaml, line \d+: .*{re.escape(message)}") as error:
        read([FLAT, SUM], defaults=defaults)
    assert len(str(error.value).splitlines()) == 1


def test_an_entry_stands_for_one_claim_per_case(read):
    cases = [{"mechanism": "RS+FD", "n": 100}, {"mechanism": "SPL", "n": 20000}]
    entry = {
        **FLAT,
        "id": "flat-{mechanism:slug}",
        "for_each": cases,
        "states": "{mechanism} is flat from n = {n:,} on.",
        "rows": "n >= {n}",
        "quantity": "mse_{mechanism:variable}",
        "alternatives": [{"name": "{mechanism} at n = 7", "rows": "n >= 7"}],
    }
    first, second = read([entry])
    assert first.id == "flat-rs-fd"
    assert (first.quantity, second.quantity) == ("mse_rs_fd", "mse_spl")
    assert second.states == "SPL is flat from n = 20,000 on."
    assert (first.rows, second.rows) == ("n >= 100", "n >= 20000")
    assert [(name, other.rows) for name, other in second.alternatives] == [("SPL at n = 7", "n >= 7")]


def test_lists_of_values_give_their_product_in_order():
    panels = [{"letter": "a", "rho": 0.1}, {"letter": "b", "rho": 0.9}]
    entry = {"id": "{panel.letter}-{d}", "rows": "rho == {panel.rho}", "for_each": {"panel": panels, "d": [2, 4]}}
    assert [claim["id"] for claim in expand(entry)] == ["a-2", "a-4", "b-2", "b-4"]
    assert expand(entry)[2]["rows"] == "rho == 0.9"


def test_a_field_that_is_one_name_keeps_the_type_of_its_value():
    printed = {"value": 0.5, "tolerance": 0.1}
    [claim] = expand({"runs": "{runs}", "printed": "{printed}", "for_each": [{"runs": 100, "printed": printed}]})
    assert claim == {"runs": 100, "printed": printed}


def test_a_group_repeats_its_claims_and_has_defaults_of_its_own(read):
    group = {
        "for_each": [{"figure": 3, "data": "SynA"}, {"figure": 4, "data": "SynB"}],
        "defaults": {"table": "fig{figure}"},
        "claims": [
            {"id": "fig{figure}-{m:lower}", "states": "{m} is flat on {data}.", "for_each": {"m": ["SPL", "SMP"]}},
            {"id": "fig{figure}-own", "states": "It is flat.", "table": "own"},
        ],
    }
    claims = read([group, without(FLAT, "kind")], defaults=without(FLAT, "id", "states", "table"))
    assert [claim.id for claim in claims] == [
        *("fig3-spl", "fig3-smp", "fig3-own", "fig4-spl", "fig4-smp", "fig4-own"),
        "flat",
    ]
    assert [claim.table for claim in claims] == ["fig3", "fig3", "own", "fig4", "fig4", "own", "t"]
    assert claims[4].states == "SMP is flat on SynB."


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("Within {tolerance:percent}, or {tolerance:.3f}.", "Within 7.5 %, or 0.075."),
        ("By {printed.value:,} and {printed.value}.", "By 12,000 and 12000."),
        ("From {printed.interval.0} to {printed.interval.1:percent.1}.", "From 0.1 to 20.0 %."),
        ("A set {{1, 2}}.", "A set {1, 2}."),
    ],
)
def test_sentences_name_fields_of_their_claim(sentence, written):
    printed = {"value": 12000, "interval": [0.1, 0.2]}
    [claim] = expand({"states": sentence, "note": sentence, "printed": printed, "tolerance": 0.075})
    assert claim["states"] == claim["note"] == written


def test_braces_in_an_expression_of_a_single_claim_stay():
    assert expand({"states": "x", "rows": "n in {1, 2}"}) == [{"states": "x", "rows": "n in {1, 2}"}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"states": "Below {againts}."}, "claim flat: unknown name {againts}"),
        ({"states": "Within {tolerence}.", "tolerance": 1}, "claim flat: unknown name {tolerence}; did you mean toler"),
        (
            {"states": "Within {tolerance:percents}.", "tolerance": 1},
            "claim flat: cannot format 1 as 'percents'; did you",
        ),
        ({"states": "Of {table:percent}."}, "claim flat: cannot format 't' as 'percent'"),
        ({"states": "Within {tolerance."}, "claim flat: "),
        ({"for_each": [{"n": 1}]}, "claim flat: for_each: no field has {n}"),
        ({"for_each": {"p": [{"a": 1, "b": 2}]}, "rows": "n == {p.a}"}, "claim flat: for_each: no field has {p.b}"),
        ({"for_each": [{"n": 1}], "rows": "n == {m}"}, "claim flat: unknown name {m}"),
        ({"for_each": [{"n": 1}, {"m": 1}], "rows": "n == {n}"}, "claim flat: for_each: m, n is not in every case"),
        ({"for_each": [1]}, "section 'Section 5': claim flat: for_each: number 1: 1 must be an object"),
        ({"for_each": {"n": 1}}, "section 'Section 5': claim flat: for_each: n: 1 must be a valid array"),
        ({"for_each": [{"n": 1}, {"n": 2}], "rows": "n == {n}"}, "claim flat: the id is used 2 times"),
        ({"for_each": [{"n": 1}], "claims": [FLAT]}, "section 'Section 5': claim flat: id: unknown key"),
        ({"for_each": [{1: 2}], "rows": "n == {m}"}, "the key 1 is not text; quote it"),
        ({"for_each": [{"k": ["flat"]}], "kind": "{k}"}, "claim flat: kind: ['flat'] is not one of the kinds"),
        ({"claims": [FLAT]}, "section 'Section 5': claim flat: "),
    ],
)
def test_a_mistake_in_a_template_is_one_line_that_names_the_claim(read, fields, message):
    with pytest.raises(ConfigurationError, match=rf"^jrr.yaml, line \d+: {re.escape(message)}") as error:
        read([{**FLAT, **fields}])
    if "claims" not in fields:
        assert len(str(error.value).splitlines()) == 1


def test_a_mistake_in_a_group_names_the_group_and_the_claim(read):
    group = {"for_each": [{"n": 1}, {"n": 2}], "claims": [{**FLAT, "id": "flat-{n}", "rows": "n == {m}"}]}
    with pytest.raises(
        ConfigurationError,
        match=r"^jrr.yaml, line \d+: group number 2 of section 'Section 5': claim flat-\{n\}: unknown",
    ):
        read([FLAT, group])
    with pytest.raises(ConfigurationError, match="no claim uses the default published"):
        read([{**group, "defaults": {"published": "fig3"}}])


def test_the_page_on_claims_lists_the_fields_the_kinds_and_the_formats():
    fields = {
        *COMMON,
        *(name for check in CHECKS.values() for name in check.fields),
    }
    tables = re.findall(r"^\| `([\w.:,]+)` \|", PAGE, flags=re.MULTILINE)
    assert set(tables) >= fields
    assert set(tables) - fields == {*FORMATS, ",", ".3f"}
    for kind, check in CHECKS.items():
        [(must, may)] = re.findall(rf"^\| {kind} \| (.*) \| (.*)\|$", PAGE, flags=re.MULTILINE)
        required = [name for name, field in check.fields.items() if field.is_required()]
        assert re.findall(r"`(\w+)`", must) == required, kind
        assert set(re.findall(r"`(\w+)`", may)) == set(check.fields) - set(required), kind


def test_the_example_of_the_page_gives_the_claims_that_it_tells(tmp_path):
    [example] = re.findall(r"^```yaml\n((?:causes|sections):.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "toy.yaml").write_text(example)
    claims = load(tmp_path / "toy.yaml")
    [told] = re.findall(r"^```text\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert "".join(f"{claim.id}: {claim.states}\n" for claim in claims) == told


@pytest.mark.parametrize("path", sorted(ROOT.glob("papers/*/claims.yaml")), ids=lambda path: path.parent.name)
def test_claims_of_the_papers_are_whole_sentences_and_say_their_numbers_once(path):
    for claim in load(path):
        assert not re.search(r"\(The same|Check of our own|\(Our ", claim.states), claim.id
        assert claim.states.endswith((".", ".)")), claim.id
        assert "{" not in claim.states, claim.id


def test_a_field_that_is_null_in_a_case_is_left_out(read):
    cases = [{"name": "one", "implied": None}, {"name": "two", "implied": "one"}]
    first, second = read([{**FLAT, "id": "{name}", "follows": "{implied}", "for_each": cases}])
    assert first.follows == ""
    assert second.follows == "one"
