"""Small words: plurals, lists, shares."""

from __future__ import annotations


def plural(count: int, singular: str, several: str | None = None) -> str:
    """Word a number of things: ``1 claim``, ``2 claims``; `several` where an s is not enough."""
    return f"{count:,} {singular if count == 1 else several or f'{singular}s'}"


def listed(items: list[str], limit: int | None = None, rest: str = "", last: str = "and") -> str:
    """Word a list: ``a, b and c``, or the first `limit` of them and how many of the `rest` there are."""
    if limit is not None and len(items) > limit:
        items = [*items[:limit], plural(len(items) - limit, f"more {rest}")]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}"


def percent(share: float) -> str:
    """Word a share in percent."""
    return f"{100 * share:.0f} %"
