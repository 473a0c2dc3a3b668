import pytest
import yaml

from corrldp.audit.claims import ClaimError, load, variants

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
    },
    {**COMMON, "id": "flat", "kind": "flat", "table": "fig3", "quantity": "mse_jrr", "along": "n", "tolerance": 0.01},
    {**COMMON, "id": "agreement", "kind": "agreement", "table": "fig3", "rows": "metric == 'mse'"},
    {**COMMON, "id": "cells", "kind": "cells", "table": "fig3", "published": "fig3", "metric": "mse"},
    {**COMMON, "id": "contradiction", "kind": "contradiction", "printed": {"a": 1}, "relation": "a == 1"},
]


@pytest.fixture
def read(tmp_path):
    def load_claims(claims):
        path = tmp_path / "jrr.yaml"
        path.write_text(yaml.safe_dump(claims))
        return load(path)

    return load_claims


def changed(name, /, **fields):
    claim = {**next(claim for claim in VALID if claim["id"] == name), **fields}
    return {key: entry for key, entry in claim.items() if entry is not None}


def test_valid_claims_of_every_kind(read):
    assert read(VALID) == VALID
    assert read([]) == []


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (changed("value", printed={"value": 1}), "claim value: printed: {'value': 1} is not value and resolution"),
        (changed("value", printed=None), "claim value: fields: 'printed' is a required property"),
        (changed("value", along="n"), "claim value: fields: Unevaluated .*'along' was unexpected"),
        (changed("ordering", relation="=="), "claim ordering: relation: '==' is not one of"),
        (
            changed("ordering", share={"at_least": 97}),
            "claim ordering: share: {'at_least': 97} is not every, some, none",
        ),
        (changed("monotone", direction="up"), "claim monotone: direction: 'up' is not one of"),
        (changed("flat", quantity=None), "claim flat: fields: 'quantity' is a required property"),
        (changed("agreement", table=None), "claim agreement: fields: 'table' is a required property"),
        (changed("cells", metric=None), "claim cells: fields: 'metric' is a required property"),
        (changed("contradiction", printed={"a": "1e-3"}), "claim contradiction: printed.a: '1e-3' is not of type"),
        (changed("flat", kind="flatt"), "claim flat: kind: 'flatt' is not one of"),
        (changed("flat", kind=None), "claim flat: fields: 'kind' is a required property"),
        (changed("flat", id=None), "claim number 1: fields: 'id' is a required property"),
        (changed("flat", id="Not a slug"), "claim Not a slug: id: .*does not match"),
        (changed("flat", alternatives=[{"name": "x", "alogn": "n"}]), "claim flat, alternative x: .*'alogn'"),
        (changed("flat", alternatives=[{"along": "n"}]), "claim flat: alternatives.*'name' is a required"),
        ("text", "claim number 1: fields: 'text' is not of type 'object'"),
    ],
)
def test_a_fault_is_one_line_that_names_the_claim(read, claim, message):
    with pytest.raises(ClaimError, match=f"jrr.yaml: {message}") as error:
        read([claim])
    assert len(str(error.value).splitlines()) == 1


def test_every_fault_has_its_line(read):
    with pytest.raises(ClaimError) as error:
        read([changed("flat", along=None), changed("value", quantity=None), *VALID])
    lines = str(error.value).splitlines()
    assert len(lines) == 4
    assert "claim flat: the id is used 2 times; make it unique" in lines[2]


def test_a_file_that_is_no_list_is_refused(read):
    with pytest.raises(ClaimError, match="a claims file is a list of claims"):
        read({"claims": []})


def test_variants_override_fields_of_the_claim():
    claim = changed("flat", alternatives=[{"name": "in theory", "basis": "theory"}])
    stated, alternative = variants(claim)
    assert stated == ("", changed("flat"))
    assert alternative == ("in theory", changed("flat", basis="theory"))
