"""Text in lines of about equal length."""

import re
import textwrap

STUCK = "\N{NO-BREAK SPACE}"
STICKY = re.compile(r"(?<==) | (?=[=\d])")


def wrapped(text: str, letters: int) -> str:
    """Return a text in as few lines of at most so many letters as hold it, none much shorter than the others.

    Lines that the text has stay lines. A number stays with the word before it, as in "Algorithm 1" and "n = 200", and a
    word with a hyphen, such as the name of a mechanism, stays whole.
    """
    return "\n".join(_even(STICKY.sub(STUCK, line), letters) for line in text.splitlines()).replace(STUCK, " ")


def _even(text: str, letters: int) -> str:
    filled = _filled(text, letters)
    longest = max(1, *map(len, text.split(" ")))
    for fewer in range(letters - 1, longest - 1, -1):
        narrower = _filled(text, fewer)
        if len(narrower) > len(filled):
            break
        filled = narrower
    return "\n".join(filled)


def _filled(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters, break_on_hyphens=False)
