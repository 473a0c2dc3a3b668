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
    count = len(_filled(text, letters))
    if count < 2:
        return text
    fewest = max(*map(len, text.split(" ")), len(text) // count)
    widths = (width for width in range(fewest, letters) if len(_filled(text, width)) == count)
    return "\n".join(_filled(text, next(widths, letters)))


def _filled(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters, break_on_hyphens=False)
