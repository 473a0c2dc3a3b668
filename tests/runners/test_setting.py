import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from claimaudit.experiments.runner import BaseSetting, Swept, ViewName
from corrldp.runners import DomainSize, Epsilon, Probability, Users


class Records(BaseSetting):
    """Part of a setting."""

    view: ViewName
    other: ViewName | None = None


class Setting(BaseSetting):
    """A setting of every kind of field."""

    n: Swept[Users] = ()
    epsilon: Swept[Epsilon]
    rho: Swept[Probability] = ()
    k: DomainSize = 2
    views: dict[str, ViewName] = Field(default={})
    records: tuple[Records, ...] = ()
    title: str = "adult"


def built(**content):
    return Setting.model_validate(content, context={"views": ["adult", "clave", "mushroom"]})


numbers = st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True).map(tuple)


@given(numbers, numbers)
def test_points_are_the_product_of_the_swept_fields_the_last_one_fastest(n, epsilon):
    setting = built(n=n, epsilon=epsilon)
    assert [*setting.points({})] == [{"n": a, "epsilon": b} for a, b in itertools.product(n, epsilon)]


def test_a_swept_field_without_values_is_left_to_an_axis():
    assert built(epsilon=(1,)).swept() == ["epsilon"]
    assert built(epsilon=(1,), rho=(0.5,)).swept() == ["epsilon", "rho"]


def test_points_keep_whole_numbers_whole():
    """1 and 1.0 would print differently in a result table and give different random streams."""
    ((first, second),) = [[point["epsilon"] for point in built(epsilon=(1, 0.5)).points({})]]
    assert (type(first), type(second)) == (int, float)


@pytest.mark.parametrize(
    ("content", "place", "kind"),
    [
        ({"epsilon": (1,), "epsilons": (2,)}, ("epsilons",), "extra_forbidden"),
        ({}, ("epsilon",), "missing"),
        ({"epsilon": (0,)}, ("epsilon", 0), "greater_than"),
        ({"epsilon": ("1",)}, ("epsilon", 0), "int_type"),
        ({"epsilon": (True,)}, ("epsilon", 0), "int_type"),
        ({"epsilon": (1,), "views": {"one": "claves"}}, ("views", "one"), "value_error"),
        ({"epsilon": (1,), "records": ({"view": "adults"},)}, ("records", 0, "view"), "value_error"),
    ],
)
def test_a_wrong_setting_is_refused_where_it_is_wrong(content, place, kind):
    with pytest.raises(ValidationError) as error:
        built(**content)
    first = error.value.errors()[0]
    assert kind != "value_error" or "is no view; did you mean " in first["msg"]
    assert first["loc"][: len(place)] == place
    assert first["type"] == kind


def test_views_are_found_wherever_they_stand_and_once():
    records = ({"view": "clave", "other": "adult"}, {"view": "mushroom"})
    setting = built(epsilon=(1,), views={"one": "clave", "two": "mushroom"}, records=records)
    assert setting.view_names() == ["clave", "mushroom", "adult"]
    assert built(epsilon=(1,)).view_names() == []
