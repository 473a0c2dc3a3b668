"""Settings on binary values: who takes part, at which epsilon, with how many colluders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Annotated, Any, Self

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, model_validator

from corrldp.experiments.setting import BaseSetting, Count, Epsilon, Point, Probability, Swept, Users

Truthfulness = Annotated[int | float, Gt(0.5), Le(1)]
"""A probability of the truth."""

Correlation = Annotated[int | float, Ge(-1), Le(1)]
"""A correlation of a pair's truthfulness."""


class Population(BaseModel):
    """A data set: `n` users, `n1` of whom hold 1."""

    model_config = BaseSetting.model_config

    dataset: str = "synthetic"
    n: Users
    n1: Count

    @model_validator(mode="after")
    def _has_its_ones(self) -> Self:
        if self.n1 > self.n:
            raise ValueError(f"n1={self.n1} must lie in 0..n={self.n}: it counts the users who hold 1")
        return self


class Setting(BaseSetting):
    """The `populations`, or all `n` with all `ones_fraction` that make a whole number of users; budgets; colluders.

    `colluders_fraction` is a share of the other users. The axes decide `n`, `epsilon` and `colluders` if not given.
    """

    populations: tuple[Population, ...] = ()
    n: Swept[Users] = ()
    ones_fraction: Swept[Probability] = ()
    epsilon: Swept[Epsilon] = ()
    colluders: Swept[Count] = ()
    colluders_fraction: Swept[Probability] = ()

    @model_validator(mode="after")
    def _is_decided_once(self) -> Self:
        if bool(self.populations) == bool(self.ones_fraction) or (self.populations and self.n):
            raise ValueError("state who takes part once: by populations, or by ones_fraction and n")
        if self.colluders and self.colluders_fraction:
            raise ValueError("both colluders and colluders_fraction are given; remove one")
        return self

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every population with every budget and number of colluders, at most all other users.

        `imbalance` is |2 n1 - n| / n, which together with n determines the variance.
        """
        for population, epsilon in product(self._populations(choices), self.epsilon or [choices["epsilon"]]):
            n, n1 = population["n"], population["n1"]
            for colluders in self._colluders(n, choices):
                yield {**population, "imbalance": abs(2 * n1 - n) / n, "epsilon": epsilon, **colluders}

    def _populations(self, choices: Mapping[str, Any]) -> list[Point]:
        if self.populations:
            return [population.model_dump() for population in self.populations]
        return [
            {"dataset": "synthetic", "n": n, "n1": round(n * fraction), "ones_fraction": fraction}
            for n, fraction in product(self.n or [choices["n"]], self.ones_fraction)
            if abs(n * fraction - round(n * fraction)) < 1e-9
        ]

    def _colluders(self, n: int, choices: Mapping[str, Any]) -> list[Point]:
        if self.colluders_fraction:
            return [
                {"colluders": round(fraction * (n - 1)), "colluders_fraction": fraction}
                for fraction in self.colluders_fraction
            ]
        return [{"colluders": min(m, n - 1)} for m in self.colluders or [choices["colluders"]]]
