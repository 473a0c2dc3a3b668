"""Rows of a result table."""

from __future__ import annotations

from typing import Any

Reading = tuple[str, dict[str, Any]]
STRICT: Reading = ("strict", {})


def row(
    point: dict[str, Any],
    reading: Reading,
    mechanism: str,
    metric: str,
    mean: float,
    *,
    se: float = 0.0,
    runs: int = 0,
    theory: float = float("nan"),
    standin: bool = False,
) -> dict[str, Any]:
    """Return one row, exact without `se` and `runs`. Settings that the reading decides stand behind `reading`."""
    label, axes = reading
    return {
        **{name: value for name, value in point.items() if name not in axes},
        "reading": label,
        **axes,
        "mechanism": mechanism,
        "metric": metric,
        "mean": float(mean),
        "se": float(se),
        "runs": runs,
        "theory": float(theory),
        "standin": standin,
    }
