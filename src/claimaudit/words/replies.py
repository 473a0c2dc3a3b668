"""Replies to verdicts in words."""

from __future__ import annotations

from claimaudit.verdicts import Reply

DISPUTED = "disputed"
"""The mark of a claim whose verdict a reply disputes; the verdict stays."""


def by_whom(reply: Reply) -> str:
    """Say what a reply is, by whom and when."""
    return f"{'Disputed' if reply.disputes else 'Answered'} by {reply.by}, {reply.date}"


def sentence(reply: Reply) -> str:
    """Return a reply in one piece."""
    return f"{by_whom(reply)} ({reply.source}): {reply.says}"
