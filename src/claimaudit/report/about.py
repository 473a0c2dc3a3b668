"""What a report says of itself: its title, the software that made it, and how to make it again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """What is the same on all pages of a report.

    Attributes
    ----------
    title
        Its title.
    software
        The name under which it is cited.
    again
        The command that judges a claim again; ``PAPER`` and ``CLAIM`` in it stand for ids.
    method
        A sentence on how results are computed, beyond what every audit does.
    workflow
        Whether a workflow made it, which also writes metadata, times and notebooks.
    promises
        The id of the paper, if any, that states what the report's own publishers promise; it is counted apart.
    """

    title: str
    software: str
    again: str
    method: str = ""
    workflow: bool = True
    promises: str = ""
