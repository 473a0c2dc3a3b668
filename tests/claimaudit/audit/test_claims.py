import pytest
import yaml

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.audit.claims.files import load, load_causes, typed
from claimaudit.names import ConfigurationError
from claimaudit.verdicts import Cause

COMMON = {"where": "Section 5", "states": "JRR is better."}
VALID = [
    {**COMMON, "id": "value", "kind": "value", "table": "fig3", "quantity": "mse_rr", "printed": {"interval": [0, 1]}},
    {
        **COMMON,
        "id": "ordering",
        "kind": "ordering",
        "table": "fig3",
        "quantity": "mse_jrr",
        "relation": "<",
        "against": "mse_rr",
        "share": {"at_least": 0.97},
        "rows": "n == 10",
        "note": "as drawn",
        "figure": "fig3",
        "origin": "ours",
        "cause": "few-users",
    },
    {
        **COMMON,
        "id": "monotone",
        "kind": "monotone",
        "table": "fig3",
        "quantity": "mse_jrr",
        "along": "n",
        "direction": "increasing",
        "by": ["epsilon"],
        "refines": "ordering",
    },
    {**COMMON, "id": "flat", "kind": "flat", "table": "fig3", "quantity": "mse_jrr", "along": "n", "tolerance": 0.01},
    {**COMMON, "id": "agreement", "kind": "agreement", "table": "fig3", "rows": "metric == 'mse'"},
    {**COMMON, "id": "cells", "kind": "cells", "table": "fig3", "published": "fig3", "metric": "mse"},
    {**COMMON, "id": "contradiction", "kind": "contradiction", "printed": {"a": 1}, "relation": "a == 1"},
]


@pytest.fixture
def read(tmp_path):
    def load_claims(claims, **section):
        path = tmp_path / "jrr.yaml"
        content = {"sections": [{"title": "Section 5", **section, "claims": claims}] if claims else []}
        named = {claim["cause"] for claim in claims if isinstance(claim, dict) and isinstance(claim.get("cause"), str)}
        causes = {name: {"states": "Few users."} for name in named if name == "few-users"}
        content |= {"causes": causes} if causes else {}
        path.write_text(claims if isinstance(claims, str) else yaml.safe_dump(content, sort_keys=False))
        return load(path)

    return load_claims


def changed(name, /, **fields):
    claim = {**next(claim for claim in VALID if claim["id"] == name), **fields}
    return {key: entry for key, entry in claim.items() if entry is not None}


def refused(read, message, claims, **section):
    """The claims are refused in one line that names the file and starts with `message`."""
    with pytest.raises(ConfigurationError, match=rf"^jrr.yaml, line \d+: {message}") as error:
        read(claims, **section)
    assert len(str(error.value).splitlines()) == 1


def test_valid_claims_of_every_kind(read):
    assert {claim["kind"] for claim in VALID} == set(CHECKS)
    assert read(VALID) == [*map(typed, VALID)]
    assert read([]) == []


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (changed("value", printed={"value": 1}), "claim value: printed.value: 1 is not a number as printed, in quotes"),
        (
            changed("value", printed={"value": "0,5"}),
            "claim value: printed.value: '0,5' is not a printed number; write",
        ),
        (changed("value", printed=None), "claim value: printed: the key is missing"),
        (changed("value", along="n"), "claim value: along: unknown key .* quantity"),
        (changed("ordering", relation="=="), r"claim ordering: relation: '==' is not one .*there are: <, <=, >, >=\)"),
        (
            changed("ordering", share={"at_least": 97}),
            "claim ordering: share.at_least: 97 must be less than or equal to 1",
        ),
        (changed("ordering", figrue="fig3"), "claim ordering: figrue: unknown key; did you mean figure?"),
        (
            changed("ordering", origin="us"),
            r"claim ordering: origin: 'us' is not .*\(there are: definition, ours, paper\)",
        ),
        (changed("ordering", cause="Few users"), "claim ordering: cause: 'Few users' must match"),
        (changed("ordering", table=3), "claim ordering: table: 3 must be a valid string"),
        (changed("monotone", direction="increase"), "claim monotone: direction: .*did you mean increasing?"),
        (changed("monotone", refines="orderin"), "claim monotone: refines: orderin is not another claim"),
        (changed("monotone", refines="monotone"), "claim monotone: refines: monotone is not another claim"),
        (changed("flat", tolerance="small"), "claim flat: tolerance: 'small' must be a valid number"),
        (changed("flat", tolerance={"strict": 0.1}), "claim flat: tolerance.generous: the key is missing"),
        (changed("flat", weight="heavy"), "claim flat: weight: 'heavy' is not one"),
        (changed("flat", cause="no-such-cause"), "claim flat: cause: no-such-cause is not in `causes`"),
        (changed("flat", quantity=None), "claim flat: quantity: the key is missing"),
        (changed("agreement", table=None), "claim agreement: table: the key is missing"),
        (changed("cells", metric=None), "claim cells: metric: the key is missing"),
        (
            changed("contradiction", printed={"a": "third"}),
            "claim contradiction: printed.a: 'third' is not a printed number; write",
        ),
        (changed("flat", kind="flatt"), "claim flat: kind: 'flatt' is not one .*did you mean flat?"),
        (changed("flat", kind=["flat"]), "section 'Section 5': claim flat: kind: .* must be a valid string"),
        (changed("flat", kind=None), "claim flat: kind: the key is missing"),
        (changed("flat", id=None), "claim number 1 of section 'Section 5': id: the key is missing"),
        (changed("flat", id="Not a slug"), "claim Not a slug: id: .*must match"),
        (
            changed("flat", alternatives=[{"name": "x", "alogn": "n"}]),
            "claim flat, alternative x: .*did you mean along",
        ),
        (changed("flat", alternatives=[{"along": "n"}]), "claim flat: alternatives.0.name: the key is missing"),
        ("text", "section 'Section 5': claim number 1: 'text' must be an object"),
        (changed("value", printed={"interval": [0.9, 0.8]}), r"claim value: printed.interval: \[0.9, 0.8\] is empty"),
        (changed("value", printed={"value": float("nan"), "tolerance": 1}), "claim value: .*nan must be a finite num"),
        (changed("value", printed={"value": 10**400, "tolerance": 1}), "claim value: printed.value: "),
        (changed("value", quantity="mse_rr +"), "claim value: quantity: cannot read the expression"),
        (changed("ordering", rows="n"), "claim ordering: rows: 'n' is neither true nor false; write a comparison"),
        (
            changed("ordering", against={"strict": 2, "generous": 1}),
            "claim ordering: against: .* demands more at its generous end",
        ),
        (changed("contradiction", printed={"a": float("inf")}), "claim contradiction: printed.a: inf must be a finite"),
        (
            changed("contradiction", relation="a + 1"),
            r"claim contradiction: relation: 'a \+ 1' is neither true nor false",
        ),
        (changed("contradiction", relation="b == 1"), "claim contradiction: relation: unknown b in"),
        (changed("contradiction", relation="a / 0 == 1"), "claim contradiction: relation: .*zero"),
        (
            changed("flat", alternatives=[{"name": "x", "along": "k"}, {"name": "x", "along": "n"}]),
            "claim flat: alternatives: 2 have the name 'x'; make it unique",
        ),
    ],
)
def test_a_fault_is_one_line_that_names_the_claim(read, claim, message):
    refused(read, message, [claim])


def test_the_line_is_that_of_the_field_or_of_the_claim_that_lacks_it(tmp_path):
    path = tmp_path / "jrr.yaml"
    claim = "    id: a\n    where: Section 5\n    states: So.\n    kind: value\n    table: fig3\n    quantity: x\n"
    for_each = "  - for_each: {n: [1]}\n    rows: n == {n}\n"
    printed = "    printed:\n      interval: [2, 1]\n"
    for text, line in ((f"{for_each}{claim}{printed}", 13), (f"{for_each}{claim}", 4)):
        path.write_text(f"sections:\n- title: A\n  claims:\n{text}")
        with pytest.raises(ConfigurationError, match=f"^jrr.yaml, line {line}: claim a: "):
            load(path)


def test_every_fault_has_its_line(read):
    with pytest.raises(ConfigurationError) as error:
        read([changed("flat", along=None), changed("value", quantity=None), *VALID, changed("value", note="again")])
    lines = str(error.value).splitlines()
    assert len(lines) == 3
    assert "claim value: the id is used 2 times; make it unique" in lines[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "jrr.yaml, line 1: .* must be an object"),
        ("claims: []", "jrr.yaml, line 1: .*sections"),
        ("sections:\n- title: A\n  claim: []\n", "jrr.yaml, line 2: section 'A': .*claim"),
        ("sections: [\n", "jrr.yaml, line 2: "),
        ("sections: \0", "jrr.yaml: unacceptable character"),
        ("sections: []\nsections: []\n", "jrr.yaml, line 2: the key sections appears twice in one mapping; keep one"),
        ("sections:\n- title: A\n  claims:\n  - id: a\n    rows: n == 1\n    rows: n == 2\n", "line 6: the key rows"),
    ],
)
def test_a_file_of_another_form_is_refused(read, text, message):
    with pytest.raises(ConfigurationError, match=message):
        read(text)


def test_causes_are_read_and_each_is_used(tmp_path):
    path = tmp_path / "jrr.yaml"
    content = {"causes": {"slip": {"states": "A digit.", "weight": "slip"}}, "sections": []}
    path.write_text(yaml.safe_dump(content))
    assert load_causes(path) == {"slip": Cause("A digit.", "slip")}
    with pytest.raises(ConfigurationError, match="causes: no claim has the cause slip; remove it"):
        load(path)


def test_variants_override_fields_of_the_claim():
    claim = changed("flat", alternatives=[{"name": "in theory", "basis": "theory"}])
    stated, alternative = typed(claim).meanings
    assert stated == ("", typed(changed("flat")))
    assert alternative == ("in theory", typed(changed("flat", basis="theory")))


def test_a_variant_of_another_kind_keeps_the_fields_of_its_kind(read):
    falls = {"name": "it falls", "kind": "monotone", "direction": "decreasing"}
    claim = changed("flat", alternatives=[falls])
    read([claim])
    _, (_, alternative) = typed(claim).meanings
    assert alternative == typed(changed("flat", kind="monotone", direction="decreasing", tolerance=None))
    refused(
        read,
        "claim flat, alternative it falls: tolerance: unknown key",
        [{**claim, "alternatives": [{**falls, "tolerance": 1}]}],
    )


def test_a_variant_of_an_unknown_kind_is_refused(read):
    refused(
        read,
        "claim flat, alternative other: kind: 'level' is not one of",
        [changed("flat", alternatives=[{"name": "other", "kind": "level"}])],
    )
