"""Expansion of the entries of a claims file; docs/claims.md is followed literally."""

import re
from pathlib import Path

import pytest
import yaml

from claimaudit.audit import templates
from claimaudit.audit.checks import CHECKS, examples, parse
from claimaudit.audit.claims import load
from claimaudit.audit.templates import FORMATS
from claimaudit.names import ConfigurationError
from claimaudit.papers.claims import ClaimEntry
from claimaudit.papers.jobs import Context, ShownExhibit

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
FLAT = {"id": "flat", "place": "Section 5", "states": "It is flat.", "of": "t", "check": "mse_rr is flat along n"}
SUM = {"id": "sum", "place": "Section 5", "states": "They add up.", "printed": {"a": 1}, "check": "a == 1"}


def expand(entry):
    return [claim for _, claim in templates.expand(entry, ())]


def read(tmp_path, claims, **section):
    path = tmp_path / "claims.yaml"
    content = {"sections": [{"title": "Section 5", **section, "claims": claims}]}
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return load(path, Context())


def without(claim, *names, **fields):
    return {name: value for name, value in claim.items() if name not in names} | fields


def test_defaults_fill_what_a_claim_does_not_set(tmp_path):
    claims = [
        without(FLAT, "place", "of"),
        without(FLAT, "place", id="other", of="u"),
        without(SUM, "place", note=None),
    ]
    first, second, third = read(tmp_path, claims, defaults={"place": "Section 6", "of": "t", "note": "As drawn."})
    assert (first.place, first.table, first.note) == ("Section 6", "t", "As drawn.")
    assert (second.place, second.table, second.note) == ("Section 6", "u", "As drawn.")
    assert (third.place, third.table, third.note) == ("Section 6", "", "")


@pytest.mark.parametrize(
    ("defaults", "message"),
    [
        ({"place": "Section 6"}, "no claim uses the default place: each sets it itself"),
        ({"plaec": "t"}, "there is no field plaec for a default; did you mean place?"),
        ({"weight": "heavy"}, "claim flat: weight: 'heavy' is not one of the allowed values"),
    ],
)
def test_a_default_that_no_claim_uses_is_refused(tmp_path, defaults, message):
    with pytest.raises(ConfigurationError, match=rf"^claims.yaml, line \d+: .*{re.escape(message)}"):
        read(tmp_path, [FLAT, SUM], defaults=defaults)


def test_an_entry_stands_for_one_claim_per_case(tmp_path):
    cases = [{"mechanism": "RS+FD", "n": 100}, {"mechanism": "SPL", "n": 20000}]
    entry = {
        **FLAT,
        "id": "flat-{mechanism:slug}",
        "for_each": cases,
        "states": "{mechanism} is flat from n = {n:,} on.",
        "check": "mse_{mechanism:variable} is flat along n, where n >= {n}",
        "alternatives": {"at n = 7": "mse_{mechanism:variable} is flat along n, where n >= 7"},
    }
    first, second = read(tmp_path, [entry])
    assert first.id == "flat-rs-fd"
    assert (first.check.quantity, second.check.quantity) == ("mse_rs_fd", "mse_spl")
    assert second.states == "SPL is flat from n = 20,000 on."
    assert (first.check.where, second.check.where) == ("n >= 100", "n >= 20000")
    assert [(name, other.check.where) for name, other in second.alternatives] == [("at n = 7", "n >= 7")]


def test_lists_of_values_give_their_product_in_order():
    panels = [{"letter": "a", "rho": 0.1}, {"letter": "b", "rho": 0.9}]
    entry = {"id": "{panel.letter}-{d}", "note": "At {panel.rho}.", "for_each": {"panel": panels, "d": [2, 4]}}
    assert [claim["id"] for claim in expand(entry)] == ["a-2", "a-4", "b-2", "b-4"]
    assert expand(entry)[2]["note"] == "At 0.9."


def test_a_field_that_is_one_name_keeps_the_type_of_its_value():
    [claim] = expand({"printed": "{printed}", "of": "{of}", "for_each": [{"of": ["a", "b"], "printed": {"x": 0.5}}]})
    assert claim == {"of": ["a", "b"], "printed": {"x": 0.5}}


def test_a_group_repeats_its_claims_and_has_defaults_of_its_own(tmp_path):
    group = {
        "for_each": [{"figure": 3, "data": "SynA"}, {"figure": 4, "data": "SynB"}],
        "defaults": {"of": "fig{figure}"},
        "claims": [
            {"id": "fig{figure}-{m:lower}", "states": "{m} is flat on {data}.", "for_each": {"m": ["SPL", "SMP"]}},
            {"id": "fig{figure}-own", "states": "It is flat.", "of": "own"},
        ],
    }
    claims = read(tmp_path, [group, without(FLAT, "check")], defaults=without(FLAT, "id", "states", "of"))
    assert [claim.id for claim in claims] == [
        *("fig3-spl", "fig3-smp", "fig3-own", "fig4-spl", "fig4-smp", "fig4-own"),
        "flat",
    ]
    assert [claim.table for claim in claims] == ["fig3", "fig3", "own", "fig4", "fig4", "own", "t"]
    assert claims[4].states == "SMP is flat on SynB."


@pytest.mark.parametrize(
    ("check", "sentence", "written", "claimed"),
    [
        ("a is flat along n within 0.075", "{tolerance:percent}, or {tolerance:.3f}.", "7.5 %, or 0.075.", None),
        ("a is 12000 within 1 .. 2", "{printed:,}, {within.generous:percent.1}.", "12,000, 200.0 %.", 12000),
        ('a is "0.370"', "It is {printed}, or {printed:percent}.", "It is 0.370, or 37 %.", None),
        ("a is from 0.1 to 0.2", "From {low} to {high:percent}.", "From 0.1 to 20 %.", 0.1),
        ("a < 1 .. b, in some settings", "A set {{1, 2}} below {against.strict}.", "A set {1, 2} below 1.", 1),
        ("a < 2", "Below 2.", "Below 2.", None),
    ],
)
def test_sentences_name_parts_of_their_check(check, sentence, written, claimed):
    """A threshold that the sentence names is claimed; one that only a remark names is not, nor a number by chance."""
    [claim] = expand({"states": sentence, "note": sentence, "check": check})
    assert claim["states"] == claim["note"] == written
    assert claim.get("claimed") == claimed
    [claim] = expand({"states": "So it is.", "note": sentence, "check": check})
    assert "claimed" not in claim


def test_sentences_name_printed_numbers():
    [claim] = expand({"states": "It is {printed.a}.", "check": "a == b", "printed": {"a": "0.50", "b": 1}})
    assert claim["states"] == "It is 0.50."


def test_braces_in_a_check_of_a_single_claim_stay():
    assert expand({"states": "x", "check": "n in {1, 2}"}) == [{"states": "x", "check": "n in {1, 2}"}]


WITHIN = {"check": "mse_rr is flat along n within 1"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"states": "Below {againts}."}, "claim flat: unknown name {againts}"),
        ({"states": "Within {tolerence}.", **WITHIN}, "claim flat: unknown name {tolerence}; did you mean tolerance?"),
        ({"states": "Within {tolerance:percents}.", **WITHIN}, "claim flat: cannot format 1 as 'percents'; did you"),
        ({"states": "Of {of:percent}."}, "claim flat: cannot format 't' as 'percent'"),
        ({"for_each": [{"n": 1}]}, "claim flat: for_each: no field has {n}"),
        ({"for_each": {"p": [{"a": 1, "b": 2}]}, "note": "{p.a}."}, "claim flat: for_each: no field has {p.b}"),
        ({"for_each": [{"n": 1}], "note": "n = {m}"}, "claim flat: unknown name {m}"),
        ({"for_each": [{"n": 1}, {"m": 1}], "note": "n = {n}"}, "claim flat: for_each: m, n is not in every case"),
        ({"for_each": {"n": 1}}, "sections.0.claims.0.for_each.n: claim flat: 1 must be a valid array"),
        ({"for_each": [{"n": 1}, {"n": 2}], "note": "n = {n}"}, "claim flat: the id is used 2 times"),
        ({"for_each": [{"n": 1}], "claims": [FLAT]}, "sections.0.claims.0.id: claim flat: unknown key"),
        ({"for_each": [{1: 2}], "note": "n = {m}"}, "the key 1 is not text; quote it"),
    ],
)
def test_a_mistake_in_a_template_is_one_line_that_names_the_claim(tmp_path, fields, message):
    with pytest.raises(ConfigurationError, match=rf"^claims.yaml, line \d+: {re.escape(message)}") as error:
        read(tmp_path, [{**FLAT, **fields}])
    if "claims" not in fields:
        assert len(str(error.value).splitlines()) == 1


def test_a_mistake_in_a_group_names_the_group_and_the_claim(tmp_path):
    group = {"for_each": [{"n": 1}, {"n": 2}], "claims": [{**FLAT, "id": "flat-{n}", "note": "n = {m}"}]}
    with pytest.raises(
        ConfigurationError,
        match=r"^claims.yaml, line \d+: group number 2 of section 'Section 5': claim flat-\{n\}: unknown",
    ):
        read(tmp_path, [FLAT, group])
    with pytest.raises(ConfigurationError, match="no claim uses the default of"):
        read(tmp_path, [{**group, "defaults": {"of": "fig3"}}])


def test_the_page_on_claims_lists_the_fields_the_checks_and_the_formats():
    tables = re.findall(r"^\| `([\w.:,]+)` \|", PAGE, flags=re.MULTILINE)
    assert set(tables) == {*ClaimEntry.model_fields, *FORMATS, ",", ".3f"}
    told = re.findall(r"^\| (`.*) \| (\w+) \|$", PAGE, flags=re.MULTILINE)
    assert {kind for _, kind in told} == {*CHECKS}
    for cell, kind in told:
        example = cell.split("`")[1]
        assert parse(example, "printed" in cell and kind == "contradiction")["kind"] == kind
    for qualifier in examples():
        assert re.sub(r"COLUMN.*|[\d.]+.*|\".*|error.*", "", qualifier).strip() in PAGE, qualifier


def test_the_example_of_the_page_gives_the_claims_that_it_tells(tmp_path):
    [example] = re.findall(r"^```yaml\n(causes:.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "claims.yaml").write_text(example)
    tables = {name: ShownExhibit("errors", published=(name,)) for name in ("fig1", "table3", "table4")}
    claims = load(tmp_path / "claims.yaml", Context(tables))
    [told] = re.findall(r"^```text\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert "".join(f"{claim.id}: {claim.states}\n" for claim in claims) == told


def test_a_field_that_is_null_in_a_case_is_left_out(tmp_path):
    cases = [{"name": "one", "implied": None}, {"name": "two", "implied": "one"}]
    first, second = read(tmp_path, [{**FLAT, "id": "{name}", "follows": "{implied}", "for_each": cases}])
    assert first.follows == ""
    assert second.follows == "one"
