import pytest

from claimaudit.experiments.axes import Axis, Number, by_name

SHARE = Number(0.001, 0.999, "{:.0%} of the users", "share of the users")
RULE = Axis("rule", {"body": "the body's rule", "exact": "the exact rule"})
AMPLIFY = Axis("amplify", {False: "nominal", True: "amplified"})
SHARES = Axis("share", number=SHARE, default=0.1)
USERS = Axis("users", {"all": "all users"}, Number(1, 100, "the first {:,}", "users", whole=True))


@pytest.mark.parametrize(
    ("axis", "admitted", "refused"),
    [
        (RULE, ["body", "exact"], ["best", "", 0, True, None]),
        (AMPLIFY, [False, True], [0, 1, "true", None]),
        (Axis("one", {1: "one"}), [1, 1.0], [True, "1"]),
        (USERS, ["all", 1, 100], [0, 101, 1.5, True, "1", "every"]),
        (SHARES, [0.001, 0.5, 0.999], [0, 1, 1.0, "0.5", True, float("nan")]),
    ],
)
def test_values_that_an_axis_takes(axis, admitted, refused):
    assert all(map(axis.admits, admitted))
    assert not any(map(axis.admits, refused))


@pytest.mark.parametrize(
    ("axis", "value", "message"),
    [
        (RULE, "exat", "rule='exat' is none of body, exact; did you mean exact?"),
        (RULE, "zzz", "rule='zzz' is none of body, exact"),
        (AMPLIFY, 1, "amplify=1 is none of false, true"),
        (USERS, 0, "users=0 is none of all, a whole number from 1 to 100 (users)"),
        (SHARES, 2, "share=2 is none of a number from 0.001 to 0.999 (share of the users)"),
    ],
)
def test_a_refused_value_is_one_line_with_the_allowed_ones(axis, value, message):
    for refuse in (axis.require, axis.phrase):
        with pytest.raises(ValueError, match="is none of") as error:
            refuse(value)
        assert str(error.value) == message


def test_the_first_named_value_is_the_default_unless_one_is_given():
    assert (RULE.default, AMPLIFY.default) == ("body", False)
    assert [USERS.phrase("all"), USERS.phrase(20)] == ["all users", "the first 20"]
    assert SHARES.phrase(0.2) == "20 % of the users"
    assert Axis("rule", RULE.words, default="exact").default == "exact"
    with pytest.raises(ValueError, match="axis share: give a default"):
        Axis("share", number=SHARE)


def test_axes_by_name_differ_in_it():
    assert by_name(RULE, AMPLIFY) == {"rule": RULE, "amplify": AMPLIFY}
    with pytest.raises(ValueError, match="share a name among rule, rule"):
        by_name(RULE, RULE)
