"""Plurals, lists and percentages as text."""

from __future__ import annotations


def plural(count: int, singular: str, several: str | None = None) -> str:
    """Format a count with its noun: ``1 claim``, ``2 claims``; `several` is an irregular plural."""
    return f"{count:,} {singular if count == 1 else several or f'{singular}s'}"


def listed(items: list[str], limit: int | None = None, rest: str = "", last: str = "and") -> str:
    """Format a list: ``a, b and c``, or the first `limit` items and the number of the `rest`."""
    if limit is not None and len(items) > limit:
        items = [*items[:limit], plural(len(items) - limit, f"more {rest}")]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def percent(share: float) -> str:
    """Format a share in percent."""
    return f"{100 * share:.0f} %"


def title_with(short: str, title: str) -> str:
    """Return a title with the short name behind it unless it starts with that; two texts may share a title."""
    return title if title.startswith(f"{short}: ") else f"{title} ({short})"
