import pytest
import yaml

from claimaudit.audit.checks import CHECKS
from claimaudit.audit.claims import Claim, load, load_causes
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import Context, ShownExhibit
from claimaudit.verdicts import Cause

COMMON = {"place": "Section 5", "states": "JRR is better.", "of": "fig3"}
CHECKED = {
    "value": "mse_rr is from 0 to 1",
    "ordering": "mse_jrr < mse_rr, where n == 10, in at least 0.97 of the settings, as error [%]",
    "monotone": "mse_jrr grows along n, by epsilon",
    "flat": "mse_jrr is flat along n within 0.01",
    "agreement": "simulation agrees with theory, where metric == 'mse'",
    "cells": "mse is as printed",
}
VALID = [{**COMMON, "id": kind, "check": check} for kind, check in CHECKED.items()]
VALID[1] |= {"note": "as drawn", "figure": "", "origin": "ours", "cause": "few-users"}
VALID[2] |= {"refines": "ordering"}
VALID.append({**COMMON, "id": "contradiction", "printed": {"a": 1}, "check": "a == 1"})
FIG3 = ShownExhibit("errors", "Errors", published=("fig3",), shows="fig3", reading_error=0.01)
CONTEXT = Context({"fig3": FIG3, "control": ShownExhibit("control")}, {"DSS": "the survey of 2016"})


@pytest.fixture
def read(tmp_path):
    def load_claims(claims, **content):
        path = tmp_path / "claims.yaml"
        content |= {"sections": [{"title": "Section 5", "claims": claims}] if claims else []}
        named = {claim["cause"] for claim in claims if isinstance(claim, dict) and isinstance(claim.get("cause"), str)}
        causes = {name: {"states": "Few users."} for name in named if name == "few-users"}
        content |= {"causes": causes} if causes else {}
        path.write_text(claims if isinstance(claims, str) else yaml.safe_dump(content, sort_keys=False))
        return load(path, CONTEXT)

    return load_claims


def changed(name, /, **fields):
    claim = {**next(claim for claim in VALID if claim["id"] == name), **fields}
    return {key: entry for key, entry in claim.items() if entry is not None}


def refused(read, message, claims):
    """The claims are refused in one line that names the file and starts with `message`."""
    with pytest.raises(ConfigurationError, match=rf"\Aclaims.yaml, line \d+: {message}.*\Z"):
        read(claims)


def test_valid_claims_of_every_kind(read):
    claims = {claim.id: claim for claim in read(VALID)}
    assert {claim.check.name for claim in claims.values()} == set(CHECKS)
    of_figure = {"place": "Section 5", "states": "JRR is better.", "table": "errors", "figure": "fig3"}
    of_figure |= {"exhibits": ("fig3",), "kind": "ordering"}
    assert claims["ordering"] == Claim.of(
        {
            **{**of_figure, "id": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"},
            **{"share": {"at_least": 0.97}, "where": "n == 10", "measure": "error", "unit": "percent"},
            **{"note": "as drawn", "figure": "", "origin": "ours", "cause": "few-users"},
        }
    )
    assert (claims["cells"].check.published, claims["cells"].check.reading_error) == ("fig3", 0.01)
    assert (claims["contradiction"].table, claims["contradiction"].exhibits) == ("", ())
    assert read([]) == []


def test_what_a_claim_is_of_gives_its_table_its_figure_and_the_exhibits_that_bear_on_it(read):
    own, further = read([changed("flat", of="control"), changed("flat", id="other", of=["control", "fig3"])])
    assert (own.table, own.figure, own.exhibits) == ("control", "", ())
    assert (further.table, further.figure, further.exhibits) == ("control", "fig3", ("fig3",))


def test_a_condition_on_data_that_only_a_user_has_waits_for_them(read):
    for condition, lacking in (("data == 'DSS'", True), ("data in ['DSS']", True), ("data != 'DSS'", False)):
        [claim] = read([changed("flat", check=f"mse_jrr is flat along n, where {condition}")])
        assert claim.lacking == ("the survey of 2016" if lacking else "")


def test_a_character_that_may_be_misread_is_listed_by_the_claim_that_it_decides(read):
    [claim] = read([changed("flat")], misread={"flat": "A sign."})
    assert claim.doubt == "A sign."
    with pytest.raises(ConfigurationError, match=r"line \d+: misread: flatt is no claim; did you mean flat?"):
        read([changed("flat")], misread={"flatt": "A sign."})


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("value", {"check": 'mse_rr is "0,5"'}, "check: printed.value: '0,5' is not a printed number"),
        ("value", {"check": None}, "check: the key is missing"),
        ("value", {"check": "mse_rr is from 0.9 to 0.8"}, r"check: printed.interval: \[0.9, 0.8\] is"),
        ("value", {"check": 'rr is "1", by n'}, "check: 'by n' says nothing here; it does not go with"),
        ("ordering", {"check": "a < b, in at least 97 of the settings"}, "check: share.at_least: 97"),
        ("ordering", {"check": "a < 1, where n"}, "check: where: 'n' is neither true nor"),
        ("ordering", {"check": "a < 2 .. 1"}, "check: against: .* demands more at its generous end"),
        ("ordering", {"check": "a < 1 .. b +"}, "check: against.generous: cannot read the expression 'b \\+'"),
        ("flat", {"check": "a is flat along n within 0.1 .. much"}, "check: tolerance.generous: 'much' must be a"),
        ("ordering", {"figrue": "fig3"}, "figrue: unknown key; did you mean figure?"),
        ("ordering", {"origin": "us"}, r"origin: 'us' is not .*\(there are: cited, definition, ours,"),
        ("ordering", {"cause": "Few users"}, "cause: 'Few users' must match"),
        ("ordering", {"of": "fig4"}, "of: no exhibit or experiment 'fig4'; did you mean fig3?"),
        ("ordering", {"of": None}, "check: no numbers to check: name an exhibit or an experiment in"),
        ("monotone", {"refines": "orderin"}, "refines: orderin is not another claim"),
        ("monotone", {"refines": "monotone"}, "refines: monotone is not another claim"),
        ("flat", {"cause": "no-such-cause"}, "cause: no-such-cause is not in `causes`"),
        ("cells", {"of": "control"}, "check: published: the key is missing"),
        ("contradiction", {"printed": {"a": "third"}}, "printed.a: 'third' is not a printed"),
        ("contradiction", {"printed": {"a": float("inf")}}, "printed.a: inf must be a finite"),
        ("contradiction", {"check": "a + 1"}, r"check: relation: 'a \+ 1' is neither true nor"),
        ("contradiction", {"check": "b == 1"}, "check: relation: unknown b in"),
        ("contradiction", {"check": "a / 0 == 1"}, "check: relation: .*zero"),
    ],
)
def test_a_fault_is_one_line_that_names_the_claim(read, name, fields, message):
    refused(read, f"claim {name}: {message}", [changed(name, **fields)])


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (changed("flat", id=None), "claim number 1 of section 'Section 5': id: the key is missing"),
        (changed("flat", id="Not a slug"), "claim Not a slug: id: .*must match"),
        (changed("flat", alternatives={"x": {"alogn": "n"}}), "claim flat, alternative x: alogn: unknown key"),
        (changed("flat", alternatives={"x": "a flat"}), "claim flat, alternative x: check: cannot read 'a flat'"),
        ("text", "sections.0.claims.0: 'text' must be an object"),
    ],
)
def test_a_fault_of_a_name_or_an_alternative_is_one_line(read, claim, message):
    refused(read, message, [claim])


def test_the_line_is_that_of_the_field_or_of_the_claim_that_lacks_it(tmp_path):
    path = tmp_path / "claims.yaml"
    claim = "    id: a\n    place: Section 5\n    states: So.\n    of: fig3\n"
    for_each = "  - for_each: {n: [1]}\n    note: At n = {n}.\n"
    for text, line in ((f"{for_each}{claim}    check: x is from 2 to 1\n", 10), (f"{for_each}{claim}", 4)):
        path.write_text(f"sections:\n- title: A\n  claims:\n{text}")
        with pytest.raises(ConfigurationError, match=f"^claims.yaml, line {line}: claim a: "):
            load(path, CONTEXT)


def test_every_fault_has_its_line(read):
    with pytest.raises(ConfigurationError) as error:
        read([changed("flat", check="n"), changed("value", place=None), *VALID, changed("value", note="again")])
    lines = str(error.value).splitlines()
    assert len(lines) == 3
    assert "claim value: the id is used 2 times; make it unique" in lines[2]


@pytest.mark.parametrize("key", ["follows", "refines"])
def test_claims_do_not_follow_from_each_other(read, key):
    """Neither would count."""
    one, two, three = (
        changed("flat", **{key: "monotone"}),
        changed("monotone", **{"refines": None, key: "flat"}),
        VALID[-1],
    )
    with pytest.raises(ConfigurationError) as error:
        read([one, two, three])
    first, second = str(error.value).splitlines()
    assert f"claim flat: {key}: flat -> monotone -> flat is a circle; remove one" in first
    assert "claim monotone" in second
    assert read([one, changed("monotone", refines=None), three])[0].id == "flat"


BOMB = "".join(
    f"{name}: &{name} [{', '.join([inner] * 10)}]\n"
    for name, inner in zip("abcdefghi", ["x", *(f"*{c}" for c in "abcdefgh")], strict=True)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BOMB}sections: *i\n", "claims.yaml, line 1: its anchors stand for more than 1000000 values; write fewer"),
        ("sections: &s [*s]\n", "claims.yaml, line 1: found unconstructable recursive node"),
        ("sections: " + "[" * 10**5, "claims.yaml, line 1: it is nested more than 100 levels deep; write fewer"),
        ("[]", "claims.yaml, line 1: .* must be an object"),
        ("claims: []", "claims.yaml, line 1: .*sections"),
        ("sections:\n- title: A\n  claim: []\n", "claims.yaml, line 2: sections.0.claims: the key is missing"),
        ("sections: [\n", "claims.yaml, line 2: "),
        ("sections: \0", "claims.yaml: unacceptable character"),
        ("sections: []\nsections: []\n", "line 2: the key sections appears twice in one mapping; keep one"),
        ("sections:\n- title: A\n  claims:\n  - id: a\n    note: b\n    note: c\n", "line 6: the key note"),
    ],
)
def test_a_file_of_another_form_is_refused(read, text, message):
    with pytest.raises(ConfigurationError, match=message):
        read(text)


def test_causes_are_read_and_each_is_used(tmp_path):
    path = tmp_path / "claims.yaml"
    content = {"causes": {"slip": {"states": "A digit.", "weight": "slip"}}, "sections": []}
    path.write_text(yaml.safe_dump(content))
    assert load_causes(path) == {"slip": Cause("A digit.", "slip")}
    with pytest.raises(ConfigurationError, match="causes: no claim has the cause slip; remove it"):
        load(path, CONTEXT)


def test_an_alternative_has_another_check_or_changes_fields(read):
    falls = "mse_jrr falls along n"
    [claim] = read([changed("flat", alternatives={"it falls": falls, "elsewhere": {"of": "control", "note": None}})])
    (_, stated), (one, fall), (other, elsewhere) = claim.meanings
    assert (one, fall.check.name, fall.check.direction) == ("it falls", "monotone", "decreasing")
    assert (other, elsewhere.check.name, elsewhere.table) == ("elsewhere", "flat", "control")
    assert (stated.check.name, stated.table) == ("flat", "errors")
